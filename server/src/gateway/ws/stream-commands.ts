// SUBSCRIBE, UNSUBSCRIBE and RESUME: which streams may be had, and how each of them begins.
import {
  type ErrorCode,
  limits,
  nearestStreamNames,
  parseStreamName,
  type StreamBase,
  type StreamName,
  streams,
} from '@sibyl/contract';
import type { State } from '@sibyl/engine';
import type { ShowAccount, StreamHub } from '../../streams/hub.ts';
import { errorText } from '../../texts/texts.ts';
import type { CommandId } from './command-frame.ts';
import type { Connection } from './connection.ts';
import type { Identity, ShowIdentity } from './identity.ts';
import { type ResyncReason, Subscription } from './subscriptions.ts';

/** What is private takes the right to read the account; what any holder may hear, an app hears with either scope to read. */
function mayListen({ grant }: Identity, visibility: 'authenticated' | 'private'): boolean {
  const { credential, permissions } = grant;
  if (permissions.includes('read')) return true;
  const isForAnyone = visibility === 'authenticated' && credential.kind === 'token';
  return isForAnyone && credential.scopes.includes('markets:read');
}

interface Rejected {
  readonly stream: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: { readonly field: 'params'; readonly streams: readonly string[] };
}

/** Streams whose source is not built yet. */
const LATER: ReadonlySet<StreamBase> = new Set(['rfq']);

export class StreamCommands {
  readonly #connection: Connection;
  readonly #epoch: string;
  readonly #showAccount: ShowIdentity;

  constructor(connection: Connection, epoch: string, showAccount: ShowIdentity) {
    this.#connection = connection;
    this.#epoch = epoch;
    this.#showAccount = showAccount;
  }

  async subscribe(id: CommandId, names: readonly string[], snapshot: boolean): Promise<void> {
    const connection = this.#connection;
    const { hub } = connection;
    await hub.settled((state) => {
      const begun: Subscription[] = [];
      const rejected: Rejected[] = [];
      for (const name of new Set(names)) {
        const subscription = this.#begin(state, hub, name);
        if (typeof subscription === 'string') rejected.push(this.#reject(name, subscription));
        else begun.push(subscription);
      }
      const list = begun.map((subscription) => ({
        stream: subscription.instance.name,
        seq: subscription.instance.seq,
        snapshot: snapshot && subscription.hasSnapshot,
      }));
      connection.send('subscribed', { id, epoch: this.#epoch, streams: list, rejected });
      for (const subscription of begun) {
        if (snapshot && subscription.hasSnapshot) connection.subscriptions.await(subscription);
      }
    });
  }

  unsubscribe(id: CommandId, names: readonly string[]): void {
    const { subscriptions } = this.#connection;
    const removed = [...new Set(names)].filter((name) => subscriptions.remove(name));
    this.#connection.send('unsubscribed', { id, streams: removed });
  }

  async resume(
    id: CommandId,
    epoch: string | undefined,
    lasts: Readonly<Record<string, number>>,
  ): Promise<void> {
    const connection = this.#connection;
    const { hub, subscriptions } = connection;
    await hub.settled((state) => {
      const rejected: Rejected[] = [];
      const resumed: object[] = [];
      const lost: (readonly [Subscription, ResyncReason])[] = [];
      for (const [name, last] of Object.entries(lasts)) {
        const subscription = this.#begin(state, hub, name);
        if (typeof subscription === 'string') {
          rejected.push(this.#reject(name, subscription));
          continue;
        }
        const { instance, wasKept } = subscription;
        const missed = wasKept && epoch === this.#epoch ? instance.after(last) : null;
        if (missed === null) {
          lost.push([subscription, this.#lossOf(epoch, last, instance.seq)]);
          continue;
        }
        const bytes = missed.reduce((sum, { data }) => sum + data.length, 0);
        if (!subscriptions.affords(bytes)) {
          lost.push([subscription, 'buffer_overrun']);
          continue;
        }
        subscriptions.replay(subscription, last);
        const range = { from_seq: last, to_seq: instance.seq, replayed: missed.length };
        resumed.push({ stream: name, ...range });
      }
      connection.send('resumed', { id, epoch: this.#epoch, streams: resumed, rejected });
      for (const [subscription, reason] of lost) subscriptions.resync(subscription, reason);
      subscriptions.ready();
    });
  }

  #lossOf(epoch: string | undefined, last: number, seq: number): ResyncReason {
    if (epoch !== this.#epoch) return 'epoch_changed';
    return last > seq ? 'gap' : 'buffer_overrun';
  }

  /** A subscription that is live from here on, or why there is none. */
  #begin(state: State, hub: StreamHub, name: string): Subscription | ErrorCode {
    const { subscriptions, identity } = this.#connection;
    const parts = parseStreamName(name);
    if (parts === null) return 'VALIDATION_FAILED';
    const refusal = this.#refusalOf(state, hub, parts);
    if (refusal !== null) return refusal;
    const known = subscriptions.find(name);
    if (known === undefined && subscriptions.size >= limits.socket.streamsMax) {
      return 'RATE_LIMITED';
    }
    const accountId = this.#ownerOf(parts.base);
    const instance = known?.instance ?? hub.registry.instance(name, accountId);
    const show = identity === null ? null : this.#showerOf(identity);
    const subscription = new Subscription(known?.hub ?? hub, instance, show, subscriptions);
    subscriptions.put(subscription);
    subscription.hub.listen(state, instance, subscription);
    subscription.sentSeq = instance.seq;
    return subscription;
  }

  #showerOf(identity: Identity): ShowAccount {
    return (state) => this.#showAccount(state, identity);
  }

  #ownerOf(base: StreamBase): string | null {
    if (streams[base].visibility !== 'private') return null;
    return this.#connection.identity?.accountId ?? null;
  }

  #refusalOf(state: State, hub: StreamHub, parts: StreamName): ErrorCode | null {
    const { identity } = this.#connection;
    const { visibility } = streams[parts.base];
    if (visibility !== 'public') {
      if (identity === null) return 'AUTH_REQUIRED';
      if (!mayListen(identity, visibility)) return 'SCOPE_MISSING';
    }
    if (LATER.has(parts.base)) return 'SERVICE_UNAVAILABLE';
    const isOwn = visibility === 'private' && identity !== null;
    if (isOwn && !state.accounts.has(identity.accountId)) return 'NOT_FOUND';
    return hub.refusalOf(state, parts);
  }

  #reject(stream: string, code: ErrorCode): Rejected {
    const { locale } = this.#connection;
    const details = { field: 'params', reason: 'not_offered' };
    const rejected = { stream, code, message: errorText(locale, code, details) };
    if (code !== 'VALIDATION_FAILED') return rejected;
    const offered = nearestStreamNames(stream).filter((name) => !LATER.has(name as StreamBase));
    return { ...rejected, details: { field: 'params', streams: offered } };
  }
}
