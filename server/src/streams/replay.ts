// What all streams of a lane keep for replay: bounded in time, in number per stream, and in bytes altogether.
import { limits } from '@sibyl/contract';
import type { Entry, Instance } from './instance.ts';

interface Kept {
  readonly instance: Instance;
  readonly seq: number;
  readonly atMs: number;
  readonly bytes: number;
}

const { replayWindowMs, replayMessagesMax } = limits.socket;

/** An entry beside its text. */
const OVERHEAD_BYTES = 160;
const REPLAY_BYTES_MAX = 64 * 1024 * 1024;

function lengthOf({ data, localized }: Entry): number {
  if (localized === undefined) return data.length;
  return Object.values(localized).reduce((sum, text) => sum + text.length, 0);
}

export class Replay {
  readonly #bytesMax: number;
  /** In the order of publication: what is oldest goes first. */
  #kept: Kept[] = [];
  #start = 0;
  #bytes = 0;

  constructor(bytesMax = REPLAY_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  keep(instance: Instance, entry: Entry, nowMs: number): void {
    const bytes = lengthOf(entry) + OVERHEAD_BYTES;
    this.#kept.push({ instance, seq: entry.seq, atMs: nowMs, bytes });
    this.#bytes += bytes;
    if (instance.kept > replayMessagesMax) instance.forget(entry.seq - replayMessagesMax);
    this.drop(nowMs);
  }

  drop(nowMs: number): void {
    let oldest = this.#kept[this.#start];
    while (
      oldest !== undefined &&
      (this.#bytes > this.#bytesMax || oldest.atMs < nowMs - replayWindowMs)
    ) {
      oldest.instance.forget(oldest.seq);
      this.#bytes -= oldest.bytes;
      this.#start += 1;
      oldest = this.#kept[this.#start];
    }
    if (this.#start > 4096 && this.#start * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
  }
}
