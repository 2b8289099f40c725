// Checks every message of the socket against an independent transcription of the interface's table.

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { messageCounts, messageRows } from '../../test/interface.ts';
import { isNode, nodesOf, propertiesOf } from '../../test/walk.ts';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { closedSchema } from '../strict.ts';
import { streamMessages } from './all.ts';
import { type AnyStreamMessage, channels } from './define.ts';
import { exampleFrame, frameOf } from './frame.ts';
import { streams } from './names.ts';

const rows = messageRows;
const byType: readonly [string, AnyStreamMessage][] = Object.entries(streamMessages);
const options = { strict: false, validateFormats: false, allErrors: true };
const draft2020 = new Ajv2020(options);
const draft07 = new Ajv(options);
const moneyPattern = '^-?[0-9]+(\\.[0-9]{1,18})?$';
const moneyName =
  /(^|_)(price|size|amount|balance|volume|notional|fee|rebate|cost|bid|ask|pnl|payout|interest|24h|delta|strike)(_|$)/;
const notMoney = new Set(['payout_vector', 'final_prices', 'balances']);

describe('messages of the socket', () => {
  it('[CT19] are those of the interface, so many on each stream', () => {
    expect(Object.keys(streamMessages)).toEqual(rows.map(([type]) => type));
    const count = (channel: string) => byType.filter(([, { stream }]) => stream === channel).length;
    expect(channels.map((channel) => [channel, count(channel)])).toEqual(messageCounts);
  });

  it.each(rows)('[CT19] %s rides on %s for %s', (type, stream, visibility, fields) => {
    const found = byType.find(([key]) => key === type)?.[1];
    expect([found?.type, found?.stream, found?.visibility]).toEqual([type, stream, visibility]);
    const required = isNode(found?.data) ? found.data.required : [];
    expect(required).toEqual(expect.arrayContaining(String(fields).split(' ')));
  });

  it('[CT19] wait for their source only where the source is not built', () => {
    const later = byType.filter(([, { since }]) => since === 'later').map(([type]) => type);
    expect(later).toEqual(['rfq_opened', 'rfq_quote', 'rfq_filled', 'rfq_closed']);
  });

  it('[CT19] agree with the visibility of their stream, and name its snapshot', () => {
    for (const [, message] of byType) {
      if (message.stream === 'session' || message.stream === 'broadcast') continue;
      expect(message.visibility).toBe(streams[message.stream].visibility);
    }
    for (const [base, { snapshot }] of Object.entries(streams)) {
      if (snapshot === null) continue;
      expect(byType.find(([type]) => type === snapshot)?.[1].stream).toBe(base);
    }
  });

  it.each(byType)(
    '[CT20] %s: the example frame satisfies its schema, nothing undeclared',
    (_type, message) => {
      expect(violations(closedSchema(frameOf(message)), exampleFrame(message))).toEqual([]);
      expect(Object.isFrozen(message)).toBe(true);
    },
  );

  it('[CT20] numbered frames have stream and seq, the others neither', () => {
    const frame = exampleFrame(streamMessages.orderbook_delta);
    const schema = frameOf(streamMessages.orderbook_delta);
    for (const field of ['type', 'stream', 'seq', 'ts_ms', 'data']) {
      const { [field]: _gone, ...rest } = frame;
      expect(violations(schema, rest)).toEqual([`required ${field}`]);
    }
    const { prev_seq: _prev, ...snapshot } = frame;
    expect(violations(schema, snapshot)).toEqual([]);
    const greeting = closedSchema(frameOf(streamMessages.welcome));
    expect(violations(greeting, { ...exampleFrame(streamMessages.welcome), seq: 1 })).not.toEqual(
      [],
    );
  });

  it('[CT20] the authenticated reply has user_id at the top, as the specification shows', () => {
    const frame = exampleFrame(streamMessages.authenticated);
    expect(frame).toMatchObject({ type: 'authenticated', user_id: 'usr_01J0000000000005' });
    const { user_id: _gone, ...rest } = frame;
    expect(violations(frameOf(streamMessages.authenticated), rest)).toEqual(['required user_id']);
  });

  it.each(byType)('[CT20] %s: names, money and times are as over REST', (type, message) => {
    for (const { path, name, schema, siblings } of propertiesOf(message.data, type)) {
      expect([path, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)]).toEqual([path, true]);
      expect([path, [schema.type].flat().includes('number')]).toEqual([path, false]);
      if (name.endsWith('_at')) expect(siblings).toContain(`${name}_ms`);
      if (name.endsWith('_at_ms')) expect(siblings).toContain(name.slice(0, -3));
      if (!moneyName.test(name) || notMoney.has(name) || /_(ms|id|at|max|venue)$/.test(name))
        continue;
      const isMoney = schema.pattern === moneyPattern && [schema.type].flat()[0] === 'string';
      expect([path, isMoney]).toEqual([path, true]);
    }
    for (const [path, node] of nodesOf(message.example, type)) {
      for (const [name, value] of Object.entries(node)) {
        if (!name.endsWith('_at')) continue;
        const ms = value === null ? null : Date.parse(String(value));
        expect([path, name, node[`${name}_ms`]]).toEqual([path, name, ms]);
      }
    }
  });

  it.each(byType)(
    '[CT20] %s: the schema is open to additions and compiles under both drafts',
    (type, message) => {
      const schema = plain(frameOf(message));
      expect(() => draft07.compile(schema)).not.toThrow();
      expect(() => draft2020.compile(schema)).not.toThrow();
      for (const [path, node] of nodesOf(message.data, type)) {
        if (node.type === 'object' && 'properties' in node) {
          expect([path, 'additionalProperties' in node]).toEqual([path, false]);
        }
      }
    },
  );

  it('[CT20] errors and rejections speak the codes of the catalogue', () => {
    const schema = frameOf(streamMessages.error);
    const frame = exampleFrame(streamMessages.error);
    for (const code of Object.keys(errors)) {
      const data = { id: null, op: null, code, message: '' };
      expect(violations(schema, { ...frame, data })).toEqual([]);
    }
    const unknown = { ...frame, data: { id: null, op: null, code: 'NOPE', message: '' } };
    expect(violations(schema, unknown)).not.toEqual([]);
  });

  it('[CT21] limits are those of the interface', () => {
    expect(limits.socket).toMatchObject({
      frameBytesMax: 16 * 1024,
      framesPerSecond: 10,
      framesBurst: 20,
      streamsMax: 200,
      perAddressMax: 20,
      knownPerAddressMax: 100,
      perKeyMax: 10,
      snapshotBytesBurst: 16 * 1024 * 1024,
      snapshotBytesPerSecond: 512 * 1024,
      heartbeatIntervalMs: 5_000,
      replayWindowMs: 5 * 60_000,
      replayMessagesMax: 10_000,
      queueBytesMax: 1024 * 1024,
      expiryNoticeMs: 60_000,
    });
    expect(limits.socket.bookDepth).toBe(limits.depth.max);
    const { data } = exampleFrame(streamMessages.welcome);
    expect(data).toMatchObject({
      heartbeat_interval_ms: limits.socket.heartbeatIntervalMs,
      resume_window_ms: limits.socket.replayWindowMs,
      limits: { max_streams: 200, frames_per_sec: 10, max_frame_bytes: 16_384 },
    });
  });
});

function violations(schema: object, value: unknown): string[] {
  const validate = draft2020.compile(plain(schema));
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ keyword, params, instancePath, message }) =>
    keyword === 'required' ? `required ${params.missingProperty}` : `${instancePath} ${message}`,
  );
}

function plain(schema: object): Record<string, unknown> {
  const copy: unknown = JSON.parse(JSON.stringify(schema));
  return isNode(copy) ? copy : {};
}
