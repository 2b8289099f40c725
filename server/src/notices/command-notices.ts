// The notices of one command: those of its events in order, then those that can only be told when all its events are known.
import type { Event } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { EVENTS, type EventRow } from './event-table.ts';
import type { LaneMemory } from './lane-memory.ts';
import { MoneyEvents } from './money-events.ts';
import {
  type Audience,
  type Facts,
  type Notice,
  noticeOf,
  type ToldAs,
  type WebhookNotice,
} from './notice.ts';
import { OrderEvents, tellRefusals } from './order-events.ts';
import { TouchedPositions } from './position-events.ts';
import type { Teller, Watch } from './teller.ts';

/** When a switch was last renewed; it is then forgotten. */
export type TakeArmed = (accountId: string, marketId: string | null) => number | undefined;

/** What webhooks may tell; moves the memory on by the command. */
export function webhookNotices(
  committed: CommittedCommand,
  memory: LaneMemory,
  isWatched: Watch,
): readonly WebhookNotice[] {
  return new Reading(committed, memory, isWatched, null).all().filter(isForWebhooks);
}

function isForWebhooks(notice: Notice): notice is WebhookNotice {
  return notice.webhook !== null;
}

/** What the streams of accounts may tell; moves the memory on by the command. */
export function ownNotices(
  committed: CommittedCommand,
  memory: LaneMemory,
  isWatched: Watch,
  takeArmed: TakeArmed,
): readonly Notice[] {
  const notices = new Reading(committed, memory, isWatched, takeArmed).all();
  return notices.sort((a, b) => a.turn - b.turn);
}

/** What everybody may be told; of the memory, markets are all that must be known. */
export function publicNotices(committed: CommittedCommand, memory: LaneMemory): readonly Notice[] {
  return new Reading(committed, memory, watchesNobody, null).public();
}

function ofSubaccount(subaccountId: string, data: Notice['data']): Notice['data'] {
  return (state, endpoint) => ({ subaccount_id: subaccountId, ...data(state, endpoint) });
}

function watchesNobody(): boolean {
  return false;
}

/** Goes through the events of one command. */
class Reading implements Teller<Audience, ToldAs> {
  readonly outcome: CommittedCommand['outcome'];
  readonly memory: LaneMemory;
  readonly orders: OrderEvents;
  readonly positions: TouchedPositions;
  readonly money: MoneyEvents;
  readonly #committed: CommittedCommand;
  readonly #isWatched: Watch;
  /** Null where messages that come without a webhook are not wanted. */
  readonly #takeArmed: TakeArmed | null;
  readonly #notices: Notice[] = [];
  #closed: string | null = null;

  constructor(
    committed: CommittedCommand,
    memory: LaneMemory,
    isWatched: Watch,
    takeArmed: TakeArmed | null,
  ) {
    this.#committed = committed;
    this.outcome = committed.outcome;
    this.memory = memory;
    this.#isWatched = isWatched;
    this.#takeArmed = takeArmed;
    this.orders = new OrderEvents(committed, memory, isWatched);
    this.positions = new TouchedPositions(memory, isWatched);
    this.money = new MoneyEvents(committed, memory, isWatched, takeArmed !== null);
  }

  readonly say = (name: ToldAs, facts: Facts<Audience>): void => {
    const { accountId, data } = facts;
    const isOwn = accountId === null || this.memory.ownerOf(accountId) === accountId;
    // Webhooks go to owners alone, who must be told which of their accounts it is about.
    const told =
      isOwn || this.#takeArmed !== null ? facts : { ...facts, data: ofSubaccount(accountId, data) };
    this.#notices.push(noticeOf(name, told));
  };

  readonly forgetLater = (accountId: string): void => {
    this.#closed = accountId;
  };

  readonly takeArmedAtMs = (accountId: string, marketId: string | null): number =>
    this.#takeArmed?.(accountId, marketId) ?? this.outcome.atMs;

  all(): Notice[] {
    const { events } = this.outcome;
    // Most events are entries of the ledger, and most commands concern nobody: this loop must stay cheap.
    for (let index = 0; index < events.length; index += 1) this.#read(events[index]!, index);
    this.orders.finish(this.say);
    this.positions.finish(this.say);
    this.money.finish(this.say);
    if (this.#takeArmed !== null) tellRefusals(this.#committed, this.#isWatched, this.say);
    if (this.#closed !== null) this.memory.removeAccount(this.#closed);
    return this.#notices;
  }

  public(): readonly Notice[] {
    for (const [index, event] of this.outcome.events.entries()) {
      if (EVENTS[event.type].audience === 'everybody') this.#read(event, index);
    }
    return this.#notices;
  }

  #read(event: Event, index: number): void {
    // The row is found by the type of the event, so that it is the one for it.
    const row = EVENTS[event.type] as EventRow<Event>;
    row.tell(this, event, index);
  }
}
