// The reconciliation report: every ledger account summed by kind, every invariant, and how far history is.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import { checkAccount, checkMarket, type State, stateHash } from '@sibyl/engine';
import { ApiError, isoTime, type Reply } from '../gateway/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { laneOf, type OperatorHandlers, type OperatorParts, type WatchedLane } from './parts.ts';

type Report = OutputOf<OperatorOperations['getReconciliation']>;
type Check = Report['invariants'][number];

export function reconciliationActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'getReconciliation'> {
  return {
    async getReconciliation(_request, { query }): Promise<Reply<Report> | ApiError> {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      return { data: await report(watched, parts.clock.wallMs()) };
    },
  };
}

async function report(watched: WatchedLane, nowMs: number): Promise<Report> {
  const { lane, journal } = watched;
  const { projector } = watched.history;
  const found = await lane.read(examine);
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

interface Examined {
  readonly seq: number;
  readonly hash: string;
  readonly totals: ReadonlyMap<string, bigint>;
  readonly sum: bigint;
  readonly checks: readonly Check[];
}

function examine(state: State): Examined {
  const totals = new Map<string, bigint>();
  const sums = new Map<string, bigint>();
  let accounts = 0;
  let wrongSign: string | null = null;
  for (const { name, balance, asset, contra } of state.ledger.accounts()) {
    accounts += 1;
    sums.set(asset, (sums.get(asset) ?? 0n) + balance);
    if (contra ? balance > 0n : balance < 0n) wrongSign ??= name;
    if (asset !== 'USDT') continue;
    const kind = kindOf(name);
    totals.set(kind, (totals.get(kind) ?? 0n) + balance);
  }
  const unbalanced = [...sums].find(([, sum]) => sum !== 0n)?.[0] ?? null;
  return {
    seq: state.seq,
    hash: stateHash(state),
    totals,
    sum: sums.get('USDT') ?? 0n,
    checks: [
      check('ledger_sums_to_zero', accounts, unbalanced),
      check('ledger_signs', accounts, wrongSign),
      checkEach('accounts', state.accounts.values(), (account) => checkAccount(state, account)),
      checkEach('markets', state.markets.values(), (market) => checkMarket(state, market)),
    ],
  };
}

/** `user:acc_x:free` is of kind user_free, `market:m_x:escrow` of market_escrow. */
function kindOf(name: string): string {
  return name
    .split(':')
    .filter((part) => !/^(acc_|sub_|m_|app_)/.test(part))
    .join('_');
}

function checkEach<T>(rule: string, records: Iterable<T>, examineOne: (record: T) => void): Check {
  let checked = 0;
  for (const record of records) {
    checked += 1;
    try {
      examineOne(record);
    } catch (error) {
      // A report tells what is broken; the lane itself stops when it meets the same.
      return check(rule, checked, error instanceof Error ? error.message : String(error));
    }
  }
  return check(rule, checked, null);
}

function check(rule: string, checked: number, detail: string | null): Check {
  return { rule, holds: detail === null, checked, detail };
}

/** A fact beside the checks: always holds. */
function note(rule: string, checked: number, detail: string | null): Check {
  return { rule, holds: true, checked, detail };
}
