// What the workload knows of the exchange, learnt from outcomes alone.

import type { NaiveOutcome } from '../naive/exchange.ts';
import type { EventOf, PlainCommand, PlainEvent, PlainTemplate } from '../naive/plain.ts';

export interface KnownAccount {
  readonly id: string;
  readonly parentId: string | null;
  readonly keyId: string;
  readonly isDemo: boolean;
  frozen: boolean;
}

export interface KnownMarket {
  readonly id: string;
  readonly template: PlainTemplate;
  readonly creatorId: string;
  readonly outcomes: readonly string[];
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  readonly opensAtMs: number;
  status: string;
  approved: boolean;
  halted: boolean;
  tickPips: number;
  disputed: boolean;
  proposed: boolean;
  /** Operators propose to cancel it. */
  voided: boolean;
  /** When its challenge window ends, as last said. */
  windowEndsAtMs: number | null;
  disputedAtMs: number | null;
  proposedAtMs: number | null;
  /** Latest price of each outcome in pips. */
  readonly prices: number[];
}

const UNPROPOSED = {
  disputed: false,
  proposed: false,
  voided: false,
  windowEndsAtMs: null,
  disputedAtMs: null,
  proposedAtMs: null,
};

export interface KnownOrder {
  readonly id: number;
  readonly accountId: string;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: 'buy' | 'sell';
  price: number;
  lots: number;
  filledLots: number;
}

type KnownDeposit = EventOf<'deposit_updated'>['deposit'];
type KnownWithdrawal = EventOf<'withdrawal_updated'>['withdrawal'];

export class View {
  accounts: KnownAccount[] = [];
  readonly templates: { readonly definition: PlainTemplate; deprecated: boolean }[] = [];
  readonly markets = new Map<string, KnownMarket>();
  readonly orders = new Map<number, KnownOrder>();
  /** Latest closed orders, for cancels that come too late. */
  readonly closed: { readonly id: number; readonly accountId: string }[] = [];
  readonly deposits = new Map<string, KnownDeposit>();
  readonly withdrawals = new Map<string, KnownWithdrawal>();
  readonly balances = new Map<string, bigint>();
  orderCount = 0;
  tradeCount = 0;
  finalMarkets = 0;
  readOnly = false;
  #nowMs = 0;

  observe(command: PlainCommand, outcome: NaiveOutcome): void {
    this.#nowMs = outcome.atMs;
    for (const event of outcome.events) this.#learn(event, command);
  }

  /** As of the last outcome. */
  get nowMs(): number {
    return this.#nowMs;
  }

  free(accountId: string): bigint {
    return this.balances.get(`user:${accountId}:free`) ?? 0n;
  }

  /** Free shares in whole lots. */
  freeLots(accountId: string, marketId: string, outcome: number): number {
    return Number(
      (this.balances.get(`user:${accountId}:free:${marketId}.${outcome}`) ?? 0n) / 10_000n,
    );
  }

  activeMarkets(): KnownMarket[] {
    return [...this.markets.values()].filter((market) => market.status === 'active');
  }

  marketsIn(...statuses: readonly string[]): KnownMarket[] {
    return [...this.markets.values()].filter((market) => statuses.includes(market.status));
  }

  #learn(event: PlainEvent, command: PlainCommand): void {
    switch (event.type) {
      case 'ledger_posted': {
        const { accounts, amounts } = event;
        for (const [index, account] of accounts.entries()) {
          const before = this.balances.get(account) ?? 0n;
          this.balances.set(account, before + (amounts[index] ?? 0n));
        }
        break;
      }
      case 'account_opened':
        this.accounts.push({
          id: event.accountId,
          parentId: event.parentId,
          keyId: `key_${event.accountId}`,
          isDemo: event.mode === 'demo',
          frozen: false,
        });
        break;
      case 'deposit_updated':
        this.deposits.set(event.deposit.depositId, event.deposit);
        break;
      case 'withdrawal_updated':
        this.withdrawals.set(event.withdrawal.withdrawalId, event.withdrawal);
        break;
      case 'account_closed':
      case 'subaccount_closed':
        this.accounts = this.accounts.filter(({ id }) => id !== event.accountId);
        break;
      case 'account_frozen':
        for (const account of this.accounts)
          if (account.id === event.accountId) account.frozen = event.frozen;
        break;
      case 'template_published':
        this.templates.push({ definition: event.template, deprecated: false });
        break;
      case 'template_deprecated':
        for (const each of this.templates)
          if (each.definition.id === event.templateId) each.deprecated = true;
        break;
      case 'read_only_changed':
        this.readOnly = event.readOnly;
        break;
      default:
        this.#learnMarket(event, command);
    }
  }

  #learnMarket(event: PlainEvent, command: PlainCommand): void {
    switch (event.type) {
      case 'market_created':
        this.#addMarket(event);
        break;
      case 'market_status_changed': {
        const market = this.markets.get(event.marketId);
        if (market === undefined) break;
        market.status = event.to;
        if (event.to !== 'active') market.halted = false;
        if (event.from === 'settling') Object.assign(market, UNPROPOSED);
        if (event.to === 'resolved' || event.to === 'cancelled') this.finalMarkets += 1;
        break;
      }
      case 'market_approved':
        this.#change(event.marketId, { approved: true });
        break;
      case 'market_halted':
        this.#change(event.marketId, { halted: true });
        break;
      case 'market_resumed':
        this.#change(event.marketId, { halted: false });
        break;
      case 'tick_size_changed':
        this.#change(event.marketId, { tickPips: event.toPips });
        break;
      case 'resolution_proposed':
        this.#change(event.marketId, {
          ...UNPROPOSED,
          proposed: true,
          voided: event.cancellation !== null,
          windowEndsAtMs: event.windowEndsAtMs,
          proposedAtMs: this.#nowMs,
        });
        break;
      case 'resolution_window_moved':
        this.#change(event.marketId, { windowEndsAtMs: event.windowEndsAtMs });
        break;
      case 'resolution_disputed':
        this.#change(event.marketId, { disputed: true, disputedAtMs: this.#nowMs });
        break;
      default:
        this.#learnOrder(event, command);
    }
  }

  #learnOrder(event: PlainEvent, command: PlainCommand): void {
    switch (event.type) {
      case 'order_placed':
      case 'order_amended': {
        const { order } = event;
        this.orderCount = Math.max(this.orderCount, order.orderId);
        if (order.status === 'pending' || order.status === 'partially_filled') {
          this.orders.set(order.orderId, {
            id: order.orderId,
            accountId: order.accountId,
            marketId: order.marketId,
            outcomeId: order.outcomeId,
            side: order.side,
            price: order.price ?? 0,
            lots: order.lots,
            filledLots: order.filledLots,
          });
        } else this.#close(order.orderId, order.accountId);
        break;
      }
      case 'order_cancelled':
        this.#close(event.orderId, event.accountId);
        break;
      case 'trade_executed':
        this.#learnTrade(event);
        break;
      default:
        void command;
    }
  }

  #learnTrade(event: Extract<PlainEvent, { type: 'trade_executed' }>): void {
    this.tradeCount = event.tradeId;
    for (const maker of event.makers) {
      const order = this.orders.get(maker.orderId);
      if (order !== undefined) order.filledLots = maker.filledLots;
      if (maker.remainingLots === 0) this.#close(maker.orderId, maker.accountId);
    }
    const market = this.markets.get(event.marketId);
    if (market === undefined) return;
    const price = Math.max(1, Math.min(9999, Number(event.cost / BigInt(event.lots))));
    const index = market.outcomes.indexOf(event.outcomeId);
    market.prices[index] = price;
    if (market.outcomes.length === 2) market.prices[1 - index] = 10000 - price;
  }

  #addMarket(event: Extract<PlainEvent, { type: 'market_created' }>): void {
    const versions = this.templates.filter((each) => each.definition.id === event.templateId);
    const template = versions[event.templateVersion - 1]?.definition;
    if (template === undefined) throw new Error(`unknown template ${event.templateId}`);
    const count = event.outcomes.length;
    this.markets.set(event.marketId, {
      id: event.marketId,
      template,
      creatorId: event.accountId,
      outcomes: event.outcomes.map((outcome) => outcome.id),
      locksAtMs: event.locksAtMs,
      closesAtMs: event.closesAtMs,
      opensAtMs: event.opensAtMs,
      status: event.status,
      approved: event.approved,
      halted: false,
      tickPips: template.tickPips,
      ...UNPROPOSED,
      prices: event.outcomes.map(
        (_, index) => template.prior?.[index] ?? Math.round(10000 / count),
      ),
    });
  }

  #change(marketId: string, change: Partial<KnownMarket>): void {
    const market = this.markets.get(marketId);
    if (market !== undefined) Object.assign(market, change);
  }

  #close(id: number, accountId: string): void {
    this.orders.delete(id);
    this.closed.push({ id, accountId });
    if (this.closed.length > 40) this.closed.shift();
  }
}
