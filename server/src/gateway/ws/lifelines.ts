// cancel_on_disconnect: the orders of whoever lost the connection and does not come back in time are cancelled.
import { type AccountId, asAccountId } from '@sibyl/engine';
import { type Clock, LaneUnavailable } from '@sibyl/lane';
import type { LaneName } from '../../handling/handler.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { StreamHub } from '../../streams/hub.ts';
import { credentialName, type Identity } from './identity.ts';

export interface LifelinesOptions {
  readonly platform: Pick<PlatformStore, 'putLifeline' | 'dropLifeline' | 'lifelines'>;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
}

/** One for each credential and lane; it is lost when the last socket that holds it is. */
interface Lifeline {
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

export class Lifelines {
  readonly #options: LifelinesOptions;
  readonly #lifelines = new Map<string, Lifeline>();
  readonly #held = new Map<object, Lifeline>();
  readonly #work = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: LifelinesOptions) {
    this.#options = options;
  }

  /** What was held when the service ended without a goodbye counts as lost now. */
  async recover(hubs: Readonly<Partial<Record<LaneName, StreamHub>>>): Promise<void> {
    for (const {
      lane,
      credential,
      accountId,
      graceMs,
    } of await this.#options.platform.lifelines()) {
      const hub = hubs[lane];
      if (hub === undefined) continue;
      const lifeline = this.#open(hub, credential, asAccountId(accountId), graceMs);
      lifeline.isStored = true;
      this.#wait(lifeline);
    }
  }

  /** The socket holds the lifeline of its credential; stored when this resolves. */
  async hold(socket: object, identity: Identity, graceMs: number): Promise<void> {
    const { hub, accountId } = identity;
    const credential = credentialName(identity);
    const known = this.#lifelines.get(placeOf(hub, credential));
    const lifeline = known ?? this.#open(hub, credential, accountId, graceMs);
    const left = this.#held.get(socket) === lifeline ? null : this.#letGo(socket);
    this.#held.set(socket, lifeline);
    lifeline.holders.add(socket);
    lifeline.takeBack?.();
    lifeline.takeBack = null;
    if (left !== null) await this.#forget(left);
    if (lifeline.isStored && lifeline.graceMs === graceMs) return;
    lifeline.graceMs = graceMs;
    try {
      const lane = hub.lane.name;
      await this.#options.platform.putLifeline({ lane, credential, accountId, graceMs });
      lifeline.isStored = true;
    } catch (error) {
      lifeline.isStored = false;
      this.#letGo(socket);
      throw error;
    }
  }

  /** The socket asks for nothing any more; what others hold, or was lost by others, stays. */
  async release(socket: object): Promise<void> {
    const lifeline = this.#letGo(socket);
    if (lifeline !== null) await this.#forget(lifeline);
  }

  /** The socket is gone. */
  lose(socket: object): void {
    const lifeline = this.#letGo(socket);
    if (lifeline !== null) this.#wait(lifeline);
  }

  /** The credential is void: nobody can come back with it, and it must not act later on orders of others. */
  sever(credential: string): void {
    for (const lifeline of [...this.#lifelines.values()]) {
      if (lifeline.credential !== credential) continue;
      // One that neither is held nor waits is being cut already.
      const isInForce = lifeline.takeBack !== null || lifeline.holders.size > 0;
      lifeline.takeBack?.();
      for (const socket of lifeline.holders) this.#held.delete(socket);
      lifeline.holders.clear();
      if (!isInForce) continue;
      lifeline.lostAtMs = this.#options.clock.wallMs();
      this.#cut(lifeline);
    }
  }

  /** Names of the credentials that have one. */
  get credentials(): ReadonlySet<string> {
    return new Set([...this.#lifelines.values()].map(({ credential }) => credential));
  }

  /** Those still waited for cannot come back to a service that is gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const lifeline of [...this.#lifelines.values()]) {
      if (lifeline.takeBack === null) continue;
      lifeline.takeBack();
      this.#cut(lifeline);
    }
    await Promise.all(this.#work);
  }

  #open(hub: StreamHub, credential: string, accountId: AccountId, graceMs: number): Lifeline {
    const nobody = { holders: new Set<object>(), takeBack: null, lostAtMs: 0 };
    const lifeline = { hub, credential, accountId, graceMs, isStored: false, ...nobody };
    this.#lifelines.set(placeOf(hub, credential), lifeline);
    return lifeline;
  }

  /** The lifeline that nobody holds any more now. */
  #letGo(socket: object): Lifeline | null {
    const lifeline = this.#held.get(socket);
    if (lifeline === undefined) return null;
    this.#held.delete(socket);
    lifeline.holders.delete(socket);
    return lifeline.holders.size === 0 ? lifeline : null;
  }

  #wait(lifeline: Lifeline): void {
    lifeline.lostAtMs = this.#options.clock.wallMs();
    if (lifeline.graceMs === 0 || this.#isClosing) this.#cut(lifeline);
    else this.#cutAfter(lifeline, lifeline.graceMs);
  }

  #cutAfter(lifeline: Lifeline, delayMs: number): void {
    lifeline.takeBack = this.#options.clock.setAlarm(delayMs, () => this.#cut(lifeline));
  }

  #cut(lifeline: Lifeline): void {
    lifeline.takeBack = null;
    const work = this.#cancel(lifeline)
      .then(() => (lifeline.holders.size === 0 ? this.#forget(lifeline) : undefined))
      .catch((error: unknown) => {
        // A lane that is not there says so by itself.
        if (!(error instanceof LaneUnavailable)) this.#options.failed(error);
        const isLost = lifeline.holders.size === 0 && !this.#isClosing;
        if (isLost) this.#cutAfter(lifeline, RETRY_MS);
      })
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #cancel({ hub, accountId, lostAtMs }: Lifeline): Promise<void> {
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
  async #forget({ hub, credential }: Lifeline): Promise<void> {
    this.#lifelines.delete(placeOf(hub, credential));
    await this.#options.platform.dropLifeline(hub.lane.name, credential);
  }
}

function placeOf(hub: StreamHub, credential: string): string {
  return `${hub.lane.name} ${credential}`;
}
