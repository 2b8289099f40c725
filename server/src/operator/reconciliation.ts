// Reconciliation: a replay beside the lane is examined, so that neither trading nor the operator's request waits for it.

import { Worker } from 'node:worker_threads';
import type { CustodyReport, OperatorOperations, OutputOf, Reconciliation } from '@sibyl/contract';
import type { LaneName } from '@sibyl/engine';
import { type BackgroundRun, Divergence, feedReplay, finishReplay } from '@sibyl/lane';
import { ApiError, actingOperator, isoTime, type Reply } from '../handling/handler.ts';
import type { Custody } from '../ports/custody.ts';
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
type Parts = Pick<OperatorParts, 'opened' | 'clock' | 'platform' | 'custody'>;

export function reconciliationActs(
  parts: Parts,
): Pick<OperatorHandlers, 'startReconciliation' | 'getReconciliation'> {
  const known = new Map<LaneName, Reconciler>();
  const answer = async (
    lane: LaneName,
    act: (reconciler: Reconciler) => void,
  ): Promise<Reply<ReconciliationState> | ApiError> => {
    const watched = laneOf(parts, lane);
    if (watched instanceof ApiError) return watched;
    const reconciler = known.get(lane) ?? new Reconciler(parts, watched);
    known.set(lane, reconciler);
    act(reconciler);
    return { data: await reconciler.state() };
  };
  return {
    startReconciliation: (request, { body }) =>
      answer(body.lane, (reconciler) => reconciler.start(actingOperator(request).operatorId, body)),
    getReconciliation: (_request, { query }) => answer(query.lane, () => undefined),
  };
}

/** The runs of one lane, one at a time, and the last report, which outlives a restart. */
class Reconciler {
  readonly #parts: Parts;
  readonly #watched: WatchedLane;
  #run: BackgroundRun | null = null;

  constructor(parts: Parts, watched: WatchedLane) {
    this.#parts = parts;
    this.#watched = watched;
  }

  /** Whoever asks while one runs gets that one. */
  start(actor: string, { reason }: Act): void {
    if (this.#run?.state === 'running') return;
    const { lane } = this.#watched;
    const headSeq = lane.status().durableSeq;
    const startedAtMs = this.#parts.clock.wallMs();
    const run: BackgroundRun = {
      state: 'running',
      seq: 0,
      headSeq,
      startedAtMs,
      endedAtMs: null,
      actor,
      reason,
      error: null,
    };
    this.#run = run;
    const progress = (seq: number): void => {
      this.#run = { ...run, seq };
    };
    reportOf(this.#watched, this.#parts.custody, run, progress)
      .then((report) => this.#parts.platform.putSetting(this.#setting, JSON.stringify(report)))
      .then(
        () => this.#end('done', null),
        (error: unknown) =>
          this.#end('failed', error instanceof Error ? error.message : String(error)),
      );
  }

  async state(): Promise<ReconciliationState> {
    const text = await this.#parts.platform.setting(this.#setting);
    return {
      lane: this.#watched.lane.name,
      run: this.#run === null ? null : runView(this.#run),
      // Written by `start`.
      report: text === null ? null : (JSON.parse(text) as Reconciliation),
    };
  }

  #end(state: BackgroundRun['state'], error: string | null): void {
    if (this.#run === null) return;
    this.#run = { ...this.#run, state, error, endedAtMs: this.#parts.clock.wallMs() };
  }

  get #setting(): string {
    return `reconciliation ${this.#watched.lane.name}`;
  }
}

async function reportOf(
  watched: WatchedLane,
  custody: Custody | undefined,
  { headSeq, startedAtMs }: BackgroundRun,
  progress: (seq: number) => void,
): Promise<Reconciliation> {
  const { lane, journal } = watched;
  const { projector } = watched.history;
  const found = await examined(watched, headSeq, progress);
  const head = await journal.head();
  const kept =
    lane.name === 'live' && custody !== undefined ? await compareCustody(lane, custody) : null;
  const lag = Math.max(0, found.seq - projector.seq);
  const checks: Check[] = [
    ...found.checks,
    ...(kept === null ? [] : [check('custody_agrees', found.seq, custodyFault(kept))]),
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

/** Books that nobody could look into prove nothing. */
function custodyFault({ name, state, difference }: CustodyReport): string | null {
  if (state === 'agrees') return null;
  return state === 'silent' ? `${name} gave no clear answer` : `${name} differs by ${difference}`;
}

/** A fact beside the checks: always holds. */
function note(rule: string, checked: number, detail: string | null): Check {
  return { rule, holds: true, checked, detail };
}
