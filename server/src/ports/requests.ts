// The log of requests that developers read: what goes into it, and what can be asked of it.
import type { LaneName } from '@sibyl/engine';

/** One request and its answer, as they lie in the memory of whoever read and wrote them: to be copied at once. */
export interface FinishedRequest {
  /** The user, or the sandbox account of an anonymous holder. */
  readonly holderId: string;
  /** The public id of a key, or the id of a session; neither is a secret. */
  readonly credential: string;
  readonly lane: LaneName;
  readonly operation: string;
  readonly requestId: string;
  readonly atMs: number;
  readonly latencyUs: number;
  readonly status: number;
  /** The error code, or `ok`. */
  readonly code: string;
  /** The first line and the headers, up to `headEnd`. */
  readonly head: Buffer | string;
  readonly headEnd: number;
  /** From `bodyFrom` on; null where there is none. */
  readonly body: Buffer | null;
  readonly bodyFrom: number;
  /** Bytes of an answer come with its head. */
  readonly answer: Buffer | string | null;
  /** Whether a body is absent because it bears secrets. */
  readonly isWithheld: boolean;
}

export interface LoggedRequest {
  /** Grows with every request. */
  readonly position: number;
  readonly requestId: string;
  readonly atMs: number;
  readonly lane: LaneName;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly latencyUs: number;
  readonly credential: string;
}

export interface RequestRecord extends LoggedRequest {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  readonly bodyBytes: number;
  readonly answer: string | null;
  readonly answerBytes: number;
  readonly isWithheld: boolean;
}

/** Whose requests, and of which lane; null means both. */
export interface RequestOwner {
  readonly holderId: string;
  readonly lane: LaneName | null;
  /** Only what this credential has asked for, if it may see nothing else. */
  readonly ownCredential: string | null;
}

/** Null where it does not matter. */
export interface RequestFilter extends RequestOwner {
  /** The first digit of the status. */
  readonly statusClass: number | null;
  readonly code: string | null;
  readonly method: string | null;
  readonly operation: string | null;
  /** What the path contains. */
  readonly path: string | null;
  readonly credential: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly beforePosition: number | null;
  readonly limit: number;
}

export interface RequestTotals {
  readonly requests: number;
  readonly errors: number;
  readonly dropped: number;
}

export interface RequestSummary {
  readonly today: RequestTotals;
  /** The hour of the given time and the 23 before it. */
  readonly day: RequestTotals;
  /** Null without requests. */
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly codes: readonly {
    readonly code: string;
    readonly count: number;
    readonly lastMs: number;
    readonly requestId: string;
  }[];
  /** Those that had requests. */
  readonly hours: readonly {
    readonly hour: number;
    readonly requests: number;
    readonly errors: number;
  }[];
}

export const HOUR_MS = 3_600_000;

/** Where finished requests go. Nobody waits for it, and it may lose what does not fit. */
export interface RequestSink {
  /** Whether a request of the holder would fit now; one that would not is counted as dropped. */
  admits(holderId: string): boolean;
  add(request: FinishedRequest): void;
}

export interface RequestReader {
  /** Newest first. */
  list(filter: RequestFilter): Promise<readonly LoggedRequest[]>;
  one(owner: RequestOwner, requestId: string): Promise<RequestRecord | null>;
  summary(owner: RequestOwner, nowMs: number): Promise<RequestSummary>;
  /** Everything of somebody who has left, and nothing of them is taken on from now on. */
  forget(holderId: string): Promise<void>;
}
