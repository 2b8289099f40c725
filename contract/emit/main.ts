// Writes the generated documents, or with --check fails if one of them is out of date.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { streamDocument } from './asyncapi.ts';
import { type Json, operatorDocument, publicDocument } from './openapi.ts';

const guide = readFileSync(new URL('../../docs/INTERFACE.md', import.meta.url), 'utf8');
const documents: Readonly<Record<string, () => Json>> = {
  'openapi.json': () => publicDocument(guide),
  'operator-openapi.json': operatorDocument,
  'asyncapi.json': () => streamDocument(),
};

const check = process.argv.includes('--check');
const stale: string[] = [];

for (const [name, make] of Object.entries(documents)) {
  const file = fileURLToPath(new URL(`../generated/${name}`, import.meta.url));
  const text = `${JSON.stringify(make(), null, 2)}\n`;
  if (readIfPresent(file) === text) continue;
  if (check) {
    stale.push(name);
    continue;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`wrote contract/generated/${name}\n`);
}

if (stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(', ')}; run npm run emit -w @sibyl/contract\n`);
  process.exitCode = 1;
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
