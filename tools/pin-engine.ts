// Pins what the recorded commands come to under the engine of this tree, until the first release: lane/frozen/README.md.
//
//   node tools/pin-engine.ts
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildOf, pinOf, RECORDINGS } from '../lane/test/golden.ts';

const tree = path.join(import.meta.dirname, '..');
const logic = path.join(tree, 'engine/src/logic.ts');

const pins = RECORDINGS.map((name) => pinOf(name));
const build = buildOf(pins);
const text = readFileSync(logic, 'utf8');
writeFileSync(logic, text.replace(/ENGINE_BUILD = '[0-9a-f]+'/, `ENGINE_BUILD = '${build}'`));
writeFileSync(path.join(tree, 'lane/frozen/golden.json'), `${JSON.stringify(pins, null, 2)}\n`);
console.log(`engine build ${build}`);
