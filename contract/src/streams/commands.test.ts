// Checks the six commands, the grammar of stream names and the checksum of the book.

import { crc32 } from 'node:zlib';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { streamMessages } from './all.ts';
import { bookChecksum, bookChecksumText } from './checksum.ts';
import { closeCodes } from './close-codes.ts';
import { type SocketCommand, socketCommands } from './commands.ts';
import { parseStreamName, streamName, streams } from './names.ts';

const ajv = new Ajv({ strict: false, validateFormats: false });
const byName: readonly [string, SocketCommand][] = Object.entries(socketCommands);
const market = 'm_0123456789abcdef';

describe('commands', () => {
  it('[CT22] are the six of the interface', () => {
    expect(Object.keys(socketCommands)).toEqual([
      'AUTH',
      'SUBSCRIBE',
      'UNSUBSCRIBE',
      'LOCALE',
      'PING',
      'RESUME',
    ]);
  });

  it.each(byName)(
    '[CT22] %s takes op or method, an id, and nothing undeclared',
    (name, command) => {
      const { op, ...rest } = { op: name, ...command.example };
      expect(command.name).toBe(name);
      expect(accepts(command, { op, ...rest })).toBe(true);
      expect(accepts(command, { method: name, ...rest })).toBe(true);
      expect(accepts(command, { op: name, method: name, ...rest })).toBe(true);
      expect(accepts(command, { ...rest })).toBe(false);
      expect(accepts(command, { op: name.toLowerCase(), ...rest })).toBe(false);
      expect(accepts(command, { op, ...rest, id: 'a' })).toBe(true);
      expect(accepts(command, { op, ...rest, id: 'a'.repeat(65) })).toBe(false);
      expect(accepts(command, { op, ...rest, id: {} })).toBe(false);
      expect(accepts(command, { op, ...rest, surprise: 1 })).toBe(false);
      for (const reply of command.replies) expect(Object.keys(streamMessages)).toContain(reply);
    },
  );

  it.each([
    ['AUTH', { op: 'AUTH', token: 'ses_x' }, true],
    ['AUTH', { op: 'AUTH' }, false],
    ['AUTH', { op: 'AUTH', token: 'ses_x', cancel_on_disconnect: true, grace_ms: 0 }, true],
    ['AUTH', { op: 'AUTH', token: 'ses_x', grace_ms: 300_001 }, false],
    ['SUBSCRIBE', { op: 'SUBSCRIBE', params: ['ticker'] }, true],
    ['SUBSCRIBE', { op: 'SUBSCRIBE', params: ['no such thing'] }, true],
    ['SUBSCRIBE', { op: 'SUBSCRIBE', params: [] }, false],
    ['SUBSCRIBE', { op: 'SUBSCRIBE', params: [1] }, false],
    ['SUBSCRIBE', { op: 'SUBSCRIBE', params: Array.from({ length: 201 }, () => 'ticker') }, false],
    ['RESUME', { op: 'RESUME', streams: { ticker: 0 } }, true],
    ['RESUME', { op: 'RESUME', streams: { ticker: -1 } }, false],
    ['RESUME', { op: 'RESUME', streams: {} }, false],
    ['PING', { op: 'PING' }, true],
    ['LOCALE', { op: 'LOCALE', locale: 'zh-Hans-CN' }, true],
    ['LOCALE', { op: 'LOCALE' }, false],
  ] as const)('[CT22] %s %j: %s', (name, frame, isValid) => {
    expect(accepts(socketCommands[name], frame)).toBe(isValid);
  });
});

describe('stream names', () => {
  it('[CT23] the anonymous ones are exactly the four of the specification', () => {
    const open = Object.entries(streams).filter(([, { visibility }]) => visibility === 'public');
    expect(open.map(([base]) => base)).toEqual([
      'ticker',
      'orderbook',
      'fast_tick',
      'markets_snapshot',
    ]);
  });

  it.each([
    ['ticker', { base: 'ticker', marketId: null, outcomeId: null }],
    [`ticker:${market}`, { base: 'ticker', marketId: market, outcomeId: null }],
    [`orderbook:${market}:yes`, { base: 'orderbook', marketId: market, outcomeId: 'yes' }],
    [
      'orderbook:m_0123456789ab:a-b_9',
      { base: 'orderbook', marketId: 'm_0123456789ab', outcomeId: 'a-b_9' },
    ],
    ['account', { base: 'account', marketId: null, outcomeId: null }],
    [`account:${market}`, null],
    [`signals:${market}:yes`, null],
    [`fast_tick:${market}:up`, null],
    ['', null],
    ['ticker:', null],
    ['ticker:m_xyz', null],
    [`ticker:${market}:`, null],
    [`ticker:${market}:yes:no`, null],
    [`Ticker:${market}`, null],
    ['session', null],
    ['broadcast', null],
    ['__proto__', null],
    ['constructor', null],
    [`ticker:${market}\n`, null],
  ])('[CT23] %j', (text, expected) => {
    const parsed = parseStreamName(text);
    expect(parsed).toEqual(expected);
    if (parsed === null) return;
    const { base, marketId, outcomeId } = parsed;
    expect(streamName(base, marketId ?? undefined, outcomeId ?? undefined)).toBe(text);
  });
});

describe('checksum of the book', () => {
  const ten = Array.from({ length: 12 }, (_, index): [string, string] => [
    `0.${100 - index}`,
    `${index + 1}`,
  ]);

  it.each([
    [{ bids: [], asks: [] }, '|', 2_343_686_810],
    [{ bids: [['0.5', '1']], asks: [] }, '0.5:1|', 3_131_991_323],
    [
      {
        bids: [
          ['0.517', '1.85'],
          ['0.516', '5.77'],
        ],
        asks: [
          ['0.518', '3.91'],
          ['0.519', '5.77'],
        ],
      },
      '0.517:1.85,0.516:5.77|0.518:3.91,0.519:5.77',
      1_417_445_727,
    ],
    [
      { bids: ten, asks: [] },
      '0.100:1,0.99:2,0.98:3,0.97:4,0.96:5,0.95:6,0.94:7,0.93:8,0.92:9,0.91:10|',
      1_912_096_345,
    ],
  ] as const)('[CT24] %j', (book, text, checksum) => {
    // The numbers were made with zlib's crc32 in another language.
    expect(bookChecksumText(book)).toBe(text);
    expect(bookChecksum(book)).toBe(checksum);
    expect(crc32(text)).toBe(checksum);
  });

  it('[CT24] sees only the best ten levels', () => {
    const [first = ['0', '0']] = ten;
    expect(bookChecksum({ bids: ten, asks: [] })).toBe(
      bookChecksum({ bids: ten.slice(0, 10), asks: [] }),
    );
    expect(bookChecksum({ bids: ten, asks: [] })).not.toBe(
      bookChecksum({ bids: ten.slice(1), asks: [] }),
    );
    expect(bookChecksum({ bids: [first], asks: [] })).not.toBe(
      bookChecksum({ bids: [], asks: [first] }),
    );
  });
});

describe('close codes', () => {
  it('[CT21] are distinct and within what WebSocket allows', () => {
    const codes = Object.values(closeCodes).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) {
      expect([1001, 1003, 1009].includes(code) || (code >= 4000 && code <= 4999)).toBe(true);
    }
  });
});

function accepts(command: Pick<SocketCommand, 'frame'>, frame: unknown): boolean {
  return ajv.compile(JSON.parse(JSON.stringify(command.frame)))(frame) === true;
}
