// How the whole service is at one look: its lanes, maintenance, and what waits for a second operator.

import { type PlatformState, sampleLines } from '@sibyl/contract';
import type { State } from '@sibyl/engine';
import { isoTime, type Reply } from '../handling/handler.ts';
import type { KnownMode, ModeChange } from '../ports/status.ts';
import { SAMPLE_EVERY_MS } from '../status/samples.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { maintenanceView } from './maintenance.ts';
import type { OperatorHandlers, OperatorParts, WatchedLane } from './parts.ts';

type LaneState = PlatformState['lanes'][number];

export function platformActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'getPlatform' | 'getSamples'> {
  return {
    getPlatform: () => platformState(parts),
    getSamples: (_request, { query }) => ({
      data: {
        lines: [...sampleLines],
        every_ms: SAMPLE_EVERY_MS,
        samples: parts.samples
          .after(query.after_ms ?? 0)
          .map(({ atMs, values }) => ({ at_ms: atMs, values: [...values] })),
      },
    }),
  };
}

const WAITING_MAX = 1_000;

async function platformState(parts: OperatorParts): Promise<Reply<PlatformState>> {
  const { opened, maintenance, operators, clock, modes } = parts;
  const nowMs = clock.wallMs();
  const waiting = await operators.approvals.list('waiting', WAITING_MAX);
  const { news } = maintenance;
  return {
    data: {
      lanes: await Promise.all(
        Object.values(opened).map((watched) => laneState(watched, modes[watched.lane.name])),
      ),
      custody: custodyState(parts),
      maintenance: news === null ? null : maintenanceView(news),
      approvals_waiting: waiting.filter(({ expiresAtMs }) => expiresAtMs > nowMs).length,
      taken_at: isoTime(nowMs),
      taken_at_ms: nowMs,
    },
  };
}

function custodyState({ custody, custodyWatch, opened }: OperatorParts): PlatformState['custody'] {
  if (custody === undefined || opened.live === undefined) return null;
  const outage = custodyWatch?.outage ?? null;
  const whileClear = custodyWatch?.isKnown === true ? 'answers' : 'not_asked';
  return {
    name: custody.name,
    state: outage === null ? whileClear : 'silent',
    reason: outage?.reason ?? null,
    silent_since_at: isoTimeOrNull(outage?.sinceMs ?? null),
    silent_since_at_ms: outage?.sinceMs ?? null,
    payouts_unclear: custodyWatch?.unclearPayouts ?? 0,
  };
}

async function laneState(
  { lane, history }: WatchedLane,
  known: KnownMode | undefined,
): Promise<LaneState> {
  const { state, seq, durableSeq, reason } = lane.status();
  return {
    lane: lane.name,
    state,
    reason,
    seq,
    durable_seq: durableSeq,
    history_seq: history.projector.seq,
    ...whyOf(known?.current ?? null),
    ...(await countsOf(lane)),
  };
}

type WhyMode = Pick<
  LaneState,
  'mode_reason' | 'mode_message' | 'mode_set_by' | 'mode_set_at' | 'mode_set_at_ms'
>;

function whyOf(change: ModeChange | null): WhyMode {
  return {
    mode_reason: change?.reason ?? null,
    mode_message: change?.message ?? null,
    mode_set_by: change?.by ?? null,
    mode_set_at: isoTimeOrNull(change?.sinceMs ?? null),
    mode_set_at_ms: change?.sinceMs ?? null,
  };
}

type Counts = Pick<
  LaneState,
  'mode' | 'accounts' | 'markets' | 'orders_open' | 'orders_taken' | 'fills_made'
>;

/** A lane that has stopped answers nothing, which must not hide the others. */
async function countsOf(lane: WatchedLane['lane']): Promise<Counts> {
  try {
    return await lane.read(countsIn);
  } catch {
    const none = { accounts: 0, markets: 0, orders_open: 0, orders_taken: 0, fills_made: 0 };
    return { mode: 'read_only', ...none };
  }
}

function countsIn(state: State): Counts {
  return {
    mode: state.cancelOnly ? 'cancel_only' : state.readOnly ? 'read_only' : 'normal',
    accounts: state.accounts.size,
    markets: state.markets.size,
    orders_open: state.orders.size,
    // The engine numbers both without gaps.
    orders_taken: state.nextOrderId - 1,
    fills_made: state.nextTradeId - 1,
  };
}
