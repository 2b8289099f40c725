// Writes the generated part of the client, or with --check fails if it differs from the contract.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorsModule } from './errors.ts';
import { operationsModule } from './operations.ts';
import { webhooksModule } from './webhooks.ts';

const modules: Readonly<Record<string, () => string>> = {
  'operations.ts': operationsModule,
  'errors.ts': errorsModule,
  'webhooks.ts': webhooksModule,
};

const check = process.argv.includes('--check');
const stale: string[] = [];

for (const [name, make] of Object.entries(modules)) {
  const file = fileURLToPath(new URL(`../src/generated/${name}`, import.meta.url));
  const text = make();
  if (readIfPresent(file) === text) continue;
  if (check) {
    stale.push(name);
    continue;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`wrote sdk/src/generated/${name}\n`);
}

if (stale.length > 0) {
  process.stderr.write(`out of date: ${stale.join(', ')}; run npm run emit -w @sibyl/sdk\n`);
  process.exitCode = 1;
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
