// Runs engine and reference side by side and says where they first differ.
import {
  type Command,
  checkAll,
  checkTouched,
  createState,
  decodeSnapshot,
  encodeSnapshot,
  fairValue,
  type Market,
  type MarketId,
  type Outcome,
  type OutcomeId,
  outcomeIndex,
  type Parameters,
  roundValue,
  type State,
  stateHash,
  tradingTimeMs,
  viewOrder,
} from '@sibyl/engine';
import { FeeBook } from './fee-book.ts';
import { keptByEngine, keptByReference } from './kept-records.ts';
import { NaiveExchange, type NaiveOutcome } from './naive/exchange.ts';
import { fairPayout } from './naive/fair-value.ts';
import { viewOf } from './naive/order-state.ts';
import type { PlainAnswer, PlainCommand, PlainEvent } from './naive/plain.ts';
import { isFinal } from './naive/world.ts';
import { differences, encode } from './text.ts';
import type { Preview } from './workload/draw-voids.ts';

/** What the engine offers to a comparison; a test may put something faulty in its place. */
export type ApplyFunction = (state: State, command: Command) => Outcome;

export interface CompareOptions {
  readonly lane: 'live' | 'sandbox';
  readonly parameters: Parameters;
  /** Compare with the reference; without it only invariants, replay and snapshots are checked. */
  readonly naive: boolean;
  /** Full comparison of balances, orders and prices, and the full sweep, every so many commands. */
  readonly every: number;
  /** Restore from a snapshot and go on every so many commands; 0 never. */
  readonly snapshotEvery: number;
  readonly apply: ApplyFunction;
}

/** A finding that ends the run: what was compared and how it differed. */
export class Difference extends Error {
  readonly step: number;

  constructor(step: number, what: string) {
    super(what);
    this.step = step;
    this.name = 'Difference';
  }
}

export class Comparison {
  readonly options: CompareOptions;
  readonly naive: NaiveExchange;
  readonly fees = new FeeBook();
  state: State;
  #steps = 0;

  constructor(options: CompareOptions) {
    this.options = options;
    this.state = createState(options.lane, options.parameters);
    this.naive = new NaiveExchange(options.lane, options.parameters);
  }

  /** What the engine would show operators before they propose to cancel a market. */
  readonly preview: Preview = {
    one: (marketId, window, excluded) => {
      const market = this.#market(marketId);
      const indexes = excluded.map((id) => outcomeIndex(market, id as OutcomeId));
      const value = fairValue(this.state, market, window, indexes);
      return 'code' in value ? null : value.payout;
    },
    round: (marketId, toMs) => {
      const market = this.#market(marketId);
      const fromMs = Math.max(0, toMs - Math.floor(tradingTimeMs(this.state, market) / 3));
      const value = roundValue(this.state, market, { fromMs, toMs });
      return 'code' in value ? null : value.payout;
    },
  };

  #market(marketId: string): Market {
    const market = this.state.markets.get(marketId as MarketId);
    if (market === undefined) throw new Error(`no market ${marketId}`);
    return market;
  }

  /** Applies one command on both sides; throws a Difference, or what the engine threw. */
  step(command: PlainCommand): NaiveOutcome {
    this.#steps += 1;
    const outcome = this.options.apply(this.state, asCommand(command));
    if (this.options.naive) this.#compareOutcome(command, outcome);
    this.fees.learn(outcome.events, this.state.parameters);
    checkTouched(this.state, outcome);
    if (this.options.every > 0 && this.#steps % this.options.every === 0) this.sweep();
    if (this.options.snapshotEvery > 0 && this.#steps % this.options.snapshotEvery === 0)
      this.#restore();
    return outcome;
  }

  /** Applies one command to the engine and checks nothing. */
  take(command: PlainCommand): NaiveOutcome {
    return this.options.apply(this.state, asCommand(command));
  }

  /** Everything: the engine's own sweep, then balances, open orders, pools and records against the reference. */
  sweep(): void {
    checkAll(this.state);
    const fault = this.fees.fault(this.state);
    if (fault !== null) throw new Difference(this.#steps, fault);
    if (!this.options.naive) return;
    this.#compareBalances();
    this.#compareOrders();
    this.#comparePools();
    this.#compareRecords();
    this.#compareValues();
  }

  #compareOutcome(command: PlainCommand, outcome: Outcome): void {
    const expected = this.naive.apply(command);
    const differ = (what: string, engine: unknown, reference: unknown): void => {
      const found = differences(engine, reference);
      if (found.length > 0) throw new Difference(this.#steps, [what, ...found].join('\n  '));
    };
    differ(
      `answer to ${command.type}`,
      comparableAnswer(outcome.answer, expected.answer),
      comparableAnswer(expected.answer, expected.answer),
    );
    differ('time', outcome.atMs, expected.atMs);
    differ('replayed', outcome.replayed, expected.replayed);
    const count = Math.max(outcome.events.length, expected.events.length);
    for (let index = 0; index < count; index += 1) {
      const left = outcome.events[index];
      const right = expected.events[index];
      differ(
        `event ${index} of ${command.type}`,
        left === undefined ? null : comparableEvent(left),
        right === undefined ? null : comparableEvent(right),
      );
    }
  }

  #compareBalances(): void {
    const ours = new Map<string, bigint>();
    for (const { name, balance } of this.state.ledger.accounts())
      if (balance !== 0n) ours.set(name, balance);
    const theirs = new Map([...this.naive.world.ledger].filter(([, amount]) => amount !== 0n));
    for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
      if (ours.get(name) === theirs.get(name)) continue;
      throw new Difference(
        this.#steps,
        `balance of ${name}: engine ${ours.get(name)}, reference ${theirs.get(name)}`,
      );
    }
  }

  #compareOrders(): void {
    const { world } = this.naive;
    if (this.state.orders.size !== world.orders.length) {
      throw new Difference(
        this.#steps,
        `open orders: engine ${this.state.orders.size}, reference ${world.orders.length}`,
      );
    }
    for (const order of this.state.orders.values()) {
      const other = world.orders.find((each) => each.id === order.id);
      const left = encode(viewOrder(order));
      const right = other === undefined ? 'none' : encode(viewOf(world, other));
      if (left !== right)
        throw new Difference(
          this.#steps,
          `open order\n  engine:    ${left}\n  reference: ${right}`,
        );
    }
  }

  #comparePools(): void {
    for (const market of this.naive.world.markets) {
      const pool = [...this.state.markets.values()].find((each) => each.id === market.id)?.pool;
      const left = encode(
        pool === null || pool === undefined ? null : [pool.record().q, pool.record().sets],
      );
      const right = encode(market.pool === null ? null : [market.pool.q, market.pool.sets]);
      if (left === right) continue;
      throw new Difference(
        this.#steps,
        `pool of ${market.id}\n  engine:    ${left}\n  reference: ${right}`,
      );
    }
  }

  #compareRecords(): void {
    const engine = keptByEngine(this.state);
    const found = differences(engine, keptByReference(this.naive.world));
    if (found.length > 0)
      throw new Difference(this.#steps, ['what is kept', ...found].join('\n  '));
  }

  /** What every market would pay now, by the default window and by the last hour of journal time. */
  #compareValues(): void {
    const { world } = this.naive;
    for (const market of world.markets) {
      if (market.status === 'scheduled' || isFinal(market) || market.closing !== null) continue;
      for (const window of [null, { fromMs: world.nowMs - 3_600_000, toMs: world.nowMs }]) {
        const right = fairPayout(world, market, window, []);
        const left = this.preview.one(market.id, window, []);
        if (encode(left) === encode(typeof right === 'string' ? null : right)) continue;
        throw new Difference(
          this.#steps,
          `value of ${market.id}, ${window === null ? 'default' : 'last hour'}: engine ${encode(left)}, reference ${encode(right)}`,
        );
      }
    }
  }

  /** The state after a round trip must be the same, and the run goes on with it. */
  #restore(): void {
    const before = stateHash(this.state);
    const restored = decodeSnapshot([...encodeSnapshot(this.state)]);
    const after = stateHash(restored);
    if (before !== after)
      throw new Difference(this.#steps, `snapshot: hash ${before} became ${after}`);
    this.state = restored;
  }
}

/** The workload's commands carry no brands; the engine takes them as they come. */
function asCommand(command: PlainCommand): Command {
  return command as unknown as Command;
}

/** Of a refusal's details those are compared that the rules name, which are those that the reference gives. */
function comparableAnswer(answer: PlainAnswer, measure: PlainAnswer): unknown {
  if (answer.ok) {
    if (answer.result.kind !== 'batch') return answer.result;
    const items = measure.ok && measure.result.kind === 'batch' ? measure.result.items : [];
    return answer.result.items.map((item, index) => comparableAnswer(item, items[index] ?? item));
  }
  const named = measure.ok ? {} : measure.rejection.details;
  const details = Object.entries(answer.rejection.details).filter(
    ([key]) => key in named && key !== 'expected',
  );
  return { code: answer.rejection.code, details: Object.fromEntries(details) };
}

/** Postings as net amounts per account, by name. */
function comparableEvent(event: PlainEvent): unknown {
  if (event.type !== 'ledger_posted') return event;
  const net = new Map<string, bigint>();
  const { accounts, amounts } = event;
  for (const [index, account] of accounts.entries())
    net.set(account, (net.get(account) ?? 0n) + (amounts[index] ?? 0n));
  const postings = [...net]
    .filter(([, amount]) => amount !== 0n)
    .sort(([x], [y]) => (x < y ? -1 : 1));
  const { type, reason, reference } = event;
  return { type, reason, reference, postings };
}
