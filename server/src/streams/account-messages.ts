// Streams of one's own: orders, money and positions of the accounts that somebody listens to.
import { type StreamData, webhookEvents } from '@sibyl/contract';
import {
  type AccountId,
  type Answer,
  asAccountId,
  type Command,
  type Event,
  type LedgerPosted,
  type LedgerReason,
  type Order,
  postingsOf,
  type State,
  viewOrder,
} from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { draftsOf } from '../delivery/catalogue.ts';
import { LaneMemory, type Money } from '../delivery/lane-memory.ts';
import { positionDraft } from '../delivery/position-events.ts';
import { accountAsset } from '../wire/account-mode.ts';
import { amountText } from '../wire/amounts.ts';
import { bondsOf } from '../wire/bonds.ts';
import { wireOrder } from '../wire/generated/order.ts';
import { referenceText } from '../wire/ids.ts';
import { isoTime } from '../wire/times.ts';
import type { Registry } from './registry.ts';

type OwnBase = 'account' | 'trade_executed' | 'deposit';

export class AccountMessages {
  readonly #registry: Registry;
  /** Null while nobody listens: it costs as much as the lane has orders. */
  #memory: LaneMemory | null = null;
  #memorySeq = 0;
  /** When each dead-man switch was last renewed. */
  readonly #armed = new Map<string, number>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Somebody is about to listen to an account: from this state on, what happens to it is known. */
  awaken(state: State): void {
    if (this.#memory !== null) return;
    this.#memory = new LaneMemory();
    this.#memory.begin(state);
    this.#memorySeq = state.seq;
  }

  fallAsleep(): void {
    this.#memory = null;
  }

  /** `isTrading` says that nothing but trading happened. */
  add(committed: CommittedCommand, state: State, isTrading: boolean): void {
    const { command, outcome } = committed;
    if (!isTrading) this.#noteSwitches(outcome.events, outcome.atMs);
    const memory = this.#memory;
    if (memory === null || command.seq <= this.#memorySeq) return;
    const isHeard = (accountId: string): boolean => this.#registry.hearsAccount(accountId);
    const before = this.#moneyBefore(outcome.events, memory, isHeard);
    this.#amendments(outcome.events, outcome.atMs, isHeard);
    for (const draft of draftsOf(committed, memory, isHeard)) {
      const { accountId, type } = draft;
      const { message } = webhookEvents[type];
      if (accountId === null || message === null || !isHeard(accountId)) continue;
      if (type === 'balance.low') continue;
      this.#publish(message, accountId, outcome.atMs, draft.data(state, NO_ENDPOINT));
    }
    for (const event of outcome.events) {
      if (event.type !== 'ledger_posted') continue;
      this.#balances(event, state, before, outcome.atMs);
      this.#movedShares(event, state, outcome.atMs, isHeard);
    }
    this.#refusals(command, outcome.answer, outcome.atMs);
    this.#deadMan(outcome.events, outcome.atMs);
  }

  /** The connection that held the switch was lost. */
  disconnected(accountId: string, lostAtMs: number, atMs: number, cancelled: number): void {
    const data = deadManData('disconnect', null, cancelled, lostAtMs, atMs);
    this.#publish('dead_man_triggered', accountId, atMs, data);
  }

  tierChanged(accountId: string, atMs: number, data: StreamData<'tier_changed'>): void {
    this.#publish('tier_changed', accountId, atMs, data);
  }

  /** Open orders, with the time of their last change as far as it is remembered. */
  openOrders(orders: Iterable<Order>): StreamData<'account'>['orders'] {
    const views: StreamData<'account'>['orders'] = [];
    for (const order of orders) {
      const known = this.#memory?.find(order.id);
      const view = viewOrder(order);
      views.push(wireOrder(view, known?.updatedAtMs ?? view.createdAtMs));
    }
    return views.reverse();
  }

  #amendments(
    events: readonly Event[],
    atMs: number,
    isHeard: (accountId: string) => boolean,
  ): void {
    for (const event of events) {
      if (event.type !== 'order_amended' || !isHeard(event.order.accountId)) continue;
      const { order } = event;
      const data = {
        order: wireOrder(order, atMs),
        change: 'amended',
        last_fill: null,
      };
      this.#publish('order_updated', order.accountId, atMs, data);
    }
  }

  #moneyBefore(
    events: readonly Event[],
    memory: LaneMemory,
    isHeard: (accountId: string) => boolean,
  ): Map<string, Money> {
    const before = new Map<string, Money>();
    for (const event of events) {
      if (event.type !== 'ledger_posted') continue;
      for (let index = 0; index < event.count; index += 1) {
        const accountId = memory.ownerAt(event, index);
        if (accountId === null || before.has(accountId) || !isHeard(accountId)) continue;
        before.set(accountId, memory.moneyOf(accountId));
      }
    }
    return before;
  }

  /** One message for each entry and account; `money` goes along with it. */
  #balances(event: LedgerPosted, state: State, money: Map<string, Money>, atMs: number): void {
    if (money.size === 0) return;
    const moved = new Map<string, Money>();
    for (const { account, amount } of postingsOf(event)) {
      const [, accountId = '', part = ''] = MONEY_NAME.exec(account) ?? [];
      const now = money.get(accountId);
      if (now === undefined) continue;
      if (!moved.has(accountId)) moved.set(accountId, now);
      const { free, reserved } = now;
      const isFree = part === 'free';
      money.set(accountId, {
        free: isFree ? free + amount : free,
        reserved: isFree ? reserved : reserved + amount,
      });
    }
    for (const [accountId, was] of moved) {
      const is = money.get(accountId) ?? was;
      if (is.free === was.free && is.reserved === was.reserved) continue;
      const account = state.accounts.get(asAccountId(accountId));
      const bonds = account === undefined ? 0n : bondsOf(state, account);
      // A bond changes what the money is for, and not how much there is.
      const isOwnBond = event.reason === 'bond' || event.reason === 'bond_return';
      const delta = isOwnBond ? 0n : is.free + is.reserved - was.free - was.reserved;
      const data: StreamData<'balance_updated'> = {
        asset: account === undefined ? 'USDT' : accountAsset(account),
        balance_free: amountText(is.free),
        balance_reserved: amountText(is.reserved + bonds),
        delta: amountText(delta),
        reason: REASONS[event.reason],
        ref_id: event.reference === '' ? null : referenceText(event.reference),
      };
      this.#publish('balance_updated', accountId, atMs, data);
    }
  }

  /** Fills, mints and merges are told of by their own events. */
  #movedShares(
    event: LedgerPosted,
    state: State,
    atMs: number,
    isHeard: (accountId: string) => boolean,
  ): void {
    if (event.reason !== 'reset' && event.reason !== 'transfer') return;
    const told = new Set<string>();
    for (const { account } of postingsOf(event)) {
      const [, accountId = '', marketId = '', place = ''] = SHARES_NAME.exec(account) ?? [];
      const market = state.markets.get(marketId as never);
      const outcomeId = market?.outcomes[Number(place)]?.id;
      if (outcomeId === undefined || !isHeard(accountId) || told.has(account)) continue;
      told.add(account);
      const touched = {
        accountId: asAccountId(accountId),
        marketId: market!.id,
        outcomeId,
        reason: 'fill',
        index: 0,
      } as const;
      const shown = positionDraft(touched).data(state, NO_ENDPOINT);
      this.#publish('position_updated', accountId, atMs, { ...shown, reason: event.reason });
    }
  }

  /** Orders that never became one. */
  #refusals(command: Command, answer: Answer, atMs: number): void {
    if (command.type === 'place_order') {
      this.#refusal(command.accountId, command.clientOrderId, answer, atMs);
    } else if (command.type === 'batch' && answer.ok && answer.result.kind === 'batch') {
      for (const [index, item] of command.items.entries()) {
        const itemAnswer = answer.result.items[index];
        if (item.type !== 'place_order' || itemAnswer === undefined) continue;
        this.#refusal(item.accountId, item.clientOrderId, itemAnswer, atMs);
      }
    }
  }

  #refusal(accountId: AccountId, clientOrderId: string | null, answer: Answer, atMs: number): void {
    if (answer.ok || !this.#registry.hearsAccount(accountId)) return;
    const { code } = answer.rejection;
    const data = { order: null, client_order_id: clientOrderId, code, reason: null };
    this.#publish('order_rejected', accountId, atMs, data);
  }

  #noteSwitches(events: readonly Event[], atMs: number): void {
    for (const event of events) {
      if (event.type !== 'heartbeat_armed') continue;
      const place = `${event.accountId} ${event.marketId ?? ''}`;
      if (event.expiresAtMs === null) this.#armed.delete(place);
      else this.#armed.set(place, atMs);
    }
  }

  #deadMan(events: readonly Event[], atMs: number): void {
    for (const event of events) {
      if (event.type !== 'dead_man_triggered') continue;
      const { accountId, marketId, cancelledCount } = event;
      const place = `${accountId} ${marketId ?? ''}`;
      const armedAtMs = this.#armed.get(place) ?? atMs;
      this.#armed.delete(place);
      const data = deadManData('heartbeat', marketId, cancelledCount, armedAtMs, atMs);
      this.#publish('dead_man_triggered', accountId, atMs, data);
    }
  }

  #publish(type: string, accountId: string, atMs: number, data: object): void {
    if (!this.#registry.hearsAccount(accountId)) return;
    const base: OwnBase = type === 'trade_executed' || type === 'deposit' ? type : 'account';
    const message = { type, atMs, data: JSON.stringify(data), key: null };
    this.#registry.publishOwn(base, accountId, message);
  }
}

const NO_ENDPOINT = {} as never;
const MONEY_NAME = /^user:([^:]+):(free|reserved)$/;
const SHARES_NAME = /^user:([^:]+):(?:free|reserved):(m_[^.]+)\.(\d+)$/;

const REASONS: Readonly<Record<LedgerReason, StreamData<'balance_updated'>['reason']>> = {
  deposit: 'deposit',
  withdrawal: 'withdrawal',
  transfer: 'transfer',
  faucet: 'faucet',
  reset: 'reset',
  house_top_up: 'faucet',
  market_deposit: 'market_deposit',
  reserve: 'order_reserve',
  release: 'order_release',
  fill: 'trade',
  mint: 'mint',
  merge: 'merge',
  settlement: 'settlement',
  refund: 'refund',
  vesting: 'fee_credit',
  bond: 'bond',
  bond_return: 'bond_return',
  bond_award: 'reward',
};

function deadManData(
  trigger: 'heartbeat' | 'disconnect',
  marketId: string | null,
  cancelled: number,
  armedAtMs: number,
  expiredAtMs: number,
): StreamData<'dead_man_triggered'> {
  return {
    trigger,
    scope: marketId === null ? 'account' : 'market',
    market_id: marketId,
    cancelled_count: cancelled,
    armed_at: isoTime(armedAtMs),
    armed_at_ms: armedAtMs,
    expired_at: isoTime(expiredAtMs),
    expired_at_ms: expiredAtMs,
  };
}
