// Profiles in memory.
import type { UserRecord } from '../../ports/platform.ts';
import type {
  CreatorWallet,
  ProfileChange,
  ProfileRecord,
  ProfileStore,
} from '../../ports/profiles.ts';

/** Of somebody who has said nothing of themselves. */
const BLANK = {
  walletAddress: null,
  country: null,
  isCountryFixed: false,
  phone: null,
  language: null,
  emailVerifiedAtMs: null,
  lastLoginIp: null,
};

export class MemoryProfileStore implements ProfileStore {
  readonly #users: Map<string, UserRecord>;
  readonly #profiles = new Map<string, ProfileRecord>();

  readonly #changed: (userId: string) => void;

  /** The users themselves, whose names are a part of it. */
  constructor(users: Map<string, UserRecord>, changed: (userId: string) => void) {
    this.#users = users;
    this.#changed = changed;
  }

  async of(userId: string): Promise<ProfileRecord | null> {
    const user = this.#users.get(userId);
    if (user === undefined) return null;
    const { displayName } = user;
    return { ...BLANK, ...this.#profiles.get(userId), userId, displayName };
  }

  verify(userId: string, atMs: number): void {
    const { displayName = null } = this.#users.get(userId) ?? {};
    const before = this.#profiles.get(userId) ?? { ...BLANK, userId, displayName };
    this.#profiles.set(userId, { ...before, emailVerifiedAtMs: atMs });
    this.#changed(userId);
  }

  noteLogin(userId: string, lastLoginIp: string): void {
    const { displayName = null } = this.#users.get(userId) ?? {};
    const before = this.#profiles.get(userId) ?? { ...BLANK, userId, displayName };
    this.#profiles.set(userId, { ...before, lastLoginIp });
  }

  async wallets(): Promise<readonly CreatorWallet[]> {
    return [...this.#users.values()].flatMap(({ userId, accounts }) => {
      const address = this.#profiles.get(userId)?.walletAddress ?? null;
      return address === null ? [] : [{ userId, accounts, address }];
    });
  }

  forget(userId: string): void {
    this.#profiles.delete(userId);
  }

  async change(
    userId: string,
    change: ProfileChange,
    permits: (before: ProfileRecord) => boolean = () => true,
  ): Promise<ProfileRecord | null> {
    const before = await this.of(userId);
    const user = this.#users.get(userId);
    if (before === null || user === undefined || !permits(before)) return null;
    const after = { ...before, ...change };
    this.#profiles.set(userId, after);
    this.#users.set(userId, Object.freeze({ ...user, displayName: after.displayName }));
    this.#changed(userId);
    return after;
  }
}
