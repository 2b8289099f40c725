// The sources of the pages, read as text: texts are in every part of them.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.join(import.meta.dirname, '..');

it('[WF23] Chinese texts have full-width punctuation after Chinese characters', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    return [...text.matchAll(/.{0,8}\p{Script=Han}[,:;?!].{0,8}/gu)].map(
      ([part]) => `${file}: ${part}`,
    );
  });
  expect(found).toEqual([]);
});
