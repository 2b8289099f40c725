// What history says of a market that may be cancelled: who traded when, after the window, and against whom.
import { isOwn, type Market } from '@sibyl/engine';
import type { PastFill } from '@sibyl/history';
import { Turns } from '@sibyl/lane';
import type { Pips } from '@sibyl/money';
import type { WatchedLane } from './parts.ts';

type Fills = Pick<WatchedLane['history'], 'fills'>;

/** An account that has traded or converted in the market, and the owner of its family. */
export interface Trader {
  readonly accountId: string;
  readonly family: string;
  /** The house and bots. */
  readonly isOwn: boolean;
}

export interface LateTrade {
  readonly family: string;
  bought: bigint;
  sold: bigint;
  /** What the trades bring if every share pays the payout, before fees. */
  gain: bigint;
}

export interface Trading {
  /** Families that traded in the default window. */
  readonly families: ReadonlySet<string>;
  /** By family, the largest gain first. */
  readonly late: readonly LateTrade[];
}

export interface Spans {
  /** The default window, in journal time; null without trading. */
  readonly counted: { readonly fromMs: number; readonly toMs: number } | null;
  /** Trades from then on are late. */
  readonly lateFromMs: number;
}

const AT_ONCE = 500;
const MICRO_PER_LOT = 10_000n;

/** Holders are read from the state in one step: each has traded or converted in the market. */
export function tradersOf({ holders }: Market): readonly Trader[] {
  return holders.flatMap((holding) => {
    if (holding === null) return [];
    const { account } = holding;
    const { id: accountId, family } = account;
    return [{ accountId, family: family.owner.id, isOwn: isOwn(account) }];
  });
}

/** Newest first. */
async function* fillsOf(
  history: Fills,
  accountId: string,
  marketId: string,
  fromMs: number,
): AsyncGenerator<PastFill> {
  let before: Parameters<Fills['fills']>[0]['before'] = null;
  do {
    const page = await history.fills({ accountId, marketId, fromMs, before }, AT_ONCE);
    yield* page.rows;
    before = page.next;
  } while (before !== null);
}

export async function readTrading(
  history: Fills,
  market: { readonly id: string; readonly outcomes: readonly { readonly id: string }[] },
  traders: readonly Trader[],
  payout: readonly Pips[],
  { counted, lateFromMs }: Spans,
): Promise<Trading> {
  const families = new Set<string>();
  const late = new Map<string, LateTrade>();
  const pays = new Map(market.outcomes.map(({ id }, index) => [id, BigInt(payout[index] ?? 0)]));
  const fromMs = Math.min(counted?.fromMs ?? lateFromMs, lateFromMs);
  const turns = new Turns();
  for (const { accountId, family, isOwn } of traders) {
    await turns.pause();
    for await (const fill of fillsOf(history, accountId, market.id, fromMs)) {
      const { atMs } = fill;
      const isCounted = counted !== null && atMs >= counted.fromMs && atMs <= counted.toMs;
      if (isCounted && !isOwn) families.add(family);
      if (atMs >= lateFromMs) addLate(late, family, fill, pays.get(fill.outcomeId) ?? 0n);
    }
  }
  const sorted = [...late.values()].sort((a, b) => (a.gain < b.gain ? 1 : -1));
  return { families, late: sorted };
}

/** A lot that pays a pip is a µ. */
function addLate(late: Map<string, LateTrade>, family: string, fill: PastFill, pips: bigint): void {
  const known = late.get(family) ?? { family, bought: 0n, sold: 0n, gain: 0n };
  const size = BigInt(fill.lots) * MICRO_PER_LOT;
  const worth = BigInt(fill.lots) * pips;
  if (fill.side === 'buy') {
    known.bought += size;
    known.gain += worth - fill.cost;
  } else {
    known.sold += size;
    known.gain += fill.cost - worth;
  }
  late.set(family, known);
}

export interface HolderTrades {
  paid: bigint;
  received: bigint;
  firstBuyMs: number | null;
  lastBuyMs: number | null;
  /** By seller, null for the pool: µ-shares bought and what they cost. */
  readonly against: Map<string | null, { bought: bigint; cost: bigint }>;
}

/** Of the few holders who are shown, all trades; of the others, those that one of the shown took part in. */
export async function readHolders(
  history: Fills,
  marketId: string,
  traders: readonly Trader[],
  shown: ReadonlySet<string>,
): Promise<ReadonlyMap<string, HolderTrades>> {
  const found = new Map<string, HolderTrades>();
  const buys = new Map<number, { readonly accountId: string; readonly fill: PastFill }[]>();
  let fromMs = Number.MAX_SAFE_INTEGER;
  for (const accountId of shown) {
    const trades = noTrades();
    found.set(accountId, trades);
    for await (const fill of fillsOf(history, accountId, marketId, 0)) {
      addOwn(trades, fill);
      if (fill.side === 'sell') continue;
      fromMs = Math.min(fromMs, fill.atMs);
      if (fill.venue === 'amm') addAgainst(trades, null, fill.lots, fill.cost);
      else listAt(buys, fill.tradeId).push({ accountId, fill });
    }
  }
  if (buys.size === 0) return found;
  const turns = new Turns();
  for (const { accountId: otherId } of traders) {
    await turns.pause();
    for await (const other of fillsOf(history, otherId, marketId, fromMs)) {
      for (const { accountId, fill } of buys.get(other.tradeId) ?? []) {
        if (fill.isMaker === other.isMaker) continue;
        // A taker meets several makers: each has its part of the cost.
        const lots = Math.min(fill.lots, other.lots);
        const cost = (fill.cost * BigInt(lots)) / BigInt(fill.lots);
        addAgainst(found.get(accountId)!, otherId, lots, cost);
      }
    }
  }
  return found;
}

function noTrades(): HolderTrades {
  return { paid: 0n, received: 0n, firstBuyMs: null, lastBuyMs: null, against: new Map() };
}

/** Fills come newest first. */
function addOwn(trades: HolderTrades, { side, cost, fee, rebate, atMs }: PastFill): void {
  if (side === 'sell') {
    trades.received += cost - fee + rebate;
    return;
  }
  trades.paid += cost + fee - rebate;
  trades.firstBuyMs = atMs;
  trades.lastBuyMs ??= atMs;
}

function addAgainst(
  { against }: HolderTrades,
  otherId: string | null,
  lots: number,
  cost: bigint,
): void {
  const known = against.get(otherId) ?? { bought: 0n, cost: 0n };
  known.bought += BigInt(lots) * MICRO_PER_LOT;
  known.cost += cost;
  against.set(otherId, known);
}

function listAt<Value>(lists: Map<number, Value[]>, key: number): Value[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}
