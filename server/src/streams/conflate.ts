// What a reader that fell behind gets instead of everything: the newest of each kind, under numbers that say so.
import type { Locale } from '@sibyl/contract/locales';
import { streamFrame } from './frame.ts';
import type { BookChange, Entry } from './instance.ts';

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly atMs: number;
  readonly data: string;
}

/**
 * Frames that together cover all numbers from `afterSeq` to the last entry. Of messages with the same key only
 * the last is left, and the changes of a book become one.
 */
export function conflatedFrames(
  stream: string,
  afterSeq: number,
  entries: readonly Entry[],
): readonly Buffer[] {
  const messages = conflate(entries);
  const toSeq = entries.at(-1)?.seq ?? afterSeq;
  const frames: Buffer[] = [];
  let prevSeq = afterSeq;
  for (const [index, { type, seq, atMs, data }] of messages.entries()) {
    const lastSeq = index === messages.length - 1 ? toSeq : seq;
    frames.push(streamFrame({ type, stream, seq: lastSeq }, prevSeq, atMs, data));
    prevSeq = lastSeq;
  }
  return frames;
}

/** The frames as they were. */
export function originalFrames(
  stream: string,
  entries: readonly Entry[],
  locale: Locale,
): readonly Buffer[] {
  return entries.map(({ type, seq, atMs, data, localized }) =>
    streamFrame({ type, stream, seq }, seq - 1, atMs, localized?.[locale] ?? data),
  );
}

function conflate(entries: readonly Entry[]): readonly Message[] {
  const changes = new Map<string, BookChange[]>();
  const last = new Map<string, Entry>();
  for (const entry of entries) {
    const { change, key } = entry;
    if (change !== undefined) {
      const book = bookOf(change);
      const known = changes.get(book);
      if (known === undefined) changes.set(book, [change]);
      else known.push(change);
      last.set(`book ${book}`, entry);
    } else if (key !== null) {
      last.set(key, entry);
    }
  }
  const messages: Message[] = [];
  for (const entry of entries) {
    const { change, key, type, seq, atMs, data } = entry;
    const lastKey = change === undefined ? key : `book ${bookOf(change)}`;
    if (lastKey !== null && last.get(lastKey) !== entry) continue;
    const joined = change === undefined ? null : joinChanges(changes.get(bookOf(change)) ?? []);
    const isChange = joined !== null && joined.bids.length + joined.asks.length > 0;
    // What a book summed to on the way is of no use once its changes are one.
    if (isChange) messages.push({ type: 'orderbook_delta', seq, atMs, data: changeData(joined) });
    else messages.push({ type, seq, atMs, data });
  }
  return messages;
}

function bookOf({ marketId, outcomeId }: BookChange): string {
  return `${marketId}:${outcomeId}`;
}

export function changeData(change: BookChange): string {
  return JSON.stringify({
    market_id: change.marketId,
    outcome_id: change.outcomeId,
    seq: change.seq,
    prev_seq: change.prevSeq,
    bids: change.bids,
    asks: change.asks,
    ts_ms: change.atMs,
  });
}

/** Sizes are absolute, so that the last one of a level is all there is to say. */
function joinChanges(changes: readonly BookChange[]): BookChange {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const bids = new Map<string, string>();
  const asks = new Map<string, string>();
  for (const change of changes) {
    for (const [price, size] of change.bids) bids.set(price, size);
    for (const [price, size] of change.asks) asks.set(price, size);
  }
  return { ...last, prevSeq: first.prevSeq, bids: [...bids], asks: [...asks] };
}
