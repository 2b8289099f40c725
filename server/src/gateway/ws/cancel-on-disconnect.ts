// cancel_on_disconnect: the orders of an account that lost its connection and does not come back in time are cancelled.
import { type AccountId, asAccountId } from '@sibyl/engine';
import { type Clock, LaneUnavailable } from '@sibyl/lane';
import type { LaneName } from '../../handling/handler.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { StreamHub } from '../../streams/hub.ts';
import { credentialName, type Identity } from './identity.ts';

export interface DisconnectCancelsOptions {
  readonly platform: Pick<
    PlatformStore,
    'putDisconnectCancel' | 'dropDisconnectCancel' | 'disconnectCancels'
  >;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

/** One for each credential and lane; it is lost when the last socket that holds it is. */
interface DisconnectCancel {
  readonly hub: StreamHub;
  readonly credential: string;
  readonly accountId: AccountId;
  /** What was asked for last. */
  graceMs: number;
  isStored: boolean;
  readonly holders: Set<object>;
  /** Ends the wait for whoever was lost; null while nobody is waited for. */
  takeBack: (() => void) | null;
  lostAtMs: number;
}

/** A lane that could not cancel is asked again after this. */
const RETRY_MS = 1_000;

export class DisconnectCancels {
  readonly #options: DisconnectCancelsOptions;
  readonly #disconnectCancels = new Map<string, DisconnectCancel>();
  readonly #held = new Map<object, DisconnectCancel>();
  readonly #work = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: DisconnectCancelsOptions) {
    this.#options = options;
  }

  /** What was held when the service ended without a goodbye counts as lost now. */
  async recover(hubs: Readonly<Partial<Record<LaneName, StreamHub>>>): Promise<void> {
    for (const {
      lane,
      credential,
      accountId,
      graceMs,
    } of await this.#options.platform.disconnectCancels()) {
      const hub = hubs[lane];
      if (hub === undefined) continue;
      const entry = this.#open(hub, credential, asAccountId(accountId), graceMs);
      entry.isStored = true;
      this.#wait(entry);
    }
  }

  /** The socket holds the entry of its credential; stored when this resolves. */
  async hold(socket: object, identity: Identity, graceMs: number): Promise<void> {
    const { hub, accountId } = identity;
    const credential = credentialName(identity);
    const known = this.#disconnectCancels.get(keyOf(hub, credential));
    const entry = known ?? this.#open(hub, credential, accountId, graceMs);
    const left = this.#held.get(socket) === entry ? null : this.#letGo(socket);
    this.#held.set(socket, entry);
    entry.holders.add(socket);
    entry.takeBack?.();
    entry.takeBack = null;
    if (left !== null) await this.#forget(left);
    if (entry.isStored && entry.graceMs === graceMs) return;
    entry.graceMs = graceMs;
    try {
      const lane = hub.lane.name;
      await this.#options.platform.putDisconnectCancel({ lane, credential, accountId, graceMs });
      entry.isStored = true;
    } catch (error) {
      entry.isStored = false;
      this.#letGo(socket);
      throw error;
    }
  }

  /** The socket asks for nothing any more; what others hold, or was lost by others, stays. */
  async release(socket: object): Promise<void> {
    const entry = this.#letGo(socket);
    if (entry !== null) await this.#forget(entry);
  }

  /** The socket is gone. */
  lose(socket: object): void {
    const entry = this.#letGo(socket);
    if (entry !== null) this.#wait(entry);
  }

  /** The credential is void: nobody can come back with it, and it must not act later on orders of others. */
  sever(credential: string): void {
    for (const entry of [...this.#disconnectCancels.values()]) {
      if (entry.credential !== credential) continue;
      // One that neither is held nor waits is being cut already.
      const isInForce = entry.takeBack !== null || entry.holders.size > 0;
      entry.takeBack?.();
      for (const socket of entry.holders) this.#held.delete(socket);
      entry.holders.clear();
      if (!isInForce) continue;
      entry.lostAtMs = this.#options.clock.wallMs();
      this.#cut(entry);
    }
  }

  /** Names of the credentials that have one. */
  get credentials(): ReadonlySet<string> {
    return new Set([...this.#disconnectCancels.values()].map(({ credential }) => credential));
  }

  /** Those still waited for cannot come back to a service that is gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const entry of [...this.#disconnectCancels.values()]) {
      if (entry.takeBack === null) continue;
      entry.takeBack();
      this.#cut(entry);
    }
    await Promise.all(this.#work);
  }

  #open(
    hub: StreamHub,
    credential: string,
    accountId: AccountId,
    graceMs: number,
  ): DisconnectCancel {
    const nobody = { holders: new Set<object>(), takeBack: null, lostAtMs: 0 };
    const entry = { hub, credential, accountId, graceMs, isStored: false, ...nobody };
    this.#disconnectCancels.set(keyOf(hub, credential), entry);
    return entry;
  }

  /** The entry that nobody holds any more now. */
  #letGo(socket: object): DisconnectCancel | null {
    const entry = this.#held.get(socket);
    if (entry === undefined) return null;
    this.#held.delete(socket);
    entry.holders.delete(socket);
    return entry.holders.size === 0 ? entry : null;
  }

  #wait(entry: DisconnectCancel): void {
    entry.lostAtMs = this.#options.clock.wallMs();
    if (entry.graceMs === 0 || this.#isClosing) this.#cut(entry);
    else this.#cutAfter(entry, entry.graceMs);
  }

  #cutAfter(entry: DisconnectCancel, delayMs: number): void {
    entry.takeBack = this.#options.clock.setAlarm(delayMs, () => this.#cut(entry));
  }

  #cut(entry: DisconnectCancel): void {
    entry.takeBack = null;
    const work = this.#cancel(entry)
      .then(() => (entry.holders.size === 0 ? this.#forget(entry) : undefined))
      .catch((error: unknown) => {
        // A lane that is not there says so by itself.
        if (!(error instanceof LaneUnavailable)) this.#options.failed(error);
        const isLost = entry.holders.size === 0 && !this.#isClosing;
        if (isLost) this.#cutAfter(entry, RETRY_MS);
      })
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #cancel({ hub, accountId, lostAtMs }: DisconnectCancel): Promise<void> {
    const all = { marketId: null, outcomeId: null, side: null, orderIds: null };
    const { answer } = await hub.lane.submit({
      body: { type: 'cancel_orders', accountId, ...all, reason: 'disconnect' },
      actor: { kind: 'account', accountId, keyId: null },
      requestId: 'cancel_on_disconnect',
    });
    const isDone = answer.ok && answer.result.kind === 'cancelled';
    const cancelled = isDone ? answer.result.cancelled.length : 0;
    hub.accounts.disconnected(accountId, lostAtMs, this.#options.clock.wallMs(), cancelled);
  }

  /** Only when the orders are cancelled, or nobody wants that: until then a crash must find it. */
  async #forget({ hub, credential }: DisconnectCancel): Promise<void> {
    this.#disconnectCancels.delete(keyOf(hub, credential));
    await this.#options.platform.dropDisconnectCancel(hub.lane.name, credential);
  }
}

function keyOf(hub: StreamHub, credential: string): string {
  return `${hub.lane.name} ${credential}`;
}
