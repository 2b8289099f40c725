// How much of snapshots one address is sent: enough for everything at once, and after that so much a second.
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';

/** A piece costs as much as so many bytes even if it is small: making it is work, too. */
const PIECE_BYTES = 1_024;

const { snapshotBytesBurst, snapshotBytesPerSecond } = limits.socket;

export class SnapshotAllowance {
  readonly #clock: Clock;
  readonly #burst: number;
  #bytes: number;
  #filledAtMs: number;

  constructor(clock: Clock, burst: number = snapshotBytesBurst) {
    this.#clock = clock;
    this.#burst = burst;
    this.#bytes = burst;
    this.#filledAtMs = clock.monotonicMs();
  }

  /** Nothing of it is used: it need not be remembered. */
  get isWhole(): boolean {
    this.#fill();
    return this.#bytes >= this.#burst;
  }

  /** A piece was sent; it may take more than there was, which the next one waits for. */
  spend(bytes: number): void {
    this.#fill();
    this.#bytes -= bytes + PIECE_BYTES;
  }

  /** Whether something may be sent now. */
  get hasRoom(): boolean {
    return this.#waitMs() <= 0;
  }

  /** Resolves when the next piece may be sent. */
  async room(): Promise<void> {
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) {
      await new Promise<void>((resolve) => {
        this.#clock.setAlarm(waitMs, resolve);
      });
    }
  }

  #waitMs(): number {
    this.#fill();
    return Math.ceil((-this.#bytes * 1_000) / snapshotBytesPerSecond);
  }

  #fill(): void {
    const nowMs = this.#clock.monotonicMs();
    const grown = ((nowMs - this.#filledAtMs) * snapshotBytesPerSecond) / 1_000;
    this.#bytes = Math.min(this.#burst, this.#bytes + grown);
    this.#filledAtMs = nowMs;
  }
}
