// A small lane for tests: accounts, markets and orders on the real `apply`, with sizes and prices as people write them.
import { type Lots, lots, type Pips, pips, usdt } from '@sibyl/money';
import { apply } from '../src/engine.ts';
import {
  type AccountId,
  asAccountId,
  asTemplateId,
  type LaneName,
  type MarketId,
  type OrderId,
} from '../src/kit/identity.ts';
import type { Posting } from '../src/ledger/postings.ts';
import { findHolding } from '../src/position/holdings.ts';
import type { Account } from '../src/state/account.ts';
import type { Actor, CommandBody, PlaceOrder } from '../src/state/command.ts';
import type { Event, LedgerPosted, OrderView, TradeExecuted } from '../src/state/event.ts';
import { freeSlot, type Holding, reservedSlot } from '../src/state/holding.ts';
import type { Market } from '../src/state/market.ts';
import type { Outcome, Result } from '../src/state/outcome.ts';
import { DEFAULT_PARAMETERS, type Parameters } from '../src/state/parameters.ts';
import type { RejectCode } from '../src/state/reject.ts';
import { createState, type State } from '../src/state/state.ts';
import type { TemplateDefinition } from '../src/template/template.ts';

export const OPERATOR: Actor = { kind: 'operator', name: 'test', reason: 'test' };

/** For tests of other rules: bands hold nothing back, conversions are free, and cancellations need no notice. */
export const PLAIN_PARAMETERS: Parameters = {
  ...DEFAULT_PARAMETERS,
  fee: { ...DEFAULT_PARAMETERS.fee, conversionRate: 0 },
  band: { ...DEFAULT_PARAMETERS.band, pips: 10_000 },
  resolution: { ...DEFAULT_PARAMETERS.resolution, voidNoticeMs: 0 },
  risk: { ...DEFAULT_PARAMETERS.risk, bidReserveMin: usdt(0n) },
};

/** Fees as in the vectors that pay no rebates. */
export const NO_REBATES: Parameters = {
  ...PLAIN_PARAMETERS,
  fee: { ...PLAIN_PARAMETERS.fee, rebatesPaid: false },
};

export interface WorldOptions {
  readonly lane?: LaneName;
  readonly parameters?: Parameters;
  readonly nowMs?: number;
}

export interface MarketOptions {
  /** The creator's deposit in whole USDT; 0 makes a market without a pool. */
  readonly deposit?: number;
  readonly outcomes?: number;
  readonly creator?: string;
  readonly template?: Partial<TemplateDefinition>;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
}

export interface OrderOptions extends Partial<Omit<PlaceOrder, 'type' | 'accountId' | 'marketId'>> {
  readonly actor?: Actor;
}

/** One minute after the epoch's second day, so that days and minutes are whole. */
export const START_MS = 86_400_000 + 60_000;

export class World {
  readonly state: State;
  nowMs: number;
  #markets = 0;

  constructor(options: WorldOptions = {}) {
    this.state = createState(options.lane ?? 'sandbox', options.parameters ?? PLAIN_PARAMETERS);
    this.nowMs = options.nowMs ?? START_MS;
  }

  /** Runs one command at the world's time. */
  run(body: CommandBody, actor: Actor = OPERATOR): Outcome {
    const seq = this.state.seq + 1;
    return apply(this.state, { seq, atMs: this.nowMs, actor, ...body });
  }

  /** Runs a command that must be accepted. */
  do(body: CommandBody, actor: Actor = OPERATOR): Outcome & { readonly result: Result } {
    const outcome = this.run(body, actor);
    const { answer } = outcome;
    if (!answer.ok) {
      throw new Error(`${body.type}: ${answer.rejection.code} ${show(answer.rejection.details)}`);
    }
    return { ...outcome, result: answer.result };
  }

  /** Lets time pass and due timers run. */
  pass(ms: number): Outcome {
    this.nowMs += ms;
    return this.run({ type: 'tick' });
  }

  /** Opens accounts with so many whole USDT each. */
  open(names: string, amount = 1_000_000, parent: string | null = null): void {
    for (const name of names.split(' ')) {
      const accountId = accountName(name);
      const mode = this.state.lane;
      const parentId = parent === null ? null : accountName(parent);
      this.do({ type: 'open_account', accountId, mode, parentId, referrerId: null });
      if (amount > 0) this.deposit(name, amount);
    }
  }

  deposit(name: string, amount: number): void {
    const value = usdt(BigInt(amount) * 1_000_000n);
    const reference = `test ${this.state.seq}`;
    this.do({ type: 'deposit', accountId: accountName(name), amount: value, reference });
  }

  /** Publishes a template and makes one market from it; the creator must be able to pay the deposit. */
  market(options: MarketOptions = {}): Market {
    this.#markets += 1;
    const template = templateOf(`t${this.#markets}`, options, this.state.lane);
    this.do({ type: 'publish_template', template });
    const creator = options.creator ?? 'maker';
    const accountId = accountName(creator);
    if (!this.state.accounts.has(accountId)) this.open(creator, (options.deposit ?? 0) + 1);
    const { result } = this.do({
      type: 'create_market',
      accountId,
      templateId: template.id,
      params: options.params ?? {},
      displayTitle: null,
      displayImageUrl: null,
    });
    if (result.kind !== 'market') throw new Error('a create gives a market');
    return this.marketOf(result.marketId);
  }

  marketOf(marketId: MarketId): Market {
    return this.state.markets.get(marketId)!;
  }

  account(name: string): Account {
    return this.state.accounts.get(accountName(name))!;
  }

  free(name: string): bigint {
    return this.state.ledger.balance(this.account(name).free);
  }

  reserved(name: string): bigint {
    return this.state.ledger.balance(this.account(name).reserved);
  }

  holding(name: string, market: Market): Holding | undefined {
    return findHolding(this.state, accountName(name), market.id);
  }

  /** Free µ-shares. */
  shares(name: string, market: Market, outcome: number): bigint {
    const holding = this.holding(name, market);
    return holding === undefined ? 0n : this.state.ledger.balance(freeSlot(holding, outcome));
  }

  reservedShares(name: string, market: Market, outcome: number): bigint {
    const holding = this.holding(name, market);
    return holding === undefined ? 0n : this.state.ledger.balance(reservedSlot(holding, outcome));
  }

  mint(name: string, market: Market, shares: number): void {
    const size = lots(Math.round(shares * 100));
    const accountId = accountName(name);
    this.do({
      type: 'mint_sets',
      accountId,
      marketId: market.id,
      lots: size,
      caps: null,
      grant: null,
    });
  }

  /** `buy 200 yes @ 0.521 ioc`: size in shares, price in USDT, without a price a market order. */
  place(name: string, market: Market, text: string, options: OrderOptions = {}): Placed {
    const { actor, ...changes } = options;
    const command = { ...orderOf(name, market, text), ...changes };
    return new Placed(this.run(command, actor ?? OPERATOR));
  }

  cancel(name: string, orderId: number): Outcome {
    const accountId = accountName(name);
    return this.run({ type: 'cancel_order', accountId, orderId: orderId as OrderId });
  }

  amend(name: string, orderId: number, price: number | null, shares: number | null): Placed {
    return new Placed(
      this.run({
        type: 'amend_order',
        accountId: accountName(name),
        orderId: orderId as OrderId,
        price: price === null ? null : inPips(price),
        lots: shares === null ? null : inLots(shares),
        caps: null,
        grant: null,
      }),
    );
  }
}

/** What became of an order. */
export class Placed {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }

  get refusal(): RejectCode | null {
    return this.outcome.answer.ok ? null : this.outcome.answer.rejection.code;
  }

  get order(): OrderView {
    const { answer } = this.outcome;
    if (!answer.ok) {
      throw new Error(`refused: ${answer.rejection.code} ${show(answer.rejection.details)}`);
    }
    if (answer.result.kind !== 'order') throw new Error('not an order');
    return answer.result.order;
  }

  get venue(): string | null {
    const { answer } = this.outcome;
    return answer.ok && answer.result.kind === 'order' ? answer.result.fillVenue : null;
  }

  get trades(): readonly TradeExecuted[] {
    return ofType(this.outcome.events, 'trade_executed');
  }

  get entries(): readonly LedgerPosted[] {
    return ofType(this.outcome.events, 'ledger_posted');
  }

  get id(): OrderId {
    return this.order.orderId;
  }
}

export function makeWorld(options: WorldOptions = {}): World {
  return new World(options);
}

export function accountName(name: string): AccountId {
  return asAccountId(/^(acc|sub)_/.test(name) ? name : `acc_${name}`);
}

export function ofType<T extends Event['type']>(
  events: readonly Event[],
  type: T,
): Extract<Event, { type: T }>[] {
  return events.filter((event): event is Extract<Event, { type: T }> => event.type === type);
}

/** Events by what they say: entries of the ledger are compared by nothing that they point at. */
export function spelled(events: readonly Event[]): readonly object[] {
  return events.map((event) => ('toJSON' in event ? event.toJSON() : event));
}

/** What an event of these postings holds. */
export function posted(postings: readonly Posting[]): Pick<LedgerPosted, 'accounts' | 'amounts'> {
  return {
    accounts: postings.map(({ account }) => account),
    amounts: postings.map(({ amount }) => amount),
  };
}

export function inLots(shares: number): Lots {
  return lots(Math.round(shares * 100));
}

export function inPips(price: number): Pips {
  return pips(Math.round(price * 10_000));
}

/** A template from which a market opens at once, stays open a year and lets everybody trade. */
export function templateOf(
  id: string,
  options: MarketOptions,
  lane: LaneName = 'sandbox',
): TemplateDefinition {
  const outcomes = options.outcomes ?? 2;
  const names = Array.from({ length: outcomes }, (_, index) => ({
    id: `o${index}`,
    label: `Outcome ${index}`,
  }));
  return {
    id: asTemplateId(id),
    name: 'Test',
    category: 'test',
    marketType: 'normal',
    outcomeSchema: outcomes === 2 ? 'binary' : 'multi',
    outcomes: outcomes === 2 ? [] : names,
    minBet: usdt(0n),
    maxBet: usdt(1_000_000_000_000_000n),
    feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0 },
    paramsSchema: { type: 'object', properties: {} },
    displayDefaults: {
      titleTemplate: 'Test',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: null,
    },
    roundConfig: null,
    oracleConfig: {
      source: lane === 'sandbox' ? 'sandbox_mock' : 'manual',
      params: {},
      challengeSec: null,
      bond: null,
    },
    minCreatorDeposit: usdt(BigInt(options.deposit ?? 0) * 1_000_000n),
    durationSec: 31_536_000,
    tickPips: pips(10),
    minLots: 1,
    prior: null,
    requiresApproval: false,
    bandPips: null,
    ...options.template,
  };
}

export function orderOf(name: string, market: Market, text: string): PlaceOrder {
  const match = /^(buy|sell) ([\d.]+) (\w+)(?: @ ?([\d.]+))?(?: (\w+))?$/.exec(text);
  if (match === null) throw new Error(`not an order: ${text}`);
  const [, side, size, outcomeId, price, timeInForce] = match;
  const kind = price === undefined ? 'market' : 'limit';
  return {
    type: 'place_order',
    accountId: accountName(name),
    marketId: market.id,
    outcomeId: outcomeId!,
    side: side as 'buy' | 'sell',
    orderType: kind,
    price: price === undefined ? null : inPips(Number(price)),
    lots: inLots(Number(size)),
    timeInForce: (timeInForce ?? (kind === 'market' ? 'ioc' : 'gtc')) as PlaceOrder['timeInForce'],
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
    acceptPrice: false,
  };
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? `${field}` : field));
}
