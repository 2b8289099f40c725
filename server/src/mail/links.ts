// One-time links: made for somebody, mailed or handed out, and known again by their hashes.
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { IssuedLink, OneTimeLinks } from '../handling/one-time-links.ts';
import type { LinkKind } from '../ports/links.ts';
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import { localeFor } from './language.ts';
import { letterOf } from './letters.ts';
import type { DatedLetter, Mailer } from './mailer.ts';

export interface LinkParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  /** Where the pages are. Never what a request says: whoever sends it would choose where the secret goes. */
  readonly origin: string;
  /** Null where no mail is sent. */
  readonly mailer: Mailer | null;
}

const TOKEN_BYTES = 32;
/** Behind the #, which browsers send to nobody: no log of any server has it. */
const PAGES: Readonly<Record<LinkKind, string>> = {
  verify_email: '/verify',
  reset_password: '/reset',
};
const LIFETIMES_MS: Readonly<Record<LinkKind, number>> = {
  verify_email: limits.mail.verificationMs,
  reset_password: limits.mail.resetMs,
};

export class Links implements OneTimeLinks {
  readonly #parts: LinkParts;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  get areMailed(): boolean {
    return this.#parts.mailer !== null;
  }

  async issue(kind: LinkKind, userId: string, byHand: boolean): Promise<IssuedLink> {
    const { platform, random, clock, origin } = this.#parts;
    const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
    const expiresAtMs = clock.wallMs() + LIFETIMES_MS[kind];
    const tokenHash = this.hashOf(kind, token);
    await platform.links.add({ tokenHash, kind, userId, expiresAtMs, byHand });
    return { url: `${origin}${PAGES[kind]}#${token}`, expiresAtMs };
  }

  hashOf(kind: LinkKind, token: string): string {
    return this.#parts.secrets.digest('token', `link ${kind} ${token}`);
  }

  async mailTo(kind: LinkKind, user: UserRecord): Promise<number> {
    const issued = await this.issue(kind, user.userId, false);
    this.#parts.mailer?.later(() => this.#letter(kind, user, issued, undefined));
    return issued.expiresAtMs;
  }

  mail(
    kind: LinkKind,
    find: () => Promise<UserRecord | null>,
    acceptLanguage: string | undefined,
  ): void {
    this.#parts.mailer?.later(async (): Promise<DatedLetter | null> => {
      const user = await find();
      if (user === null || user.isDemo) return null;
      return this.#letter(kind, user, await this.issue(kind, user.userId, false), acceptLanguage);
    });
  }

  async #letter(
    kind: LinkKind,
    { userId, email }: UserRecord,
    { url, expiresAtMs }: IssuedLink,
    acceptLanguage: string | undefined,
  ): Promise<DatedLetter> {
    const profile = await this.#parts.platform.profiles.of(userId);
    const locale = localeFor(profile?.language ?? null, acceptLanguage);
    return { userId, letter: { to: email, ...letterOf(kind, locale, url) }, expiresAtMs };
  }
}
