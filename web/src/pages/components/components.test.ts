import { expect, it } from 'vitest';

const components = Object.keys(import.meta.glob('../../components/*.tsx'));
const shown = Object.values(
  import.meta.glob<string>(['./*.tsx'], { query: '?raw', import: 'default', eager: true }),
).join();

it('[WF13] shows every component', () => {
  expect(components.length).toBeGreaterThan(30);
  expect(components.filter((file) => !shown.includes(`from '${file}'`))).toEqual([]);
});
