-- Webhook endpoints, the events recorded for them, deliveries and their attempts. Times are epoch milliseconds.

CREATE TABLE endpoints (
  webhook_id TEXT PRIMARY KEY,
  environment TEXT NOT NULL CHECK (environment IN ('live', 'sandbox')),
  account_id TEXT NOT NULL,
  holder_id TEXT NOT NULL,
  url TEXT NOT NULL,
  event_types TEXT NOT NULL,
  market_ids TEXT NOT NULL,
  balance_low_threshold TEXT NOT NULL,
  description TEXT NOT NULL,
  disabled_reason TEXT,
  disabled_at_ms INTEGER,
  -- Sealed under a key that is not in this file.
  secret TEXT NOT NULL,
  previous_secret TEXT,
  rotated_at_ms INTEGER,
  from_seq INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  failure_streak INTEGER NOT NULL,
  failing_since_ms INTEGER,
  last_attempt_at_ms INTEGER,
  last_success_at_ms INTEGER,
  last_sequence INTEGER NOT NULL,
  pending_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX endpoints_by_url ON endpoints (account_id, environment, url);
CREATE INDEX endpoints_by_account ON endpoints (account_id, created_at_ms DESC, webhook_id DESC);

-- How far in each lane's journal events have been recorded.
CREATE TABLE cursors (
  environment TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  event_id TEXT PRIMARY KEY,
  environment TEXT NOT NULL,
  type TEXT NOT NULL,
  aggregate TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  data TEXT NOT NULL,
  is_test INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX events_by_age ON events (created_at_ms);

-- `is_head` marks the first pending delivery of its chain (an aggregate at an endpoint): only that one is tried.
CREATE TABLE deliveries (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  delivery_id TEXT NOT NULL UNIQUE,
  webhook_id TEXT NOT NULL REFERENCES endpoints (webhook_id) ON DELETE CASCADE,
  event_id TEXT NOT NULL REFERENCES events (event_id),
  sequence INTEGER NOT NULL,
  chain TEXT NOT NULL,
  replay_of TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'exhausted', 'dropped')),
  is_head INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX deliveries_once ON deliveries (webhook_id, event_id) WHERE replay_of IS NULL;
CREATE INDEX deliveries_due ON deliveries (webhook_id, next_attempt_at_ms, position)
  WHERE status = 'pending' AND is_head = 1;
CREATE INDEX deliveries_chain ON deliveries (webhook_id, chain, position) WHERE status = 'pending';
CREATE INDEX deliveries_listed ON deliveries (webhook_id, position DESC);
CREATE INDEX deliveries_by_event ON deliveries (event_id);
CREATE INDEX deliveries_by_age ON deliveries (created_at_ms);

CREATE TABLE attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (delivery_id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  http_status INTEGER,
  failure TEXT,
  latency_ms INTEGER NOT NULL,
  excerpt TEXT NOT NULL,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

-- Answers to writes with an Idempotency-Key; secrets are never among them.
CREATE TABLE saved_answers (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_answers_by_age ON saved_answers (at_ms);
