// What capped credentials may do in one order and in a day: everything that really happens counts.
import { type Usdt, usdt } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountName, inLots, inPips, makeWorld, Placed, type World } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import type { OrderId } from '../kit/identity.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { capUseOf, dayOf } from './cap-use.ts';
import type { TierCaps } from './command.ts';
import type { Market } from './market.ts';

const USDT = 1_000_000n;
const DAY = 86_400_000;
const REFUSED = 'TIER_LIMIT_EXCEEDED';

interface CapOptions {
  readonly order?: bigint;
  readonly day?: bigint;
  readonly keyId?: string;
  readonly tier?: string;
}

/** Caps in whole USDT unless said otherwise. */
function caps({ order, day, keyId = 'k1', tier = 'self_serve' }: CapOptions = {}): TierCaps {
  const amount = (value: bigint | undefined): Usdt | null =>
    value === undefined ? null : usdt(value * USDT);
  return { tier, keyId, orderMax: amount(order), dayMax: amount(day) };
}

function book(): { world: World; market: Market } {
  const world = makeWorld();
  world.open('a b c');
  world.open('sub_a', 100_000, 'a');
  const market = world.market();
  for (const name of ['a', 'b']) world.mint(name, market, 1000);
  return { world, market };
}

/** In whole µ. */
const used = (world: World, name = 'a', options: CapOptions = {}) =>
  capUseOf(world.state, world.account(name), caps(options));

function mint(world: World, market: Market, shares: number, limits: TierCaps, name = 'a') {
  const sets = { accountId: accountName(name), marketId: market.id, lots: inLots(shares) };
  const { answer } = world.run({ type: 'mint_sets', ...sets, caps: limits, grant: null });
  return answer.ok ? null : answer.rejection.code;
}

function amend(world: World, id: number, price: number, shares: number, limits: TierCaps | null) {
  const change = { price: inPips(price), lots: inLots(shares), caps: limits, grant: null };
  const orderId = id as OrderId;
  const accountId = accountName('a');
  return new Placed(world.run({ type: 'amend_order', accountId, orderId, ...change }));
}

describe('[RK1][OR2] the cap of an order', () => {
  test('is held against limit × size of a limit buy, whatever it would cost', () => {
    const { world, market } = book();
    const { answer } = world.place('a', market, 'buy 100 yes @ 0.101', {
      caps: caps({ order: 10n }),
    }).outcome;
    expect(answer).toMatchObject({
      rejection: { code: REFUSED, details: { tier: 'self_serve', cap: 10n * USDT } },
    });
    const exact = { caps: caps({ order: 10n }) };
    expect(world.place('a', market, 'buy 100 yes @ 0.1', exact).refusal).toBeNull();
    const fine = world.market({ template: { tickPips: 1 as never } });
    // 909091 lots at 11 pips are a µ more than ten.
    expect(world.place('a', fine, 'buy 9090.91 yes @ 0.0011', exact).refusal).toBe(REFUSED);
  });

  test('is held against the planned cost of a market buy', () => {
    const { world, market } = book();
    world.place('b', market, 'sell 20 yes @ 0.5');
    world.place('b', market, 'sell 20 yes @ 0.6');
    const limits = { caps: caps({ order: 10n }) };
    expect(world.place('a', market, 'buy 20.01 yes', limits).refusal).toBe(REFUSED);
    expect(world.place('a', market, 'buy 20 yes', limits).refusal).toBeNull();
  });

  test('is held against what a sell brings and what will rest of it', () => {
    const { world, market } = book();
    world.place('b', market, 'buy 10 yes @ 0.5');
    const limits = { caps: caps({ order: 10n }) };
    // Asked for at a pip it brings 5 by ten shares at 0.5; the rest waits for 0.001 each.
    expect(world.place('a', market, 'sell 10 yes @ 0.001', limits).refusal).toBeNull();
    world.place('b', market, 'buy 10 yes @ 0.5');
    // 5 by the bid and 10 shares waiting for 0.5: exactly ten; one more lot is above.
    expect(world.place('a', market, 'sell 20.01 yes @ 0.5', limits).refusal).toBe(REFUSED);
    expect(world.place('a', market, 'sell 20 yes @ 0.5', limits).refusal).toBeNull();
  });

  test('replays the sell that filled 3,433 under a cap of 10', () => {
    const { world } = book();
    const market = world.market({ deposit: 100_000, creator: 'c' });
    world.mint('a', market, 10_000);
    const limits = { caps: caps({ order: 10n }) };
    expect(world.place('a', market, 'sell 10000 yes @ 0.001', limits).refusal).toBe(REFUSED);
    expect(world.place('a', market, 'sell 10000 yes', limits).refusal).toBe(REFUSED);
  });

  test('bounds mints by their amount', () => {
    const { world, market } = book();
    expect(mint(world, market, 10.01, caps({ order: 10n }))).toBe(REFUSED);
    expect(mint(world, market, 10, caps({ order: 10n }))).toBeNull();
  });
});

/** Each change flips a bit: of the key, the tier, the grant, whether there are caps, or a grant, and of the account. */
function holdTheirs(changes: readonly number[]): void {
  const { world, market } = book();
  const held: Record<string, bigint> = {};
  const hold = (scope: string) => {
    held[scope] = (held[scope] ?? 0n) + USDT / 10n;
  };
  let bits = 0;
  for (const change of changes) {
    bits ^= 1 << change;
    const bit = (index: number) => (bits >> index) & 1;
    const [keyId, tier, grantId] = [`k${bit(0)}`, `t${bit(1)}`, `grt_${bit(2)}`];
    world.place(bit(5) === 0 ? 'a' : 'sub_a', market, 'buy 1 yes @ 0.1', {
      caps: bit(3) === 0 ? caps({ keyId, tier }) : null,
      grant: bit(4) === 0 ? { grantId, dayMax: null, expiresAtMs: 10 * DAY } : null,
    });
    if (bit(3) === 0) for (const scope of [`key|${keyId}`, `family|acc_a|${tier}`]) hold(scope);
    if (bit(4) === 0) hold(`grant|${grantId}`);
    const counted = [...world.state.capUses.counts].map(([scope, use]) => [scope, use.resting]);
    expect(Object.fromEntries(counted)).toEqual(held);
  }
}

describe('[RK3] use of a day', () => {
  test('is what a taker paid or received, before fees', () => {
    const { world, market } = book();
    world.place('b', market, 'sell 10 yes @ 0.4');
    world.place('b', market, 'buy 10 yes @ 0.3');
    world.place('a', market, 'buy 10 yes @ 0.45', { caps: caps() });
    expect(used(world)).toBe(4n * USDT);
    world.place('a', market, 'sell 10 yes', { caps: caps() });
    // 4 paid, 3 received, and 1.5 given away below nine tenths of the opening price (RK6).
    expect(used(world)).toBe(8_500_000n);
  });

  test('is what a maker’s orders filled, and limit × what still rests of them, sells too', () => {
    const { world, market } = book();
    world.place('a', market, 'buy 10 yes @ 0.4', { caps: caps() });
    world.place('a', market, 'sell 10 yes @ 0.6', { caps: caps() });
    expect(used(world)).toBe(10n * USDT);
    world.place('b', market, 'sell 5 yes @ 0.4');
    world.place('b', market, 'buy 5 yes @ 0.6');
    // Filled is what rested: the sum stays, now as fills.
    expect(used(world)).toBe(10n * USDT);
    for (const { id } of world.state.orderLists.of(world.account('a'))) world.cancel('a', id);
    expect(used(world)).toBe(5n * USDT);
    world.pass(DAY);
    expect(used(world)).toBe(0n);
  });

  test('of a new day begins with what rests', () => {
    const { world, market } = book();
    world.place('b', market, 'sell 10 yes @ 0.5');
    world.place('a', market, 'buy 30 yes @ 0.5', { caps: caps() });
    expect(used(world)).toBe(15n * USDT);
    world.pass(DAY - 60_000 - 1);
    expect(used(world)).toBe(15n * USDT);
    world.pass(1);
    expect(used(world)).toBe(10n * USDT);
  });

  test('counts cross legs of a market of more outcomes at their limits', () => {
    const { world } = book();
    const market = world.market({ deposit: 500, outcomes: 3, creator: 'c' });
    world.place('a', market, 'buy 10 o1 @ 0.33', { caps: caps() });
    world.place('a', market, 'buy 10 o2 @ 0.33', { caps: caps({ keyId: 'k2' }) });
    world.place('b', market, 'buy 500 o0');
    for (const { id } of world.state.orderLists.of(world.account('a'))) world.cancel('a', id);
    expect(world.shares('a', market, 1)).toBe(10n * USDT);
    expect(used(world, 'a', { keyId: 'k1', tier: 'other' })).toBe(3_300_000n);
    expect(used(world)).toBe(6_600_000n);
  });

  test('counts mints, and not merges', () => {
    const { world, market } = book();
    mint(world, market, 10, caps());
    expect(used(world)).toBe(10n * USDT);
    const sets = { accountId: accountName('a'), marketId: market.id, lots: inLots(5) };
    world.do({ type: 'merge_sets', ...sets });
    expect(used(world)).toBe(10n * USDT);
  });

  test('is counted for the key, and for the family in the tier', () => {
    const { world, market } = book();
    world.place('a', market, 'buy 10 yes @ 0.1', { caps: caps() });
    world.place('sub_a', market, 'buy 10 yes @ 0.2', { caps: caps({ keyId: 'k2' }) });
    world.place('b', market, 'buy 10 yes @ 0.3', { caps: caps({ keyId: 'k3' }) });
    expect(used(world)).toBe(3n * USDT);
    expect(used(world, 'sub_a', { keyId: 'k2' })).toBe(3n * USDT);
    expect(used(world, 'a', { keyId: 'k9' })).toBe(3n * USDT);
    expect(used(world, 'a', { tier: 'other' })).toBe(1n * USDT);
    expect(used(world, 'b', { keyId: 'k3' })).toBe(3n * USDT);
    // A key that acts for several families counts for all of them.
    expect(used(world, 'c', { keyId: 'k3' })).toBe(3n * USDT);
  });

  test('[RK1] without caps nothing counts: an order belongs to who last re-routed it', () => {
    const { world, market } = book();
    world.place('a', market, 'buy 10 yes @ 0.5');
    expect(used(world)).toBe(0n);
    const { id } = world.place('a', market, 'buy 10 yes @ 0.1', { caps: caps() });
    expect(used(world)).toBe(1n * USDT);
    amend(world, id, 0.2, 10, caps({ keyId: 'k2', tier: 'other' }));
    expect(used(world)).toBe(0n);
    expect(used(world, 'a', { keyId: 'k2', tier: 'other' })).toBe(2n * USDT);
    // A smaller size keeps its place and whose it is.
    amend(world, id, 0.2, 5, null);
    expect(used(world, 'a', { keyId: 'k2', tier: 'other' })).toBe(1n * USDT);
    amend(world, id, 0.3, 5, null);
    expect(used(world, 'a', { keyId: 'k2', tier: 'other' })).toBe(0n);
  });

  test('[RK5] keys, tiers and grants that take turns each have what is theirs', () => {
    // From one order to the next only one thing changes.
    const changes = fc.array(fc.nat(5), { minLength: 100, maxLength: 150 });
    fc.assert(fc.property(changes, holdTheirs), { numRuns: 20 });
  });

  test('that is fuller than any cap stays, and stops nobody', () => {
    const { world, market } = book();
    const full = 2n ** 62n - 1n;
    world.place('b', market, 'sell 10 yes @ 0.4');
    const day = dayOf(world.state.nowMs);
    world.state.capUses.count('key|k1').restore(day, full);
    expect(world.place('a', market, 'buy 10 yes @ 0.4', { caps: caps() }).refusal).toBeNull();
    expect(world.state.capUses.count('key|k1').usedOn(day)).toBe(full);
    expect(world.state.capUses.count('family|acc_a|self_serve').usedOn(day)).toBe(4n * USDT);
  });

  test('[RK1] days are UTC days', () => {
    expect(dayOf(DAY - 1)).toBe(0);
    expect(dayOf(DAY)).toBe(1);
  });
});

describe('[RK1] the cap of a day', () => {
  const place = (world: World, market: Market, text: string, name = 'a', keyId = 'k1') =>
    world.place(name, market, text, { caps: caps({ day: 10n, keyId }) }).refusal;

  test('is exhausted to the µ by orders that rest', () => {
    const { world, market } = book();
    expect(place(world, market, 'buy 20 yes @ 0.4')).toBeNull();
    expect(place(world, market, 'buy 2.01 yes @ 0.999 ioc')).toBe(REFUSED);
    expect(place(world, market, 'buy 2 yes @ 0.999')).toBeNull();
    expect(place(world, market, 'buy 0.2 yes @ 0.01')).toBeNull();
    expect(used(world)).toBe(10n * USDT);
    expect(place(world, market, 'buy 0.01 yes @ 0.001')).toBe(REFUSED);
  });

  test('counts maker fills: what was filled while resting is gone for the day', () => {
    const { world, market } = book();
    expect(place(world, market, 'buy 20 yes @ 0.5')).toBeNull();
    world.place('b', market, 'sell 20 yes @ 0.5');
    expect(place(world, market, 'buy 0.01 yes @ 0.001')).toBe(REFUSED);
    // Filled by one account and key, they are gone for the others of the family too.
    expect(place(world, market, 'buy 0.01 yes @ 0.001', 'sub_a', 'k2')).toBe(REFUSED);
    world.pass(DAY);
    expect(place(world, market, 'buy 20 yes @ 0.5')).toBeNull();
  });

  test('is the family’s: another account or key of it has no more', () => {
    const { world, market } = book();
    expect(place(world, market, 'buy 20 yes @ 0.5')).toBeNull();
    expect(place(world, market, 'buy 0.01 yes @ 0.001', 'a', 'k2')).toBe(REFUSED);
    expect(place(world, market, 'buy 0.01 yes @ 0.001', 'sub_a', 'k2')).toBe(REFUSED);
    expect(place(world, market, 'buy 0.01 yes @ 0.001', 'b', 'k1')).toBe(REFUSED);
    expect(place(world, market, 'buy 20 yes @ 0.5', 'b', 'k2')).toBeNull();
  });

  test('never refuses a sell, which yet counts', () => {
    const { world, market } = book();
    expect(place(world, market, 'sell 100 yes @ 0.5')).toBeNull();
    expect(used(world)).toBe(50n * USDT);
    expect(place(world, market, 'sell 100 yes @ 0.6')).toBeNull();
    expect(place(world, market, 'buy 0.01 no @ 0.001')).toBe(REFUSED);
  });

  test('bounds mints with everything else, and not merges', () => {
    const { world, market } = book();
    const limits = caps({ day: 10n });
    expect(place(world, market, 'buy 10 yes @ 0.4')).toBeNull();
    expect(mint(world, market, 6.01, limits)).toBe(REFUSED);
    expect(mint(world, market, 6, limits)).toBeNull();
    expect(mint(world, market, 0.01, limits)).toBe(REFUSED);
    const sets = { accountId: accountName('a'), marketId: market.id, lots: inLots(100) };
    expect(world.run({ type: 'merge_sets', ...sets }).answer.ok).toBe(true);
  });

  test('of an amended buy counts what is not filled, and leaves out its own rest', () => {
    const { world, market } = book();
    const limits = caps({ day: 10n });
    const { id } = world.place('a', market, 'buy 20 yes @ 0.4', { caps: limits, grant: null });
    world.place('b', market, 'sell 10 yes @ 0.4');
    // Four are filled: of the other ten shares 6 more may be asked for, which is 0.6 each.
    expect(amend(world, id, 0.601, 20, limits).refusal).toBe(REFUSED);
    expect(amend(world, id, 0.6, 20, limits).refusal).toBeNull();
    expect(used(world)).toBe(10n * USDT);
    // For another credential nothing of it is its own.
    expect(
      amend(world, id, 0.61, 20, caps({ day: 10n, keyId: 'k2', tier: 'x' })).refusal,
    ).toBeNull();
  });

  test('orders that the walk cancels still count', () => {
    const { world, market } = book();
    expect(place(world, market, 'sell 10 yes @ 0.5')).toBeNull();
    // The family's own ask of five would be withdrawn: with it six are too many, five are not.
    expect(place(world, market, 'buy 10 yes @ 0.6')).toBe(REFUSED);
    expect(place(world, market, 'buy 10 yes @ 0.5')).toBeNull();
    expect(used(world)).toBe(5n * USDT);
  });

  test('[SN2] a restored state has used as much', () => {
    const { world, market } = book();
    place(world, market, 'buy 10 yes @ 0.4');
    world.place('b', market, 'sell 5 yes @ 0.4');
    mint(world, market, 1, caps());
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(stateHash(restored)).toBe(stateHash(world.state));
    for (const name of ['a', 'sub_a', 'b']) {
      const account = restored.accounts.get(accountName(name))!;
      expect(capUseOf(restored, account, caps())).toBe(used(world, name));
    }
  });
});
