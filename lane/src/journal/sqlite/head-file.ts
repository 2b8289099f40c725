// A second witness of where the journal ends: SQLite drops a damaged end of its log without a word.
import { hash as digestOf } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { ownFile } from '@sibyl/storage';

const BYTES = 128;

export interface Witnessed {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Written in place after each commit and never synced again: what survives a power cut is some earlier head, and
 * the journal holds every earlier head. One sector, so it is never torn.
 */
export class HeadFile {
  readonly #descriptor: number;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    ownFile(file);
    this.#descriptor = openSync(file, 'r+');
  }

  /** Null when nothing was witnessed yet. */
  read(): Witnessed | null {
    const bytes = Buffer.alloc(BYTES);
    const length = readSync(this.#descriptor, bytes, 0, BYTES, 0);
    if (length === 0 || bytes.every((byte) => byte === 0)) return null;
    const text = bytes.toString('latin1', 0, length);
    const match = /^head (\d{15}) ([0-9a-f]{64}) ([0-9a-f]{16})\n\s*$/.exec(text);
    if (match === null || text !== compose(Number(match[1]), match[2]!)) {
      throw new Error(
        `${this.#file} is damaged; move it aside and check the journal with \`sibyl verify\`: if that finds it whole, start again, which makes the file anew`,
      );
    }
    return { seq: Number(match[1]), hash: match[2]! };
  }

  write(seq: number, hash: string): void {
    writeSync(this.#descriptor, compose(seq, hash), 0, 'latin1');
  }

  sync(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function compose(seq: number, hash: string): string {
  const statement = `head ${`${seq}`.padStart(15, '0')} ${hash}`;
  const check = digestOf('sha256', statement, 'hex').slice(0, 16);
  return `${statement} ${check}\n`.padEnd(BYTES);
}
