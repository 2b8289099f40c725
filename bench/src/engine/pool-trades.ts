// Trades against the pool alone: what one costs in markets of few and of many outcomes.
import { apply, type Command, type MarketId } from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import { collectGarbage } from '../harness/gc-pauses.ts';
import type { Measurement } from '../suite.ts';
import { mulberry32 } from '../workload/mulberry32.ts';
import { actAs, Lane, timeOf } from './lane.ts';

const DEPOSIT = usdt(10_000_000_000n);
const SETS_LOTS = lots(10_000_000);
const LOTS_MAX = 2_000;
const SEED = 1;

/** The first half warms up; the mean of the second is the figure. */
export async function measurePoolTrades(outcomes: number, trades: number): Promise<Measurement> {
  const lane = new Lane();
  const schema = outcomes === 2 ? 'binary' : 'multi';
  lane.publish({ id: 'bench_pool', schema, outcomes, deposit: DEPOSIT });
  const marketId = lane.createMarket('bench_pool', 0);
  const commands = prepareTrades(lane, marketId, outcomes, trades * 2);
  let filled = runTrades(lane, commands.slice(0, trades));
  collectGarbage();
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  filled += runTrades(lane, commands.slice(trades));
  const wallMs = performance.now() - started;
  const cpu = process.cpuUsage(cpuBefore);
  const complaints = [...lane.findImbalances()];
  if (filled !== trades * 2)
    complaints.push(`${trades * 2 - filled} trades did not reach the pool`);
  for (const complaint of complaints) console.error(`bench: ${complaint}`);
  return {
    wallUs: (wallMs * 1000) / trades,
    cpuUs: (cpu.user + cpu.system) / trades,
    complaints: complaints.length,
  };
}

/** Buys and sells of every outcome in turn by one who holds all of them, so that the prices stay about even. */
function prepareTrades(
  lane: Lane,
  marketId: MarketId,
  outcomes: number,
  count: number,
): readonly Command[] {
  const accountId = lane.openFunded('pool_trader');
  const actor = actAs(accountId);
  lane.send(
    { type: 'mint_sets', accountId, marketId, lots: SETS_LOTS, caps: null, grant: null },
    actor,
  );
  const ids = lane.state.markets.get(marketId)?.outcomes.map((outcome) => outcome.id) ?? [];
  const next = mulberry32(SEED);
  const firstSeq = lane.state.seq + 1;
  return Array.from({ length: count }, (_, index): Command => {
    const seq = firstSeq + index;
    return {
      seq,
      atMs: timeOf(seq),
      actor,
      type: 'place_order',
      accountId,
      marketId,
      outcomeId: ids[next() % outcomes] ?? '',
      side: next() % 2 === 0 ? 'buy' : 'sell',
      orderType: 'market',
      price: null,
      lots: lots(1 + (next() % LOTS_MAX)),
      timeInForce: 'ioc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: null,
      builder: null,
      caps: null,
      grant: null,
      execution: 'hybrid',
      acceptPrice: false,
    };
  });
}

function runTrades(lane: Lane, commands: readonly Command[]): number {
  let filled = 0;
  for (const command of commands) {
    const { answer } = apply(lane.state, command);
    if (answer.ok && answer.result.kind === 'order' && answer.result.fillVenue === 'amm')
      filled += 1;
  }
  return filled;
}
