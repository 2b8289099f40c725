// Challenges for passkeys: signed by us, so that none has to be kept until it is answered; each is answered once.
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { FactorStore } from '../../ports/factors.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';

const TOKEN_LENGTH = 22;

export interface ChallengeParts {
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  /** Remembers what was answered: neither a restart nor another process makes a challenge good again. */
  readonly platform: { readonly factors: Pick<FactorStore, 'useChallenge'> };
}

export class Challenges {
  readonly #parts: ChallengeParts;

  constructor(parts: ChallengeParts) {
    this.#parts = parts;
  }

  /** `subject` is what it is for: it is good for nothing else. */
  issue(subject: string): string {
    const { random, clock } = this.#parts;
    const start = `${random.token(TOKEN_LENGTH)}.${clock.wallMs() + limits.factors.challengeMs}`;
    return `${start}.${this.#seal(subject, start)}`;
  }

  /** Whether it is one of ours and not over; whether it was answered, only `answer` says. */
  isGood(challenge: string, subject: string): boolean {
    const end = challenge.lastIndexOf('.');
    const start = challenge.slice(0, end);
    if (!this.#parts.secrets.isEqual(challenge.slice(end + 1), this.#seal(subject, start))) {
      return false;
    }
    return untilMsOf(challenge) > this.#parts.clock.wallMs();
  }

  /** False if it was answered before, or somebody was quicker with the same one. */
  async answer(challenge: string, subject: string): Promise<boolean> {
    if (!this.isGood(challenge, subject)) return false;
    const { platform, clock } = this.#parts;
    return platform.factors.useChallenge(challenge, untilMsOf(challenge), clock.wallMs());
  }

  #seal(subject: string, start: string): string {
    return this.#parts.secrets.digest('challenge', `${subject} ${start}`);
  }
}

function untilMsOf(challenge: string): number {
  return Number(challenge.split('.')[1]);
}
