// Records of compliance: rules as they were loaded, what users declared, who belongs together, and what was flagged.
import type { LaneName } from '@sibyl/engine';

/** One loading of rules. */
export interface RulesRecord {
  /** From 1, without a gap. */
  readonly version: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly content: string;
  readonly actor: string;
  readonly reason: string;
  readonly atMs: number;
}

export type FlagKind = 'wash_trading' | 'sign_ups' | 'faucet';

export interface FlagRecord {
  readonly flagId: string;
  readonly kind: FlagKind;
  readonly ruleId: string;
  /** A user, or the keyed hash of an address. */
  readonly subject: string;
  /** Where it stops the subject; null for both lanes. */
  readonly lane: LaneName | null;
  readonly detail: string;
  readonly blocks: boolean;
  readonly raisedAtMs: number;
  readonly clearedAtMs: number | null;
  readonly clearedBy: string | null;
  readonly clearReason: string | null;
}

/** Somebody came from an address; the key of its hash changes with the day, so that nobody can be followed. */
export interface AddressUse {
  readonly kind: 'sign_up' | 'faucet';
  readonly day: number;
  readonly addressHash: string;
  /** Who came: a user or an account. */
  readonly subject: string;
  readonly atMs: number;
}

export interface FlagPage {
  readonly status: 'open' | 'cleared' | 'all';
  readonly limit: number;
  /** Only those raised before. */
  readonly beforeMs: number;
}

export interface Clearing {
  readonly actor: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface ComplianceStore {
  currentRules(): Promise<RulesRecord | null>;
  /** False if there is a version of this number. */
  addRules(rules: RulesRecord): Promise<boolean>;

  /**
   * Notes that somebody came, unless `max` others have since then: false, and nothing is noted. Who came before is always
   * let through.
   */
  claimAddress(use: AddressUse, max: number, sinceMs: number): Promise<boolean>;
  /** Whether both signed up from one address on one day, not further apart than that. */
  sharedAddress(userId: string, otherId: string, withinMs: number): Promise<boolean>;

  /** The order of the two does not matter. */
  setLink(userId: string, otherId: string, isLinked: boolean): Promise<void>;
  isLinked(userId: string, otherId: string): Promise<boolean>;

  /** False, and nothing is written, if the subject has an open flag of the kind in the lane that stops as much. */
  raiseFlag(flag: FlagRecord): Promise<boolean>;
  /** Newest first. */
  flags(page: FlagPage): Promise<readonly FlagRecord[]>;
  /** Flags of the subject that stop it. */
  blocksOf(subject: string): Promise<readonly FlagRecord[]>;
  /** The first clearing stands; null if there is no such flag. */
  clearFlag(flagId: string, clearing: Clearing): Promise<FlagRecord | null>;
  /** Drops what is known of addresses from before the time. */
  pruneAddresses(beforeMs: number): Promise<void>;
}
