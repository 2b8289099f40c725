// Passwords with argon2id on the thread pool, a few at a time, and strength judged beside the loop.
import { Worker } from 'node:worker_threads';
import { hash, verify } from '@node-rs/argon2';
import type { Passwords, Strength } from '../../ports/passwords.ts';

/** What one hash of argon2id costs whoever makes it, or guesses. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** The second recommendation of OWASP: 19 MiB, two passes, one lane. */
const RECOMMENDED: HashCost = { memoryKib: 19_456, passes: 2 };
const ARGON2ID = 2;

/** Hashes that run at once: the pool of the process has four threads, and files need some too. */
const RUNNING_MAX = 2;
const WAITING_MAX = 32;
const JUDGING_MAX = 16;

export class NodePasswords implements Passwords {
  readonly #gate = new Gate(RUNNING_MAX, WAITING_MAX);
  readonly #pending = new Map<number, (strength: Strength | null) => void>();
  #decoy: Promise<string> | null = null;
  #judge: Worker | null = null;
  #judged = 0;
  readonly #options;

  constructor({ memoryKib, passes }: HashCost = RECOMMENDED) {
    this.#options = {
      ...{ algorithm: ARGON2ID, parallelism: 1 },
      ...{ memoryCost: memoryKib, timeCost: passes },
    };
  }

  async hash(password: string): Promise<string | null> {
    return this.#gate.run(() => hash(password, this.#options));
  }

  async verify(stored: string | null, password: string): Promise<boolean | null> {
    return this.#gate.run(async () => {
      // Nobody has the decoy's password, but checking against it takes as long as a real one.
      this.#decoy ??= hash('no user has this password', this.#options);
      const matches = await verify(stored ?? (await this.#decoy), password, this.#options);
      return stored !== null && matches;
    });
  }

  judge(password: string, about: readonly string[]): Promise<Strength | null> {
    if (this.#pending.size >= JUDGING_MAX) return Promise.resolve(null);
    const worker = this.#startJudge();
    this.#judged += 1;
    const id = this.#judged;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      worker.postMessage({ id, password, about });
    });
  }

  async close(): Promise<void> {
    await this.#judge?.terminate();
  }

  #startJudge(): Worker {
    if (this.#judge !== null) return this.#judge;
    const worker = new Worker(new URL('./password-judge.ts', import.meta.url));
    worker.unref();
    worker.on('message', ({ id, strength }: { id: number; strength: Strength }) => {
      this.#pending.get(id)?.(strength);
      this.#pending.delete(id);
    });
    worker.on('exit', () => {
      this.#judge = null;
      for (const resolve of this.#pending.values()) resolve(null);
      this.#pending.clear();
    });
    worker.on('error', () => undefined);
    this.#judge = worker;
    return worker;
  }
}

/** Runs a few at once, lets a few wait, and turns the rest away. */
class Gate {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#running >= this.#runningMax) {
      if (this.#waiting.length >= this.#waitingMax) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The place is handed on, not given back, so that nobody slips in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
