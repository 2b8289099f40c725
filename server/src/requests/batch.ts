// Finished requests packed one after the other into memory that is handed to another thread: bytes are copied as they are,
// words that come again and again are numbered, and nothing is read before it is there.
import type { LaneName } from '@sibyl/engine';
import type { FinishedRequest } from '../ports/requests.ts';

/** Of the head of a request, of its body and of the body of its answer. */
const SHOWN_BYTES_MAX = 4_096;
/** More than the head of any answer has. */
const ANSWER_HEAD_MAX = 1_024;
const WORDS = 5;
const REQUEST_ID_MAX = 255;
const FIXED_BYTES = 8 + 4 + 2 + 1 + 2 * WORDS + 1 + REQUEST_ID_MAX + 6 * 4;
const RECORD_BYTES_MAX = FIXED_BYTES + 3 * SHOWN_BYTES_MAX + ANSWER_HEAD_MAX;

const WITHHELD = 1;
const HAS_BODY = 2;
const HAS_ANSWER = 4;
const ANSWER_HAS_HEAD = 8;

/** What is handed over: the memory moves, and comes back when it was read. */
export interface RequestBatch {
  readonly memory: ArrayBuffer;
  readonly length: number;
  readonly words: readonly string[];
  /** Requests by holder that did not fit. */
  readonly dropped: readonly (readonly [holderId: string, count: number])[];
}

export class BatchWriter {
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #words = new Map<string, number>();
  #at = 0;

  constructor(memory: ArrayBuffer) {
    this.#bytes = Buffer.from(memory);
  }

  get length(): number {
    return this.#at;
  }

  get hasRoom(): boolean {
    return this.#at + RECORD_BYTES_MAX <= this.#bytes.length;
  }

  /** To be called where there is room. */
  add(request: FinishedRequest): void {
    const { head, headEnd, body, bodyFrom, answer } = request;
    const bytes = this.#bytes;
    const at = this.#at;
    this.#at = bytes.writeDoubleLE(request.atMs, at);
    this.#at = bytes.writeUInt32LE(Math.min(request.latencyUs, 0xffff_ffff), this.#at);
    this.#at = bytes.writeUInt16LE(request.status, this.#at);
    this.#at = bytes.writeUInt8(flagsOf(request), this.#at);
    this.#word(request.holderId);
    this.#word(request.credential);
    this.#word(request.lane);
    this.#word(request.operation);
    this.#word(request.code);
    this.#plain(request.requestId);
    this.#part(head, 0, headEnd, SHOWN_BYTES_MAX);
    this.#part(body, bodyFrom, body?.length ?? 0, SHOWN_BYTES_MAX);
    this.#part(answer, 0, answer?.length ?? 0, SHOWN_BYTES_MAX + ANSWER_HEAD_MAX);
  }

  finish(dropped: RequestBatch['dropped']): RequestBatch {
    const words = [...this.#words.keys()];
    return { memory: this.#bytes.buffer, length: this.#at, words, dropped };
  }

  #word(word: string): void {
    let number = this.#words.get(word);
    if (number === undefined) {
      number = this.#words.size;
      this.#words.set(word, number);
    }
    this.#at = this.#bytes.writeUInt16LE(number, this.#at);
  }

  /** A short text of ASCII that is there only once. */
  #plain(text: string): void {
    const bytes = this.#bytes;
    const length = bytes.write(text, this.#at + 1, REQUEST_ID_MAX, 'latin1');
    bytes.writeUInt8(length, this.#at);
    this.#at += 1 + length;
  }

  /** How long it is and how much of it follows. */
  #part(source: Buffer | string | null, from: number, to: number, max: number): void {
    const bytes = this.#bytes;
    const start = this.#at + 8;
    let whole = to - from;
    let copied = 0;
    if (typeof source === 'string') {
      whole = Buffer.byteLength(source);
      copied = bytes.write(source, start, Math.min(whole, max), 'utf8');
    } else if (source !== null) {
      copied = source.copy(bytes, start, from, Math.min(to, from + max));
    }
    bytes.writeUInt32LE(whole, start - 8);
    bytes.writeUInt32LE(copied, start - 4);
    this.#at = start + copied;
  }
}

function flagsOf({ isWithheld, body, answer }: FinishedRequest): number {
  const answered = answer === null ? 0 : HAS_ANSWER;
  const headed = Buffer.isBuffer(answer) ? ANSWER_HAS_HEAD : 0;
  return (isWithheld ? WITHHELD : 0) | (body === null ? 0 : HAS_BODY) | answered | headed;
}

/** A request as it was packed; its texts have not been looked at. */
export interface PackedRequest
  extends Pick<FinishedRequest, 'holderId' | 'credential' | 'lane' | 'operation' | 'code'>,
    Pick<FinishedRequest, 'requestId' | 'atMs' | 'latencyUs' | 'status' | 'isWithheld'> {
  readonly head: string;
  readonly body: string | null;
  readonly bodyBytes: number;
  readonly answer: string | null;
  readonly answerBytes: number;
}

export function* requestsOf({ memory, length, words }: RequestBatch): Generator<PackedRequest> {
  const reader = new BatchReader(Buffer.from(memory, 0, length), words);
  while (!reader.isAtEnd) yield reader.read();
}

class BatchReader {
  readonly #bytes: Buffer;
  readonly #words: readonly string[];
  #at = 0;

  constructor(bytes: Buffer, words: readonly string[]) {
    this.#bytes = bytes;
    this.#words = words;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  read(): PackedRequest {
    const bytes = this.#bytes;
    const at = this.#at;
    const flags = bytes.readUInt8(at + 14);
    this.#at = at + 15;
    const named = {
      holderId: this.#word(),
      credential: this.#word(),
      lane: laneOf(this.#word()),
      operation: this.#word(),
      code: this.#word(),
      requestId: this.#plain(),
    };
    const head = this.#part();
    const body = this.#part();
    const answer = this.#part();
    const answerAt = (flags & ANSWER_HAS_HEAD) === 0 ? 0 : answer.bytes.indexOf(HEAD_END) + 4;
    return {
      ...named,
      atMs: bytes.readDoubleLE(at),
      latencyUs: bytes.readUInt32LE(at + 8),
      status: bytes.readUInt16LE(at + 12),
      isWithheld: (flags & WITHHELD) !== 0,
      head: head.bytes.toString('utf8'),
      body: (flags & HAS_BODY) === 0 ? null : textOf(body.bytes),
      bodyBytes: body.whole,
      answer: (flags & HAS_ANSWER) === 0 ? null : textOf(answer.bytes.subarray(answerAt)),
      answerBytes: answer.whole - answerAt,
    };
  }

  #word(): string {
    const word = this.#words[this.#bytes.readUInt16LE(this.#at)]!;
    this.#at += 2;
    return word;
  }

  #plain(): string {
    const start = this.#at + 1;
    this.#at = start + this.#bytes.readUInt8(start - 1);
    return this.#bytes.toString('latin1', start, this.#at);
  }

  #part(): { readonly bytes: Buffer; readonly whole: number } {
    const bytes = this.#bytes;
    const whole = bytes.readUInt32LE(this.#at);
    const start = this.#at + 8;
    this.#at = start + bytes.readUInt32LE(this.#at + 4);
    return { bytes: bytes.subarray(start, this.#at), whole };
  }
}

const HEAD_END = '\r\n\r\n';

/** A character that was cut in two at the end is left out. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, SHOWN_BYTES_MAX);
  return bytes.length >= SHOWN_BYTES_MAX ? text.replace(/\uFFFD+$/, '') : text;
}

function laneOf(word: string): LaneName {
  return word === 'live' ? 'live' : 'sandbox';
}
