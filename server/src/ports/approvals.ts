// Acts that wait for a second operator, and the trail of all acts.
import type { OperatorRecord } from './operators.ts';

export interface ApprovalRecord {
  readonly approvalId: string;
  readonly operation: string;
  readonly role: string;
  readonly lane: string | null;
  readonly target: string;
  /** Params and body as JSON. */
  readonly input: string;
  readonly reason: string;
  /** An operator, or `token`. */
  readonly proposedBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When whoever asked may confirm it alone; null where somebody else has to agree. */
  readonly confirmableAtMs: number | null;
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'rejected' | 'withdrawn' | 'expired';
  /** When it was first begun; null as long as it surely never ran. */
  readonly startedAtMs: number | null;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  readonly decidedAtMs: number | null;
  /** As JSON. */
  readonly outcome: string | null;
}

export interface Decision {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface ApprovalStore {
  /** Null if it was added; else what stands in its way, among what waits or runs and is the same operation on the same target. */
  add(
    approval: ApprovalRecord,
    isSame: (other: ApprovalRecord) => boolean,
  ): Promise<ApprovalRecord | null>;
  byId(approvalId: string): Promise<ApprovalRecord | null>;
  /** Newest first. */
  list(state: ApprovalRecord['state'] | null, limit: number): Promise<readonly ApprovalRecord[]>;
  /** What the token asked for becomes what an operator asks for; null if it no longer waits for that. */
  takeOver(
    approvalId: string,
    operatorId: string,
    confirmableAtMs: number | null,
  ): Promise<ApprovalRecord | null>;
  /** To one caller alone: from waiting to running, if that suits the operators as they are at that moment. */
  claim(
    approvalId: string,
    decision: Decision,
    isFit: (operators: readonly OperatorRecord[]) => boolean,
  ): Promise<ApprovalRecord | null>;
  /** From running to what came of it. */
  settle(approvalId: string, state: 'done' | 'failed', outcome: string): Promise<void>;
  /** Ends what waits and never ran. */
  end(
    approvalId: string,
    state: 'rejected' | 'withdrawn' | 'expired',
    decision: Decision,
  ): Promise<ApprovalRecord | null>;
  /** What ran when the process ended waits again: nobody knows whether it was done. */
  reopen(): Promise<void>;
}

/** What is said of an act before it is begun. */
export interface BegunAct {
  readonly requestId: string;
  readonly operatorId: string;
  readonly roles: readonly string[];
  readonly operation: string;
  readonly lane: string | null;
  readonly target: string;
  readonly what: string;
  readonly reason: string | null;
}

export interface EndedAct extends BegunAct {
  readonly atMs: number;
  readonly outcome: string;
}

export interface TrailRecord extends EndedAct {
  readonly seq: number;
  readonly previous: string;
  readonly hash: string;
}

export interface TrailHead {
  readonly seq: number;
  readonly hash: string;
  /** Keyed by the secrets of the data folder, so that nobody without them can write another chain. */
  readonly seal: string;
}

export interface TrailFilter {
  readonly operatorId: string | null;
  readonly operation: string | null;
  readonly lane: string | null;
}

/** The next entry, made while nobody else adds one. */
export type TrailLink = (last: Pick<TrailRecord, 'seq' | 'hash'> | null) => {
  readonly entry: TrailRecord;
  readonly seal: string;
};

/** Only ever longer. */
export interface TrailStore {
  /** Noted before the act, so that one that is cut off leaves a trace. */
  begin(act: BegunAct): Promise<void>;
  /** Adds what is made of the last entry, null for none, at the end of the chain, and drops the note of its request. */
  append(link: TrailLink): Promise<TrailRecord>;
  /** Drops the note of an act that was refused and is not worth an entry. */
  drop(requestId: string): Promise<void>;
  /** Notes of acts that are not in the trail. */
  begun(): Promise<readonly BegunAct[]>;
  read(afterSeq: number, limit: number, filter: TrailFilter): Promise<readonly TrailRecord[]>;
  /** Newest first; from the end if there is nothing that they come before. */
  readBack(
    beforeSeq: number | null,
    limit: number,
    filter: TrailFilter,
  ): Promise<readonly TrailRecord[]>;
  head(): Promise<TrailHead | null>;
}
