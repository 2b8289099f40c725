import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;
const sources = (folder: string): string[] =>
  readdirSync(folder).filter((file) => file.endsWith('.tsx'));

const components = sources(path.join(here, '../../components'));
const shown = sources(here)
  .map((file) => readFileSync(path.join(here, file), 'utf8'))
  .join();

it('[WF13] shows every component', () => {
  expect(components.length).toBeGreaterThan(30);
  const missing = components.filter((file) => !shown.includes(`from '../../components/${file}'`));
  expect(missing).toEqual([]);
});
