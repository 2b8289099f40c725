// Reconciliation: a replay beside the lane is examined, so that neither trading nor the operator's request waits for it.

import { Worker } from 'node:worker_threads';
import type { CustodyReport, OperatorOperations, OutputOf, Reconciliation } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { type BackgroundRun, Divergence, feedReplay, finishReplay } from '@sibyl/lane';
import { ApiError, actingOperator, isoTime, type Reply } from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { compareCustody } from './custody-comparison.ts';
import { check, type Examined, examine } from './examination.ts';
import {
  type Act,
  laneOf,
  type OperatorHandlers,
  type OperatorParts,
  type WatchedLane,
} from './parts.ts';
import { runView } from './run-view.ts';

type ReconciliationState = OutputOf<OperatorOperations['getReconciliation']>;
type Check = Reconciliation['invariants'][number];
type Parts = Pick<OperatorParts, 'clock' | 'platform' | 'custody'>;

export function reconciliationActs({
  opened,
  reconciliations,
}: Pick<OperatorParts, 'opened' | 'reconciliations'>): Pick<
  OperatorHandlers,
  'startReconciliation' | 'getReconciliation'
> {
  const answer = async (lane: LaneName): Promise<Reply<ReconciliationState> | ApiError> => {
    const watched = laneOf({ opened }, lane);
    if (watched instanceof ApiError) return watched;
    return { data: await reconciliations.state(watched) };
  };
  return {
    startReconciliation(request, { body }) {
      const watched = laneOf({ opened }, body.lane);
      if (watched instanceof ApiError) return Promise.resolve(watched);
      reconciliations.start(watched, actingOperator(request).operatorId, body);
      return answer(body.lane);
    },
    getReconciliation: (_request, { query }) => answer(query.lane),
  };
}

/** Told how a run ended: with its report, or with why there is none. */
export type ReconciliationEnd = (
  lane: LaneName,
  outcome: Reconciliation | { readonly error: string },
) => void;

/** The runs of all lanes, of each one at a time, and their last reports, which outlive a restart. */
export class Reconciliations {
  readonly #parts: Parts;
  readonly #runs = new Map<LaneName, BackgroundRun>();
  readonly #onEnd: ReconciliationEnd;
  #isClosed = false;

  constructor(parts: Parts, onEnd: ReconciliationEnd = () => undefined) {
    this.#parts = parts;
    this.#onEnd = onEnd;
  }

  close(): void {
    this.#isClosed = true;
  }

  get isAnyRunning(): boolean {
    return [...this.#runs.values()].some(({ state }) => state === 'running');
  }

  /** Whoever asks while one runs gets that one. */
  start(watched: WatchedLane, actor: string, { reason }: Pick<Act, 'reason'>): void {
    const { lane } = watched;
    if (this.#runs.get(lane.name)?.state === 'running') return;
    const run: BackgroundRun = {
      state: 'running',
      seq: 0,
      headSeq: lane.status().durableSeq,
      startedAtMs: this.#parts.clock.wallMs(),
      endedAtMs: null,
      actor,
      reason,
      error: null,
    };
    this.#runs.set(lane.name, run);
    const progress = (seq: number): void => {
      this.#runs.set(lane.name, { ...run, seq });
    };
    this.#reportOf(watched, run, progress).then(
      (report) => this.#end(lane.name, report),
      (error: unknown) =>
        this.#end(lane.name, { error: error instanceof Error ? error.message : String(error) }),
    );
  }

  async state({ lane }: WatchedLane): Promise<ReconciliationState> {
    const run = this.#runs.get(lane.name);
    return {
      lane: lane.name,
      run: run === undefined ? null : runView(run),
      report: await this.lastReport(lane.name),
    };
  }

  async lastReport(lane: LaneName): Promise<Reconciliation | null> {
    const text = await this.#parts.platform.setting(settingOf(lane));
    // Written below.
    return text === null ? null : (JSON.parse(text) as Reconciliation);
  }

  async #reportOf(
    watched: WatchedLane,
    run: BackgroundRun,
    progress: (seq: number) => void,
  ): Promise<Reconciliation> {
    const report = await reportOf(watched, this.#parts, run, progress);
    await this.#parts.platform.putSetting(settingOf(watched.lane.name), JSON.stringify(report));
    return report;
  }

  #end(lane: LaneName, outcome: Parameters<ReconciliationEnd>[1]): void {
    const run = this.#runs.get(lane);
    // What was cut off by the end of the server says nothing of the lane.
    if (run === undefined || this.#isClosed) return;
    const ended =
      'error' in outcome
        ? ({ state: 'failed', error: outcome.error } as const)
        : ({ state: 'done' } as const);
    this.#runs.set(lane, { ...run, ...ended, endedAtMs: this.#parts.clock.wallMs() });
    this.#onEnd(lane, outcome);
  }
}

function settingOf(lane: LaneName): string {
  return `reconciliation ${lane}`;
}

async function reportOf(
  watched: WatchedLane,
  { custody, clock }: Parts,
  { headSeq, startedAtMs }: BackgroundRun,
  progress: (seq: number) => void,
): Promise<Reconciliation> {
  const { lane, journal } = watched;
  const { projector } = watched.history;
  const found = await examined(watched, headSeq, progress);
  const head = await journal.head();
  const isKept = lane.name === 'live' && custody !== undefined;
  const kept = isKept ? await compareCustody({ lane, clock }, custody) : null;
  const lag = Math.max(0, found.seq - projector.seq);
  const checks: Check[] = [
    ...found.checks,
    ...(kept === null ? [] : [custodyCheck(kept)]),
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
    custody: kept,
    taken_at: isoTime(startedAtMs),
    taken_at_ms: startedAtMs,
  };
}

/** Of a replay that diverged, the state that it came to; without snapshots there is only the lane's own to look at. */
async function examined(
  { lane, journal, snapshots }: WatchedLane,
  untilSeq: number,
  progress: (seq: number) => void,
): Promise<Examined> {
  if (snapshots === null) return lane.read(examine);
  const worker = new Worker(new URL('./reconciliation-worker.ts', import.meta.url), {
    workerData: snapshots.directory,
  });
  try {
    const { found, fault } = await feedReplay(worker, journal, untilSeq, progress).then(
      (result) => ({ found: result, fault: null }),
      async (error: unknown) => {
        if (!(error instanceof Divergence)) throw error;
        return { found: await finishReplay(worker), fault: error.message };
      },
    );
    // What `examine` returned in the thread.
    const state = found as Examined;
    return { ...state, checks: [...state.checks, check('replay_agrees', state.seq, fault)] };
  } finally {
    await worker.terminate();
  }
}

export const CUSTODY_AGREES = 'custody_agrees';

/** Books that nobody could look into prove nothing; money on its way is no fault, and is said. */
export function custodyCheck(report: CustodyReport): Check {
  const { name, state, seq_after: seq } = report;
  const rule = CUSTODY_AGREES;
  if (state === 'agrees') return check(rule, seq, null);
  if (state === 'silent') return check(rule, seq, `${name} gave no clear answer`);
  const { difference, difference_least: least, difference_most: most, by_hand: byHand } = report;
  const between = `between ${least} and ${most}`;
  if (state === 'moving') {
    return note(rule, seq, `${name} was never still: it differs by something ${between}`);
  }
  const words = Number(byHand) === 0 ? '' : `; ${byHand} was booked by hand beside it`;
  return check(rule, seq, `${name} differs by ${difference ?? `something ${between}`}${words}`);
}

/** A fact beside the checks: always holds. */
function note(rule: string, checked: number, detail: string | null): Check {
  return { rule, holds: true, checked, detail };
}
