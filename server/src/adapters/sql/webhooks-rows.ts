// Rows of the webhook store and the records they stand for.
import type { OutboundFailure } from '../../ports/outbound.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
  DeliveryStatus,
  DisabledReason,
  EndpointRecord,
  Environment,
  EventRecord,
} from '../../ports/webhooks.ts';

export interface EndpointRow {
  readonly webhook_id: string;
  readonly environment: Environment;
  readonly account_id: string;
  readonly holder_id: string;
  readonly created_by: string | null;
  readonly changed_by: string | null;
  readonly url: string;
  readonly event_types: string;
  readonly market_ids: string;
  readonly balance_low_threshold: string;
  readonly description: string;
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at_ms: number | null;
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly rotated_at_ms: number | null;
  readonly from_seq: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly failure_streak: number;
  readonly failing_since_ms: number | null;
  readonly last_attempt_at_ms: number | null;
  readonly last_success_at_ms: number | null;
  readonly last_sequence: number;
  readonly pending_count: number;
}

export function endpointRow(endpoint: EndpointRecord): EndpointRow {
  const { health } = endpoint;
  return {
    webhook_id: endpoint.webhookId,
    environment: endpoint.environment,
    account_id: endpoint.accountId,
    holder_id: endpoint.holderId,
    created_by: endpoint.createdBy,
    changed_by: endpoint.changedBy,
    url: endpoint.url,
    event_types: JSON.stringify(endpoint.eventTypes),
    market_ids: JSON.stringify(endpoint.marketIds),
    balance_low_threshold: `${endpoint.balanceLowThreshold}`,
    description: endpoint.description,
    disabled_reason: endpoint.disabledReason,
    disabled_at_ms: endpoint.disabledAtMs,
    secret: endpoint.secret,
    previous_secret: endpoint.previousSecret,
    rotated_at_ms: endpoint.rotatedAtMs,
    from_seq: endpoint.fromSeq,
    created_at_ms: endpoint.createdAtMs,
    updated_at_ms: endpoint.updatedAtMs,
    failure_streak: health.failureStreak,
    failing_since_ms: health.failingSinceMs,
    last_attempt_at_ms: health.lastAttemptAtMs,
    last_success_at_ms: health.lastSuccessAtMs,
    last_sequence: endpoint.lastSequence,
    pending_count: endpoint.pendingCount,
  };
}

export function endpointOf(row: EndpointRow): EndpointRecord {
  return {
    webhookId: row.webhook_id,
    environment: row.environment,
    accountId: row.account_id,
    holderId: row.holder_id,
    createdBy: row.created_by,
    changedBy: row.changed_by,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as string[],
    marketIds: JSON.parse(row.market_ids) as string[],
    balanceLowThreshold: BigInt(row.balance_low_threshold),
    description: row.description,
    disabledReason: row.disabled_reason,
    disabledAtMs: row.disabled_at_ms,
    secret: row.secret,
    previousSecret: row.previous_secret,
    rotatedAtMs: row.rotated_at_ms,
    fromSeq: row.from_seq,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    health: {
      failureStreak: row.failure_streak,
      failingSinceMs: row.failing_since_ms,
      lastAttemptAtMs: row.last_attempt_at_ms,
      lastSuccessAtMs: row.last_success_at_ms,
    },
    lastSequence: row.last_sequence,
    pendingCount: row.pending_count,
  };
}

/** An event as its table has it. */
export interface EventColumns {
  readonly event_id: string;
  readonly environment: Environment;
  readonly type: string;
  readonly aggregate: string;
  readonly created_at_ms: number;
  readonly data: string;
  readonly is_test: number;
}

export function eventColumns(event: EventRecord): EventColumns {
  return {
    event_id: event.eventId,
    environment: event.environment,
    type: event.type,
    aggregate: event.aggregate,
    created_at_ms: event.createdAtMs,
    data: event.data,
    is_test: event.isTest ? 1 : 0,
  };
}

/** A delivery as its table has it, but for its position. */
export interface DeliveryColumns {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly sequence: number;
  readonly chain: string;
  readonly replay_of: string | null;
  readonly status: DeliveryStatus;
  readonly is_head: number;
  readonly attempts: number;
  readonly next_attempt_at_ms: number | null;
  readonly created_at_ms: number;
}

/** A delivery and its event in one row. */
export interface DeliveryRow extends DeliveryColumns, Omit<EventColumns, 'created_at_ms'> {
  readonly position: number;
  readonly event_at_ms: number;
}

export function deliveryOf(row: DeliveryRow): DeliveryRecord {
  return {
    position: row.position,
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    event: {
      eventId: row.event_id,
      environment: row.environment,
      type: row.type,
      aggregate: row.aggregate,
      createdAtMs: row.event_at_ms,
      data: row.data,
      isTest: row.is_test === 1,
    },
    sequence: row.sequence,
    replayOf: row.replay_of,
    status: row.status,
    isHead: row.is_head === 1,
    attempts: row.attempts,
    nextAttemptAtMs: row.next_attempt_at_ms,
    createdAtMs: row.created_at_ms,
  };
}

export interface AttemptRow {
  readonly number: number;
  readonly at_ms: number;
  readonly http_status: number | null;
  readonly failure: OutboundFailure | null;
  readonly latency_ms: number;
  readonly answer_bytes: number | null;
}

export function attemptOf(row: AttemptRow): AttemptRecord {
  return {
    number: row.number,
    atMs: row.at_ms,
    httpStatus: row.http_status,
    failure: row.failure,
    latencyMs: row.latency_ms,
    answerBytes: row.answer_bytes,
  };
}
