// The prepared statements of the webhook store, each with a name that says what it does.
import type Database from 'better-sqlite3';

const DELIVERY = `d.position, d.delivery_id, d.webhook_id, d.event_id, d.sequence, d.chain, d.replay_of,
  d.status, d.is_head, d.attempts, d.next_attempt_at_ms, d.created_at_ms,
  e.environment, e.type, e.aggregate, e.created_at_ms AS event_at_ms, e.data, e.is_test`;
const FROM_DELIVERIES = 'FROM deliveries d JOIN events e ON e.event_id = d.event_id';

const statements = {
  addEndpoint: `INSERT INTO endpoints VALUES (@webhook_id, @environment, @account_id, @holder_id, @url,
    @event_types, @market_ids, @balance_low_threshold, @description, @disabled_reason, @disabled_at_ms, @secret, @previous_secret,
    @rotated_at_ms, @from_seq, @created_at_ms, @updated_at_ms, @failure_streak, @failing_since_ms,
    @last_attempt_at_ms, @last_success_at_ms, @last_sequence, @pending_count)
    ON CONFLICT DO NOTHING`,
  endpoint: 'SELECT * FROM endpoints WHERE webhook_id = ?',
  endpointByUrl: `SELECT webhook_id FROM endpoints
    WHERE account_id = @account_id AND environment = @environment AND url = @url`,
  endpointsOf: `SELECT * FROM endpoints WHERE account_id = @accountId
    AND (created_at_ms, webhook_id) < (@createdAtMs, @webhookId)
    ORDER BY created_at_ms DESC, webhook_id DESC LIMIT @limit`,
  countOf: 'SELECT COUNT(*) AS count FROM endpoints WHERE account_id = ?',
  endpointsIn: 'SELECT * FROM endpoints WHERE environment = ? ORDER BY webhook_id',
  putEndpoint: `UPDATE endpoints SET url = @url, event_types = @event_types, market_ids = @market_ids,
    balance_low_threshold = @balance_low_threshold, description = @description, disabled_reason = @disabled_reason,
    disabled_at_ms = @disabled_at_ms, secret = @secret,
    previous_secret = @previous_secret, rotated_at_ms = @rotated_at_ms,
    updated_at_ms = @updated_at_ms, failure_streak = @failure_streak,
    failing_since_ms = @failing_since_ms, last_attempt_at_ms = @last_attempt_at_ms,
    last_success_at_ms = @last_success_at_ms WHERE webhook_id = @webhook_id`,
  removeEndpoint: 'DELETE FROM endpoints WHERE webhook_id = ?',
  dropPending: `UPDATE deliveries SET status = 'dropped', is_head = 0, next_attempt_at_ms = NULL
    WHERE webhook_id = ? AND status = 'pending'`,
  clearPending: 'UPDATE endpoints SET pending_count = 0 WHERE webhook_id = ?',

  cursor: 'SELECT seq FROM cursors WHERE environment = ?',
  moveCursor: `INSERT INTO cursors VALUES (@environment, @seq)
    ON CONFLICT (environment) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > seq`,

  addEvent: `INSERT INTO events VALUES (@event_id, @environment, @type, @aggregate, @event_at_ms, @data,
    @is_test) ON CONFLICT DO NOTHING`,
  hasDelivery:
    'SELECT 1 FROM deliveries WHERE webhook_id = ? AND event_id = ? AND replay_of IS NULL',
  countEvent: `UPDATE endpoints SET last_sequence = last_sequence + 1,
    pending_count = pending_count + @pending WHERE webhook_id = @webhookId`,
  countPending:
    'UPDATE endpoints SET pending_count = pending_count + @by WHERE webhook_id = @webhookId',
  addDelivery: `INSERT INTO deliveries (delivery_id, webhook_id, event_id, sequence, chain, replay_of,
    status, is_head, attempts, next_attempt_at_ms, created_at_ms)
    SELECT @deliveryId, @webhookId, @eventId, @sequence, @chain, @replayOf, 'pending',
      NOT EXISTS (SELECT 1 FROM deliveries
        WHERE webhook_id = @webhookId AND chain = @chain AND status = 'pending'),
      0, @atMs, @atMs`,
  addDropped: `INSERT INTO deliveries (delivery_id, webhook_id, event_id, sequence, chain, replay_of,
    status, is_head, attempts, next_attempt_at_ms, created_at_ms)
    VALUES (@deliveryId, @webhookId, @eventId, @sequence, @chain, @replayOf, 'dropped', 0, 0, NULL,
      @atMs)`,

  due: `SELECT ${DELIVERY} ${FROM_DELIVERIES}
    WHERE d.webhook_id = @webhookId AND d.status = 'pending' AND d.is_head = 1
    AND d.next_attempt_at_ms <= @nowMs ORDER BY d.next_attempt_at_ms, d.position LIMIT @limit`,
  dueTimes: `SELECT d.webhook_id, MIN(d.next_attempt_at_ms) AS due_ms FROM deliveries d
    JOIN endpoints w ON w.webhook_id = d.webhook_id AND w.disabled_reason IS NULL
    WHERE d.status = 'pending' AND d.is_head = 1 GROUP BY d.webhook_id`,
  dueTime: `SELECT MIN(next_attempt_at_ms) AS due_ms FROM deliveries
    WHERE webhook_id = ? AND status = 'pending' AND is_head = 1`,
  addAttempt: `INSERT INTO attempts VALUES (@deliveryId, @number, @atMs, @httpStatus, @failure,
    @latencyMs, @answerBytes) ON CONFLICT DO NOTHING`,
  postpone: `UPDATE deliveries SET attempts = @attempts, next_attempt_at_ms = @nextAttemptAtMs
    WHERE delivery_id = @deliveryId`,
  hasten: `UPDATE deliveries SET next_attempt_at_ms = MIN(next_attempt_at_ms, @atMs)
    WHERE delivery_id = @deliveryId AND status = 'pending'`,
  finish: `UPDATE deliveries SET status = @status, is_head = 0, attempts = @attempts,
    next_attempt_at_ms = NULL WHERE delivery_id = @deliveryId`,
  promote: `UPDATE deliveries SET is_head = 1 WHERE position = (SELECT MIN(position) FROM deliveries
    WHERE webhook_id = @webhookId AND chain = @chain AND status = 'pending')`,

  delivery: `SELECT ${DELIVERY} ${FROM_DELIVERIES} WHERE d.delivery_id = ?`,
  deliveriesOf: `SELECT ${DELIVERY} ${FROM_DELIVERIES}
    WHERE d.webhook_id = @webhookId AND d.position < @beforePosition AND d.position >= @fromPosition
    AND (@status IS NULL OR @status = CASE WHEN d.status <> 'pending' THEN d.status
      WHEN d.is_head = 0 THEN 'waiting' WHEN d.attempts = 0 THEN 'pending' ELSE 'retrying' END)
    AND (@eventType IS NULL OR e.type = @eventType)
    ORDER BY d.position DESC LIMIT @limit`,
  deliveryBack: `SELECT position FROM deliveries WHERE webhook_id = @webhookId
    AND position < @beforePosition ORDER BY position DESC LIMIT 1 OFFSET @count`,
  attemptsOf: 'SELECT * FROM attempts WHERE delivery_id = ? ORDER BY number',
  finishedSince: `SELECT ${DELIVERY} ${FROM_DELIVERIES}
    WHERE d.webhook_id = @webhookId AND d.replay_of IS NULL AND d.status <> 'pending'
    AND e.created_at_ms >= @sinceMs ORDER BY d.position LIMIT @limit`,

  savedAnswer: 'SELECT * FROM saved_answers WHERE scope = ? AND key = ? AND at_ms >= ?',
  save: `INSERT INTO saved_answers VALUES (@scope, @key, @bodyHash, @answer, @atMs)
    ON CONFLICT DO UPDATE SET body_hash = excluded.body_hash, answer = excluded.answer,
    at_ms = excluded.at_ms`,
  staleDeliveries: `SELECT ${DELIVERY} ${FROM_DELIVERIES}
    WHERE d.status = 'pending' AND d.created_at_ms < ? ORDER BY d.position LIMIT 1000`,
  pruneDeliveries: "DELETE FROM deliveries WHERE created_at_ms < ? AND status <> 'pending'",
  pruneEvents: `DELETE FROM events WHERE created_at_ms < ?
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_id = events.event_id)`,
  pruneAnswers: 'DELETE FROM saved_answers WHERE at_ms < ?',
} as const;

export type Statements = Readonly<Record<keyof typeof statements, Database.Statement>>;

export function prepareWebhooks(database: Database.Database): Statements {
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Statements;
}
