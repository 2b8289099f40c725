// One-time links in memory.
import type { LinkKind, LinkRecord, LinkStore, PasswordReset } from '../../ports/links.ts';
import type { PasswordChanged } from '../../ports/platform.ts';

/** What a link changes when it is used. */
export interface LinkEffects {
  verified(userId: string, atMs: number): void;
  passwordSet(link: LinkRecord, reset: PasswordReset): PasswordChanged;
}

export class MemoryLinkStore implements LinkStore {
  readonly #links = new Map<string, LinkRecord>();
  readonly #effects: LinkEffects;

  constructor(effects: LinkEffects) {
    this.#effects = effects;
  }

  async add(link: LinkRecord): Promise<void> {
    if (link.kind === 'reset_password') this.drop(link.userId, link.kind);
    this.#links.set(link.tokenHash, Object.freeze({ ...link }));
  }

  async find(kind: LinkKind, tokenHash: string, nowMs: number): Promise<LinkRecord | null> {
    return this.#good(kind, tokenHash, nowMs);
  }

  async confirmEmail(tokenHash: string, atMs: number): Promise<string | null> {
    const link = this.#good('verify_email', tokenHash, atMs);
    if (link === null) return null;
    this.drop(link.userId, link.kind);
    this.#effects.verified(link.userId, atMs);
    return link.userId;
  }

  async resetPassword(reset: PasswordReset): Promise<PasswordChanged | null> {
    const link = this.#good('reset_password', reset.tokenHash, reset.atMs);
    if (link === null) return null;
    this.drop(link.userId, link.kind);
    return this.#effects.passwordSet(link, reset);
  }

  async prune(beforeMs: number): Promise<void> {
    for (const { tokenHash, expiresAtMs } of this.#links.values()) {
      if (expiresAtMs < beforeMs) this.#links.delete(tokenHash);
    }
  }

  /** Of one kind, or all. */
  drop(userId: string, kind?: LinkKind): void {
    for (const link of this.#links.values()) {
      const isMeant = link.userId === userId && (kind ?? link.kind) === link.kind;
      if (isMeant) this.#links.delete(link.tokenHash);
    }
  }

  #good(kind: LinkKind, tokenHash: string, nowMs: number): LinkRecord | null {
    const link = this.#links.get(tokenHash);
    return link?.kind === kind && link.expiresAtMs > nowMs ? link : null;
  }
}
