import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { rateCategories, rateScopes } from '@sibyl/contract';
import type { OrderView } from '@sibyl/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonHeaders, successEnvelope } from '../gateway/envelope.ts';
import type { Responder } from '../gateway/respond.ts';
import { PlacedReply } from '../wire/order-replies.ts';
import { type Carrier, DirectExchange, type DirectRoute } from './direct-exchange.ts';

/** A client's end of a connection, which takes bytes when it is told to. */
class Client {
  readonly chunks: Buffer[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #carrier: Carrier;
  isReading = true;

  constructor() {
    const socket = new Writable({
      write: (bytes: Buffer, _encoding, done) => {
        this.chunks.push(bytes);
        if (this.isReading) done();
        else this.#waiting.push(done);
      },
    });
    this.#carrier = {
      socket: socket as unknown as Socket,
      lastLines: (hasClose) => `Connection: ${hasClose}\r\n\r\n`,
      finished: () => {},
    };
  }

  exchange(): DirectExchange {
    const responder = { record: () => {} } as unknown as Responder;
    const shared = { responder, serialize: JSON.stringify } as unknown as DirectRoute;
    return new DirectExchange(shared, this.#carrier, 'req_1', {});
  }

  answer(text: string): void {
    this.exchange().sendSpelled(replyOf(text, null), 1);
  }

  async readOn(): Promise<void> {
    this.isReading = true;
    while (this.#waiting.length > 0) {
      this.#waiting.shift()!();
      await new Promise(setImmediate);
    }
  }
}

/** An order by this name. */
function replyOf(name: string, venue: 'amm' | 'clob' | 'hybrid' | null): PlacedReply {
  const order = { ...ORDER, clientOrderId: name } as unknown as OrderView;
  return new PlacedReply(order, venue, false);
}

const ORDER = {
  orderId: 1,
  marketId: 'm_0123456789abcdef',
  outcomeId: 'yes',
  side: 'buy',
  orderType: 'limit',
  price: 4200,
  lots: 1000,
  filledLots: 0,
  filledCost: 0n,
  feesPaid: 0n,
  status: 'pending',
  timeInForce: 'gtc',
  postOnly: false,
  reduceOnly: false,
  stpMode: 'cancel_resting',
  maxCost: null,
  validUntilMs: null,
  expiresAtMs: null,
  createdAtMs: 1_794_744_000_000,
  rejectReason: null,
  cancelReason: null,
};

function expected(text: string): string {
  const data = JSON.stringify(replyOf(text, null).data);
  const body = `{"ok":true,"data":${data},"meta":{"request_id":"req_1","server_ts_ms":1},"error":null}`;
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nConnection: false\r\n\r\n${body}`;
}

describe('answers that are spelled', () => {
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
      takenAtMs: count,
    });
    const lines = fc.subarray(['cache-control: no-store', 'idempotency-replayed: true']);
    const venue = fc.constantFrom(null, 'amm', 'clob', 'hybrid');
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
            const common = Object.entries(commonHeaders('req_1', of, false));
            for (const [name, value] of common) exchange.header(name, value);
            for (const line of said) exchange.header(...(line.split(': ') as [string, string]));
            if (isLast) exchange.header('connection', 'close');
            return exchange;
          };
          const reply = replyOf(data, by);
          const stamp = { requestId: 'req_1', nowMs: now };
          const plain = { list: false, standardFields: false };
          prepared().send(successEnvelope(reply, reply.data, plain, stamp));
          prepared().sendSpelled(reply, now);
          const [text, spelled] = client.chunks;
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
      const last = fast.chunks.at(-1)!;
      expect(last.toString()).toBe(expected(`${text} of another`));
    }
    await slow.readOn();
    expect(slow.chunks.map(String)).toEqual(texts.map(expected));
  });
});
