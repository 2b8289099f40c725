// The statement as events: a trade, a payout or a deposit is one row, with its net of money and of shares.
import { addAmounts, compareAmounts, type LedgerEntry, subtractAmounts } from '@sibyl/sdk';
import { marketsOf } from './reasons.ts';

export interface StatementEvent {
  readonly key: string;
  readonly atMs: number;
  /** The reason that says the most. */
  readonly reason: string;
  readonly marketId: string | null;
  /** Null for no shares, and for those of several outcomes, except the answer that an order was against. */
  readonly outcomeId: string | null;
  /** Null for an event without money. */
  readonly asset: LedgerEntry['asset'];
  /** The change of money and of shares, available and reserved together. */
  readonly money: string;
  readonly shares: string;
  readonly fee: string;
  /** An order for No on an answer: sets were minted and the shares of that answer were sold. */
  readonly isNo: boolean;
  /** The change of the reserved money, or of the reserved shares of an event without money. */
  readonly held: string;
  /** The account's money after the command, available and reserved together. */
  readonly balanceAfter: string;
  /** Whether it only moved something between available and reserved. */
  readonly isHold: boolean;
}

/** A trade also charges and reserves: the last of these names the event, and any other reason before it. */
const MINOR_REASONS = [
  'order_release',
  'order_reserve',
  'builder_fee',
  'maker_rebate',
  'taker_fee',
  'trade',
];
const FEES = ['taker_fee', 'builder_fee'];

type Entries = readonly LedgerEntry[];

/** Entries come newest first. The oldest command of a list that goes on may have more entries, and is left out. */
export function eventsOf(entries: Entries, hasMore: boolean): readonly StatementEvent[] {
  const commands = [...Map.groupBy(entries, ({ seq }) => seq).values()];
  const whole = hasMore && commands.length > 1 ? commands.slice(0, -1) : commands;
  const inMoney = entries.filter(({ asset }) => asset !== null);
  const newest = (bucket: LedgerEntry['bucket']): string =>
    inMoney.find((entry) => entry.bucket === bucket)?.balance_after ?? '0';
  const balances: Record<'free' | 'reserved', string> & Partial<Record<string, string>> = {
    free: newest('free'),
    reserved: newest('reserved'),
  };
  return whole.flatMap((command) => {
    const balanceAfter = addAmounts(balances.free, balances.reserved);
    for (const { asset, bucket, amount, balance_after: after } of command) {
      if (asset !== null) balances[bucket] = subtractAmounts(after, amount);
    }
    return partsOf(command).map(([key, part]) => ({ ...eventOf(key, part), balanceAfter }));
  });
}

/** A batch trades several outcomes in one command: each of them, bought or sold, is an event. */
function partsOf(command: Entries): readonly (readonly [string, Entries])[] {
  const traded = new Map<string | null, string>();
  for (const { asset, reason, ref_id: ref, market_id: market, outcome_id: id, amount } of command) {
    const way = amount.startsWith('-') ? 'sold' : 'bought';
    if (asset === null && reason === 'trade') traded.set(ref, `${market} ${id} ${way}`);
  }
  // What an order reserves or mints belongs to its trade, where that is the only one.
  const [only = ''] = new Set(traded.values()).size === 1 ? traded.values() : [];
  const parts = Map.groupBy(command, (entry) => {
    const isOfTrade = entry.reason === 'mint' || rankOf(entry.reason) < 2;
    const part = traded.get(entry.ref_id) ?? (isOfTrade ? only : '');
    return `${entry.seq} ${part}`;
  });
  return [...parts];
}

function eventOf(key: string, part: Entries): Omit<StatementEvent, 'balanceAfter'> {
  const [first] = part;
  if (first === undefined) throw new Error('an event without entries');
  const marketIn = marketsOf(part);
  const inMoney = part.filter(({ asset }) => asset !== null);
  const inShares = part.filter(({ asset }) => asset === null);
  const outcomes = new Set(inShares.map(({ outcome_id: id }) => id));
  const held = inMoney.length > 0 ? inMoney : inShares;
  const money = sumOf(inMoney);
  const isNo = ['mint', 'trade'].every((reason) => part.some((entry) => entry.reason === reason));
  const sold = inShares.filter(({ reason }) => reason === 'trade');
  // Of each other answer as many as of this one were sold.
  const shares = isNo ? subtractAmounts('0', sumOf(sold)) : sumOf(inShares);
  const main = part.reduce((best, entry) =>
    rankOf(entry.reason) > rankOf(best.reason) ? entry : best,
  );
  return {
    key,
    atMs: first.created_at_ms,
    reason: isNo ? 'trade' : main.reason,
    marketId: part.map(marketIn).find((id) => id !== null) ?? null,
    outcomeId:
      isNo || outcomes.size === 1 ? ((isNo ? sold : inShares)[0]?.outcome_id ?? null) : null,
    asset: inMoney[0]?.asset ?? null,
    money,
    shares,
    isNo,
    fee: subtractAmounts('0', sumOf(inMoney.filter(({ reason }) => FEES.includes(reason)))),
    held: sumOf(held.filter(({ bucket }) => bucket === 'reserved')),
    isHold: [money, shares].every((amount) => compareAmounts(amount, '0') === 0),
  };
}

function rankOf(reason: string): number {
  const rank = MINOR_REASONS.indexOf(reason);
  return rank < 0 ? MINOR_REASONS.length : rank;
}

function sumOf(entries: Entries): string {
  return addAmounts('0', ...entries.map(({ amount }) => amount));
}
