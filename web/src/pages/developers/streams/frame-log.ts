// The last frames of a connection, newest first. However many come, the page is told at most once a picture.

export interface LoggedFrame {
  readonly id: number;
  readonly atMs: number;
  readonly type: string;
  readonly stream: string | null;
  readonly seq: number | null;
  readonly whole: Readonly<Record<string, unknown>>;
}

export interface LogView {
  readonly frames: readonly LoggedFrame[];
  /** Types there have been so far. */
  readonly types: readonly string[];
  readonly isPaused: boolean;
  /** Frames that came since it was paused. */
  readonly missed: number;
}

export const FRAMES_MAX = 500;

export class FrameLog {
  #kept: LoggedFrame[] = [];
  #nextId = 1;
  #types = new Set<string>();
  #missed = 0;
  #isPaused = false;
  #view: LogView = { frames: [], types: [], isPaused: false, missed: 0 };
  #listeners = new Set<() => void>();
  #picture = 0;

  get view(): LogView {
    return this.#view;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(frame: object): void {
    // Frames have many types; the log shows them as they came.
    const whole = { ...frame } as Readonly<Record<string, unknown>>;
    const type = String(whole.type);
    this.#types.add(type);
    if (this.#isPaused) this.#missed += 1;
    else {
      this.#kept.unshift({
        id: this.#nextId++,
        atMs: Date.now(),
        type,
        stream: typeof whole.stream === 'string' ? whole.stream : null,
        seq: typeof whole.seq === 'number' ? whole.seq : null,
        whole,
      });
      this.#kept.length = Math.min(this.#kept.length, FRAMES_MAX);
    }
    this.#drawSoon();
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#missed = 0;
    this.#drawSoon();
  }

  clear(): void {
    this.#kept = [];
    this.#missed = 0;
    this.#drawSoon();
  }

  #drawSoon(): void {
    if (this.#picture !== 0) return;
    this.#picture = requestAnimationFrame(() => {
      this.#picture = 0;
      this.#view = {
        frames: [...this.#kept],
        types: [...this.#types].sort(),
        isPaused: this.#isPaused,
        missed: this.#missed,
      };
      for (const listener of this.#listeners) listener();
    });
  }
}
