// Tells users by mail what was done to their accounts, in the language that they have chosen.
import type { Clock } from '@sibyl/lane';
import type { SecurityLetters } from '../handling/security-letters.ts';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import { localeFor } from './language.ts';
import { factorsRemovedLetter, guessedLetter } from './letters.ts';
import type { Mailer } from './mailer.ts';

interface SecurityLetterParts {
  readonly platform: Pick<PlatformStore, 'profiles'>;
  readonly clock: Clock;
  /** Null where no mail is sent. */
  readonly mailer: Mailer | null;
}

/** Whoever did not ask for it should still hear of it after a week without a server of mail. */
const OF_USE_MS = 7 * 86_400_000;

export class MailedLetters implements SecurityLetters {
  readonly #parts: SecurityLetterParts;

  constructor(parts: SecurityLetterParts) {
    this.#parts = parts;
  }

  guessed(find: () => Promise<UserRecord | null>): void {
    const { platform, clock, mailer } = this.#parts;
    const expiresAtMs = clock.wallMs() + OF_USE_MS;
    mailer?.later(async () => {
      const user = await find();
      if (user === null || user.isDemo) return null;
      const { userId, email } = user;
      const profile = await platform.profiles.of(userId);
      const locale = localeFor(profile?.language ?? null, undefined);
      return { userId, letter: { to: email, ...guessedLetter(locale) }, expiresAtMs };
    });
  }

  factorsRemoved({ userId, email }: UserRecord, heldUntilMs: number): boolean {
    const { platform, clock, mailer } = this.#parts;
    if (mailer === null) return false;
    const expiresAtMs = clock.wallMs() + OF_USE_MS;
    mailer.later(async () => {
      const profile = await platform.profiles.of(userId);
      const locale = localeFor(profile?.language ?? null, undefined);
      const letter = { to: email, ...factorsRemovedLetter(locale, minuteOf(heldUntilMs)) };
      return { userId, letter, expiresAtMs };
    });
    return true;
  }
}

/** Such as 2026-11-15 12:00 UTC: nobody knows where the reader is. */
function minuteOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
