// Writes the generated documents, or with --check fails if one of them is out of date.

import { readFileSync } from 'node:fs';
import { streamDocument } from './asyncapi.ts';
import { writeGenerated } from './generated-files.ts';
import { type Json, operatorDocument, publicDocument } from './openapi.ts';

const guide = readFileSync(new URL('../../docs/INTERFACE.md', import.meta.url), 'utf8');

writeGenerated('contract/generated', '@sibyl/contract', {
  'openapi.json': () => textOf(publicDocument(guide)),
  'operator-openapi.json': () => textOf(operatorDocument()),
  'asyncapi.json': () => textOf(streamDocument()),
});

function textOf(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
