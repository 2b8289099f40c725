// Best execution with fees: no way of cutting an order up, nor a detour over complete sets, is cheaper than the router.
import { type Lots, lots } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action, open, perform } from '../../test/trading.ts';
import { accountName, OPERATOR, orderOf, Placed, type World } from '../../test/world.ts';
import { apply } from '../engine.ts';
import type { MarketId } from '../kit/identity.ts';
import { shownPrices } from '../market/mid.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { CommandBody } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { createState, type State } from '../state/state.ts';

/** A lane of its own, on which one way to trade is tried. */
class Trial {
  readonly state: State;
  readonly market: Market;
  fills = 0;

  constructor(lines: readonly string[], marketId: MarketId) {
    this.state = decodeSnapshot(lines);
    this.market = this.state.markets.get(marketId)!;
  }

  run(body: CommandBody): Placed {
    const { seq, nowMs: atMs } = this.state;
    return new Placed(apply(this.state, { seq: seq + 1, atMs, actor: OPERATOR, ...body }));
  }

  /** Gives the lots that filled. */
  order(text: string, size: number): number {
    const placed = this.run({ ...orderOf('taker', this.market, text), lots: size as Lots });
    if (placed.refusal !== null) throw new Error(placed.refusal);
    this.fills += placed.trades.length;
    return placed.order.filledLots;
  }

  mint(size: number): void {
    const sets = { accountId: accountName('taker'), marketId: this.market.id, lots: lots(size) };
    const { answer } = this.run({ type: 'mint_sets', ...sets, caps: null, grant: null }).outcome;
    if (!answer.ok) throw new Error(answer.rejection.code);
  }

  get free(): bigint {
    return this.state.ledger.balance(this.state.accounts.get(accountName('taker'))!.free);
  }

  price(outcome: number): number {
    return Number(shownPrices(this.market)[outcome]) / 1e6;
  }
}

interface Part {
  readonly way: 'market' | 'limit' | 'detour';
  readonly lots: number;
  readonly ticks: number;
}

/** One part of an order made by hand: as it is, at a limit of its own, or minted with the others sold. */
function take(trial: Trial, part: Part, outcome: number, left: number): number {
  const size = Math.min(part.lots, left);
  if (size === 0) return 0;
  const { id } = trial.market.outcomes[outcome]!;
  if (part.way === 'market') return trial.order(`buy 1 ${id}`, size);
  if (part.way === 'limit') {
    const tick = Math.round(trial.price(outcome) * 1000) + part.ticks;
    return trial.order(`buy 1 ${id} @ ${Math.min(999, Math.max(1, tick)) / 1000} ioc`, size);
  }
  trial.mint(size);
  for (const [index, other] of trial.market.outcomes.entries()) {
    if (index !== outcome && trial.order(`sell 1 ${other.id}`, size) < size) return -1;
  }
  return size;
}

const part: fc.Arbitrary<Part> = fc.record({
  way: fc.constantFrom('market', 'limit', 'detour', 'detour'),
  lots: fc.integer({ min: 1, max: 400 }),
  ticks: fc.integer({ min: 0, max: 80 }),
});

const setting = fc.constantFrom(
  { outcomes: 2, deposit: 1000 },
  { outcomes: 2, deposit: 20 },
  { outcomes: 3, deposit: 500 },
  { outcomes: 4, deposit: 100 },
  { outcomes: 6, deposit: 50 },
);

/** The lane as it is, with the fee on conversions that tests of other things leave out. */
function charged(world: World): readonly string[] {
  const { conversionRate } = createState('sandbox').parameters.fee;
  return [...encodeSnapshot(world.state)].map((line, index) =>
    index === 0 ? line.replace('"conversionRate":0', `"conversionRate":${conversionRate}`) : line,
  );
}

/**
 * A µ for each fill, and what RT8 allows the walk. A fee goes by the average price of its fill, and its curve is bent by at
 * most 0.0192: cutting a fill that moves the price by x into small ones can save an eighth of that times x².
 */
function allowance(router: Trial, hand: Trial, size: number, moved: number): bigint {
  const convexity = 10_000n ** 2n / router.market.pool!.b + 1n;
  const steps = BigInt(router.fills + hand.fills + 2);
  const bend = Math.ceil((size * 10_000 * 0.0192 * moved * moved) / 8);
  return steps * (2n + convexity) + BigInt(bend);
}

describe('[RT8][FE9] one order', () => {
  test('costs no more than any cutting up of it, with detours over sets or without', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        setting,
        fc.array(action, { maxLength: 25, size: 'max' }),
        fc.integer({ min: 1, max: 600 }),
        fc.nat(5),
        fc.array(part, { minLength: 1, maxLength: 6, size: 'max' }),
        (chosen, actions, size, which, parts) => {
          const { world, market } = open(chosen);
          for (const one of actions) perform(world, market, one);
          world.open('taker');
          const lines = charged(world);
          const outcome = which % chosen.outcomes;
          const router = new Trial(lines, market.id);
          const [before, from] = [router.free, router.price(outcome)];
          const { id } = market.outcomes[outcome]!;
          if (router.order(`buy 1 ${id}`, size) < size) return;
          const hand = new Trial(lines, market.id);
          let left = size;
          for (const one of [...parts, { way: 'market', lots: size, ticks: 0 } as const]) {
            const taken = take(hand, one, outcome, left);
            if (taken < 0) return;
            left -= taken;
          }
          if (left > 0) return;
          const moved = Math.max(router.price(outcome), hand.price(outcome)) - from;
          const most = before - hand.free + allowance(router, hand, size, moved);
          expect(before - router.free).toBeLessThanOrEqual(most);
          compared += 1;
        },
      ),
      { numRuns: 120 },
    );
    expect(compared).toBeGreaterThan(40);
  });
});
