import type { Pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountName, makeWorld, NO_REBATES, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { postingsOf } from '../ledger/postings.ts';
import type { Market } from '../market/market.ts';
import { DEFAULT_PARAMETERS } from '../parameters.ts';
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

const GANG = ['issuer', 'winner', 'loser', 'mate'] as const;

function wealth(world: World): bigint {
  return GANG.reduce((sum, name) => sum + world.free(name) + world.reserved(name), 0n);
}

/**
 * Sets are made, their yes shares sold for nearly nothing and bought back for nearly everything: the one in the
 * middle takes cash out, and two are left with a claim to have all they paid returned.
 */
function manufactureClaims(world: World, market: Market, sets: number): void {
  world.mint('issuer', market, sets);
  world.place('mate', market, 'buy 1000000 no @ 0.99 ioc');
  world.place('issuer', market, `sell ${sets} yes @ 0.01`);
  world.place('winner', market, `buy ${sets} yes @ 0.01`);
  world.place('loser', market, `buy ${2 * sets} yes @ 0.99`);
  world.place('winner', market, `sell ${sets} yes @ 0.99`);
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
    expect(world.free('a') - a).toBe(280658462n);
    expect(world.free('t') - t).toBe(0n);
    expect(world.free('maker') - creator).toBe(991668192n);
    expect(ofType(events, 'market_cancelled')).toEqual([
      {
        type: 'market_cancelled',
        marketId: market.id,
        reason: 'test',
        rule: 'refund',
        payout: null,
        returned: 991668192n,
      },
    ]);
    checkAll(world.state);
  });

  test('[RF2] the order of events: fees into the escrow, holders by id, the pool, the end', () => {
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
      `refund user:acc_a:free:${id}.1`,
      'settled acc_a',
      `refund user:acc_b:free:${id}.0`,
      'settled acc_b',
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
        voidRule: 'last_price',
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

describe('prices instead of refunds', () => {
  test('[RF3][RF5] manufactured claims: false prices between friends do not drain the deposit', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open(`honest ${GANG.join(' ')}`);
    const market = world.market({ deposit: 10 });
    world.place('honest', market, 'buy 1 yes');
    world.pass(60_000);
    const before = wealth(world);
    manufactureClaims(world, market, 5000);
    const insured = world.state.ledger.balance(world.state.insurance);
    const claims = [...market.holdings.values()].reduce(
      (sum, holding) => sum + (netOf(holding) > 0n ? netOf(holding) : 0n),
      0n,
    );
    const money = moneyIn(world, market);
    const fees = money - world.state.ledger.balance(market.escrow);
    expect(claims).toBeGreaterThan(money);
    const events = cancel(world, market);
    expect(ofType(events, 'market_cancelled')[0]?.rule).toBe('prices');
    // The only mark showed the prices from before the game: what was bought dear is paid at those.
    expect(wealth(world)).toBeLessThan(before);
    const insurance = world.state.ledger.balance(world.state.insurance) - insured;
    expect(insurance).toBeGreaterThanOrEqual(fees);
    expect(insurance).toBeLessThan(fees + 2n);
    checkAll(world.state);
  });

  test('[RF3] the average weighs each minute mark with the prices it showed', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open(`c ${GANG.join(' ')}`);
    const market = world.market({ deposit: 1000 });
    world.pass(3 * 60_000);
    // The pool stops at 0.6 (vector 12), or less than a lot below: three marks at 0.5, one at 0.6.
    world.place('c', market, 'buy 5000 yes @ 0.6 ioc');
    world.pass(60_000);
    manufactureClaims(world, market, 10_000);
    expect(market.priceRuns.map(({ from, count }) => [from, count])).toEqual([
      [1, 3],
      [4, 1],
    ]);
    const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
    expect(cancelled?.payout).toEqual([5250, 4750]);
    checkAll(world.state);
  });

  test('[RF3] only the last day of marks counts', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open(`c ${GANG.join(' ')}`);
    const market = world.market({ deposit: 1000 });
    world.pass(1000 * 60_000);
    world.place('c', market, 'buy 5000 yes @ 0.6 ioc');
    for (const minutes of [700, 739]) world.pass(minutes * 60_000);
    manufactureClaims(world, market, 10_000);
    const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
    // 1000 marks at 0.5 and 1439 at 0.6: of the last 1440 one is left of the first.
    const average = (1 * 5000 + 1439 * 6000) / 1440;
    expect(cancelled?.payout?.[0]).toBe(Math.round(average));
  });

  test('[RF4] last_price settles at the prices of the moment and fees go to insurance', () => {
    const world = makeWorld({ parameters: NO_REBATES });
    world.open('t');
    const market = world.market({ deposit: 1000, template: { voidRule: 'last_price' } });
    // 58496 lots bring the pool to 0.6 (vector 12).
    world.place('t', market, 'buy 584.96 yes');
    const fees = moneyIn(world, market) - world.state.ledger.balance(market.escrow);
    const free = world.free('t');
    const insured = world.state.ledger.balance(world.state.insurance);
    const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
    expect(cancelled?.payout).toEqual([6000, 4000]);
    expect(world.free('t') - free).toBe(350_976_000n);
    expect(world.state.ledger.balance(world.state.insurance) - insured).toBeGreaterThanOrEqual(
      fees,
    );
    checkAll(world.state);
  });

  test('[RF4] a market without a pool that never traded settles at one half', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ template: { voidRule: 'last_price' } });
    world.mint('t', market, 10);
    world.place('t', market, 'sell 10 yes @ 0.9');
    const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
    expect(cancelled?.payout).toEqual([5000, 5000]);
    checkAll(world.state);
  });
});

type Action = {
  readonly who: number;
  readonly outcome: number;
  readonly side: 'buy' | 'sell';
  readonly lots: number;
  readonly pips: number | null;
};

const action: fc.Arbitrary<Action> = fc.record({
  who: fc.nat(3),
  outcome: fc.nat(2),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  lots: fc.integer({ min: 1, max: 60_000 }),
  pips: fc.option(fc.integer({ min: 1, max: 99 }).map((price) => price * 100)),
});

const names = ['a', 'b', 'c', 'd'] as const;

function trade(world: World, market: Market, step: Action): void {
  const outcome = market.outcomes[step.outcome % market.outcomes.length]!.id;
  const price = step.pips === null ? '' : ` @ ${step.pips / 10_000}`;
  const text = `${step.side} ${step.lots / 100} ${outcome}${price}`;
  // Sells need shares: those that lack them are refused, which is as good a step as any.
  world.place(names[step.who]!, market, text);
}

describe('whatever was traded before', () => {
  const markets = fc.record({
    outcomes: fc.constantFrom(2, 3),
    rebates: fc.boolean(),
    steps: fc.array(action, { maxLength: 25 }),
    minted: fc.nat(500),
    gamed: fc.boolean(),
  });

  test('[RF1][RF2][RF3] E = D + Σ net; all of E is paid; nobody gets more than net, the creator at most D', () => {
    const everybody = [...names, ...GANG];
    let refunds = 0;
    let byPrices = 0;
    fc.assert(
      fc.property(markets, ({ outcomes, rebates, steps, minted, gamed }) => {
        const world = makeWorld({ parameters: rebates ? DEFAULT_PARAMETERS : NO_REBATES });
        world.open(everybody.join(' '));
        const market = world.market({ deposit: 300, outcomes });
        for (const name of names) if (minted > 0) world.mint(name, market, minted);
        for (const step of steps) trade(world, market, step);
        if (gamed && outcomes === 2) manufactureClaims(world, market, 3000);
        const nets = new Map(
          [...market.holdings.values()].map((holding) => [`${holding.account.id}`, netOf(holding)]),
        );
        const money = moneyIn(world, market);
        let sum = market.deposit;
        for (const net of nets.values()) sum += net;
        expect(money).toBe(sum);
        const insured = world.state.ledger.balance(world.state.insurance);
        const events = cancel(world, market);
        const rule = ofType(events, 'market_cancelled')[0]!.rule;
        let paid = received(events, 'user:acc_maker:free');
        if (rule === 'refund') expect(paid).toBeLessThanOrEqual(market.deposit);
        for (const name of everybody) {
          const got = received(events, `user:acc_${name}:free`);
          const net = nets.get(`acc_${name}`) ?? 0n;
          if (rule === 'refund') expect(got).toBe(net > 0n ? net : 0n);
          paid += got;
        }
        paid += world.state.ledger.balance(world.state.insurance) - insured;
        expect(paid).toBe(money);
        checkAll(world.state);
        if (rule === 'refund') refunds += 1;
        else byPrices += 1;
      }),
      { numRuns: 60 },
    );
    expect(refunds).toBeGreaterThan(0);
    expect(byPrices).toBeGreaterThan(0);
  });

  test('[RF5] washed volume before a cancellation gains no more than the rebates published', () => {
    const washes = fc.record({
      seed: fc.array(action, { maxLength: 8 }),
      wash: fc.array(
        fc.record({
          lots: fc.integer({ min: 1, max: 50_000 }),
          pips: fc.integer({ min: 1, max: 99 }),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    });
    fc.assert(
      fc.property(washes, ({ seed, wash }) => {
        const world = makeWorld();
        world.open(`${names.join(' ')} washer mate`);
        const market = world.market({ deposit: 300 });
        for (const step of seed) trade(world, market, step);
        const before = world.free('washer') + world.free('mate');
        let rebates = 0n;
        for (const { lots, pips } of wash) {
          const price = (pips * 100) / 10_000;
          const placed = [
            world.place('washer', market, `buy ${lots / 100} yes @ ${price}`),
            world.place('mate', market, `buy ${lots / 100} no @ ${(10_000 - pips * 100) / 10_000}`),
          ];
          for (const { trades } of placed) {
            for (const { makers } of trades) {
              for (const maker of makers) {
                if (/washer|mate/.test(maker.accountId)) rebates += maker.rebate;
              }
            }
          }
        }
        const [cancelled] = ofType(cancel(world, market), 'market_cancelled');
        fc.pre(cancelled?.rule === 'refund');
        const after = world.free('washer') + world.free('mate');
        expect(after - before).toBeLessThanOrEqual(rebates);
        checkAll(world.state);
      }),
      { numRuns: 60 },
    );
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
