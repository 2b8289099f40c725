-- Users, sessions, keys and the records beside them. Times are epoch milliseconds.

CREATE TABLE users (
  user_id TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  display_name TEXT,
  referral_code TEXT NOT NULL UNIQUE,
  referrer_id TEXT REFERENCES users (user_id),
  tier TEXT NOT NULL,
  rate_multiplier INTEGER NOT NULL,
  live_account_id TEXT NOT NULL UNIQUE,
  sandbox_account_id TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (user_id),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_end ON sessions (COALESCE(ended_at_ms, expires_at_ms));

-- A key is stored as a salted, peppered hash: nobody who reads this file can use one.
CREATE TABLE keys (
  public_id TEXT PRIMARY KEY,
  salt TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  holder_id TEXT NOT NULL,
  user_id TEXT REFERENCES users (user_id),
  label TEXT NOT NULL,
  permissions TEXT NOT NULL,
  tier TEXT NOT NULL,
  minted_at TEXT NOT NULL CHECK (minted_at IN ('live', 'sandbox')),
  born_self_serve INTEGER NOT NULL,
  rate_multiplier INTEGER NOT NULL,
  live_account_id TEXT NOT NULL,
  sandbox_account_id TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  revoked_at_ms INTEGER,
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_holder ON keys (holder_id, created_at_ms DESC, public_id DESC);
CREATE INDEX keys_by_tier ON keys (tier, public_id);

-- One anonymous key per address and day; the address is a keyed hash whose key changes with the day.
CREATE TABLE mint_claims (
  day INTEGER NOT NULL,
  address_hash TEXT NOT NULL,
  PRIMARY KEY (day, address_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE tier_changes (
  change_id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL,
  field TEXT NOT NULL CHECK (field IN ('tier', 'rate_multiplier')),
  old_value TEXT NOT NULL,
  new_value TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tier_changes_by_subject ON tier_changes (subject, change_id);

-- Answers to platform writes with an Idempotency-Key; secrets are never among them.
CREATE TABLE saved_answers (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX saved_answers_by_age ON saved_answers (at_ms);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
