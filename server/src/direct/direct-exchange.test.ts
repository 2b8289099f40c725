import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { rateCategories, rateScopes } from '@sibyl/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { successEnvelope } from '../gateway/envelope.ts';
import type { Responder } from '../gateway/respond.ts';
import { type Carrier, DirectExchange, type DirectRoute } from './direct-exchange.ts';

/** A client's end of a connection, which takes bytes when it is told to. */
class Client {
  readonly pieces: Buffer[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #carrier: Carrier;
  isReading = true;

  constructor() {
    const socket = new Writable({
      write: (bytes: Buffer, _encoding, done) => {
        this.pieces.push(bytes);
        if (this.isReading) done();
        else this.#waiting.push(done);
      },
    });
    this.#carrier = {
      socket: socket as unknown as Socket,
      lastLines: (hasClose) => `Connection: ${hasClose}\r\n\r\n`,
      lastPiece: (hasClose) => Buffer.from(`Connection: ${hasClose}\r\n\r\n`),
      finished: () => {},
    };
  }

  exchange(): DirectExchange {
    const responder = { record: () => {} } as unknown as Responder;
    const shared = { responder, serialize: JSON.stringify } as unknown as DirectRoute;
    return new DirectExchange(shared, this.#carrier, 'req_1', {});
  }

  answer(text: string): void {
    this.exchange().sendSpelled({ spell: (sheet) => sheet.quoted(text) }, 1);
  }

  async readOn(): Promise<void> {
    this.isReading = true;
    while (this.#waiting.length > 0) {
      this.#waiting.shift()!();
      await new Promise(setImmediate);
    }
  }
}

function expected(text: string): string {
  const body = `{"ok":true,"data":${JSON.stringify(text)},"meta":{"request_id":"req_1","server_ts_ms":1},"error":null}`;
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nConnection: false\r\n\r\n${body}`;
}

describe('answers in shared memory', () => {
  it('[FP1] are those that are put together from text, head and all', () => {
    const count = fc.oneof(fc.nat(), fc.maxSafeNat());
    const rate = fc.record({
      isAllowed: fc.constant(true),
      category: fc.constantFrom(...rateCategories),
      scope: fc.constantFrom(...rateScopes),
      limit: count,
      remaining: count,
      resetSec: count,
      retryAfterSec: fc.constant(0),
    });
    const lines = fc.subarray(['cache-control: no-store', 'idempotency-replayed: true']);
    const venue = fc.constantFrom(undefined, 'amm', 'clob', 'hybrid');
    const nowMs = fc.integer({ min: 0, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(
        rate,
        lines,
        venue,
        nowMs,
        fc.boolean(),
        fc.string(),
        (of, said, by, now, isLast, data) => {
          const client = new Client();
          const prepared = (): DirectExchange => {
            const exchange = client.exchange();
            exchange.stamp('req_1', of, false);
            for (const line of said) exchange.header(...(line.split(': ') as [string, string]));
            if (isLast) exchange.header('connection', 'close');
            return exchange;
          };
          const meta = by === undefined ? undefined : { fill_venue: by };
          const stamp = { requestId: 'req_1', nowMs: now };
          prepared().send(successEnvelope({ data, meta }, data, false, stamp));
          prepared().sendSpelled({ spell: (sheet) => sheet.quoted(data), meta }, now);
          const [text, spelled] = client.pieces;
          expect(String(spelled)).toBe(String(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('[FP1] are whole, whatever is answered while a client does not read', async () => {
    const slow = new Client();
    const fast = new Client();
    slow.isReading = false;
    const texts = ['first', 'sécond', 'a third', 'and the last'];
    for (const text of texts) {
      slow.answer(text);
      fast.answer(`${text} of another`);
      // What was taken at once is read before the memory is used again.
      const last = fast.pieces.at(-1)!;
      expect(last.toString()).toBe(expected(`${text} of another`));
    }
    await slow.readOn();
    expect(slow.pieces.map(String)).toEqual(texts.map(expected));
  });

  it('[FP1] do not each keep all of it for a client that does not read', () => {
    const slow = new Client();
    slow.isReading = false;
    // Long enough to lie in memory of their own when they are copied.
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(40_000));
    for (const text of texts) slow.answer(text);
    return slow.readOn().then(() => {
      const kept = slow.pieces.map(({ buffer }) => buffer.byteLength);
      expect(kept).toEqual([65_536, slow.pieces[1]!.length, slow.pieces[2]!.length]);
    });
  });
});
