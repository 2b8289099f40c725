// Builders: who asked for a track, agreed to what, and what an operator said to it.
import type { SavedAnswer, TierChange } from './platform.ts';

/** What is applied for; each is also the tier that its approval gives. */
export type Track = 'genesis' | 'partner' | 'institutional' | 'trade_capped' | 'trade_full';

export type ApplicationStatus = 'in_review' | 'approved' | 'rejected';

/** The latest of a builder; a new one takes the place of one that was decided. */
export interface ApplicationRecord {
  readonly track: Track;
  readonly status: ApplicationStatus;
  readonly appliedAtMs: number;
  readonly decidedAtMs: number | null;
  /** The operator who decided; never shown to the builder. */
  readonly decidedBy: string | null;
  /** What the reviewer said to the builder. */
  readonly note: string | null;
}

/** Higher rate limits for a while. */
export interface LoadTestGrant {
  readonly multiplier: number;
  readonly endsAtMs: number;
}

/** A multiplier, or by contract no limit of reads and account reads. */
export type AgreedRate = number | 'uncapped';

export interface BuilderRecord {
  readonly userId: string;
  /** Of the person or company, as given with the latest application. */
  readonly name: string;
  readonly website: string | null;
  /** What is to be built. */
  readonly about: string;
  /** Of the agreement that was accepted last. */
  readonly agreementVersion: string;
  readonly agreedAtMs: number;
  readonly application: ApplicationRecord;
  /** The last track that was approved; null while none was. */
  readonly approvedTrack: Track | null;
  /** The name of the last application that was approved: what users are shown, whatever is applied for since. */
  readonly approvedName: string | null;
  readonly approvedAtMs: number | null;
  /** What its keys' rates are multiplied with by agreement, in place of what their tier says; null if nothing was agreed. */
  readonly agreedRate: AgreedRate | null;
  readonly loadTest: LoadTestGrant | null;
  readonly createdAtMs: number;
}

/** What a user sends with an application. */
export interface NewApplication {
  readonly userId: string;
  readonly track: Track;
  readonly name: string;
  readonly website: string | null;
  readonly about: string;
  readonly agreementVersion: string;
  readonly atMs: number;
}

/** `in_review` if one is waiting, `held` if the track is the one that was approved last. */
export type ApplicationAddition = 'added' | 'in_review' | 'held';

export interface Approval {
  readonly userId: string;
  readonly change: TierChange;
  readonly agreedRate: AgreedRate | null;
  readonly note: string | null;
  /** At most so many builders may hold the track. */
  readonly cohortMax: number;
}

/** What stood against a decision. */
export type DecisionRefused = 'no_application' | 'cohort_full';

/** The oldest application first, then by user. */
export interface BuilderPage {
  readonly limit: number;
  readonly status: ApplicationStatus | null;
  readonly after: { readonly appliedAtMs: number; readonly userId: string } | null;
}

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface BuilderStore {
  of(userId: string): Promise<BuilderRecord | null>;
  page(page: BuilderPage): Promise<readonly BuilderRecord[]>;
  /** Those whose last approved track it is. */
  cohort(track: Track): Promise<number>;
  apply(application: NewApplication, saved?: SavedAnswer): Promise<ApplicationAddition>;
  /**
   * The user has the tier of the track from then on, and so have its keys that were minted at the live address, are not
   * revoked and not bound to a subaccount; each is recorded as a change of tier and told. The caller has opened the account
   * that they lead to.
   */
  approve(approval: Approval): Promise<BuilderRecord | DecisionRefused>;
  reject(
    userId: string,
    decision: { readonly by: string; readonly note: string; readonly atMs: number },
  ): Promise<BuilderRecord | DecisionRefused>;
  /** Null takes it back. Told as a change of the user; null if there is no such builder. */
  setLoadTest(userId: string, grant: LoadTestGrant | null): Promise<BuilderRecord | null>;
}
