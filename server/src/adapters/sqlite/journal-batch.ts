// The text of a batch of records: what one commit writes, in one piece, and what reading gives back record by record.
import { JournalCorrupt, type JournalHead, type JournalRecord } from '../../ports/journal.ts';

/** A batch as it goes to the thread that writes it. */
export interface JournalBatch {
  readonly text: string;
  /** Where the chain ends once the batch is durable. */
  readonly tip: JournalHead;
}

/** Null for no records. A text stands behind its length; a link to the record before it in the batch is not written. */
export function batchOf(records: readonly JournalRecord[]): JournalBatch | null {
  const last = records[records.length - 1];
  if (last === undefined) return null;
  let text = '';
  let before: string | null = null;
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index]!;
    text += recordText(record, record.prevHash === before);
    before = record.hash;
  }
  const { seq, hash, tsMs, epoch } = last;
  return { text, tip: { seq, hash, tsMs, epoch } };
}

export function recordsOf(text: string): JournalRecord[] {
  const reader = new BatchReader(text);
  const records: JournalRecord[] = [];
  while (!reader.isAtEnd) records.push(reader.next());
  return records;
}

/** Those of a page of batches that were asked for; the first batch may begin before them. */
export function recordsFrom(texts: readonly string[], fromSeq: number): readonly JournalRecord[] {
  const records = texts.flatMap(recordsOf);
  if (records[0] === undefined || records[0].seq >= fromSeq) return records;
  const wanted = records.filter(({ seq }) => seq >= fromSeq);
  // Whoever reads on after the last one would come here again and again.
  if (wanted.length === 0) throw damaged();
  return wanted;
}

const LINKED = -1;

function recordText(record: JournalRecord, isLinked: boolean): string {
  const { type, actor, requestId, body, outcomeHash, prevHash, hash } = record;
  const link = isLinked ? '' : prevHash;
  return `${record.seq} ${record.epoch} ${record.tsMs} ${record.ver} ${isLinked ? LINKED : prevHash.length} ${type.length} ${actor.length} ${requestId.length} ${body.length} ${outcomeHash.length} ${hash.length} ${link}${type}${actor}${requestId}${body}${outcomeHash}${hash}\n`;
}

class BatchReader {
  readonly #text: string;
  #at = 0;
  #before = '';

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  next(): JournalRecord {
    const seq = this.#number();
    const epoch = this.#number();
    const tsMs = this.#number();
    const ver = this.#number();
    const prevLength = this.#number();
    const typeLength = this.#number();
    const actorLength = this.#number();
    const requestIdLength = this.#number();
    const bodyLength = this.#number();
    const outcomeHashLength = this.#number();
    const hashLength = this.#number();
    const prevHash = prevLength === LINKED ? this.#before : this.#piece(prevLength);
    const type = this.#piece(typeLength);
    const actor = this.#piece(actorLength);
    const requestId = this.#piece(requestIdLength);
    const body = this.#piece(bodyLength);
    const outcomeHash = this.#piece(outcomeHashLength);
    const hash = this.#piece(hashLength);
    if (this.#piece(1) !== '\n') throw damaged();
    this.#before = hash;
    return { seq, epoch, tsMs, type, ver, actor, requestId, body, outcomeHash, prevHash, hash };
  }

  #number(): number {
    const space = this.#text.indexOf(' ', this.#at);
    const digits = space === -1 ? '' : this.#text.slice(this.#at, space);
    const value = Number(digits);
    if (digits === '' || !Number.isSafeInteger(value)) throw damaged();
    this.#at = space + 1;
    return value;
  }

  #piece(length: number): string {
    const from = this.#at;
    this.#at = from + length;
    if (length < 0 || this.#at > this.#text.length) throw damaged();
    return this.#text.slice(from, this.#at);
  }
}

function damaged(): JournalCorrupt {
  return new JournalCorrupt('a batch of the journal is not what was written');
}
