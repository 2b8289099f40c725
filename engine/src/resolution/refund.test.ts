import type { Pips } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, makeWorld, NO_REBATES, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { postingsOf } from '../ledger/postings.ts';
import type { Market } from '../market/market.ts';
import { netOf } from '../position/holding.ts';

function cancel(world: World, market: Market, reason = 'test') {
  return world.do({ type: 'cancel_market', marketId: market.id, reason }).events;
}

/** What the ledger says went to an account's free money, by reason. */
function received(events: ReturnType<typeof cancel>, account: string): bigint {
  let sum = 0n;
  for (const entry of ofType(events, 'ledger_posted')) {
    if (entry.reason !== 'refund' && entry.reason !== 'settlement') continue;
    for (const { account: name, amount } of postingsOf(entry)) if (name === account) sum += amount;
  }
  return sum;
}

function moneyIn(world: World, market: Market): bigint {
  let money = world.state.ledger.balance(market.escrow);
  for (const fee of market.unvested.values()) money += world.state.ledger.balance(fee.account);
  return money;
}

describe('refunds', () => {
  test('[RF1][RF2] vector 33: a cancelled market pays the loser back and the creator the rest', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open('t a');
    const market = world.market({ deposit: 1000 });
    expect(world.place('t', market, 'buy 100 yes').order.filledCost).toBe(50866261n);
    expect(world.place('a', market, 'buy 500 yes').order.filledCost).toBe(280103129n);
    expect(world.place('t', market, 'sell 100 yes').order.filledCost).toBe(59416087n);
    expect(netOf(world.holding('t', market)!)).toBe(-8331808n);
    expect(netOf(world.holding('a', market)!)).toBe(280658462n);
    expect(world.state.ledger.balance(market.escrow)).toBe(1271553303n);
    expect(moneyIn(world, market)).toBe(1272326654n);
    const creator = world.free('maker');
    const [t, a] = [world.free('t'), world.free('a')];
    const events = cancel(world, market);
    // No time has passed, so the average is the opening price: 500 shares are worth 250. Of 1272.326654 the deposit
    // less a fiftieth is paid, 250 of what A paid, the fiftieth, and then the 22.326654 that are left.
    expect(world.free('a') - a).toBe(272326654n);
    expect(world.free('t') - t).toBe(0n);
    expect(world.free('maker') - creator).toBe(1000000000n);
    expect(ofType(events, 'market_cancelled')).toEqual([
      {
        type: 'market_cancelled',
        marketId: market.id,
        reason: 'test',
        returned: 1000000000n,
        dust: 0n,
      },
    ]);
    checkAll(world.state);
  });

  test('[RF2][MK11] the order of events: fees into the escrow, holders as they traded, the pool, the end', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open('b a');
    const market = world.market({ deposit: 1000 });
    world.place('b', market, 'buy 10 yes');
    world.place('a', market, 'buy 10 no');
    world.place('a', market, 'buy 5 no @ 0.1');
    const events = cancel(world, market);
    const shown = events.map((event) => {
      if (event.type === 'ledger_posted') return `${event.reason} ${event.accounts[0]}`;
      return event.type === 'position_settled' ? `settled ${event.accountId}` : event.type;
    });
    const id = market.id;
    expect(shown).toEqual([
      'order_cancelled',
      'release user:acc_a:reserved',
      `refund market:${id}:fees:creator:acc_maker`,
      `refund user:acc_b:free:${id}.0`,
      'settled acc_b',
      `refund user:acc_a:free:${id}.1`,
      'settled acc_a',
      `refund amm:${id}:${id}.0`,
      'market_cancelled',
      'market_status_changed',
    ]);
    expect(market.status).toBe('cancelled');
    expect(market.escrow).toBe(-1);
  });

  test('[RF2] a holder who sold everything at a loss is refunded the loss', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open('t a b');
    const market = world.market({ deposit: 1000 });
    const before = world.free('t');
    world.place('t', market, 'buy 100 yes');
    world.place('a', market, 'buy 500 no');
    world.place('t', market, 'sell 100 yes');
    const loss = before - world.free('t');
    expect(loss).toBeGreaterThan(0n);
    const events = cancel(world, market);
    expect(received(events, 'user:acc_t:free')).toBe(loss);
    expect(world.free('t')).toBe(before);
    expect(world.account('t').realized).toBe(0n);
    expect(ofType(events, 'position_settled').map((event) => event.accountId)).toEqual(['acc_a']);
    checkAll(world.state);
  });

  test('[MK12][RF2] a scheduled market gives the whole deposit back', () => {
    const world = makeWorld();
    world.open('maker', 1000);
    const opensAtMs = world.nowMs + 60_000;
    const market = world.market({
      deposit: 1000,
      template: {
        prior: [3333, 6667] as Pips[],
        paramsSchema: { properties: { opens_at_ms: { type: 'integer' } } },
      },
      params: { opens_at_ms: opensAtMs },
    });
    expect(market.status).toBe('scheduled');
    expect(world.free('maker')).toBe(0n);
    const actor = { kind: 'account', accountId: accountName('maker'), keyId: null } as const;
    world.do({ type: 'cancel_market', marketId: market.id, reason: 'no interest' }, actor);
    expect(world.free('maker')).toBe(1000_000_000n);
    expect(market.status).toBe('cancelled');
    checkAll(world.state);
  });
});

test('[RF2] a refund leaves fees with nobody but those who paid them', () => {
  const world = makeWorld();
  world.open('t');
  const market = world.market({ deposit: 1000 });
  const placed = world.place('t', market, 'buy 100 yes', {
    builder: { appId: 'app', feeBps: 50, capBps: 50 },
  });
  const [step] = placed.trades;
  const before = world.free('t');
  const events = cancel(world, market);
  // All of cost, fee and builder fee comes back but the rebate, which the pool's owner keeps.
  const rebate = step!.split.maker;
  expect(world.free('t') - before).toBe(step!.cost + step!.fee + step!.builderFee - rebate);
  expect(ofType(events, 'ledger_posted').some((entry) => entry.reason === 'vesting')).toBe(false);
  checkAll(world.state);
});
