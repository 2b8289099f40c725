// The fast_tick stream: reference price and phases of every fast round.
import type { StreamData } from '@sibyl/contract';
import { asMarketId, type Event, type Market, type State } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { PIPS_ONE, pips } from '@sibyl/money';
import { amountText } from '../wire/amounts.ts';
import { pricesOf } from '../wire/market-view.ts';
import { isoTime } from '../wire/times.ts';
import type { Registry } from './registry.ts';

/** What the source says that a round of this market is decided by. */
export type ReferencePrice = (market: Market, atMs: number) => string | null;

/** A lock is announced its offset before it comes, but no earlier than this. */
const NOTICE_MAX_MS = 15_000;
/** A round without a lock offset is announced so long before its lock. */
const NOTICE_MS = 5_000;

export class FastRounds {
  readonly #registry: Registry;
  readonly #priceOf: ReferencePrice;
  readonly #rounds = new Set<string>();
  readonly #announced = new Set<string>();
  readonly #readings = new Map<string, string>();

  constructor(registry: Registry, priceOf: ReferencePrice) {
    this.#registry = registry;
    this.#priceOf = priceOf;
  }

  begin(state: State): void {
    for (const market of state.markets.values()) if (isRound(market)) this.#rounds.add(market.id);
  }

  add({ command, outcome }: CommittedCommand, state: State): void {
    if (command.type === 'report_readings') {
      const value = command.readings[0]?.value;
      if (value !== undefined && this.#rounds.has(command.marketId)) {
        this.#readings.set(command.marketId, value);
      }
    }
    for (const event of outcome.events) this.#addEvent(event, outcome.atMs, state);
  }

  /** Once a second: the price of every round from its opening to its end. */
  tick(state: State, nowMs: number): void {
    for (const marketId of this.#rounds) {
      const market = state.markets.get(asMarketId(marketId));
      if (market === undefined || !isTicking(market, nowMs)) continue;
      const data = this.#tickOf(market, nowMs);
      if (data === null) continue;
      this.#publish('fast_tick', marketId, nowMs, data, `fast_tick ${marketId}`);
      if (market.status !== 'active') continue;
      const { lockOffsetMs = 0 } = market.template.definition.roundConfig ?? {};
      const noticeMs = lockOffsetMs > 0 ? Math.min(lockOffsetMs, NOTICE_MAX_MS) : NOTICE_MS;
      if (data.ms_to_lock > noticeMs || this.#announced.has(marketId)) continue;
      this.#announced.add(marketId);
      const locking = { ...ofRound(market), ms_to_lock: data.ms_to_lock };
      this.#publish('fast_round_locking', marketId, nowMs, locking, null);
    }
  }

  snapshots(
    state: State,
    marketId: string | null,
    epoch: string,
    nowMs: number,
  ): readonly StreamData<'fast_tick'>[] {
    const ticks: StreamData<'fast_tick'>[] = [];
    for (const id of this.#rounds) {
      const market = state.markets.get(asMarketId(id));
      if (market === undefined || !isTicking(market, nowMs)) continue;
      if (marketId !== null && marketId !== id) continue;
      const data = this.#tickOf(market, nowMs);
      if (data !== null) ticks.push({ ...data, epoch });
    }
    return ticks;
  }

  #addEvent(event: Event, atMs: number, state: State): void {
    if (event.type === 'market_created') {
      const market = state.markets.get(event.marketId);
      if (market === undefined || !isRound(market)) return;
      this.#rounds.add(market.id);
      if (event.status === 'active') this.#opened(market, atMs);
    } else if (event.type === 'market_status_changed' && this.#rounds.has(event.marketId)) {
      const market = state.markets.get(event.marketId)!;
      if (event.to === 'active') this.#opened(market, atMs);
      else if (event.to === 'locked') this.#locked(market, atMs);
      else if (event.to === 'resolved' || event.to === 'cancelled') {
        this.#settled(market, state, atMs);
      }
    }
  }

  #opened(market: Market, atMs: number): void {
    const { strike } = market.params;
    const data: StreamData<'fast_round_opened'> = {
      ...ofRound(market),
      ...instant('opens_at', market.opensAtMs),
      ...instant('locks_at', market.locksAtMs),
      ...instant('settles_at', market.closesAtMs),
      strike: strike === undefined ? null : canonical(String(strike)),
    };
    this.#publish('fast_round_opened', market.id, atMs, data, null);
  }

  #locked(market: Market, atMs: number): void {
    const prices = pricesOf(market);
    const data: StreamData<'fast_round_locked'> = {
      ...ofRound(market),
      ...instant('locked_at', atMs),
      final_prices: market.outcomes.map(({ id }, index) => ({
        outcome_id: id,
        price: amountText(prices[index]!),
      })),
    };
    this.#publish('fast_round_locked', market.id, atMs, data, null);
  }

  #settled(market: Market, state: State, atMs: number): void {
    const winner = market.payout?.indexOf(PIPS_WINNER) ?? -1;
    const reading = this.#readings.get(market.id);
    const isDecided = market.status !== 'cancelled' && winner >= 0;
    const data: StreamData<'fast_round_settled'> = {
      ...ofRound(market),
      settle_price: reading === undefined ? null : canonical(reading),
      winning_outcome_id: isDecided ? (market.outcomes[winner]?.id ?? null) : null,
      next_round_id: this.#nextOf(market, state),
    };
    this.#publish('fast_round_settled', market.id, atMs, data, null);
    this.#rounds.delete(market.id);
    this.#announced.delete(market.id);
    this.#readings.delete(market.id);
  }

  #nextOf(market: Market, state: State): string | null {
    let next: Market | null = null;
    for (const id of this.#rounds) {
      const other = state.markets.get(asMarketId(id));
      if (other === undefined || other.template.definition.id !== market.template.definition.id)
        continue;
      if (other.params.symbol !== market.params.symbol || other.opensAtMs <= market.opensAtMs)
        continue;
      if (next === null || other.opensAtMs < next.opensAtMs) next = other;
    }
    return next?.id ?? null;
  }

  #tickOf(market: Market, nowMs: number): StreamData<'fast_tick'> | null {
    const price = this.#priceOf(market, nowMs);
    if (price === null) return null;
    const [up = 0n, down = 0n] = pricesOf(market);
    return {
      ...ofRound(market),
      reference_price: canonical(price),
      up_price: amountText(up),
      down_price: amountText(down),
      ms_to_lock: Math.max(0, market.locksAtMs - nowMs),
      ts_ms: nowMs,
    };
  }

  #publish(type: string, marketId: string, atMs: number, data: object, key: string | null): void {
    if (!this.#registry.hears('fast_tick', marketId)) return;
    const message = { type, atMs, data: JSON.stringify(data), key };
    this.#registry.publish('fast_tick', marketId, [], message);
  }
}

const PIPS_WINNER = pips(PIPS_ONE);

function isRound({ template, status }: Market): boolean {
  const isOver = status === 'resolved' || status === 'cancelled';
  return template.definition.marketType === 'fast' && !isOver;
}

/** Orders end before the round does; the price that decides it goes on moving until then. */
function isTicking({ status, closesAtMs }: Market, nowMs: number): boolean {
  return status === 'active' || (status === 'locked' && nowMs <= closesAtMs);
}

function ofRound({ id }: Market) {
  return { market_id: id, round_id: id };
}

function instant<const Name extends string>(
  name: Name,
  atMs: number,
): Record<Name, string> & Record<`${Name}_ms`, number> {
  return { [name]: isoTime(atMs), [`${name}_ms`]: atMs } as never;
}

/** Decimals of the wire have no zeros at their end. */
function canonical(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
