// The streams of one lane by name: numbers their messages, knows which have listeners, and sends frames once per turn of the event loop.
import { limits, parseStreamName, type StreamBase, streamName } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { Instance, type Message, type Subscriber } from './instance.ts';
import { Replay } from './replay.ts';

export interface RegistryOptions {
  readonly clock: Clock;
  readonly replayBytesMax?: number | undefined;
  /** Frames were handed to their readers: whatever those hold back should be written now. */
  readonly flushed: () => void;
}

export class Registry {
  readonly #options: RegistryOptions;
  readonly #instances = new Map<string, Instance>();
  /** Kept instances by `base` or `base:market`, the latter with all those of its outcomes. */
  readonly #heard = new Map<string, number>();
  readonly #changed = new Set<Instance>();
  readonly #replay: Replay;
  #isScheduled = false;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#replay = new Replay(options.replayBytesMax);
  }

  get replayBytes(): number {
    return this.#replay.bytes;
  }

  /** The stream of this name; an account's own streams are told apart by the account. */
  instance(name: string, accountId: string | null = null): Instance {
    const mapKey = accountId === null ? name : `${name} ${accountId}`;
    const known = this.#instances.get(mapKey);
    if (known !== undefined) return known;
    const parts = parseStreamName(name);
    if (parts === null) throw new Error(`no name of a stream: ${name}`);
    const instance = new Instance(name, parts, accountId);
    this.#instances.set(mapKey, instance);
    return instance;
  }

  /** Whether anybody hears, or may yet resume, what happens on this market; without one, on any as a whole. */
  hears(base: StreamBase, marketId?: string): boolean {
    // Mostly nobody listens, and this is asked several times for every order.
    if (this.#heard.size === 0) return false;
    if (this.#heard.has(base)) return true;
    return marketId !== undefined && this.#heard.has(`${base}:${marketId}`);
  }

  hearsAccount(accountId: string): boolean {
    return this.#heard.has(`account ${accountId}`);
  }

  /** Whether any instance of the stream is listened to, whichever market it is of. */
  hearsAny(base: StreamBase): boolean {
    return this.#heard.has(`any ${base}`);
  }

  listen(instance: Instance, subscriber: Subscriber): void {
    this.flush();
    instance.subscribers.add(subscriber);
    instance.idleSinceMs = null;
    if (instance.isKept) return;
    instance.isKept = true;
    this.#count(instance, 1);
  }

  unlisten(instance: Instance, subscriber: Subscriber): void {
    if (!instance.subscribers.delete(subscriber) || instance.subscribers.size > 0) return;
    instance.idleSinceMs = this.#options.clock.monotonicMs();
  }

  /** To the stream as a whole, to that of the market, and to that of the outcome or, without one, of all outcomes. */
  publish(
    base: StreamBase,
    marketId: string,
    outcomeIds: readonly string[],
    message: Message,
  ): void {
    this.#add(base, null, message);
    this.#add(streamName(base, marketId), null, message);
    for (const outcomeId of outcomeIds) {
      this.#add(streamName(base, marketId, outcomeId), null, message);
    }
  }

  publishOwn(base: StreamBase, accountId: string, message: Message): void {
    this.#add(base, accountId, message);
  }

  /** The number that the next message of the outcome gets. */
  nextSeq(base: StreamBase, marketId: string, outcomeId: string): number {
    return this.instance(streamName(base, marketId, outcomeId)).seq + 1;
  }

  flush(): void {
    if (this.#changed.size === 0) return;
    for (const instance of this.#changed) instance.flush();
    this.#changed.clear();
    this.#options.flushed();
  }

  /** All that is listened to may have missed something: the next number of each shows a gap. */
  skipAll(): void {
    for (const instance of this.#instances.values()) if (instance.isKept) instance.skip();
  }

  /** Lets go of what nobody has listened to for longer than it could be resumed. */
  retire(): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#replay.drop(nowMs);
    for (const instance of this.#instances.values()) {
      const { idleSinceMs } = instance;
      if (!instance.isKept || idleSinceMs === null) continue;
      if (nowMs - idleSinceMs < limits.socket.replayWindowMs) continue;
      instance.isKept = false;
      instance.skip();
      this.#count(instance, -1);
    }
  }

  #add(name: string, accountId: string | null, message: Message): void {
    const instance = this.instance(name, accountId);
    const entry = instance.add(message);
    if (!instance.isKept) return;
    this.#replay.keep(instance, entry, this.#options.clock.monotonicMs());
    if (instance.subscribers.size === 0) return;
    this.#changed.add(instance);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  #count({ parts, accountId }: Instance, by: 1 | -1): void {
    const { base, marketId } = parts;
    const mapKey =
      accountId !== null ? `account ${accountId}` : streamName(base, marketId ?? undefined);
    for (const key of [mapKey, `any ${base}`]) {
      const count = (this.#heard.get(key) ?? 0) + by;
      if (count === 0) this.#heard.delete(key);
      else this.#heard.set(key, count);
    }
  }
}
