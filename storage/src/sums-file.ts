// The file of checksums beside a SQLite file: a header, then blocks of sums, each of one sector and with a check of its own.
import { hash as digestOf } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** What the sums speak of. */
export interface SumsHeader {
  readonly pageBytes: number;
  /** Pages of the main file. */
  readonly pages: number;
  /** The log of which so many frames were durable; none while nothing is known of it. */
  readonly salts: string;
  readonly frames: number;
  readonly place: Place;
}

/**
 * `moved`: the main file holds that log, and the sums describe the main file. `behind`: the main file holds that log, and a
 * commit since may have changed pages. `kept`: as `behind`, but the frames may be in the log alone.
 */
export type Place = 'moved' | 'behind' | 'kept';

/** One sector, so that a power cut leaves the old block or the new one. */
const BLOCK_BYTES = 512;
const SUMS_PER_BLOCK = BLOCK_BYTES / 4 - 1;
const HEADER =
  /^sums 1 (\d{1,5}) (\d{1,10}) ([0-9a-f]{16}) (\d{1,10}) (moved|behind|kept) ([0-9a-f]{16}) *\n$/;

export class SumsFile {
  readonly file: string;
  readonly #isSynced: boolean;
  #descriptor: number | null = null;
  #sums = new Uint32Array(SUMS_PER_BLOCK);
  /** Blocks that the disk does not have as they are here. */
  readonly #unwritten = new Set<number>();
  /** What was read, by its digest. */
  #read = '';

  constructor(file: string, isSynced: boolean) {
    this.file = file;
    this.#isSynced = isSynced;
  }

  /** Null where there is none. */
  read(): SumsHeader | 'damaged' | null {
    const bytes = this.#bytes();
    this.#read = digestOf('sha256', bytes);
    if (bytes.length === 0) return null;
    const header = parseHeader(bytes);
    if (header === null) return 'damaged';
    const blocks = Math.ceil(header.pages / SUMS_PER_BLOCK);
    this.#hold(header.pages);
    for (let block = 0; block < blocks; block += 1) {
      const start = (block + 1) * BLOCK_BYTES;
      const end = start + SUMS_PER_BLOCK * 4;
      if (end + 4 > bytes.length || bytes.readUInt32LE(end) !== checkOf(bytes, start, end, block)) {
        return 'damaged';
      }
      for (let index = 0; index < SUMS_PER_BLOCK; index += 1) {
        this.#sums[block * SUMS_PER_BLOCK + index] = bytes.readUInt32LE(start + index * 4);
      }
    }
    return header;
  }

  /** Whether somebody else has written it since it was read here. */
  hasChanged(): boolean {
    return digestOf('sha256', this.#bytes()) !== this.#read;
  }

  get(page: number): number {
    return this.#sums[page - 1] ?? 0;
  }

  set(page: number, sum: number): void {
    this.#hold(page);
    this.#sums[page - 1] = sum;
    this.#unwritten.add(Math.floor((page - 1) / SUMS_PER_BLOCK));
  }

  /** On the disk when it returns, blocks and header. What fails here stays unwritten until the next call. */
  write(header: SumsHeader): void {
    this.writeHeader(header);
    for (const block of this.#unwritten)
      this.#writeAt((block + 1) * BLOCK_BYTES, this.#block(block));
    if (this.#isSynced) fsyncSync(this.#opened());
    this.#unwritten.clear();
  }

  /** Not synced: a power cut leaves this header or the one before. */
  writeHeader(header: SumsHeader): void {
    this.#writeAt(0, Buffer.from(composeHeader(header), 'latin1'));
  }

  get hasUnwritten(): boolean {
    return this.#unwritten.size > 0;
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #bytes(): Buffer {
    return existsSync(this.file) ? readFileSync(this.file) : Buffer.alloc(0);
  }

  #block(block: number): Buffer {
    const bytes = Buffer.alloc(BLOCK_BYTES);
    for (let index = 0; index < SUMS_PER_BLOCK; index += 1) {
      bytes.writeUInt32LE(this.#sums[block * SUMS_PER_BLOCK + index] ?? 0, index * 4);
    }
    const end = SUMS_PER_BLOCK * 4;
    bytes.writeUInt32LE(checkOf(bytes, 0, end, block), end);
    return bytes;
  }

  #hold(pages: number): void {
    if (pages <= this.#sums.length) return;
    const larger = new Uint32Array(Math.max(pages + SUMS_PER_BLOCK, this.#sums.length * 2));
    larger.set(this.#sums);
    this.#sums = larger;
  }

  #writeAt(position: number, bytes: Buffer): void {
    writeSync(this.#opened(), bytes, 0, bytes.length, position);
  }

  #opened(): number {
    if (this.#descriptor === null) {
      closeSync(openSync(this.file, 'a', 0o600));
      this.#descriptor = openSync(this.file, 'r+');
    }
    return this.#descriptor;
  }
}

function composeHeader(header: SumsHeader): string {
  const { pageBytes, pages, salts, frames, place } = header;
  const statement = `sums 1 ${pageBytes} ${pages} ${salts} ${frames} ${place}`;
  const check = digestOf('sha256', statement, 'hex').slice(0, 16);
  return `${`${statement} ${check}`.padEnd(BLOCK_BYTES - 1)}\n`;
}

function parseHeader(bytes: Buffer): SumsHeader | null {
  const text = bytes.toString('latin1', 0, BLOCK_BYTES);
  const match = HEADER.exec(text);
  if (match === null) return null;
  const [, pageBytes, pages, salts, frames, place] = match;
  const header = {
    pageBytes: Number(pageBytes),
    pages: Number(pages),
    salts: salts!,
    frames: Number(frames),
    place: place as Place,
  };
  return text === composeHeader(header) ? header : null;
}

/** The block's number is part of it: one block in the place of another does not pass. */
function checkOf(bytes: Buffer, start: number, end: number, block: number): number {
  return crc32(bytes.subarray(start, end), block);
}
