// Checks the emitted AsyncAPI document: valid 3.0, current, and complete.

import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { streamMessages } from '../src/streams/all.ts';
import { socketCommands } from '../src/streams/commands.ts';
import { channels } from '../src/streams/define.ts';
import { messageRows } from '../test/interface.ts';
import { at, isNode, nodesOf } from '../test/walk.ts';
import { streamDocument } from './asyncapi.ts';

const document = structuredClone(streamDocument());
const official: Record<string, unknown> = { ...specs.schemasWithoutId['3.0.0'] };
const valid = new Ajv({ strict: false, validateFormats: false }).compile(official);
const frames = new Ajv({ strict: false, validateFormats: false });
frames.addSchema({ $id: 'asyncapi.json', components: document.components });

describe('asyncapi.json', () => {
  it('[CT27] satisfies the official schema of AsyncAPI 3.0', () => {
    expect(problemsOf(document)).toEqual([]);
  });

  it.each<readonly [string, (copy: Record<string, unknown>) => void]>([
    ['another version', (copy) => Object.assign(copy, { asyncapi: '2.6.0' })],
    ['no info', (copy) => Object.assign(copy, { info: {} })],
    [
      'an unknown action',
      (copy) => Object.assign(at(copy, 'operations', 'send_ticker'), { action: 'emit' }),
    ],
    ['an unknown key', (copy) => Object.assign(at(copy, 'channels', 'ticker'), { adress: '/' })],
  ])('[CT27] would not pass with %s', (_fault, plant) => {
    const copy = structuredClone(document);
    plant(copy);
    expect(problemsOf(copy)).not.toEqual([]);
  });

  it('[CT27] is committed as emitted', () => {
    const committed = readFileSync(new URL('../generated/asyncapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('[CT27] resolves every reference', () => {
    let count = 0;
    for (const [path, node] of nodesOf(document, 'asyncapi.json')) {
      if (typeof node.$ref !== 'string') continue;
      count += 1;
      const target = at(document, ...node.$ref.replace('#/', '').split('/'));
      expect([path, Object.keys(target).length > 0]).toEqual([path, true]);
    }
    expect(count).toBeGreaterThan(300);
  });

  it('[CT27] has every message in its channel and every command in the session', () => {
    for (const { type, stream } of Object.values(streamMessages)) {
      expect(Object.keys(at(document, 'channels', stream, 'messages'))).toContain(type);
      expect(at(document, 'components', 'messages', type).name).toBe(type);
    }
    for (const name of Object.keys(socketCommands)) {
      expect(at(document, 'operations', `receive_${name}`).action).toBe('receive');
    }
    const inChannels = channels.flatMap((channel) =>
      Object.keys(at(document, 'channels', channel, 'messages')),
    );
    const count = messageRows.length + Object.keys(socketCommands).length;
    expect(inChannels).toHaveLength(count);
    expect(Object.keys(at(document, 'components', 'messages'))).toHaveLength(count);
  });

  it.each(Object.keys(at(document, 'components', 'messages')))(
    '[CT27] the example of %s satisfies the schema in the document',
    (name) => {
      const ref = `asyncapi.json#/components/messages/${name}/payload`;
      const { examples } = at(document, 'components', 'messages', name);
      const [example]: unknown[] = Array.isArray(examples) ? examples : [];
      const validate = frames.compile({ $ref: ref });
      const isValid = validate(isNode(example) ? example.payload : undefined);
      expect([validate.errors ?? [], isValid]).toEqual([[], true]);
    },
  );
});

function problemsOf(value: unknown): readonly string[] {
  if (valid(value)) return [];
  return (valid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
