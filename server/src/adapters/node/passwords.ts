// Passwords with argon2id on the thread pool, a few at a time, and strength judged beside the loop.
import { Worker } from 'node:worker_threads';
import { hash, verify } from '@node-rs/argon2';
import type { Passwords, Strength } from '../../ports/passwords.ts';
import { type Asker, TurnGate, type TurnLimits } from '../../ports/turn-gate.ts';

/** What one hash of argon2id costs whoever makes it, or guesses. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** The second recommendation of OWASP: 19 MiB, two passes, one lane. */
const RECOMMENDED: HashCost = { memoryKib: 19_456, passes: 2 };
const ARGON2ID = 2;

/** Users and strangers: the pool of the process has four threads, one or two of them for operators, and files need some too. */
export const PUBLIC_TURNS: TurnLimits = { running: 2, waiting: 32, perAddress: 2 };
/** Operators who are signed in. */
export const OPERATOR_TURNS: TurnLimits = {
  running: 1,
  waiting: 8,
  perAddress: Number.POSITIVE_INFINITY,
};
/**
 * Sign-ins of operators, who come from one address with all strangers there: a sign-in waits for a while and is not refused. Fewer than
 * an address may have connections (512): closed ones are noticed when the queue is full, and must not fill those before.
 */
const SIGN_IN_TURNS: TurnLimits = { ...OPERATOR_TURNS, waiting: 400 };
/** The judge is one thread, so a second judgement would only wait there. */
const JUDGING = 1;

interface PasswordQueues {
  readonly users: Passwords;
  /** Of the operator plane: for operators who are signed in, and for sign-ins. */
  readonly staff: { readonly passwords: Passwords; readonly signInPasswords: Passwords };
  close(): Promise<void>;
}

/** Three queues: users and strangers never delay operators, and sign-ins never delay operators who are signed in. */
export function passwordQueues(
  { rateMultiplier }: { readonly rateMultiplier: number },
  { passwordCost }: { readonly passwordCost?: HashCost },
): PasswordQueues {
  // A multiplier of 0 switches all limits per address off.
  const perAddress = rateMultiplier === 0 ? Number.POSITIVE_INFINITY : PUBLIC_TURNS.perAddress;
  const users = new NodePasswords({ ...PUBLIC_TURNS, perAddress }, passwordCost);
  const passwords = new NodePasswords(OPERATOR_TURNS, passwordCost);
  const signInPasswords = new NodePasswords(SIGN_IN_TURNS, passwordCost);
  const close = async (): Promise<void> => {
    await Promise.all([users, passwords, signInPasswords].map((queue) => queue.close()));
  };
  return { users, staff: { passwords, signInPasswords }, close };
}

export class NodePasswords implements Passwords {
  readonly #hashing: TurnGate;
  readonly #judging: TurnGate;
  readonly #pending = new Map<number, (strength: Strength | null) => void>();
  #decoy: Promise<string> | null = null;
  #judge: Worker | null = null;
  #judged = 0;
  readonly #options;

  constructor(turns: TurnLimits, { memoryKib, passes }: HashCost = RECOMMENDED) {
    this.#hashing = new TurnGate(turns);
    this.#judging = new TurnGate({ ...turns, running: JUDGING });
    this.#options = {
      algorithm: ARGON2ID,
      parallelism: 1,
      memoryCost: memoryKib,
      timeCost: passes,
    };
  }

  hash(password: string, by: Asker): Promise<string | null> {
    return this.#hashing.run(by, () => hash(password, this.#options));
  }

  verify(stored: string | null, password: string, by: Asker): Promise<boolean | null> {
    return this.#hashing.run(by, async () => {
      // No user has the decoy's password, but checking against it takes as long as a real one.
      this.#decoy ??= hash('no user has this password', this.#options);
      const matches = await verify(stored ?? (await this.#decoy), password, this.#options);
      return stored !== null && matches;
    });
  }

  judge(password: string, about: readonly string[], by: Asker): Promise<Strength | null> {
    return this.#judging.run(by, () => {
      const worker = this.#startJudge();
      this.#judged += 1;
      const id = this.#judged;
      return new Promise<Strength | null>((resolve) => {
        this.#pending.set(id, resolve);
        worker.postMessage({ id, password, about });
      });
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
