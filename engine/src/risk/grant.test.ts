// What somebody may do under a grant: until it ends, and no more in a day than its giver allows.
import { usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, inLots, inPips, makeWorld, Placed, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import type { OrderId } from '../kit/identity.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { CancelOrders, GrantTerms, TierCaps } from '../state/command.ts';
import type { Market } from '../state/market.ts';

const USDT = 1_000_000n;
const DAY = 86_400_000;
const LATER = 10 * DAY;
const ABOVE = 'DELEGATION_DAILY_CAP_EXCEEDED';

/** In whole USDT. */
function grant(day: bigint | null = 10n, grantId = 'grt_1', expiresAtMs = LATER): GrantTerms {
  return { grantId, dayMax: day === null ? null : usdt(day * USDT), expiresAtMs };
}

function book(): { world: World; market: Market } {
  const world = makeWorld();
  world.open('a b');
  world.open('sub_a', 100_000, 'a');
  const market = world.market();
  for (const name of ['a', 'b']) world.mint(name, market, 1000);
  return { world, market };
}

function mint(world: World, market: Market, shares: number, terms: GrantTerms) {
  const sets = { accountId: accountName('a'), marketId: market.id, lots: inLots(shares) };
  const { answer } = world.run({ type: 'mint_sets', ...sets, caps: null, grant: terms });
  return answer.ok ? null : answer.rejection.code;
}

function amend(world: World, id: number, price: number, shares: number, terms: GrantTerms | null) {
  const change = { price: inPips(price), lots: inLots(shares), caps: null, grant: terms };
  const order = { accountId: accountName('a'), orderId: id as OrderId };
  return new Placed(world.run({ type: 'amend_order', ...order, ...change })).refusal;
}

function endGrant(world: World, grantId: string, changes: Partial<CancelOrders> = {}) {
  const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
  const filter = { ...all, grantId, reason: 'grant_ended', ...changes } as const;
  return world.run({ type: 'cancel_orders', accountId: accountName('a'), ...filter });
}

const place = (world: World, market: Market, text: string, terms: GrantTerms, name = 'a') =>
  world.place(name, market, text, { grant: terms }).refusal;

describe('[RK4] a grant that has ended', () => {
  test('allows nothing from its time on, to the millisecond', () => {
    const { world, market } = book();
    const until = grant(null, 'grt_1', world.nowMs + 1000);
    const { id } = world.place('a', market, 'buy 10 yes @ 0.4', { grant: until });
    world.pass(999);
    expect(place(world, market, 'buy 1 yes @ 0.4', until)).toBeNull();
    world.pass(1);
    const late = world.place('a', market, 'buy 1 yes @ 0.4', { grant: until }).outcome.answer;
    const details = { grant_id: 'grt_1', expires_at_ms: world.nowMs };
    expect(late).toEqual({ ok: false, rejection: { code: 'DELEGATION_EXPIRED', details } });
    expect(mint(world, market, 1, until)).toBe('DELEGATION_EXPIRED');
    // Not even a smaller size in place: that is an act too.
    expect(amend(world, id, 0.4, 5, until)).toBe('DELEGATION_EXPIRED');
    expect(world.cancel('a', id).answer.ok).toBe(true);
  });

  test('[OR13] takes its orders with it, and leaves those of others', () => {
    const { world, market } = book();
    const { id: first } = world.place('a', market, 'buy 10 yes @ 0.4', { grant: grant() });
    const { id: own } = world.place('a', market, 'buy 10 yes @ 0.4');
    const second = { grant: grant(10n, 'grt_2') };
    const { id: other } = world.place('a', market, 'sell 10 yes @ 0.6', second);
    const { answer, events } = endGrant(world, 'grt_1');
    expect(answer).toMatchObject({ result: { cancelled: [first], notCancelled: [] } });
    expect(events[0]).toMatchObject({ type: 'order_cancelled', reason: 'grant_ended' });
    const named = endGrant(world, 'grt_1', { orderIds: [own, other, first] }).answer;
    expect(named).toMatchObject({
      result: {
        cancelled: [],
        notCancelled: [
          { orderId: own, code: 'NOT_FOUND' },
          { orderId: other, code: 'NOT_FOUND' },
          { orderId: first, code: 'STATE_CONFLICT' },
        ],
      },
    });
    for (const id of [own, other]) expect(world.state.orders.has(id)).toBe(true);
    const fault = (changes: Partial<CancelOrders>) => endGrant(world, 'grt_1', changes).answer;
    const invalid = (field: string) => ({
      rejection: { code: 'VALIDATION_FAILED', details: { field } },
    });
    expect(fault({ grantId: '' })).toMatchObject(invalid('grant_id'));
    expect(fault({ reason: 'else' as never })).toMatchObject(invalid('reason'));
    expect(fault({ grantId: undefined as never })).toMatchObject(invalid('reason'));
  });

  test('[OR11] reaches by cancel and amendment its own orders alone, in a batch too', () => {
    const { world, market } = book();
    const terms = grant(null);
    const { id: own } = world.place('a', market, 'buy 10 yes @ 0.4');
    const second = { grant: grant(null, 'grt_2') };
    const { id: other } = world.place('a', market, 'buy 10 yes @ 0.4', second);
    const { id: its } = world.place('a', market, 'buy 10 yes @ 0.4', { grant: terms });
    const accountId = accountName('a');
    const named = (id: number, grantId = 'grt_1') =>
      ({ type: 'cancel_order', accountId, orderId: id as OrderId, grantId }) as const;
    const cancel = (id: number, grantId?: string) =>
      new Placed(world.run(named(id, grantId))).refusal;
    for (const id of [own, other]) {
      expect(cancel(id)).toBe('NOT_FOUND');
      for (const price of [0.4, 0.3]) expect(amend(world, id, price, 5, terms)).toBe('NOT_FOUND');
      // Not even what would be wrong with the amendment of such an order.
      expect(amend(world, id, 0.4001, 5, terms)).toBe('NOT_FOUND');
      const items = [named(id), named(its)];
      const actor = { kind: 'account', accountId, keyId: null } as const;
      const whole = world.run({ type: 'batch', accountId, items, allOrNone: true }, actor);
      expect(whole.answer).toMatchObject({ ok: false, rejection: { code: 'NOT_FOUND' } });
    }
    expect(cancel(its, '')).toBe('VALIDATION_FAILED');
    expect(amend(world, its, 0.3, 5, terms)).toBeNull();
    expect(cancel(its)).toBeNull();
    expect(cancel(its)).toBe('STATE_CONFLICT');
    // The owner reaches all of them; a price of the owner's makes an order the owner's.
    expect(amend(world, other, 0.3, 10, null)).toBeNull();
    expect(cancel(other, 'grt_2')).toBe('NOT_FOUND');
    for (const id of [own, other]) expect(world.cancel('a', id).answer.ok).toBe(true);
  });

  test('[RT6] takes back by self-trade prevention its own orders alone', () => {
    const { world, market } = book();
    const terms = grant(null);
    const { id: own } = world.place('a', market, 'buy 10 yes @ 0.4');
    const taker = world.place('a', market, 'sell 10 yes @ 0.4', { grant: terms });
    expect(taker.order).toMatchObject({
      ...{ status: 'cancelled', cancelReason: 'self_trade_prevented', filledLots: 0 },
    });
    expect(world.state.orders.has(own)).toBe(true);
    expect(world.cancel('a', own).answer.ok).toBe(true);
    const { id: its } = world.place('a', market, 'buy 10 yes @ 0.4', { grant: terms });
    const next = world.place('a', market, 'sell 10 yes @ 0.4', { grant: terms });
    expect([world.state.orders.has(its), next.order.status]).toEqual([false, 'pending']);
    // An amendment under the grant stops before the owner's order, too; the owner's passes all of them.
    const { id: mine } = world.place('a', market, 'buy 10 yes @ 0.3');
    const moved = { price: inPips(0.3), lots: inLots(10), caps: null, grant: terms };
    const amended = world.run({
      type: 'amend_order',
      ...{ accountId: accountName('a'), orderId: next.order.orderId, ...moved },
    });
    expect(new Placed(amended).order).toMatchObject({ cancelReason: 'self_trade_prevented' });
    expect(world.state.orders.has(mine)).toBe(true);
    const { id: last } = world.place('a', market, 'buy 10 yes @ 0.35', { grant: terms });
    expect(world.place('a', market, 'sell 10 yes @ 0.3').order.status).toBe('pending');
    for (const id of [mine, last]) expect(world.state.orders.has(id)).toBe(false);
  });

  test('is told from one that says nonsense', () => {
    const { world, market } = book();
    const wrong: Partial<GrantTerms>[] = [
      { grantId: '' },
      { grantId: 'g'.repeat(65) },
      { dayMax: usdt(-1n) },
      { expiresAtMs: 1.5 },
    ];
    for (const change of wrong) {
      const terms = { ...grant(), ...change };
      expect(place(world, market, 'buy 1 yes @ 0.4', terms)).toBe('VALIDATION_FAILED');
      expect(mint(world, market, 1, terms)).toBe('VALIDATION_FAILED');
    }
  });
});

describe('[RK5] the day of a grant', () => {
  test('is used up to the µ by what rests, buys and sells alike', () => {
    const { world, market } = book();
    expect(place(world, market, 'buy 10 yes @ 0.4', grant())).toBeNull();
    expect(place(world, market, 'sell 10 yes @ 0.5', grant())).toBeNull();
    const { answer } = world.place('a', market, 'buy 10.01 yes @ 0.1', { grant: grant() }).outcome;
    const resetsAtMs = 2 * DAY;
    expect(answer).toMatchObject({
      rejection: {
        code: ABOVE,
        details: { grant_id: 'grt_1', cap: 10n * USDT, used: 9n * USDT, resets_at_ms: resetsAtMs },
      },
    });
    // Nobody else's day: the account itself, another grant.
    expect(world.place('a', market, 'buy 100 yes @ 0.1').refusal).toBeNull();
    expect(place(world, market, 'buy 10 yes @ 0.1', grant(10n, 'grt_2'))).toBeNull();
    expect(place(world, market, 'sell 2.01 yes @ 0.5', grant())).toBe(ABOVE);
    expect(place(world, market, 'sell 2 yes @ 0.5', grant())).toBeNull();
    expect(place(world, market, 'buy 0.01 yes @ 0.001', grant())).toBe(ABOVE);
  });

  test('goes on with what was filled, as taker and as maker, when orders are withdrawn', () => {
    const { world, market } = book();
    world.place('b', market, 'sell 10 yes @ 0.3');
    // 3 taken, 1 rests; of that half a share is filled by others.
    expect(place(world, market, 'buy 15 yes @ 0.3', grant())).toBeNull();
    world.place('b', market, 'sell 3 yes @ 0.3');
    endGrant(world, 'grt_1');
    expect(place(world, market, 'buy 61.01 yes @ 0.1', grant())).toBe(ABOVE);
    expect(place(world, market, 'buy 61 yes @ 0.1', grant())).toBeNull();
    endGrant(world, 'grt_1');
    world.pass(DAY - 60_000);
    expect(place(world, market, 'buy 100 yes @ 0.1', grant())).toBeNull();
  });

  test('counts mints', () => {
    const { world, market } = book();
    expect(mint(world, market, 6, grant())).toBeNull();
    expect(mint(world, market, 4.01, grant())).toBe(ABOVE);
    expect(mint(world, market, 4, grant())).toBeNull();
    expect(place(world, market, 'sell 1 yes @ 0.5', grant())).toBe(ABOVE);
  });

  test('is that of the order’s last sender: an amended one counts its own rest once', () => {
    const { world, market } = book();
    const { id } = world.place('a', market, 'buy 20 yes @ 0.4', { grant: grant() });
    expect(amend(world, id, 0.501, 20, grant())).toBe(ABOVE);
    expect(amend(world, id, 0.5, 20, grant())).toBeNull();
    expect(place(world, market, 'buy 0.01 yes @ 0.001', grant())).toBe(ABOVE);
    // A smaller size in place stays the grant's, whoever asks; re-routed without one, it is the account's again.
    expect(amend(world, id, 0.5, 10, null)).toBeNull();
    expect(place(world, market, 'buy 5.01 yes @ 0.999 ioc', grant())).toBe(ABOVE);
    expect(amend(world, id, 0.49, 10, null)).toBeNull();
    expect(place(world, market, 'buy 20 yes @ 0.4', grant())).toBeNull();
    expect(endGrant(world, 'grt_1').answer).toMatchObject({ result: { cancelled: [id + 1] } });
    const { id: sale } = world.place('a', market, 'sell 10 yes @ 0.6', { grant: grant() });
    expect(amend(world, sale, 1 - 0.001, 10, grant())).toBeNull();
    expect(amend(world, sale, 1 - 0.001, 10.02, grant())).toBe(ABOVE);
  });

  test('[RK1] stands beside the caps of a key, which come first', () => {
    const { world, market } = book();
    const caps: TierCaps = { tier: 'x', keyId: 'k1', orderMax: null, dayMax: usdt(8n * USDT) };
    const both = { caps, grant: grant() };
    expect(world.place('a', market, 'buy 20 yes @ 0.4', both).refusal).toBeNull();
    expect(world.place('a', market, 'buy 30 yes @ 0.1', both).refusal).toBe('TIER_LIMIT_EXCEEDED');
    expect(world.place('a', market, 'sell 10 yes @ 0.6', both).refusal).toBe(ABOVE);
    expect(world.place('a', market, 'buy 0.01 yes @ 0.1', { caps }).refusal).toBe(
      'TIER_LIMIT_EXCEEDED',
    );
    expect(place(world, market, 'buy 20 yes @ 0.1', grant())).toBeNull();
  });

  test('[SN2] a restored state has used as much, and knows whose its orders are', () => {
    const { world, market } = book();
    place(world, market, 'buy 10 yes @ 0.4', grant());
    world.place('b', market, 'sell 5 yes @ 0.4');
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(stateHash(restored)).toBe(stateHash(world.state));
    const again = makeWorld({ nowMs: world.nowMs });
    Object.assign(again, { state: restored });
    expect(place(again, market, 'buy 60.01 yes @ 0.1', grant())).toBe(ABOVE);
    expect(place(again, market, 'buy 60 yes @ 0.1', grant())).toBeNull();
    expect(endGrant(again, 'grt_1').answer).toMatchObject({ result: { cancelled: [1, 3] } });
  });
});
