// Placing orders: what is checked, in which order, and what becomes of what does not fill.
import { type Lots, type Pips, usdt } from '@sibyl/money';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountName, makeWorld, ofType, orderOf, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { asMarketId } from '../kit/identity.ts';
import type { Actor } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import type { Rejection } from '../state/reject.ts';
import { previewOrder } from './preview.ts';

let world: World;
let market: Market;

beforeEach(() => {
  world = makeWorld();
  world.open('a b c');
  market = world.market({ template: { minLots: 100, minBet: usdt(500_000n) } });
  world.mint('a', market, 100);
});

function refusal(text: string, options: Parameters<World['place']>[3] = {}): string {
  const { answer } = world.place('a', market, text, options).outcome;
  if (answer.ok) return 'accepted';
  const { code, details } = answer.rejection;
  return [code, details.field, details.nearest].filter((part) => part != null).join(' ');
}

describe('fields', () => {
  test.each([
    ['buy 10 yes @ 0.5005', {}, 'VALIDATION_FAILED price 0.500000'],
    ['buy 10 yes @ 0.5006', {}, 'VALIDATION_FAILED price 0.501000'],
    ['buy 10 yes @ 0.9995', {}, 'VALIDATION_FAILED price 0.999000'],
    ['buy 10 yes @ 0.0001', {}, 'VALIDATION_FAILED price 0.001000'],
    ['buy 0.99 yes @ 0.9', {}, 'VALIDATION_FAILED size 1.000000'],
    ['buy 1 yes @ 0.5', {}, 'accepted'],
    ['buy 1 maybe @ 0.5', {}, 'VALIDATION_FAILED outcome_id'],
    ['buy 1 yes @ 0.5', { price: null }, 'VALIDATION_FAILED price'],
    ['buy 1 yes', { price: 5000 as Pips }, 'VALIDATION_FAILED price'],
    ['buy 1 yes', { timeInForce: 'gtc' }, 'VALIDATION_FAILED time_in_force'],
    ['buy 1 yes @ 0.5', { lots: 0 as Lots }, 'VALIDATION_FAILED size'],
    ['buy 1 yes @ 0.5', { lots: 1.5 as Lots }, 'VALIDATION_FAILED size'],
    ['buy 1 yes @ 0.5', { lots: 100_000_000_001 as Lots }, 'VALIDATION_FAILED size'],
    ['buy 1 yes @ 0.5', { price: 10_000 as Pips }, 'VALIDATION_FAILED price'],
    ['buy 1 yes @ 0.5', { price: Number.NaN as Pips }, 'VALIDATION_FAILED price'],
  ] as const)('[OR1][CM7] %s %o: %s', (text, options, expected) => {
    expect(refusal(text, options)).toBe(expected);
  });

  test('[OR1] closing a whole free position is exempt from the minimum', () => {
    world.place('a', market, 'sell 99.5 yes @ 0.9');
    expect(refusal('sell 0.49 yes @ 0.9')).toBe('VALIDATION_FAILED size 1.000000');
    expect(refusal('sell 0.5 yes @ 0.9')).toBe('accepted');
  });

  test.each([
    ['buy 1 yes @ 0.499', 'VALIDATION_FAILED size'],
    ['buy 1 yes @ 0.5', 'accepted'],
    ['sell 99 yes @ 0.001', 'VALIDATION_FAILED size'],
    ['sell 100 yes @ 0.001', 'accepted'],
  ])('[OR2] %s against a least bet of 0.5: %s', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  test('[OR2] the largest bet bounds a limit order by its size, a market order by its plan', () => {
    const small = world.market({ template: { maxBet: usdt(5_000_000n) } });
    world.mint('b', small, 100);
    world.place('b', small, 'sell 4 yes @ 0.6');
    world.place('b', small, 'sell 4 yes @ 0.6');
    world.place('b', small, 'sell 8 yes @ 0.6');
    expect(world.place('c', small, 'buy 8.4 yes @ 0.6').refusal).toBe('VALIDATION_FAILED');
    expect(world.place('c', small, 'buy 16 yes').refusal).toBe('VALIDATION_FAILED');
    expect(world.place('c', small, 'buy 8 yes').order.filledCost).toBe(4_800_000n);
  });

  test.each([
    [{ timeInForce: 'gtd' }, 'VALIDATION_FAILED expires_at_ms'],
    [{ timeInForce: 'gtd', expiresAtMs: 86_460_000 }, 'VALIDATION_FAILED expires_at_ms'],
    [{ timeInForce: 'gtd', expiresAtMs: 86_460_001 }, 'accepted'],
    [{ expiresAtMs: 86_460_001 }, 'VALIDATION_FAILED expires_at_ms'],
    [{ timeInForce: 'ioc', postOnly: true }, 'VALIDATION_FAILED post_only'],
    [{ reduceOnly: true }, 'VALIDATION_FAILED reduce_only'],
    [{ maxCost: usdt(1n) }, 'VALIDATION_FAILED max_cost'],
    [{ maxCost: usdt(0n), timeInForce: 'ioc' }, 'VALIDATION_FAILED max_cost'],
    [{ maxCost: usdt(9_000_000n), timeInForce: 'ioc' }, 'accepted'],
    [{ clientOrderId: '' }, 'VALIDATION_FAILED client_order_id'],
    [{ clientOrderId: 'x'.repeat(65) }, 'VALIDATION_FAILED client_order_id'],
    [{ stpMode: 'none' as never }, 'VALIDATION_FAILED stp_mode'],
  ] as const)('[OR3][CM7] %o: %s', (options, expected) => {
    expect(refusal('buy 10 yes @ 0.5', options)).toBe(expected);
  });

  test('[OR6] among more than two outcomes there is no reduce_only buy', () => {
    const multi = world.market({ deposit: 100, outcomes: 3, creator: 'creator' });
    const placed = world.place('a', multi, 'buy 10 o1 @ 0.5 ioc', { reduceOnly: true });
    expect(placed.refusal).toBe('VALIDATION_FAILED');
  });
});

describe('gates', () => {
  const actor: Actor = { kind: 'account', accountId: accountName('b'), keyId: null };

  test('[CM5][AC7] the earliest of several refusals is given', () => {
    const unknown = { marketId: asMarketId('m_none') };
    const command = { ...orderOf('nobody', market, 'buy 10 yes @ 0.5'), ...unknown };
    const order = (changes: object, by: Actor = actor): Rejection['code'] | null => {
      const { answer } = world.run({ ...command, ...changes }, by);
      return answer.ok ? null : answer.rejection.code;
    };
    expect(order({ side: 'hold' })).toBe('VALIDATION_FAILED');
    expect(order({})).toBe('NOT_FOUND');
    expect(order({ accountId: accountName('a') })).toBe('NOT_FOUND');
    expect(order({ accountId: accountName('b') })).toBe('MARKET_NOT_FOUND');
    world.do({ type: 'freeze_account', accountId: accountName('b'), frozen: true });
    expect(order({ accountId: accountName('b') })).toBe('SUBACCOUNT_FROZEN');
  });

  test('[AC7] an owner acts for its subaccounts, nobody else does', () => {
    world.open('sub_one', 1000, 'b');
    const { marketId } = orderOf('a', market, 'buy 10 yes @ 0.5');
    const command = { ...orderOf('sub_one', market, 'buy 10 yes @ 0.5'), marketId };
    expect(world.run(command, actor).answer.ok).toBe(true);
    const stranger: Actor = { kind: 'account', accountId: accountName('c'), keyId: null };
    expect(world.run(command, stranger).answer).toMatchObject({ rejection: { code: 'NOT_FOUND' } });
  });

  test('[MK7][MK9] halted, closed and unapproved markets take no orders', () => {
    const halt = { untilMs: null, reason: 'test' };
    world.do({ type: 'halt_market', marketId: market.id, ...halt });
    expect(world.place('a', market, 'buy 10 yes @ 0.5').refusal).toBe('MARKET_HALTED');
    world.pass(31_536_000_000);
    expect(market.status).toBe('locked');
    expect(world.place('a', market, 'buy 10 yes @ 0.5').refusal).toBe('MARKET_CLOSED');
    const pending = world.market({ template: { requiresApproval: true }, creator: 'a' });
    expect(world.place('a', pending, 'buy 10 yes @ 0.5').refusal).toBe('MARKET_NOT_APPROVED');
  });

  test('[OR10] a client order id is taken for a day, by orders and not by refusals', () => {
    const id = { clientOrderId: 'mine' };
    expect(refusal('buy 1 yes @ 0.1', id)).toBe('VALIDATION_FAILED size');
    const first = world.place('a', market, 'buy 10 yes @ 0.5', { ...id, validUntilMs: 5 });
    expect(first.order.rejectReason).toBe('late');
    const again = world.place('a', market, 'buy 10 yes @ 0.5', id).outcome.answer;
    expect(again).toMatchObject({
      rejection: { code: 'ALREADY_EXISTS', details: { order_id: first.id } },
    });
    expect(world.place('b', market, 'buy 10 yes @ 0.5', id).refusal).toBeNull();
    world.pass(86_400_000 - 1);
    expect(world.place('a', market, 'buy 10 yes @ 0.5', id).refusal).toBe('ALREADY_EXISTS');
    world.pass(1);
    expect(world.place('a', market, 'buy 10 yes @ 0.5', id).refusal).toBeNull();
  });

  test('[FE6] a builder fee above the cap of the app or of the lane is refused', () => {
    const builder = (feeBps: number, capBps: number): string =>
      refusal('buy 10 yes @ 0.5', { builder: { appId: 'app', feeBps, capBps } });
    expect(builder(51, 50)).toBe('BUILDER_FEE_ABOVE_CAP');
    expect(builder(101, 500)).toBe('BUILDER_FEE_ABOVE_CAP');
    expect(builder(50, 50)).toBe('accepted');
  });

  test('[OR9] lack of money refuses and never truncates', () => {
    world.open('poor', 10);
    expect(world.place('poor', market, 'buy 20 yes @ 0.5').refusal).toBeNull();
    const lacking = world.place('poor', market, 'buy 2 yes @ 0.5').outcome.answer;
    expect(lacking).toMatchObject({
      rejection: {
        code: 'BALANCE_INSUFFICIENT',
        details: { required: 1_000_000n, free: 0n, reserved: 10_000_000n },
      },
    });
    world.place('a', market, 'sell 60 yes @ 0.9');
    const shares = world.place('a', market, 'sell 41 yes @ 0.9').outcome.answer;
    expect(shares).toMatchObject({
      rejection: {
        code: 'BALANCE_INSUFFICIENT',
        details: { required: 41_000_000n, free: 40_000_000n, reserved: 60_000_000n },
      },
    });
    expect(world.place('b', market, 'sell 1 yes @ 0.9').refusal).toBe('BALANCE_INSUFFICIENT');
  });

  test('[CM4] a refused order leaves no trace', () => {
    const before = stateHash(world.state);
    const { seq } = world.state;
    const hash = (): string => {
      world.state.seq = seq;
      return stateHash(world.state);
    };
    for (const text of ['sell 500 yes @ 0.9', 'buy 0.1 yes @ 0.9', 'buy 1 what @ 0.9']) {
      world.place('b', market, text, { clientOrderId: 'x' });
      expect(hash()).toBe(before);
    }
  });
});

describe('time in force', () => {
  test('[OR3] gtc rests, ioc and market cancel what is left, also with nothing filled', () => {
    world.place('a', market, 'sell 10 yes @ 0.6');
    const ioc = world.place('b', market, 'buy 15 yes @ 0.6 ioc').order;
    expect(ioc).toMatchObject({
      status: 'cancelled',
      filledLots: 1000,
      cancelReason: 'ioc_remainder',
    });
    const nothing = world.place('b', market, 'buy 15 yes').order;
    expect(nothing).toMatchObject({ status: 'cancelled', filledLots: 0 });
    const rests = world.place('b', market, 'buy 15 yes @ 0.6').order;
    expect(rests).toMatchObject({ status: 'pending', cancelReason: null });
    expect(market.openOrders).toBe(1);
  });

  test('[OR3] gtd is cancelled when its time comes', () => {
    const expiresAtMs = world.nowMs + 5000;
    const options = { timeInForce: 'gtd', expiresAtMs } as const;
    const { id } = world.place('b', market, 'buy 15 yes @ 0.6', options);
    expect(ofType(world.pass(4999).events, 'order_cancelled')).toEqual([]);
    expect(ofType(world.pass(1).events, 'order_cancelled')).toMatchObject([
      { orderId: id, reason: 'expired', remainingLots: 1500 },
    ]);
    expect(world.reserved('b')).toBe(0n);
  });

  test('[OR4] fok fills completely or is rejected and changes nothing else', () => {
    world.place('a', market, 'sell 10 yes @ 0.6');
    const free = world.free('b');
    const rejected = world.place('b', market, 'buy 11 yes @ 0.6 fok');
    expect(rejected.order).toMatchObject({ status: 'rejected', rejectReason: 'fok_unfilled' });
    expect(rejected.outcome.events).toHaveLength(1);
    expect(world.free('b')).toBe(free);
    expect(world.place('b', market, 'buy 10 yes @ 0.6 fok').order.status).toBe('filled');
  });

  test('[OR4] a fok that nobody can pay is rejected, not refused', () => {
    world.open('poor', 1);
    const placed = world.place('poor', market, 'buy 100 yes @ 0.6 fok');
    expect(placed.order.rejectReason).toBe('fok_unfilled');
  });

  test('[OR5] post_only is rejected when anything would trade, with book or pool', () => {
    world.place('a', market, 'sell 10 yes @ 0.6');
    const crossing = world.place('b', market, 'buy 1 yes @ 0.6', { postOnly: true });
    expect(crossing.order).toMatchObject({
      status: 'rejected',
      rejectReason: 'post_only_would_take',
    });
    const passive = world.place('b', market, 'buy 1 yes @ 0.599', { postOnly: true });
    expect(passive.order.status).toBe('pending');
    const pooled = world.market({ deposit: 100, creator: 'creator' });
    const taking = world.place('b', pooled, 'buy 1 yes @ 0.51', { postOnly: true });
    expect(taking.order.rejectReason).toBe('post_only_would_take');
    const below = world.place('b', pooled, 'buy 1 yes @ 0.5', { postOnly: true });
    expect(below.order.status).toBe('pending');
  });

  test('[OR6] reduce_only caps at what it can close and rejects when there is nothing', () => {
    world.place('b', market, 'buy 200 yes @ 0.6');
    const options = { reduceOnly: true };
    const sold = world.place('a', market, 'sell 150 yes @ 0.5 ioc', options).order;
    expect(sold).toMatchObject({ lots: 10_000, filledLots: 10_000, status: 'filled' });
    const none = world.place('a', market, 'sell 150 yes @ 0.5 ioc', options).order;
    expect(none).toMatchObject({ status: 'rejected', rejectReason: 'nothing_to_reduce' });
    world.place('b', market, 'sell 100 yes @ 0.7');
    const closed = world.place('a', market, 'buy 500 yes @ 0.7 ioc', options).order;
    expect(closed).toMatchObject({ lots: 10_000, filledLots: 10_000 });
  });

  test('[OR8] an order sequenced after its time is rejected as late', () => {
    const validUntilMs = world.nowMs;
    const intime = world.place('b', market, 'buy 10 yes @ 0.5', { validUntilMs });
    expect(intime.order.status).toBe('pending');
    world.pass(1);
    const late = world.place('b', market, 'buy 10 yes @ 0.5', { validUntilMs });
    expect(late.order).toMatchObject({ status: 'rejected', rejectReason: 'late', filledLots: 0 });
    expect(late.outcome.events).toHaveLength(1);
  });

  test('[OR16] the placement comes first with its result, then each step with its entry, then the reserve', () => {
    world.place('a', market, 'sell 10 yes @ 0.5');
    world.mint('b', market, 10);
    world.place('b', market, 'sell 5 yes @ 0.55');
    const placed = world.place('b', market, 'buy 20 yes @ 0.6');
    const shown = placed.outcome.events.map((event) =>
      event.type === 'ledger_posted' ? event.reason : event.type,
    );
    expect(shown).toEqual([
      'order_placed',
      'trade_executed',
      'fill',
      'order_cancelled',
      'release',
      'reserve',
    ]);
    expect(placed.outcome.events[0]).toMatchObject({
      order: { status: 'partially_filled', filledLots: 1000 },
      fillVenue: 'clob',
    });
  });

  test('[RT9] a preview says what the order then does, and changes nothing', () => {
    world.place('a', market, 'sell 10 yes @ 0.5');
    const before = stateHash(world.state);
    const actor: Actor = { kind: 'account', accountId: accountName('b'), keyId: null };
    const command = orderOf('b', market, 'buy 20 yes @ 0.6');
    const preview = previewOrder(world.state, actor, command);
    expect(stateHash(world.state)).toBe(before);
    const { order } = world.place('b', market, 'buy 20 yes @ 0.6');
    expect(preview).toMatchObject({
      filledLots: order.filledLots,
      cost: order.filledCost,
      fees: order.feesPaid,
      restingLots: 1000,
      fillVenue: 'clob',
    });
    const refused = { ...command, lots: 0 as Lots };
    expect(previewOrder(world.state, actor, refused)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
