// All streams of one lane: follows what is committed, and gives every reader its snapshots and numbers.

import type { ErrorCode, StreamData, StreamName } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import {
  asAccountId,
  asMarketId,
  type Event,
  type Market,
  type State,
  type TradeExecuted,
} from '@sibyl/engine';
import type { History } from '@sibyl/history';
import type { Clock, CommittedCommand, Lane } from '@sibyl/lane';
import { EVENTS } from '../notices/event-table.ts';
import type { Random } from '../ports/random.ts';
import { platformModeOf } from '../wire/platform-mode.ts';
import { positionsOf } from '../wire/position-view.ts';
import { AccountMessages } from './account-messages.ts';
import { Books } from './books.ts';
import { FastRounds, type ReferencePrice } from './fast-rounds.ts';
import { streamFrame } from './frame.ts';
import type { Instance, Subscriber } from './instance.ts';
import { LaneWatch } from './lane-watch.ts';
import { type Broadcast, type LaneMessage, MarketMessages, type Told } from './market-messages.ts';
import { Registry } from './registry.ts';
import { Signals } from './signals.ts';
import { Tickers } from './tickers.ts';

export type StreamedLane = Pick<Lane, 'name' | 'read' | 'onCommitted' | 'status' | 'submit'>;

export interface HubOptions {
  readonly lane: StreamedLane;
  readonly history: History;
  readonly clock: Clock;
  readonly random: Random;
  readonly epoch: string;
  readonly broadcast: Broadcast;
  /** The lane itself works otherwise than before, which no journal says. */
  readonly breakerChanged: (breaker: Told<'circuit_breaker'>) => void;
  /** Frames were handed to their readers. */
  readonly flushed: () => void;
  readonly failed: (error: unknown) => void;
  /** Why the lane is paused or halted, as far as anybody knows. */
  readonly modeReason?: () => string | null;
  /** Whether maintenance of the whole service is under way. */
  readonly isMaintained?: () => boolean;
  readonly priceOf: ReferencePrice;
  readonly bookIntervalMs?: number | undefined;
  readonly replayBytesMax?: number | undefined;
}

/** Shows the account of whoever reads a stream of its own. */
export type ShowAccount = (state: State) => Pick<StreamData<'account'>, 'account' | 'balances'>;

/** Who a snapshot is for. */
export interface Viewer {
  readonly showAccount: ShowAccount | null;
  readonly locale: Locale;
}

const TICK_MS = 1_000;
const TICKS_PER_CHECKSUM = 4;
const BOOK_INTERVAL_MS = 20;

export class StreamHub {
  readonly lane: StreamedLane;
  readonly registry: Registry;
  readonly accounts: AccountMessages;
  readonly #options: HubOptions;
  readonly #books: Books;
  readonly #tickers: Tickers;
  readonly #markets: MarketMessages;
  readonly #rounds: FastRounds;
  readonly #signals: Signals;
  readonly #watch: LaneWatch;
  #stopFollowing: () => void = () => undefined;
  #cancelAlarm: () => void = () => undefined;
  #beginSeq = 0;
  #ticks = 0;

  constructor(options: HubOptions) {
    const { lane, clock, history, random, epoch, broadcast, flushed, failed } = options;
    const { replayBytesMax, bookIntervalMs: intervalMs = BOOK_INTERVAL_MS } = options;
    this.lane = lane;
    this.#options = options;
    const registry = new Registry({ clock, replayBytesMax, flushed });
    this.registry = registry;
    const withState = (act: (state: State) => void): void => {
      this.settled(act).catch(ignore);
    };
    this.#books = new Books({ registry, clock, epoch, intervalMs, withState });
    this.#tickers = new Tickers({ registry, clock, history, epoch, failed });
    this.#markets = new MarketMessages(registry, broadcast, (mode) => this.#watch.change(mode));
    this.accounts = new AccountMessages(registry);
    this.#rounds = new FastRounds(registry, options.priceOf);
    this.#signals = new Signals(registry, random);
    const { breakerChanged, isMaintained } = options;
    this.#watch = new LaneWatch(lane, clock, broadcast, breakerChanged, isMaintained);
  }

  /** Everything that is committed after this has resolved is told of. */
  async start(): Promise<void> {
    this.#stopFollowing = this.lane.onCommitted((batch) => this.#receive(batch));
    await this.settled((state) => {
      this.#beginSeq = state.seq;
      // The state keeps no reason of its mode: who knows it from before says it.
      const reason = this.#options.modeReason?.() ?? null;
      this.#watch.begin({ mode: platformModeOf(state.readOnly, state.cancelOnly), reason });
      this.#markets.begin(state);
      this.#rounds.begin(state);
    });
    this.#scheduleTick();
  }

  stop(): void {
    this.#stopFollowing();
    this.#cancelAlarm();
    this.#books.close();
    this.registry.flush();
  }

  /** Runs at a moment when all of the state is durable and told of, or could have been. */
  async settled<T>(act: (state: State) => T): Promise<T> {
    await this.lane.read(() => undefined);
    // Nothing can be applied between what was just awaited and this.
    return this.lane.read(act);
  }

  /** The number of a book over REST: call it in the continuation of the read that gave the book. */
  bookSeq(marketId: string, outcomeId: string): number {
    let seq = 0;
    this.#peek((state) => {
      seq = this.#books.seqOf(state, marketId, outcomeId);
    });
    return seq;
  }

  /** What a new connection should know before anything else. */
  openingMessages(): readonly LaneMessage[] {
    return this.#watch.openingMessages();
  }

  /** Why there is no such stream, or null if there is one. */
  refusalOf(state: State, { marketId, outcomeId }: StreamName): ErrorCode | null {
    if (marketId === null) return null;
    const market = state.markets.get(asMarketId(marketId));
    if (market === undefined) return 'MARKET_NOT_FOUND';
    const hasOutcome = outcomeId === null || market.outcomes.some(({ id }) => id === outcomeId);
    return hasOutcome ? null : 'NOT_FOUND';
  }

  /** Messages from now on are for the subscriber too; its snapshot comes apart. */
  listen(state: State, instance: Instance, subscriber: Subscriber): void {
    if (instance.accountId !== null) this.accounts.awaken(state);
    this.registry.listen(instance, subscriber);
    const { base, marketId } = instance.parts;
    const market = base === 'orderbook' ? marketOf(state, marketId) : undefined;
    if (market !== undefined) this.#books.follow(state, market);
  }

  /** The snapshot in pieces, each to be taken at a settled moment of its own: one market, or null for all at once. */
  async partsOf(instance: Instance): Promise<readonly (string | null)[]> {
    const { base, marketId } = instance.parts;
    if (base !== 'ticker' && base !== 'orderbook') return [null];
    if (marketId !== null) return [marketId];
    return this.settled((state) => {
      const parts: string[] = [];
      for (const { id, status } of state.markets.values()) if (status === 'active') parts.push(id);
      return parts;
    });
  }

  /** What a piece needs beside the state. */
  async prepare(instance: Instance, part: string | null): Promise<void> {
    if (instance.parts.base !== 'ticker' || part === null) return;
    const market = await this.settled((state) => state.markets.get(asMarketId(part)));
    if (market !== undefined) await this.#tickers.prepare(market, this.#options.clock.wallMs());
  }

  /** Frames of one piece, up to the instance's last number. */
  snapshotFrames(
    state: State,
    instance: Instance,
    part: string | null,
    viewer: Viewer,
  ): readonly Buffer[] {
    const atMs = this.#options.clock.wallMs();
    const { base } = instance.parts;
    const type = base === 'orderbook' || base === 'ticker' ? base : String(base);
    const datas = this.#snapshotData(state, instance, part, viewer, atMs);
    this.registry.flush();
    const { name, seq } = instance;
    return datas.map((data) =>
      streamFrame({ type, stream: name, seq }, null, atMs, JSON.stringify(data)),
    );
  }

  #snapshotData(
    state: State,
    instance: Instance,
    part: string | null,
    { showAccount, locale }: Viewer,
    atMs: number,
  ): readonly object[] {
    const { epoch } = this.#options;
    const { base, marketId, outcomeId } = instance.parts;
    switch (base) {
      case 'orderbook':
        return ofOutcome(marketOf(state, part), outcomeId, (market) =>
          this.#books.snapshots(state, market),
        );
      case 'ticker':
        return ofOutcome(marketOf(state, part), outcomeId, (market) =>
          this.#tickers.snapshots(market),
        );
      case 'fast_tick':
        return this.#rounds.snapshots(state, marketId, epoch, atMs);
      case 'markets_snapshot':
        return this.#markets.snapshots(state, marketId, locale, { epoch, seq: instance.seq });
      case 'account':
        return showAccount === null ? [] : [this.#accountData(state, instance, showAccount)];
      default:
        return [];
    }
  }

  #accountData(state: State, instance: Instance, show: ShowAccount): StreamData<'account'> {
    const accountId = asAccountId(instance.accountId ?? '');
    const account = state.accounts.get(accountId);
    return {
      epoch: this.#options.epoch,
      seq: instance.seq,
      ...show(state),
      orders: account === undefined ? [] : this.accounts.openOrders(state.orderLists.of(account)),
      positions: account === undefined ? [] : positionsOf(state, account),
    };
  }

  /** Runs before the answers of the batch leave; the state is exactly what was committed. */
  #receive(batch: readonly CommittedCommand[]): void {
    this.lane
      .read((state) => this.#tell(batch, state))
      .catch((error: unknown) => {
        // Something may not have been told: nobody is to believe that nothing happened.
        this.registry.skipAll();
        this.#options.failed(error);
      });
  }

  #tell(batch: readonly CommittedCommand[], state: State): void {
    for (const committed of batch) {
      if (committed.command.seq <= this.#beginSeq) continue;
      const isTrading = this.#touch(committed, state);
      if (!isTrading) {
        this.#markets.add(committed, state);
        this.#rounds.add(committed, state);
      }
      this.accounts.add(committed, state, isTrading);
    }
    const nowMs = this.#options.clock.wallMs();
    this.#tickers.tell(state, nowMs);
    this.#books.tell(state, nowMs);
  }

  /** True if nothing but trading happened: by far the most commands, which nobody but their market hears of. */
  #touch({ command, outcome }: CommittedCommand, state: State): boolean {
    let isTrading = command.type !== 'report_readings';
    let touched: string | null = null;
    for (const event of outcome.events) {
      if (event.type === 'ledger_posted') continue;
      if (!EVENTS[event.type].isTrading) isTrading = false;
      const marketId = marketIdOf(event);
      if (marketId === null) continue;
      if (event.type === 'market_created') {
        const market = state.markets.get(event.marketId);
        if (market !== undefined) this.#books.begin(market);
      }
      if (marketId !== touched) {
        this.#books.touch(marketId);
        this.#tickers.touch(marketId);
        touched = marketId;
      }
      if (event.type === 'trade_executed') this.#trade(event, outcome.atMs, state);
      if (event.type === 'tick_size_changed') this.#books.forget(marketId);
    }
    return isTrading;
  }

  #trade(event: TradeExecuted, atMs: number, state: State): void {
    if (!this.registry.hears('ticker', event.marketId)) return;
    const market = state.markets.get(event.marketId);
    const index = market?.outcomes.findIndex(({ id }) => id === event.outcomeId) ?? -1;
    if (index >= 0) this.#tickers.trade(event, index, atMs);
  }

  #peek(act: (state: State) => void): void {
    this.lane.read(act).catch(this.#options.failed);
  }

  #scheduleTick(): void {
    this.#cancelAlarm = this.#options.clock.setAlarm(TICK_MS, () => {
      this.#tick();
      this.#scheduleTick();
    });
  }

  #tick(): void {
    this.#ticks += 1;
    const nowMs = this.#options.clock.wallMs();
    this.#watch.check();
    this.registry.retire();
    this.#books.retire();
    const { registry } = this;
    const isOwnHeard = ['account', 'trade_executed', 'deposit'] as const;
    if (!isOwnHeard.some((base) => registry.hearsAny(base))) this.accounts.fallAsleep();
    this.settled((state) => {
      this.#tickers.tick(state, nowMs);
      this.#rounds.tick(state, nowMs);
      this.#signals.tick(state, nowMs);
    }).catch(ignore);
    if (this.#ticks % TICKS_PER_CHECKSUM === 0) this.#books.sum(nowMs);
  }
}

/** A lane that does not answer says so by itself. */
function ignore(): void {}

function marketOf(state: State, marketId: string | null): Market | undefined {
  return marketId === null ? undefined : state.markets.get(asMarketId(marketId));
}

function ofOutcome<Data extends { readonly outcome_id: string }>(
  market: Market | undefined,
  outcomeId: string | null,
  all: (market: Market) => readonly Data[],
): readonly Data[] {
  if (market === undefined) return [];
  const data = all(market);
  return outcomeId === null ? data : data.filter((one) => one.outcome_id === outcomeId);
}

function marketIdOf(event: Event): string | null {
  if (event.type === 'order_placed' || event.type === 'order_amended') return event.order.marketId;
  return 'marketId' in event ? event.marketId : null;
}
