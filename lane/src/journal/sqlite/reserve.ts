// Disk space kept back, so that cancels can still be journaled when the disk is full.
import { randomFillSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;

export class Reserve {
  readonly #file: string;
  readonly #bytes: number;
  #isHeld = false;

  constructor(file: string, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** True when the space is set aside; false when the disk does not have it. */
  hold(): boolean {
    if (this.#isHeld) return true;
    if (statSync(this.#file, { throwIfNoEntry: false })?.size === this.#bytes) {
      this.#isHeld = true;
      return true;
    }
    try {
      this.#fill();
    } catch (error) {
      rmSync(this.#file, { force: true });
      if (isNoSpace(error)) return false;
      throw error;
    }
    this.#isHeld = true;
    return true;
  }

  release(): void {
    rmSync(this.#file, { force: true });
    this.#isHeld = false;
  }

  /** Random bytes: a file of zeros takes no space on a file system that compresses. */
  #fill(): void {
    const descriptor = openSync(this.#file, 'w', 0o600);
    try {
      const chunk = randomFillSync(Buffer.alloc(Math.min(CHUNK_BYTES, this.#bytes)));
      for (let written = 0; written < this.#bytes; ) {
        written += writeSync(descriptor, chunk, 0, Math.min(chunk.length, this.#bytes - written));
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

function isNoSpace(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
