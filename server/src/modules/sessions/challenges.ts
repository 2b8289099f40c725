// Challenges for passkeys: signed by us, so that none has to be kept until it is answered; each is answered once.
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';

const TOKEN_LENGTH = 22;

export interface ChallengeParts {
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
}

export class Challenges {
  readonly #parts: ChallengeParts;
  /** Those that were answered, with when they would have ended. */
  readonly #answered = new Map<string, number>();

  constructor(parts: ChallengeParts) {
    this.#parts = parts;
  }

  /** `subject` is what it is for: it is good for nothing else. */
  issue(subject: string): string {
    const { random, clock } = this.#parts;
    const start = `${random.token(TOKEN_LENGTH)}.${clock.wallMs() + limits.factors.challengeMs}`;
    return `${start}.${this.#seal(subject, start)}`;
  }

  isGood(challenge: string, subject: string): boolean {
    const end = challenge.lastIndexOf('.');
    const start = challenge.slice(0, end);
    const untilMs = Number(start.slice(start.indexOf('.') + 1));
    if (!this.#parts.secrets.isEqual(challenge.slice(end + 1), this.#seal(subject, start))) {
      return false;
    }
    return untilMs > this.#parts.clock.wallMs() && !this.#answered.has(challenge);
  }

  /** False if somebody was quicker with the same one. */
  answer(challenge: string, subject: string): boolean {
    if (!this.isGood(challenge, subject)) return false;
    const nowMs = this.#parts.clock.wallMs();
    for (const [old, untilMs] of this.#answered) {
      if (untilMs > nowMs) break;
      this.#answered.delete(old);
    }
    this.#answered.set(challenge, nowMs + limits.factors.challengeMs);
    return true;
  }

  #seal(subject: string, start: string): string {
    return this.#parts.secrets.digest('challenge', `${subject} ${start}`);
  }
}
