// Our engine as a contestant: every command goes through apply, with all checks, fees and ledger entries.
import {
  type AccountId,
  apply,
  asOrderId,
  type Command,
  type MarketId,
  type Outcome,
} from '@sibyl/engine';
import { lots, PIPS_ONE, pips, usdt } from '@sibyl/money';
import type { Contestant, Session, SessionResult } from '../contestant.ts';
import { CANCEL, STRIDE, TAKE, type Workload } from '../workload/generate.ts';
import { BUY, SELL } from '../workload/reference-book.ts';
import { actAs, Lane, timeOf } from './lane.ts';

export const sibylEngine: Contestant = {
  name: 'engine',
  begin: (workload) => new EngineSession(workload),
};

/** One account per side and order id modulo this: no order ever meets one of its own account. */
const ACCOUNTS_PER_SIDE = 1000;
const LOTS_PER_SHARE = 100;
const TEMPLATE = 'bench_book';

export class EngineSession implements Session {
  readonly lane = new Lane();
  readonly #workload: Workload;
  readonly #markets: readonly MarketId[];
  readonly #buyers: readonly AccountId[];
  readonly #sellers: readonly AccountId[];
  /** Our order id by the workload's: ours count placed orders only. */
  readonly #orderIds: Int32Array;
  readonly #firstSeq: number;
  #prepared: Command[] = [];
  #preparedFrom = 0;
  #fills = 0;
  #lots = 0;
  #notional = 0;
  #refusals = 0;

  constructor(workload: Workload) {
    this.#workload = workload;
    const { lane } = this;
    lane.publish({ id: TEMPLATE, schema: 'binary', outcomes: 2, deposit: usdt(0n) });
    const numbers = Array.from({ length: workload.symbols }, (_, symbol) => symbol);
    this.#markets = numbers.map((symbol) => lane.createMarket(TEMPLATE, symbol));
    this.#buyers = openTraders(lane, 'buyer');
    this.#sellers = openTraders(lane, 'seller');
    this.#orderIds = numberOrders(workload);
    this.#firstSeq = lane.state.seq + 1;
  }

  /** The commands made ready. */
  get prepared(): readonly Command[] {
    return this.#prepared;
  }

  prepare(from: number, to: number): void {
    this.#prepared = [];
    this.#preparedFrom = from;
    for (let index = from; index < to; index += 1) this.#prepared.push(this.#translate(index));
  }

  run(from: number, to: number): void {
    const { state } = this.lane;
    const prepared = this.#prepared;
    const offset = this.#preparedFrom;
    for (let index = from; index < to; index += 1) {
      this.#count(apply(state, prepared[index - offset]!));
    }
  }

  finish(): SessionResult {
    this.lane.checkInvariants();
    const complaints = [...this.lane.findImbalances()];
    if (this.#refusals > 0) complaints.push(`${this.#refusals} commands were refused`);
    return {
      tally: {
        fills: this.#fills,
        quantity: this.#lots / LOTS_PER_SHARE,
        notional: this.#notional / LOTS_PER_SHARE,
        open: this.lane.state.orders.size,
      },
      complaints,
    };
  }

  /** Sells enter as buys of the other outcome: nobody owns shares to begin with. */
  #translate(index: number): Command {
    const { commands } = this.#workload;
    const at = index * STRIDE;
    const id = commands[at + 2]!;
    const side = commands[at + 3];
    const price = commands[at + 4]!;
    const traders = side === BUY ? this.#buyers : this.#sellers;
    const accountId = traders[id % ACCOUNTS_PER_SIDE]!;
    // Made for every command, as a gateway makes it for every request.
    const actor = actAs(accountId);
    const seq = this.#firstSeq + index;
    const atMs = timeOf(seq);
    if (commands[at] === CANCEL) {
      const orderId = asOrderId(this.#orderIds[id]!);
      return { seq, atMs, actor, type: 'cancel_order', accountId, orderId };
    }
    return {
      seq,
      atMs,
      actor,
      type: 'place_order',
      accountId,
      marketId: this.#markets[commands[at + 1]!]!,
      outcomeId: side === SELL ? 'no' : 'yes',
      side: 'buy',
      orderType: 'limit',
      price: pips(side === SELL ? PIPS_ONE - price : price),
      lots: lots(commands[at + 5]! * LOTS_PER_SHARE),
      timeInForce: commands[at] === TAKE ? 'ioc' : 'gtc',
      expiresAtMs: null,
      postOnly: false,
      reduceOnly: false,
      stpMode: 'cancel_resting',
      maxCost: null,
      validUntilMs: null,
      clientOrderId: null,
      builder: null,
      caps: null,
      grant: null,
      execution: 'hybrid',
      acceptPrice: true,
    };
  }

  /** Only the events of orders that traded are gone through: the clock runs. */
  #count({ answer, events }: Outcome): void {
    if (!answer.ok) {
      this.#refusals += 1;
      return;
    }
    if (answer.result.kind !== 'order' || answer.result.fillVenue === null) return;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!;
      if (event.type !== 'trade_executed') continue;
      const maker = event.firstMaker!;
      const price = maker.outcomeId === 'yes' ? maker.price : PIPS_ONE - maker.price;
      this.#fills += 1;
      this.#lots += event.lots;
      this.#notional += event.lots * price;
    }
  }
}

function openTraders(lane: Lane, role: string): readonly AccountId[] {
  return Array.from({ length: ACCOUNTS_PER_SIDE }, (_, number) =>
    lane.openFunded(`${role}${number}`),
  );
}

function numberOrders(workload: Workload): Int32Array {
  const orderIds = new Int32Array(workload.count + 1);
  let placed = 0;
  for (let index = 0; index < workload.count; index += 1) {
    if (workload.commands[index * STRIDE] === CANCEL) continue;
    placed += 1;
    orderIds[index + 1] = placed;
  }
  return orderIds;
}
