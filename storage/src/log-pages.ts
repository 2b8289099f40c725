// SQLite's write-ahead log, read from outside: which pages it holds, and how far it is whole.
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** What a log holds, up to its last whole commit. */
export interface LogPages {
  /** Which log it is: another begins whenever all of one has been moved into the main file. */
  readonly salts: string;
  readonly frames: number;
  readonly pageBytes: number;
  /** Checksums of the newest version of each page. */
  readonly sums: ReadonlyMap<number, number>;
  /** Pages of the main file once all of it is moved there. */
  readonly pages: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALTS_START = 16;
const SALTS_END = 24;
const PAGE_BYTES_AT = 8;
/** The last bit of the first word says in which order the bytes of a word are summed. */
const MAGIC = 0x377f0682;

/** The log of a file that nobody has open, as far as SQLite would take it; null when it would take nothing. */
export function readLog(file: string): LogPages | null {
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  if (bytes.length < HEADER_BYTES) return null;
  const magic = bytes.readUInt32BE(0);
  if ((magic & ~1) !== MAGIC) return null;
  const sum = new LogSum(bytes, (magic & 1) === 0);
  if (!sum.add(0, SALTS_END).isAt(SALTS_END)) return null;
  const frameBytes = FRAME_HEADER_BYTES + bytes.readUInt32BE(PAGE_BYTES_AT);
  let committed = 0;
  for (let frame = 0; ; frame += 1) {
    const start = HEADER_BYTES + frame * frameBytes;
    if (start + frameBytes > bytes.length) break;
    if (!hasSalts(bytes, start)) break;
    sum.add(start, start + 8).add(start + FRAME_HEADER_BYTES, start + frameBytes);
    if (!sum.isAt(start + 16)) break;
    if (bytes.readUInt32BE(start + 4) > 0) committed = frame + 1;
  }
  return committed === 0 ? null : pagesOf(bytes, committed);
}

/** So many frames of the log, which this process has written itself: nobody needs to prove them. */
export function readFrames(file: string, frames: number): LogPages {
  return reading(file, (read) => {
    const pageBytes = read(0, HEADER_BYTES).readUInt32BE(PAGE_BYTES_AT);
    return pagesOf(read(0, HEADER_BYTES + frames * (FRAME_HEADER_BYTES + pageBytes)), frames);
  });
}

export function readSalts(file: string): string {
  return reading(file, (read) => read(SALTS_START, SALTS_END).toString('hex'));
}

function reading<T>(file: string, work: (read: (from: number, to: number) => Buffer) => T): T {
  const descriptor = openSync(file, 'r');
  try {
    return work((from, to) => {
      const bytes = Buffer.allocUnsafe(to - from);
      const length = readSync(descriptor, bytes, 0, bytes.length, from);
      if (length < bytes.length) throw new Error(`${file} is shorter than its own commits`);
      return bytes;
    });
  } finally {
    closeSync(descriptor);
  }
}

function pagesOf(bytes: Buffer, frames: number): LogPages {
  const pageBytes = bytes.readUInt32BE(PAGE_BYTES_AT);
  const startOf = (frame: number): number =>
    HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageBytes);
  const newest = new Map<number, number>();
  for (let frame = 0; frame < frames; frame += 1) {
    newest.set(bytes.readUInt32BE(startOf(frame)), startOf(frame) + FRAME_HEADER_BYTES);
  }
  const sums = new Map<number, number>();
  for (const [page, start] of newest) {
    sums.set(page, crc32(bytes.subarray(start, start + pageBytes)));
  }
  const salts = bytes.toString('hex', SALTS_START, SALTS_END);
  return { salts, frames, pageBytes, sums, pages: bytes.readUInt32BE(startOf(frames - 1) + 4) };
}

function hasSalts(bytes: Buffer, frameStart: number): boolean {
  return bytes.compare(bytes, SALTS_START, SALTS_END, frameStart + 8, frameStart + 16) === 0;
}

/** The running sum that SQLite writes beside the header and beside every frame. */
class LogSum {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #isLittle: boolean;
  #first = 0;
  #second = 0;

  constructor(bytes: Buffer, isLittle: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#isLittle = isLittle;
  }

  add(start: number, end: number): this {
    for (let at = start; at < end; at += 8) {
      const first = this.#view.getUint32(at, this.#isLittle);
      this.#first = (this.#first + first + this.#second) >>> 0;
      const second = this.#view.getUint32(at + 4, this.#isLittle);
      this.#second = (this.#second + second + this.#first) >>> 0;
    }
    return this;
  }

  isAt(offset: number): boolean {
    const bytes = this.#bytes;
    return (
      bytes.readUInt32BE(offset) === this.#first && bytes.readUInt32BE(offset + 4) === this.#second
    );
  }
}
