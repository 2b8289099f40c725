// Who earns by a trade, a conversion or a cancellation, and what was credited: the rows of earnings.
import {
  type AccountId,
  type FeesCredited,
  type LedgerPosted,
  type MarketId,
  PLATFORM_ACCOUNT,
  type State,
  type TradeExecuted,
} from '@sibyl/engine';
import { addEarningFill, unvestedIn } from './earning-table.ts';
import type { Numbering } from './statements.ts';
import type { UnflushedRows } from './unflushed-rows.ts';

/** Entries that say themselves who earns: what a conversion brings, and what a cancellation gives back. */
const SAYING = { mint: 'accrued', merge: 'accrued', refund: 'returned' } as const;

const DAY_MS = 86_400_000;

export class EarningProjection {
  readonly #number: Numbering;
  /** Numbers of earners: of the creator by market, of the referrer by who was referred. */
  readonly #creators = new Map<MarketId, number>();
  readonly #referrers = new Map<AccountId, number>();
  /** Of apps by their ids. */
  readonly #builders = new Map<string, number>();

  constructor(number: Numbering) {
    this.#number = number;
  }

  begin(state: State): void {
    for (const { id, creator } of state.markets.values()) this.enterMarket(id, creator.id);
    for (const { id, referrerId } of state.accounts.values()) this.enterAccount(id, referrerId);
  }

  enterMarket(marketId: MarketId, creatorId: AccountId): void {
    if (creatorId === PLATFORM_ACCOUNT) return;
    this.#creators.set(marketId, this.#number.earner(`creator:${creatorId}`));
  }

  enterAccount(accountId: AccountId, referrerId: AccountId | null): void {
    if (referrerId === null) this.#referrers.delete(accountId);
    else this.#referrers.set(accountId, this.#number.earner(`referrer:${referrerId}`));
  }

  /** The number of an app as an earner: asked for every order that comes by one, so the name is not put together each time. */
  builder(appId: string): number {
    let earner = this.#builders.get(appId);
    if (earner === undefined) {
      earner = this.#number.earner(`builder:${appId}`);
      this.#builders.set(appId, earner);
    }
    return earner;
  }

  trade(unflushed: UnflushedRows, trade: TradeExecuted, market: number, atMs: number): void {
    const { split, builderAppId, marketId, takerId } = trade;
    if (builderAppId !== null) {
      const earner = this.builder(builderAppId);
      this.#fill(unflushed, earner, trade, market, split.builder + trade.builderFee, atMs);
    }
    if (split.creatorMicro > 0) {
      const earner = this.#creators.get(marketId);
      this.#fill(unflushed, earner, trade, market, split.creator, atMs);
    }
    if (split.referrerMicro > 0) {
      const earner = this.#referrers.get(takerId);
      this.#fill(unflushed, earner, trade, market, split.referrer, atMs);
    }
  }

  /** `market` gives the number of the market that an entry belongs to. */
  post(
    unflushed: UnflushedRows,
    entry: LedgerPosted,
    market: (marketId: MarketId) => number,
    atMs: number,
  ): void {
    const { reason, reference } = entry;
    if (reason !== 'mint' && reason !== 'merge' && reason !== 'refund') return;
    const what = SAYING[reason];
    const day = Math.floor(atMs / DAY_MS);
    for (const [name, amount] of unvestedIn(entry)) {
      const earner = this.#number.earner(name);
      const moved = what === 'returned' ? -amount : amount;
      unflushed.earnings.add(earner, day, market(reference as MarketId), what, moved);
    }
  }

  credit(unflushed: UnflushedRows, { actor, id, amount }: FeesCredited, atMs: number): void {
    if (actor === 'treasury' || actor === 'insurance') return;
    const earner = this.#number.earner(`${actor}:${id}`);
    unflushed.earnings.add(earner, Math.floor(atMs / DAY_MS), NO_MARKET, 'credited', amount);
  }

  #fill(
    unflushed: UnflushedRows,
    earner: number | undefined,
    trade: TradeExecuted,
    market: number,
    accrued: bigint,
    atMs: number,
  ): void {
    if (earner === undefined) throw new Error(`nobody earns by trade ${trade.tradeId}`);
    const day = Math.floor(atMs / DAY_MS);
    unflushed.earnings.addFill(earner, day, market, trade.cost, accrued);
    addEarningFill(unflushed.earningFills, earner, trade, market, accrued, atMs);
  }
}

const NO_MARKET = 0;
