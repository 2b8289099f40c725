// One numbered stream: its last number, the messages that can still be replayed, and its listeners.
import type { StreamName } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import { defaultLocale } from '../texts/locale.ts';
import { originalFrames } from './conflate.ts';
import { streamFrame } from './frame.ts';

/** Levels that changed, best first, with their new sizes. */
export interface BookChange {
  readonly marketId: string;
  readonly outcomeId: string;
  readonly seq: number;
  readonly prevSeq: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
  readonly atMs: number;
}

/** A message before it has a number. */
export interface Message {
  readonly type: string;
  readonly atMs: number;
  readonly data: string;
  /** Of messages with the same key a slow reader needs only the last; null where it needs all. */
  readonly key: string | null;
  /** Of a book; its checksum has one without levels, so that numbers stay together. */
  readonly change?: BookChange;
  /** The data in each language, where it has words; `data` is then the English one. */
  readonly localized?: Readonly<Record<Locale, string>>;
}

export interface Entry extends Message {
  readonly seq: number;
}

export interface Subscriber {
  readonly locale: Locale;
  /** Frames of the numbers up to `toSeq`, in one piece. */
  deliver(chunk: Buffer, toSeq: number): void;
}

export class Instance {
  readonly name: string;
  readonly parts: StreamName;
  /** Null for what everybody may hear. */
  readonly accountId: string | null;
  readonly subscribers = new Set<Subscriber>();
  seq = 0;
  /** For the books: which state of the market the number belongs to. */
  version = 0;
  /** Since when nobody listens; null while somebody does. */
  idleSinceMs: number | null = null;
  /** Whether messages are kept for replay: once somebody has listened, until long after. */
  isKept = false;
  /** Everything after this number can be replayed. */
  #floor = 0;
  #entries: Entry[] = [];
  #start = 0;
  #pending: Buffer[] = [];
  #pendingEntries: Entry[] = [];
  /** Whether something pending differs by language. */
  #hasWords = false;

  constructor(name: string, parts: StreamName, accountId: string | null) {
    this.name = name;
    this.parts = parts;
    this.accountId = accountId;
  }

  add(message: Message): Entry {
    this.seq += 1;
    const entry: Entry = { ...message, seq: this.seq };
    if (this.isKept) this.#entries.push(entry);
    else this.#floor = this.seq;
    if (this.subscribers.size > 0) {
      const { type, atMs, data } = message;
      const head = { type, stream: this.name, seq: this.seq };
      this.#pending.push(streamFrame(head, this.seq - 1, atMs, data));
      this.#pendingEntries.push(entry);
      if (message.localized !== undefined) this.#hasWords = true;
    }
    return entry;
  }

  /** Hands everything since the last call to all listeners, in one piece. */
  flush(): void {
    const pending = this.#pending;
    if (pending.length === 0) return;
    this.#pending = [];
    const entries = this.#pendingEntries;
    this.#pendingEntries = [];
    const chunk = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
    if (this.#hasWords) this.#deliverWords(chunk, entries);
    else for (const subscriber of this.subscribers) subscriber.deliver(chunk, this.seq);
    this.#hasWords = false;
  }

  /** To each reader in its language; made once for each that is read. */
  #deliverWords(english: Buffer, entries: readonly Entry[]): void {
    const chunks = new Map<Locale, Buffer>([[defaultLocale, english]]);
    for (const subscriber of this.subscribers) {
      const { locale } = subscriber;
      const chunk = chunks.get(locale) ?? Buffer.concat(originalFrames(this.name, entries, locale));
      chunks.set(locale, chunk);
      subscriber.deliver(chunk, this.seq);
    }
  }

  /** What came after the number, or null if that cannot be told any more. */
  after(seq: number): readonly Entry[] | null {
    if (seq > this.seq || seq < this.#floor) return null;
    return this.#entries.slice(this.#start + (seq - this.#floor));
  }

  get kept(): number {
    return this.#entries.length - this.#start;
  }

  /** Forgets what came up to the number. */
  forget(seq: number): void {
    while (this.#floor < seq && this.kept > 0) {
      this.#floor += 1;
      this.#start += 1;
    }
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Something happened that nobody was told of: the number moves on, and nothing before it can be replayed. */
  skip(): void {
    this.seq += 1;
    this.#floor = this.seq;
    this.#entries = [];
    this.#start = 0;
  }
}
