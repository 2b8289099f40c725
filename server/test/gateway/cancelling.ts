// Cancels a market that has traded: proposed over its last week of trading, and confirmed after the notice.
import { asMarketId, type CommandBody, fairValue, type LaneName } from '@sibyl/engine';
import type { ManualClock } from '@sibyl/lane/testing';
import type { SeededLane } from '../../src/seed/seed-lane.ts';

/** In live: the notice of a day, and the hour after the lane's start that does not count towards it. */
const NOTICE_MS = 25 * 3_600_000;

/** The longest window that operators may name. */
const WINDOW_MS = 7 * 86_400_000;

interface Exchange {
  readonly lanes: Readonly<Partial<Record<LaneName, SeededLane>>>;
  readonly clock: ManualClock;
}

export async function cancelTraded(
  { lanes, clock }: Exchange,
  market: string,
  laneName: LaneName,
): Promise<void> {
  const lane = lanes[laneName]!;
  const marketId = asMarketId(market);
  const submit = async (body: CommandBody): Promise<void> => {
    const actor = { kind: 'operator', name: 'test', reason: 'test' } as const;
    const { answer } = await lane.submit({ body, actor, requestId: 'test' });
    if (!answer.ok) throw new Error(`${body.type}: ${answer.rejection.code}`);
  };
  const window = { fromMs: clock.wallMs() - WINDOW_MS, toMs: clock.wallMs() };
  const expected = await lane.read((state) => {
    const value = fairValue(state, state.markets.get(marketId)!, window);
    if ('code' in value) throw new Error(value.code);
    return value.payout;
  });
  const terms = { cause: 'other', reason: 'test', evidence: ['a test'], excluded: [] } as const;
  await submit({ type: 'propose_void', marketId, ...terms, window, expected });
  if (laneName === 'live') clock.advance(NOTICE_MS);
  const ruling = { ruling: 'upheld', result: null, alone: true } as const;
  await submit({ type: 'rule_resolution', marketId, ...ruling });
}
