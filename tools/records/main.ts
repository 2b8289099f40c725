// Writes every form of an order from its one list of fields, or with --check fails if one is out of date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { orderForms, orderTypes } from './engine.ts';
import { orderRow } from './history.ts';
import { orderText } from './lane.ts';
import { orderAnswer } from './server.ts';

const root = path.resolve(import.meta.dirname, '../..');

const files: readonly (readonly [file: string, text: string])[] = [
  ['engine/src/generated/order.ts', orderTypes()],
  ['engine/src/generated/order-forms.ts', orderForms()],
  ['lane/src/record/generated/order.ts', orderText()],
  ['history/src/generated/order.ts', orderRow()],
  ['server/src/wire/generated/order.ts', orderAnswer()],
];

for (const [name, text] of files) {
  const file = path.join(root, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${name} is out of date; run node tools/records/main.ts\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`wrote ${name}\n`);
  }
}
