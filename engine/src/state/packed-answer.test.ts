import { lots, pips, usdt } from '@sibyl/money';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CANCEL_REASON_CODES, REJECT_REASON_CODES } from '../generated/order.ts';
import { asAccountId, asMarketId, asOrderId } from '../kit/identity.ts';
import { encodeValue } from './codec.ts';
import type { OrderView } from './event.ts';
import type { Answer } from './outcome.ts';
import { packAnswer, unpackAnswer } from './packed-answer.ts';

const amount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 ** 51 }));
const time = fc.integer({ min: 0, max: 2 ** 43 });
const text = fc.option(fc.string({ unit: 'binary', minLength: 1, maxLength: 64 }));

const open: fc.Arbitrary<OrderView> = fc.record({
  orderId: fc.integer({ min: 1, max: 2 ** 45 }).map(asOrderId),
  accountId: fc.constantFrom('acc_a', 'acc_b').map(asAccountId),
  marketId: fc.constantFrom('m_1', 'm_2').map(asMarketId),
  outcomeId: fc.constantFrom('yes', 'no') as fc.Arbitrary<OrderView['outcomeId']>,
  side: fc.constantFrom('buy', 'sell'),
  orderType: fc.constantFrom('limit', 'market'),
  price: fc.option(fc.integer({ min: 1, max: 9999 }).map(pips)),
  lots: fc.integer({ min: 1, max: 10 ** 11 }).map(lots),
  filledLots: fc.integer({ min: 0, max: 10 ** 11 }).map(lots),
  filledCost: amount.map((value) => usdt(BigInt(value))),
  feesPaid: amount.map((value) => usdt(BigInt(value))),
  status: fc.constantFrom('pending', 'partially_filled', 'filled', 'cancelled', 'rejected'),
  timeInForce: fc.constantFrom('gtc', 'gtd', 'ioc', 'fok'),
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
  stpMode: fc.constantFrom('cancel_resting', 'cancel_incoming'),
  maxCost: fc.option(fc.oneof(amount, fc.constant(2 ** 60)).map((value) => usdt(BigInt(value)))),
  validUntilMs: fc.option(time),
  expiresAtMs: fc.option(time),
  clientOrderId: text,
  keyId: text,
  builderAppId: text,
  createdAtMs: time,
  rejectReason: fc.constant(null),
  cancelReason: fc.constant(null),
});

/** An order ends for one reason, if for any. */
const reasons = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...keysOf(REJECT_REASON_CODES)).map((rejectReason) => ({ rejectReason })),
  fc.constantFrom(...keysOf(CANCEL_REASON_CODES)).map((cancelReason) => ({ cancelReason })),
);
const order = fc
  .tuple(open, reasons)
  .map(([fields, reason]): OrderView => ({ ...fields, ...reason }));

function keysOf<Word extends string>(codes: Readonly<Record<Word, number>>): Word[] {
  return Object.keys(codes) as Word[];
}

const placed: fc.Arbitrary<Answer> = fc.record({
  ok: fc.constant(true),
  result: fc.record({
    kind: fc.constant('order'),
    order,
    fillVenue: fc.constantFrom(null, 'amm', 'clob', 'hybrid'),
  }),
});
const other = fc.constantFrom<Answer>(
  { ok: false, rejection: { code: 'NOT_FOUND', details: { account_id: 'acc_a' } } },
  { ok: true, result: { kind: 'cancelled', cancelled: [asOrderId(7)], notCancelled: [] } },
  { ok: true, result: { kind: 'done' } },
);

const item = fc.oneof({ weight: 3, arbitrary: placed }, other);
const owner = fc.record({
  accountId: fc.constantFrom('acc_a', 'acc_b').map(asAccountId),
  keyId: text,
  builderAppId: text,
});

/** Items whose orders are of one owner, as all are that the engine answers, and items as they come. */
const items = fc
  .tuple(fc.array(item, { maxLength: 20 }), owner, fc.boolean())
  .map(([drawn, of, isOne]) => (isOne ? drawn.map((one) => ownedBy(one, of)) : drawn));

function ownedBy(answer: Answer, of: Partial<OrderView>): Answer {
  if (!answer.ok || answer.result.kind !== 'order') return answer;
  const { result } = answer;
  return { ok: true, result: { ...result, order: { ...result.order, ...of } } };
}

it('[CM6] an answer comes back from memory as it was given, field by field and in the same order', () => {
  fc.assert(
    fc.property(item, items, (single, several) => {
      for (const answer of [single, batchOf(several)]) {
        const again = unpackAnswer(packAnswer(answer));
        expect(again).toEqual(answer);
        expect(encodeValue(again)).toBe(encodeValue(answer));
      }
    }),
    { numRuns: 1000 },
  );
});

it('[CM6] answers that are remembered together leave each other as they are', () => {
  const answers = fc.sample(items, { numRuns: 1000, seed: 6 }).map(batchOf);
  const kept = answers.map(packAnswer);
  for (const [index, answer] of answers.entries()) {
    expect(encodeValue(unpackAnswer(kept[index]!))).toBe(encodeValue(answer));
  }
});

function batchOf(several: readonly Answer[]): Answer {
  return { ok: true, result: { kind: 'batch', items: several } };
}
