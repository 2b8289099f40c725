// The end of a user in memory.
import type { ClosingStore, KeptExclusion, Member } from '../../ports/closing.ts';
import type { KeyRecord, SavedAnswer, SessionRecord, UserRecord } from '../../ports/platform.ts';
import type { MemoryAppStore } from './apps.ts';
import type { MemoryBuilderStore } from './builders.ts';
import type { MemoryDestinationStore } from './destinations.ts';
import type { MemoryFactorStore } from './factors.ts';
import type { MemoryGrantStore } from './grants.ts';
import type { MemoryLetterStore } from './letters.ts';
import type { MemoryLinkStore } from './links.ts';
import type { MemoryProfileStore } from './profiles.ts';

/** The parts of the store that know a person. */
export interface KnownPeople {
  readonly users: Map<string, UserRecord>;
  readonly sessions: Map<string, SessionRecord>;
  readonly answers: Map<string, SavedAnswer>;
  readonly keys: ReadonlyMap<string, KeyRecord>;
  readonly factors: MemoryFactorStore;
  readonly profiles: MemoryProfileStore;
  readonly links: MemoryLinkStore;
  readonly letters: MemoryLetterStore;
  readonly destinations: MemoryDestinationStore;
  readonly apps: MemoryAppStore;
  readonly builders: MemoryBuilderStore;
  readonly grants: MemoryGrantStore;
  replaceKey(key: KeyRecord): void;
  changed(userId: string): void;
}

export class MemoryClosingStore implements ClosingStore {
  readonly #known: KnownPeople;
  readonly #closed = new Map<string, Member & Pick<UserRecord, 'accounts'>>();

  /** By hash of the address: until when. */
  readonly #exclusions = new Map<string, number>();

  constructor(known: KnownPeople) {
    this.#known = known;
  }

  async erase(
    userId: string,
    atMs: number,
    exclusion: KeptExclusion | null = null,
  ): Promise<boolean> {
    const { users, sessions, answers, keys } = this.#known;
    const user = users.get(userId);
    if (user === undefined) return false;
    users.delete(userId);
    if (exclusion !== null) this.#exclusions.set(exclusion.emailHash, exclusion.untilMs);
    const { referrerId, accounts } = user;
    this.#closed.set(userId, { userId, referrerId, accounts });
    for (const [id, session] of sessions) if (session.userId === userId) sessions.delete(id);
    for (const [name, { scope }] of answers) {
      if (scope.startsWith(`${userId} `)) answers.delete(name);
    }
    this.#known.factors.forget(userId);
    this.#known.profiles.forget(userId);
    this.#known.links.drop(userId);
    this.#known.letters.forget(userId);
    this.#known.builders.forget(userId);
    this.#known.grants.endAll((grant) => grant.userId === userId, 'account_closed', atMs);
    this.#known.grants.endAll((grant) => grant.partnerId === userId, 'partner_closed', atMs);
    this.#known.apps.forget(userId, atMs);
    for (const { destinationId } of await this.#known.destinations.of(userId)) {
      await this.#known.destinations.remove(userId, destinationId);
    }
    this.#known.changed(userId);
    for (const key of keys.values()) {
      if (key.holderId !== userId) continue;
      const revokedAtMs = key.revokedAtMs ?? atMs;
      this.#known.replaceKey({ ...key, label: '', allowedNetworks: [], revokedAtMs });
    }
    return true;
  }

  async excludedUntilMs(emailHash: string, nowMs: number): Promise<number | null> {
    const untilMs = this.#exclusions.get(emailHash) ?? 0;
    return untilMs > nowMs ? untilMs : null;
  }

  async pruneExclusions(beforeMs: number): Promise<void> {
    for (const [emailHash, untilMs] of this.#exclusions) {
      if (untilMs < beforeMs) this.#exclusions.delete(emailHash);
    }
  }

  async memberById(userId: string): Promise<Member | null> {
    return memberOf(this.#known.users.get(userId) ?? this.#closed.get(userId));
  }

  async memberByAccount(accountId: string): Promise<Member | null> {
    const all = [...this.#known.users.values(), ...this.#closed.values()];
    return memberOf(all.find(({ accounts }) => Object.values(accounts).includes(accountId)));
  }
}

function memberOf(known: Member | undefined): Member | null {
  return known === undefined ? null : { userId: known.userId, referrerId: known.referrerId };
}
