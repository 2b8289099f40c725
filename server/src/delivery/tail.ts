// The tail of one lane's journal: turns committed commands into recorded deliveries, and remembers how far it got.
import type { State } from '@sibyl/engine';
import type { Clock, CommitListener, CommittedCommand } from '@sibyl/lane';
import { webhookNotices } from '../notices/command-notices.ts';
import { LaneMemory } from '../notices/lane-memory.ts';
import type { WebhookNotice } from '../notices/notice.ts';
import type { Random } from '../ports/random.ts';
import type { EndpointRecord, NewDelivery, WebhookStore } from '../ports/webhooks.ts';
import { eventOf } from './event-record.ts';
import { Subscriptions } from './subscriptions.ts';

/** What of a lane is used. */
export interface TailedLane {
  readonly name: 'live' | 'sandbox';
  onCommitted(listener: CommitListener): () => void;
  /** Calls `begin` with a state at or before `afterSeq`, then gives all that came after that state. */
  replayAfter(
    afterSeq: number,
    begin: (state: State) => void,
  ): AsyncIterable<readonly CommittedCommand[]>;
  read<T>(query: (state: State) => T): Promise<T>;
  status(): { readonly durableSeq: number };
}

export interface TailOptions {
  readonly lane: TailedLane;
  readonly store: WebhookStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Told which endpoints have something new. */
  readonly wake: (webhookIds: ReadonlySet<string>) => void;
  /** The tail stands still and will try again. */
  readonly failed: (error: unknown) => void;
  readonly limits?: Partial<TailLimits> | undefined;
}

export interface TailLimits {
  /** Commands wait so long for others: one transaction for all of them. */
  readonly gatherMs: number;
  /** The position is written down after so many commands even if nobody wanted their events. */
  readonly cursorEvery: number;
  /** An endpoint with so many pending deliveries gets no more until it has caught up. */
  readonly pendingMax: number;
}

const TAIL_LIMITS: TailLimits = { gatherMs: 20, cursorEvery: 5_000, pendingMax: 100_000 };

const PAUSE_MS = 5_000;
const DELIVERY_ID_LENGTH = 20;

interface Wanted {
  readonly committed: CommittedCommand;
  readonly notice: WebhookNotice;
  readonly endpoints: readonly EndpointRecord[];
}

type Phase = 'stopped' | 'asleep' | 'catching_up' | 'following' | 'paused';

export class Tail {
  readonly #options: TailOptions;
  readonly #limits: TailLimits;
  #subscriptions = new Subscriptions([]);
  #memory = new LaneMemory();
  #waiting: CommittedCommand[] = [];
  #phase: Phase = 'stopped';
  /** The last command whose events are recorded or unwanted. */
  #seq = 0;
  #storedSeq = 0;
  /** The last command that the memory reflects. */
  #memorySeq = 0;
  #cancelAlarm: (() => void) | null = null;
  #stopFollowing: (() => void) | null = null;
  /** Rises whenever the tail starts over, so that work begun before ends itself. */
  #generation = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(options: TailOptions) {
    this.#options = options;
    this.#limits = { ...TAIL_LIMITS, ...options.limits };
  }

  /** Catching up goes on after this has resolved. */
  async start(): Promise<void> {
    this.#phase = 'asleep';
    const endpoints = await this.#loadEndpoints();
    if (endpoints.length > 0) await this.#awaken(endpoints, false);
  }

  /** Endpoints were added, changed or removed; resolves when the next command is matched against them. */
  async refresh(): Promise<void> {
    if (this.#phase === 'stopped') return;
    const endpoints = await this.#loadEndpoints();
    if (endpoints.length === 0) {
      this.#fallAsleep();
    } else if (this.#phase === 'asleep') {
      await this.#awaken(endpoints, true);
      await this.#work;
    }
  }

  /** Durable commands that have not been read for webhooks yet; none while no endpoint wants any. */
  async lag(): Promise<number> {
    if (this.#phase === 'asleep' || this.#phase === 'stopped') return 0;
    const seq = await this.#options.lane.read((state) => state.seq).catch(() => this.#seq);
    return Math.max(0, seq - this.#seq);
  }

  /** Everything that is durable now has been recorded. */
  async settle(): Promise<void> {
    this.#cancelAlarm?.();
    this.#cancelAlarm = null;
    this.#drainSoon();
    await this.#work;
  }

  async stop(): Promise<void> {
    this.#fallAsleep();
    this.#phase = 'stopped';
    await this.#work;
  }

  #fallAsleep(): void {
    this.#phase = 'asleep';
    this.#generation += 1;
    this.#stopFollowing?.();
    this.#stopFollowing = null;
    this.#cancelAlarm?.();
    this.#cancelAlarm = null;
    this.#waiting = [];
    this.#memory = new LaneMemory();
    this.#memorySeq = 0;
  }

  async #loadEndpoints(): Promise<readonly EndpointRecord[]> {
    const { store, lane } = this.#options;
    const endpoints = await store.endpointsIn(lane.name);
    this.#subscriptions = new Subscriptions(endpoints);
    return endpoints;
  }

  /** With `isNew`, no endpoint was there before and no owner has been answered: it may begin anywhere. */
  async #awaken(endpoints: readonly EndpointRecord[], isNew: boolean): Promise<void> {
    const { lane, store } = this.#options;
    this.#phase = 'catching_up';
    this.#stopFollowing = lane.onCommitted((batch) => this.#receive(batch));
    const firstSeq = Math.min(...endpoints.map(({ fromSeq }) => fromSeq));
    this.#seq = Math.max(firstSeq, (await store.cursor(lane.name)) ?? 0);
    this.#storedSeq = this.#seq;
    const generation = this.#generation;
    this.#work = this.#work
      .then(() => this.#catchUp(isNew, generation))
      .catch((error: unknown) => this.#pause(error));
  }

  async #catchUp(isNew: boolean, generation: number): Promise<void> {
    const { lane } = this.#options;
    if (generation !== this.#generation) return;
    const hasBegun = await lane.read((state) => {
      if (!isNew && state.seq !== this.#seq) return false;
      this.#remember(state);
      return true;
    });
    if (hasBegun) {
      await this.#storeCursor(this.#memorySeq, []);
    } else {
      const begin = (state: State): void => this.#remember(state);
      for await (const batch of lane.replayAfter(this.#seq, begin)) {
        if (generation !== this.#generation) return;
        await this.#record(batch);
      }
    }
    if (generation !== this.#generation) return;
    this.#phase = 'following';
    await this.#drain();
  }

  #remember(state: State): void {
    this.#memory.begin(state);
    this.#memorySeq = state.seq;
  }

  /** Runs before the answers of the batch leave: it only keeps it. */
  #receive(batch: readonly CommittedCommand[]): void {
    for (const committed of batch) this.#waiting.push(committed);
    if (this.#phase === 'following') this.#gather();
  }

  #gather(): void {
    this.#cancelAlarm ??= this.#options.clock.setAlarm(this.#limits.gatherMs, () => {
      this.#cancelAlarm = null;
      this.#drainSoon();
    });
  }

  #drainSoon(): void {
    if (this.#phase !== 'following') return;
    this.#work = this.#work.then(() => this.#drain()).catch((error: unknown) => this.#pause(error));
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0 && this.#phase === 'following') {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#record(batch);
    }
  }

  async #record(batch: readonly CommittedCommand[]): Promise<void> {
    const wanted: Wanted[] = [];
    const isWatched = (accountId: string): boolean =>
      this.#subscriptions.watches(accountId, this.#memory);
    for (const committed of batch) {
      const { seq } = committed.command;
      if (seq <= this.#memorySeq) continue;
      if (seq !== this.#memorySeq + 1) throw new Error(`${seq} came after ${this.#memorySeq}`);
      const notices = webhookNotices(committed, this.#memory, isWatched);
      this.#memorySeq = seq;
      if (seq <= this.#seq) continue;
      for (const notice of notices) {
        const endpoints = this.#subscriptions
          .matching(notice, this.#memory)
          .filter(({ fromSeq }) => fromSeq < seq);
        if (endpoints.length > 0) wanted.push({ committed, notice, endpoints });
      }
    }
    if (this.#memorySeq <= this.#seq) return;
    const isCursorOld = this.#memorySeq - this.#storedSeq >= this.#limits.cursorEvery;
    if (wanted.length === 0 && !isCursorOld) this.#seq = this.#memorySeq;
    else await this.#storeCursor(this.#memorySeq, await this.#deliveriesOf(wanted));
  }

  async #storeCursor(seq: number, deliveries: readonly NewDelivery[]): Promise<void> {
    const { lane, store, clock, wake } = this.#options;
    const intake = { environment: lane.name, seq, deliveries, atMs: clock.wallMs() };
    await store.take(intake, this.#limits.pendingMax);
    this.#seq = seq;
    this.#storedSeq = seq;
    if (deliveries.length > 0) wake(new Set(deliveries.map(({ webhookId }) => webhookId)));
  }

  async #deliveriesOf(wanted: readonly Wanted[]): Promise<readonly NewDelivery[]> {
    const { lane, random } = this.#options;
    if (wanted.length === 0) return [];
    return lane.read((state) =>
      wanted.flatMap(({ committed, notice, endpoints }) =>
        endpoints.map((endpoint) => ({
          deliveryId: `dlv_${random.token(DELIVERY_ID_LENGTH)}`,
          webhookId: endpoint.webhookId,
          event: eventOf(lane.name, committed, notice, state, endpoint),
        })),
      ),
    );
  }

  /** Forgets everything and starts over from what is stored: nothing of it can be lost, since the journal has it. */
  #pause(error: unknown): void {
    if (this.#phase === 'stopped') return;
    this.#options.failed(error);
    this.#fallAsleep();
    this.#phase = 'paused';
    this.#cancelAlarm = this.#options.clock.setAlarm(PAUSE_MS, () => {
      this.#cancelAlarm = null;
      this.start().catch((again: unknown) => this.#pause(again));
    });
  }
}
