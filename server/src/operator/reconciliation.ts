// The reconciliation report: a replay beside the lane is examined, so that trading waits for none of it.

import { Worker } from 'node:worker_threads';
import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import { ApiError, isoTime, type Reply } from '../gateway/handler.ts';
import { Divergence, feedReplay } from '../sequencer/replay-thread.ts';
import { amountText } from '../wire/amounts.ts';
import { check, type Examined, examine } from './examination.ts';
import { laneOf, type OperatorHandlers, type OperatorParts, type WatchedLane } from './parts.ts';

type Report = OutputOf<OperatorOperations['getReconciliation']>;
type Check = Report['invariants'][number];

/** One at a time for each lane: whoever asks meanwhile gets the same report. */
export function reconciliationActs(
  parts: Pick<OperatorParts, 'opened' | 'clock'>,
): Pick<OperatorHandlers, 'getReconciliation'> {
  const running = new Map<string, Promise<Report>>();
  return {
    async getReconciliation(_request, { query }): Promise<Reply<Report> | ApiError> {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      let made = running.get(query.lane);
      if (made === undefined) {
        made = report(watched, parts.clock.wallMs()).finally(() => running.delete(query.lane));
        running.set(query.lane, made);
      }
      return { data: await made };
    },
  };
}

async function report(watched: WatchedLane, nowMs: number): Promise<Report> {
  const { lane, journal } = watched;
  const { projector } = watched.history;
  const found = await examined(watched);
  const head = await journal.head();
  const lag = Math.max(0, found.seq - projector.seq);
  const checks: Check[] = [
    ...found.checks,
    note('journal_head', head.seq, `${head.seq} ${head.hash}`),
    note('projection_lag', projector.seq, lag === 0 ? null : `${lag} commands behind`),
  ];
  return {
    lane: lane.name,
    balanced: found.sum === 0n && checks.every(({ holds }) => holds),
    seq: found.seq,
    state_hash: found.hash,
    asset: 'USDT',
    totals: [...found.totals].map(([account, total]) => ({ account, total: amountText(total) })),
    sum: amountText(found.sum),
    invariants: checks,
    taken_at: isoTime(nowMs),
    taken_at_ms: nowMs,
  };
}

/** As of what is durable now; without snapshots there is only the lane's own state to look at. */
async function examined({ lane, journal, snapshots }: WatchedLane): Promise<Examined> {
  if (snapshots === null) return lane.read(examine);
  const untilSeq = await lane.read(({ seq }) => seq);
  const worker = new Worker(new URL('./reconciliation-worker.ts', import.meta.url), {
    workerData: snapshots.directory,
  });
  try {
    // What `examine` returned in the thread.
    const found = (await feedReplay(worker, journal, untilSeq)) as Examined;
    const replay = check('replay_agrees', found.seq, null);
    return { ...found, checks: [...found.checks, replay] };
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    const found = await lane.read(examine);
    return { ...found, checks: [...found.checks, check('replay_agrees', 0, error.message)] };
  } finally {
    await worker.terminate();
  }
}

/** A fact beside the checks: always holds. */
function note(rule: string, checked: number, detail: string | null): Check {
  return { rule, holds: true, checked, detail };
}
