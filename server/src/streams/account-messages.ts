// Streams of one's own: orders, money and positions of the accounts that somebody listens to.
import { type StreamData, type StreamMessageType, streamMessages } from '@sibyl/contract';
import { type Event, type Order, type State, viewOrder } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { ownNotices, type TakeArmed } from '../notices/command-notices.ts';
import { LaneMemory } from '../notices/lane-memory.ts';
import { deadManData } from '../notices/switch-events.ts';
import { wireOrder } from '../wire/generated/order.ts';
import type { Registry } from './registry.ts';

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
    const isHeard = (accountId: string): boolean =>
      this.#registry.hearsAccount(accountId) ||
      this.#registry.hearsAccount(memory.ownerOf(accountId));
    for (const notice of ownNotices(committed, memory, isHeard, this.#takeArmed)) {
      const { accountId, message } = notice;
      if (accountId === null || message === null || !isHeard(accountId)) continue;
      const data = notice.data(state, null);
      this.#publish(message, accountId, outcome.atMs, data);
      // What happens to a subaccount reaches its owner too, who is told which one it is.
      const ownerId = memory.ownerOf(accountId);
      if (ownerId === accountId) continue;
      this.#publish(message, ownerId, outcome.atMs, { ...data, subaccount_id: accountId });
    }
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

  #noteSwitches(events: readonly Event[], atMs: number): void {
    for (const event of events) {
      if (event.type !== 'heartbeat_armed') continue;
      const mapKey = `${event.accountId} ${event.marketId ?? ''}`;
      if (event.expiresAtMs === null) this.#armed.delete(mapKey);
      else this.#armed.set(mapKey, atMs);
    }
  }

  readonly #takeArmed: TakeArmed = (accountId, marketId) => {
    const mapKey = `${accountId} ${marketId ?? ''}`;
    const armedAtMs = this.#armed.get(mapKey);
    this.#armed.delete(mapKey);
    return armedAtMs;
  };

  #publish(type: StreamMessageType, accountId: string, atMs: number, data: object): void {
    if (!this.#registry.hearsAccount(accountId)) return;
    const { stream } = streamMessages[type];
    const base = stream === 'trade_executed' || stream === 'deposit' ? stream : 'account';
    const message = { type, atMs, data: JSON.stringify(data), key: null };
    this.#registry.publishOwn(base, accountId, message);
  }
}
