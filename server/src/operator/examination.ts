// What a state is examined for: every ledger account summed by kind, every invariant, the hash of all of it.

import type { Reconciliation } from '@sibyl/contract';
import { checkAccount, checkMarket, type State, stateHash } from '@sibyl/engine';

type Check = Reconciliation['invariants'][number];

export interface Examined {
  readonly seq: number;
  readonly hash: string;
  readonly totals: ReadonlyMap<string, bigint>;
  readonly sum: bigint;
  readonly checks: readonly Check[];
}

export function examine(state: State): Examined {
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

export function check(rule: string, checked: number, detail: string | null): Check {
  return { rule, holds: detail === null, checked, detail };
}
