// One-time links as handlers see them: how one is made, known again, and mailed.
import type { LinkKind } from '../ports/links.ts';
import type { UserRecord } from '../ports/platform.ts';

export interface IssuedLink {
  readonly url: string;
  readonly expiresAtMs: number;
}

export interface OneTimeLinks {
  /** Whether the exchange sends mail at all. */
  readonly areMailed: boolean;
  /** `byHand` if an operator sees it. */
  issue(kind: LinkKind, userId: string, byHand: boolean): Promise<IssuedLink>;
  hashOf(kind: LinkKind, token: string): string;
  /** Mails one to the user, if mail is sent at all, and says until when it is good. */
  mailTo(kind: LinkKind, user: UserRecord): Promise<number>;
  /** Mails one to whoever is found, if anybody is; nobody waits for it. */
  mail(
    kind: LinkKind,
    find: () => Promise<UserRecord | null>,
    acceptLanguage: string | undefined,
  ): void;
}
