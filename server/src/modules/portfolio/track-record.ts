// How an account did: fees and rebates, and whether what it bought came true, reckoned from its statement.
import type { StatementEntry } from '@sibyl/history';
import type { Turns } from '@sibyl/lane';

const BUCKETS = 10;
const GROUPS_AT_ONCE = 100;
const MICRO = 1_000_000n;

export interface TrackRecord {
  readonly feesPaid: bigint;
  readonly rebates: bigint;
  readonly settled: number;
  readonly won: number;
  /** By tenths of the average price paid. */
  readonly buckets: readonly Bucket[];
}

export interface Bucket {
  positions: number;
  cameTrue: number;
}

/** What a share of an outcome paid in the end, in micro-USDT; null in a market that did not resolve. */
export type Payouts = (marketId: string, outcomeId: string) => bigint | null;

interface Open {
  shares: bigint;
  cost: bigint;
}

/** `lines` are oldest first. Positions that were opened before the first of them are left out. */
export async function trackRecord(
  lines: readonly StatementEntry[],
  payouts: Payouts,
  turns: Turns,
): Promise<TrackRecord> {
  let [feesPaid, rebates] = [0n, 0n];
  const settlements = new Settlements(payouts);
  let groups = 0;
  for (const group of groupsOf(lines)) {
    for (const { reason, amount } of group) {
      if (reason === 'taker_fee' || reason === 'builder_fee') feesPaid -= amount;
      if (reason === 'maker_rebate') rebates += amount;
    }
    settlements.add(group);
    groups += 1;
    if (groups % GROUPS_AT_ONCE === 0) await turns.pause();
  }
  const { settled, won, buckets } = settlements;
  return { feesPaid, rebates, settled, won, buckets };
}

class Settlements {
  settled = 0;
  won = 0;
  readonly buckets: Bucket[] = Array.from({ length: BUCKETS }, () => ({
    positions: 0,
    cameTrue: 0,
  }));
  readonly #payouts: Payouts;
  readonly #open = new Map<string, Open>();

  constructor(payouts: Payouts) {
    this.#payouts = payouts;
  }

  /** Lines of one trade, conversion or payout. */
  add(group: readonly StatementEntry[]): void {
    const { reason } = group[0]!;
    if (reason === 'reset') this.#open.clear();
    const shares = group.filter((line) => line.shares !== null);
    const paid = group
      .filter((line) => line.shares === null && BUYING.has(line.reason))
      .reduce((sum, { amount }) => sum - amount, 0n);
    for (const line of shares) {
      if (reason === 'settlement') this.#settle(line);
      else if (reason === 'refund') this.#open.delete(keyOf(line));
      else if (BUYING.has(reason)) this.#trade(line, paid / BigInt(shares.length));
    }
  }

  #trade(line: StatementEntry, paid: bigint): void {
    const open = this.#open.get(keyOf(line)) ?? { shares: 0n, cost: 0n };
    this.#open.set(keyOf(line), open);
    if (line.amount > 0n) open.cost += paid;
    else if (open.shares > 0n) open.cost += (open.cost * line.amount) / open.shares;
    open.shares += line.amount;
    // More was sold than is known of: it was opened before the first line.
    if (open.shares <= 0n) this.#open.delete(keyOf(line));
  }

  #settle(line: StatementEntry): void {
    const open = this.#open.get(keyOf(line));
    const { shares } = line;
    const payout = shares === null ? null : this.#payouts(shares.marketId, shares.outcomeId);
    this.#open.delete(keyOf(line));
    if (open === undefined || open.shares !== -line.amount || payout === null) return;
    this.settled += 1;
    if (payout * open.shares > open.cost * MICRO) this.won += 1;
    const price = (open.cost * MICRO) / open.shares;
    const tenth = Math.min(BUCKETS - 1, Math.max(0, Number((price * BigInt(BUCKETS)) / MICRO)));
    const bucket = this.buckets[tenth]!;
    bucket.positions += 1;
    if (payout === MICRO) bucket.cameTrue += 1;
  }
}

/** What brings shares or takes them away for money. */
const BUYING: ReadonlySet<StatementEntry['reason']> = new Set(['trade', 'mint', 'merge']);

/** Lines that belong together: of one command, about one record. */
function* groupsOf(lines: readonly StatementEntry[]): Generator<readonly StatementEntry[]> {
  let group: StatementEntry[] = [];
  for (const line of lines) {
    const [first] = group;
    const isSame = first?.seq === line.seq && first.reference === line.reference;
    if (!isSame && group.length > 0) {
      yield group;
      group = [];
    }
    group.push(line);
  }
  if (group.length > 0) yield group;
}

function keyOf({ shares }: StatementEntry): string {
  return shares === null ? '' : `${shares.marketId} ${shares.outcomeId}`;
}
