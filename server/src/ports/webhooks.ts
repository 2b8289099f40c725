// Webhook endpoints, the events recorded for them, and every attempt to deliver one.
import type { LaneName as Environment } from '@sibyl/engine';
import type { OutboundFailure } from './outbound.ts';
import type { SavedAnswer } from './platform.ts';

export type { Environment };

/** The first two pause it, the others disable it. */
export type DisabledReason = 'owner' | 'password_changed' | 'gone' | 'failing';

export interface EndpointRecord {
  readonly webhookId: string;
  readonly environment: Environment;
  /** Whose events it gets: the account and the accounts below it. */
  readonly accountId: string;
  readonly holderId: string;
  /** What registered it: a key by its public part, the grant of an app, or a session. */
  readonly createdBy: string | null;
  /** What last set its address or its secret anew, in the same way; null if nothing has. */
  readonly changedBy: string | null;
  readonly url: string;
  readonly eventTypes: readonly string[];
  /** Events of other markets are left out; empty lets all through. */
  readonly marketIds: readonly string[];
  /** In micro-USDT: when the free balance counts as low. */
  readonly balanceLowThreshold: bigint;
  readonly description: string;
  /** Null while it is active. */
  readonly disabledReason: DisabledReason | null;
  readonly disabledAtMs: number | null;
  /** Sealed: this store cannot open it. */
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly rotatedAtMs: number | null;
  /** It gets the events of commands after this one. */
  readonly fromSeq: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly health: EndpointHealth;
  /** The number of the last event that was meant for it. */
  readonly lastSequence: number;
  /** Deliveries that are neither done nor given up. */
  readonly pendingCount: number;
}

/** What there is to say of an endpoint that nothing was sent to yet. */
export const UNUSED_ENDPOINT = {
  createdBy: null,
  changedBy: null,
  description: '',
  disabledReason: null,
  disabledAtMs: null,
  previousSecret: null,
  rotatedAtMs: null,
  health: {
    failureStreak: 0,
    failingSinceMs: null,
    lastAttemptAtMs: null,
    lastSuccessAtMs: null,
  },
  lastSequence: 0,
  pendingCount: 0,
} as const satisfies Partial<EndpointRecord>;

export interface EndpointHealth {
  /** Failed attempts since the last success. */
  readonly failureStreak: number;
  /** The first of that streak; null after a success. */
  readonly failingSinceMs: number | null;
  readonly lastAttemptAtMs: number | null;
  readonly lastSuccessAtMs: number | null;
}

export interface EventRecord {
  /** The same for every endpoint, attempt and replay: receivers drop what they have seen by it. */
  readonly eventId: string;
  readonly environment: Environment;
  readonly type: string;
  /** What it is about; two events of one subject are delivered in order. */
  readonly aggregate: string;
  readonly createdAtMs: number;
  /** The `data` of the body, as JSON. */
  readonly data: string;
  readonly isTest: boolean;
}

export interface NewDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: EventRecord;
}

/** `dropped`: its endpoint was not active, or had too much to do; a replay brings it. */
export type DeliveryStatus = 'pending' | 'succeeded' | 'exhausted' | 'dropped';

/** A pending one is `waiting` for an earlier event of its aggregate, untried, or `retrying`. */
export type DeliveryProgress = DeliveryStatus | 'waiting' | 'retrying';

export interface DeliveryRecord {
  /** Grows with every delivery of the store. */
  readonly position: number;
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly event: EventRecord;
  /** Of the event among those of its endpoint. */
  readonly sequence: number;
  /** The delivery whose event is sent again; null for a first one. */
  readonly replayOf: string | null;
  readonly status: DeliveryStatus;
  /** The first pending one of its aggregate: only that one is tried. */
  readonly isHead: boolean;
  readonly attempts: number;
  /** Null when it is done or given up. */
  readonly nextAttemptAtMs: number | null;
  readonly createdAtMs: number;
}

export interface AttemptRecord {
  /** From 1. */
  readonly number: number;
  readonly atMs: number;
  readonly httpStatus: number | null;
  readonly failure: OutboundFailure | null;
  readonly latencyMs: number;
  /** Of the answer's body; null where there was no answer. */
  readonly answerBytes: number | null;
}

/** A batch of the journal's events, and how far in the journal it reaches. */
export interface Intake {
  readonly environment: Environment;
  readonly seq: number;
  readonly deliveries: readonly NewDelivery[];
  readonly atMs: number;
}

/** What an attempt came to, for its delivery and its endpoint together. */
export interface Settlement {
  readonly deliveryId: string;
  readonly attempt: AttemptRecord;
  readonly status: DeliveryStatus;
  readonly nextAttemptAtMs: number | null;
  /** Called within the transaction with the endpoint as it is. */
  readonly judge: (endpoint: EndpointRecord) => Verdict;
}

/** What an endpoint is worth after an attempt. */
export interface Verdict {
  readonly health: EndpointHealth;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAtMs: number | null;
}

export interface EndpointChange {
  readonly changedBy?: string | null;
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly marketIds?: readonly string[];
  readonly balanceLowThreshold?: bigint;
  readonly description?: string;
  readonly disabledReason?: DisabledReason | null;
  readonly disabledAtMs?: number | null;
  readonly secret?: string;
  readonly previousSecret?: string | null;
  readonly rotatedAtMs?: number | null;
  readonly health?: EndpointHealth;
  readonly updatedAtMs: number;
}

export interface DeliveryPage {
  readonly limit: number;
  /** Null begins with the newest. */
  readonly beforePosition: number | null;
  /** Looks no further back. */
  readonly fromPosition?: number;
  readonly status: DeliveryProgress | null;
  readonly eventType: string | null;
}

/** What a pending delivery is doing, or how it ended. */
export function progressOf(
  delivery: Pick<DeliveryRecord, 'status' | 'isHead' | 'attempts'>,
): DeliveryProgress {
  const { status, isHead, attempts } = delivery;
  if (status !== 'pending') return status;
  if (!isHead) return 'waiting';
  return attempts === 0 ? 'pending' : 'retrying';
}

export type EndpointAdded = 'added' | 'full' | 'taken';

export interface WebhookStore {
  /**
   * `full` if the account has `accountMax` already, counted in the same transaction; `taken` if it has one with this URL in this
   * environment. Nothing is added then.
   */
  addEndpoint(
    endpoint: EndpointRecord,
    saved?: SavedAnswer,
    accountMax?: number,
  ): Promise<EndpointAdded>;
  endpoint(webhookId: string): Promise<EndpointRecord | null>;
  /** Newest first, then by id; after the given place. */
  endpointsOf(accountId: string, page: EndpointPage): Promise<readonly EndpointRecord[]>;
  /** All of an environment, active or not: what the journal's events are matched against. */
  endpointsIn(environment: Environment): Promise<readonly EndpointRecord[]>;
  /** Pending deliveries of an endpoint that ceases to be active are dropped. Null if there is none; `taken` if another endpoint of the account has the new URL. */
  changeEndpoint(
    webhookId: string,
    change: EndpointChange,
    saved?: SavedAnswer,
  ): Promise<EndpointRecord | 'taken' | null>;
  /** With all its deliveries. */
  removeEndpoint(webhookId: string, saved?: SavedAnswer): Promise<boolean>;

  /** How far in the journal events have been recorded; null before the first batch. */
  cursor(environment: Environment): Promise<number | null>;
  /**
   * Records the events and the place they reach in one transaction. Those of an endpoint that is not active, or has
   * too many pending ones, are recorded as dropped: their numbers are missing at the receiver, so the gap shows.
   */
  take(intake: Intake, pendingMax: number): Promise<void>;
  /** Records events that are not of the journal; those an endpoint has already are passed over. */
  add(deliveries: readonly NewDelivery[], atMs: number, saved?: SavedAnswer): Promise<void>;

  /** Deliveries that may be tried now: the first pending one of its aggregate, and its time has come. */
  due(webhookId: string, nowMs: number, limit: number): Promise<readonly DeliveryRecord[]>;
  /** When something of each active endpoint falls due; endpoints without anything pending are absent. */
  dueTimes(): Promise<ReadonlyMap<string, number>>;
  dueTime(webhookId: string): Promise<number | null>;
  /** Drops what is pending if the verdict disables the endpoint. Null if the delivery or its endpoint is gone. */
  settle(settlement: Settlement): Promise<EndpointRecord | null>;

  delivery(deliveryId: string): Promise<DeliveryRecord | null>;
  /** Newest first. */
  deliveriesOf(webhookId: string, page: DeliveryPage): Promise<readonly DeliveryRecord[]>;
  /** The position so many deliveries further back than the newest before the given one; null if there are not so many. */
  deliveryBack(webhookId: string, before: number | null, count: number): Promise<number | null>;
  /** Of each of the deliveries, in the same order. */
  attemptsOf(deliveryIds: readonly string[]): Promise<readonly (readonly AttemptRecord[])[]>;
  /** First deliveries of events from this time on that are not pending, oldest first. */
  finishedSince(
    webhookId: string,
    sinceMs: number,
    limit: number,
  ): Promise<readonly DeliveryRecord[]>;
  /** Sends the events of these deliveries once more, under new delivery ids, in the order given. */
  replay(replays: readonly Replay[], atMs: number, saved?: SavedAnswer): Promise<void>;
  /** A pending delivery is tried at this time, and not later. */
  hasten(deliveryId: string, atMs: number, saved?: SavedAnswer): Promise<void>;

  savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null>;
  /** For refusals, which write nothing else. */
  saveAnswer(saved: SavedAnswer): Promise<void>;
  /** Drops all answers to somebody who has left. */
  forgetAnswers(holderId: string): Promise<void>;
  /** Drops deliveries, events and answers from before the given times; what is still pending is given up first. */
  prune(deliveriesBeforeMs: number, answersBeforeMs: number): Promise<void>;
  /** A whole copy while in use, for a backup. */
  copyTo(file: string): Promise<void>;
  close(): Promise<void>;
}

export interface Replay {
  readonly deliveryId: string;
  readonly of: DeliveryRecord;
}

export interface EndpointPage {
  readonly limit: number;
  readonly after: { readonly createdAtMs: number; readonly webhookId: string } | null;
}
