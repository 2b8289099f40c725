// Writes files that follow from the contract, or with --check fails if one of them is out of date.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Into a folder of the tree; what stands there already is left alone. `emitter` is the workspace whose script writes it. */
export function writeGenerated(
  folder: string,
  emitter: string,
  files: Readonly<Record<string, () => string>>,
): void {
  const isCheck = process.argv.includes('--check');
  const stale: string[] = [];
  for (const [name, make] of Object.entries(files)) {
    const file = path.join(root, folder, name);
    const text = make();
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (isCheck) {
      stale.push(name);
      continue;
    }
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`wrote ${folder}/${name}\n`);
  }
  if (stale.length === 0) return;
  process.stderr.write(`out of date: ${stale.join(', ')}; run npm run emit -w ${emitter}\n`);
  process.exitCode = 1;
}
