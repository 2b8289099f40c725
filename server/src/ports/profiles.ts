// What users say of themselves, beside what the platform must know of them.
import type { LaneName } from '@sibyl/engine';

export interface ProfileRecord {
  readonly userId: string;
  readonly displayName: string | null;
  readonly walletAddress: string | null;
  /** Two letters of ISO 3166-1. */
  readonly country: string | null;
  /** An operator has set the country: the user no longer changes it. */
  readonly isCountryFixed: boolean;
  readonly phone: string | null;
  readonly language: string | null;
  readonly emailVerifiedAtMs: number | null;
  /** Where the last session was begun. */
  readonly lastLoginIp: string | null;
}

export interface CreatorWallet {
  readonly userId: string;
  readonly accounts: Readonly<Record<LaneName, string>>;
  readonly address: string;
}

/** What is left out stays. */
export type ProfileChange = Partial<
  Omit<ProfileRecord, 'userId' | 'emailVerifiedAtMs' | 'lastLoginIp'>
>;

export interface ProfileStore {
  /** Null if there is no such user. */
  of(userId: string): Promise<ProfileRecord | null>;
  /** Of all users who have one. */
  wallets(): Promise<readonly CreatorWallet[]>;
  /** Null, and nothing is changed, if there is no such user or what is there does not permit it. */
  change(
    userId: string,
    change: ProfileChange,
    permits?: (before: ProfileRecord) => boolean,
  ): Promise<ProfileRecord | null>;
}
