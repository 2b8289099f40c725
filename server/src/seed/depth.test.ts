// The first order in every market of the seed: each is made as the seed makes it, in a lane where nobody has traded.

import {
  type Market,
  type OrderPreview,
  previewOrder,
  type State,
  shownPrices,
} from '@sibyl/engine';
import { lots, type Usdt, usdt } from '@sibyl/money';
import { beforeAll, describe, expect, it } from 'vitest';
import { EngineLane } from '../../test/engine-lane.ts';
import { testPrices } from '../../test/test-prices.ts';
import { fundBotAccounts, maker, openBotAccounts } from '../bots/bot-accounts.ts';
import { orderOf } from '../bots/orders.ts';
import { dueRounds } from '../bots/rounds.ts';
import { sandboxAgenda } from './agenda.ts';
import { SeedClock } from './seed-clock.ts';
import { seedStartMs } from './seed-lane.ts';

const nowMs = Date.UTC(2026, 10, 15, 2, 37, 12);
const TEN: Usdt = usdt(10_000_000n);
const SYSTEM = { kind: 'system' } as const;

interface FirstOrder {
  readonly market: string;
  /** By how much the average price is above the opening price, as a part of it. */
  readonly moves: readonly number[];
}

function moveOf(state: State, market: Market, outcome: number): number {
  const opening = Number(shownPrices(market)[outcome]);
  const order = orderOf({
    accountId: maker,
    market,
    outcome,
    side: 'buy',
    sizeLots: 100_000,
    price: null,
    kind: 'take',
  });
  const preview = previewOrder(state, SYSTEM, { ...order, lots: lots(10_000_000), maxCost: TEN });
  if (!('filledLots' in preview)) throw new Error(`${market.title}: ${preview.code}`);
  return averageOf(preview) / opening - 1;
}

/** In µUSDT per share, without fees. */
function averageOf({ cost, filledLots }: OrderPreview): number {
  return (Number(cost) * 100) / filledLots;
}

describe('[SE5] a first order of 10 moves the average price by at most a tenth of a percent', () => {
  const seen: FirstOrder[] = [];
  let lane: EngineLane;
  beforeAll(async () => {
    const startMs = seedStartMs('sandbox', nowMs);
    const clock = new SeedClock(startMs);
    lane = new EngineLane('sandbox', clock);
    const submit = (body: Parameters<EngineLane['submit']>[0]['body']) =>
      lane.submit({ body, actor: SYSTEM, requestId: 'test' });
    for (const body of openBotAccounts(lane.state)) await submit(body);
    const rounds = { atMs: startMs, bodies: () => dueRounds(lane.state, startMs, testPrices()) };
    const acts = sandboxAgenda(startMs, nowMs).map(({ atMs, body }) => ({
      atMs,
      bodies: () => [typeof body === 'function' ? body(lane.state) : body],
    }));
    for (const { atMs, bodies } of [...acts, rounds]) {
      clock.advanceTo(atMs);
      for (const body of fundBotAccounts(lane.state)) await submit(body);
      for (const body of bodies()) {
        const { answer } = await submit(body);
        if (!answer.ok || answer.result.kind !== 'market') continue;
        const market = lane.state.markets.get(answer.result.marketId)!;
        if (market.status !== 'active') continue;
        const moves = market.outcomes.map((_, outcome) => moveOf(lane.state, market, outcome));
        seen.push({ market: market.title, moves });
      }
    }
  });

  it('on any outcome of any market that opens', () => {
    expect(seen.length).toBeGreaterThanOrEqual(15);
    for (const { market, moves } of seen) {
      expect(moves.length).toBeGreaterThanOrEqual(2);
      for (const move of moves) expect(move, market).toBeLessThanOrEqual(0.001);
    }
  });

  it('and nothing that is open for trading has another pool', () => {
    const open = [...lane.state.markets.values()].filter(({ status }) => status === 'active');
    expect(open.every(({ template }) => template.definition.marketType !== 'creator')).toBe(true);
  });
});
