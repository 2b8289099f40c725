// Writes the generated documents, or with --check fails if one of them is out of date.

import { readFileSync } from 'node:fs';
import { streamDocument } from './asyncapi.ts';
import { writeGenerated } from './generated-files.ts';
import { type Json, operatorDocument, publicDocument } from './openapi.ts';

const guide = readFileSync(new URL('../../docs/INTERFACE.md', import.meta.url), 'utf8');

const UNSEEN = /(?!\n)\p{C}|\p{M}|\p{Zl}|\p{Zp}|[\u115f\u1160\u2800\u3164\uffa0]/gu;

writeGenerated('contract/generated', '@sibyl/contract', {
  'openapi.json': () => textOf(publicDocument(guide)),
  'operator-openapi.json': () => textOf(operatorDocument()),
  'asyncapi.json': () => textOf(streamDocument()),
});

/** Characters that cannot be seen stand escaped, so that a change of them can be. */
function textOf(document: Json): string {
  const text = JSON.stringify(document, null, 2).replaceAll(UNSEEN, escaped);
  return `${text}\n`;
}

function escaped(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}
