// What happens to orders after they rest: amendments, cancels, heartbeats and batches.
import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountName,
  inLots,
  inPips,
  makeWorld,
  ofType,
  orderOf,
  type World,
} from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { asMarketId, type OrderId } from '../kit/identity.ts';
import type { Actor, BatchItem } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import type { Outcome } from '../state/outcome.ts';

let world: World;
let market: Market;

beforeEach(() => {
  world = makeWorld();
  world.open('a b c', 1000);
  market = world.market();
  world.mint('a', market, 100);
});

function code(outcome: Outcome): string {
  return outcome.answer.ok ? 'accepted' : outcome.answer.rejection.code;
}

describe('cancel', () => {
  test('[OB5] place then cancel restores every balance', () => {
    const balances = (): string[] =>
      [...world.state.ledger.accounts()]
        .filter(({ balance }) => balance !== 0n)
        .map(({ name, balance }) => `${name} ${balance}`);
    const before = balances();
    const buy = world.place('b', market, 'buy 12.34 yes @ 0.321').id;
    const sell = world.place('a', market, 'sell 12.34 no @ 0.777').id;
    expect(balances()).not.toEqual(before);
    world.cancel('b', buy);
    world.cancel('a', sell);
    expect(balances()).toEqual(before);
  });

  test('[OR11] closed orders are told by their status, unknown and foreign ones are not found', () => {
    const { id } = world.place('b', market, 'buy 10 yes @ 0.5');
    expect(code(world.cancel('a', id))).toBe('NOT_FOUND');
    expect(code(world.cancel('b', 99))).toBe('NOT_FOUND');
    expect(code(world.cancel('b', id))).toBe('accepted');
    expect(world.cancel('b', id).answer).toMatchObject({
      rejection: { code: 'STATE_CONFLICT', details: { status: 'cancelled' } },
    });
    expect(code(world.cancel('a', id))).toBe('NOT_FOUND');
    const rejected = world.place('b', market, 'buy 10 yes @ 0.5', { validUntilMs: 1 }).id;
    expect(world.amend('b', rejected, 0.4, null).outcome.answer).toMatchObject({
      rejection: { code: 'STATE_CONFLICT', details: { status: 'rejected' } },
    });
  });

  test('[AC6] a frozen account may cancel and do nothing else', () => {
    const { id } = world.place('b', market, 'buy 10 yes @ 0.5');
    world.account('b').frozen = true;
    expect(world.amend('b', id, 0.4, null).refusal).toBe('SUBACCOUNT_FROZEN');
    expect(world.place('b', market, 'buy 10 yes @ 0.5').refusal).toBe('SUBACCOUNT_FROZEN');
    expect(code(world.cancel('b', id))).toBe('accepted');
  });

  test('[OR13] a filter cancels what matches all of it, oldest first, and lists what was not open', () => {
    const other = world.market();
    const ids = [
      world.place('b', market, 'buy 1 yes @ 0.5').id,
      world.place('b', other, 'buy 1 yes @ 0.5').id,
      world.place('b', market, 'buy 1 no @ 0.3').id,
      world.place('b', market, 'buy 2 yes @ 0.4').id,
    ];
    const filter = { marketId: null, outcomeId: null, side: null, orderIds: null };
    const cancel = (changes: object, account = 'b'): Outcome =>
      world.run({ type: 'cancel_orders', accountId: accountName(account), ...filter, ...changes });
    expect(cancel({ marketId: market.id, outcomeId: 'yes' }).answer).toMatchObject({
      result: { cancelled: [ids[0], ids[3]], notCancelled: [] },
    });
    const orderIds = [ids[2]!, ids[0]!, 77 as OrderId, ids[2]!];
    expect(cancel({ orderIds }).answer).toMatchObject({
      result: {
        cancelled: [ids[2]],
        notCancelled: [
          { orderId: ids[0], code: 'STATE_CONFLICT' },
          { orderId: 77, code: 'NOT_FOUND' },
        ],
      },
    });
    expect(cancel({ side: 'sell' }).answer).toMatchObject({ result: { cancelled: [] } });
    expect(cancel({}, 'c').answer).toMatchObject({ result: { cancelled: [] } });
    expect(cancel({}).answer).toMatchObject({ result: { cancelled: [ids[1]] } });
    expect(code(cancel({ outcomeId: 'yes' }))).toBe('VALIDATION_FAILED');
    expect(code(cancel({ marketId: asMarketId('m_no') }))).toBe('MARKET_NOT_FOUND');
  });

  test('[OR13] the reason says who cancelled, or that the connection of the owner was lost', () => {
    const accountId = accountName('b');
    const filter = { marketId: null, outcomeId: null, side: null, orderIds: null };
    const owner: Actor = { kind: 'account', accountId, keyId: null };
    const reasonOf = (actor: Actor, changes: object = {}): string | null => {
      world.place('b', market, 'buy 1 yes @ 0.5');
      const command = { type: 'cancel_orders', accountId, ...filter, ...changes } as const;
      const [first] = world.run(command, actor).events;
      return first?.type === 'order_cancelled' ? first.reason : null;
    };
    expect(reasonOf(owner)).toBe('user');
    expect(reasonOf({ kind: 'operator', name: 'ops', reason: 'test' })).toBe('admin');
    expect(reasonOf({ kind: 'system' }, { reason: 'disconnect' })).toBe('disconnect');
    const unknown: object = { reason: 'boredom' };
    const refused = world.run({ type: 'cancel_orders', accountId, ...filter, ...unknown }, owner);
    expect(code(refused)).toBe('VALIDATION_FAILED');
  });
});

describe('amend', () => {
  test('[OR12] a smaller size releases the difference and keeps the rest', () => {
    const { id } = world.place('b', market, 'buy 10 yes @ 0.5');
    const amended = world.amend('b', id, null, 4);
    expect(amended.outcome.events.map(({ type }) => type)).toEqual([
      'order_amended',
      'ledger_posted',
    ]);
    expect(amended.outcome.events[0]).toMatchObject({ keptPlace: true, order: { lots: 400 } });
    expect(world.reserved('b')).toBe(2_000_000n);
    const same = world.amend('b', id, 0.5, 4);
    expect(same.outcome.events).toMatchObject([{ type: 'order_amended', keptPlace: true }]);
  });

  test('[OR12] another price is routed anew under the same id, with its reserve at its disposal', () => {
    world.place('a', market, 'sell 5 yes @ 0.6');
    const { id } = world.place('b', market, 'buy 1999 yes @ 0.5');
    expect(world.free('b')).toBe(500_000n);
    const amended = world.amend('b', id, 0.6, 10);
    expect(amended.order).toMatchObject({ orderId: id, lots: 1000, filledLots: 500 });
    expect(amended.order.status).toBe('partially_filled');
    const shown = amended.outcome.events.map((event) =>
      event.type === 'ledger_posted' ? event.reason : event.type,
    );
    expect(shown).toEqual(['order_amended', 'release', 'trade_executed', 'fill', 'reserve']);
    expect(world.reserved('b')).toBe(3_000_000n);
    world.place('a', market, 'sell 5 yes @ 0.6');
    expect(world.cancel('b', id).answer).toMatchObject({
      rejection: { details: { status: 'filled' } },
    });
  });

  test('[OR12] an amendment that fills closes the order', () => {
    world.place('a', market, 'sell 50 yes @ 0.6');
    const { id } = world.place('b', market, 'buy 10 yes @ 0.5');
    expect(world.amend('b', id, 0.6, null).order.status).toBe('filled');
    expect(world.state.orders.has(id)).toBe(false);
    expect(world.account('b').openOrders).toBe(0);
    expect(world.holding('b', market)!.openOrders).toBe(0);
  });

  test('[OR12] sizes count what has filled and must exceed it', () => {
    const { id } = world.place('b', market, 'buy 10 yes @ 0.5');
    world.place('a', market, 'sell 4 yes @ 0.5');
    expect(world.amend('b', id, null, 4).refusal).toBe('VALIDATION_FAILED');
    expect(world.amend('b', id, null, 5).order.filledLots).toBe(400);
    expect(world.reserved('b')).toBe(500_000n);
  });

  test('[OR12][CM4] refused amendments change nothing', () => {
    const { id } = world.place('b', market, 'buy 10 yes @ 0.5', { postOnly: true });
    world.place('a', market, 'sell 5 yes @ 0.6');
    const before = stateHash(world.state);
    const { seq } = world.state;
    const attempts: [number | null, number | null, string][] = [
      [0.6, null, 'STATE_CONFLICT'],
      [0.5005, null, 'VALIDATION_FAILED'],
      [0.5, 3000, 'BALANCE_INSUFFICIENT'],
      [null, null, 'VALIDATION_FAILED'],
    ];
    for (const [price, size, expected] of attempts) {
      expect(world.amend('b', id, price, size).refusal).toBe(expected);
      world.state.seq = seq;
      expect(stateHash(world.state)).toBe(before);
    }
  });
});

describe('heartbeat', () => {
  const beat = (timeoutMs: number, marketId = null as Market['id'] | null): Outcome =>
    world.run({ type: 'heartbeat', accountId: accountName('b'), timeoutMs, marketId });

  test.each([4999, 300_001, -1, 5000.5])('[OR14] %d ms is no timeout', (timeoutMs) => {
    expect(code(beat(timeoutMs))).toBe('VALIDATION_FAILED');
  });

  test('[OR14] silence cancels everything in scope and disarms', () => {
    const other = world.market();
    const first = world.place('b', market, 'buy 1 yes @ 0.5').id;
    world.place('b', other, 'buy 1 yes @ 0.5');
    beat(5000, market.id);
    world.pass(3000);
    beat(5000, market.id);
    expect(world.pass(4999).events).toEqual([]);
    const { events } = world.pass(1);
    expect(ofType(events, 'order_cancelled')).toMatchObject([
      { orderId: first, reason: 'dead_man' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'dead_man_triggered', cancelledCount: 1 });
    world.place('b', market, 'buy 1 yes @ 0.5');
    expect(world.pass(600_000).events.filter(({ type }) => type !== 'quality_sampled')).toEqual([]);
  });

  test('[OR14] zero disarms', () => {
    world.place('b', market, 'buy 1 yes @ 0.5');
    beat(5000);
    expect(beat(0).events).toMatchObject([{ type: 'heartbeat_armed', expiresAtMs: null }]);
    expect(ofType(world.pass(10_000).events, 'order_cancelled')).toEqual([]);
  });
});

describe('batch', () => {
  const actor: Actor = { kind: 'account', accountId: accountName('b'), keyId: null };
  const run = (items: readonly BatchItem[], allOrNone = false): Outcome =>
    world.run({ type: 'batch', accountId: accountName('b'), items, allOrNone }, actor);

  test('[OR15] items run in order, each with its own answer', () => {
    const accountId = accountName('b');
    const outcome = run([
      orderOf('b', market, 'buy 10 yes @ 0.5'),
      { type: 'cancel_order', accountId, orderId: 55 as OrderId },
      {
        type: 'amend_order',
        accountId,
        orderId: 1 as OrderId,
        price: inPips(0.4),
        lots: inLots(20),
        caps: null,
        grant: null,
      },
      { type: 'cancel_order', accountId, orderId: 1 as OrderId },
    ]);
    expect(outcome.answer).toMatchObject({
      result: {
        items: [
          { ok: true },
          { ok: false, rejection: { code: 'NOT_FOUND' } },
          { ok: true, result: { order: { lots: 2000 } } },
          { ok: true, result: { cancelled: [1] } },
        ],
      },
    });
  });

  test('[OR15] all_or_none refuses all with the first refusal on the state before', () => {
    const before = world.free('b');
    const items = [
      orderOf('b', market, 'buy 10 yes @ 0.5'),
      orderOf('b', market, 'sell 1 yes @ 0.5'),
    ];
    expect(code(run(items, true))).toBe('BALANCE_INSUFFICIENT');
    expect(world.free('b')).toBe(before);
    expect(run(items).answer).toMatchObject({ result: { items: [{ ok: true }, { ok: false }] } });
  });

  test('[OR15] one to twenty items of the batch’s own account', () => {
    expect(code(run([]))).toBe('VALIDATION_FAILED');
    const order = orderOf('b', market, 'buy 1 yes @ 0.5');
    expect(code(run(Array.from({ length: 21 }, () => order)))).toBe('VALIDATION_FAILED');
    expect(code(run(Array.from({ length: 20 }, () => order)))).toBe('accepted');
    expect(code(run([orderOf('c', market, 'buy 1 yes @ 0.5')]))).toBe('VALIDATION_FAILED');
  });
});
