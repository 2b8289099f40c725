-- History of one lane, derived from its journal. Money is in micro-USDT, sizes in lots.

CREATE TABLE cursor (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  last_seq INTEGER NOT NULL
) STRICT;
INSERT INTO cursor (one, last_seq) VALUES (1, 0);

-- Text ids stand in the other tables as numbers.
CREATE TABLE account_name (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE market_name  (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE key_name     (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

-- Many entries per row, by account or market: what one flush has of it, as its tables in projector/ lay it out, packed
-- by differences.
-- Appended, and found by an index: rows in the order of their owners would split a page with every other insert.
CREATE TABLE page (
  kind  INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  first INTEGER NOT NULL,
  cells BLOB NOT NULL,
  texts BLOB
) STRICT;
CREATE UNIQUE INDEX page_place ON page (kind, owner, first);

-- What became of orders after their page was written.
CREATE TABLE order_state (
  account     INTEGER NOT NULL,
  order_id    INTEGER NOT NULL,
  filled_lots INTEGER NOT NULL,
  status      INTEGER NOT NULL,
  reason      INTEGER NOT NULL,
  updated_ms  INTEGER NOT NULL,
  amended     TEXT,
  PRIMARY KEY (account, order_id)
) STRICT, WITHOUT ROWID;

-- Orders by the names that clients gave them: runs of entries sorted by a hash of account and name, cut into blocks.
CREATE TABLE name_run (run INTEGER PRIMARY KEY, entries INTEGER NOT NULL) STRICT;
CREATE TABLE name_block (
  run   INTEGER NOT NULL,
  least INTEGER NOT NULL,
  cells BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX name_block_place ON name_block (run, least);

CREATE TABLE candle (
  market   INTEGER NOT NULL,
  outcome  INTEGER NOT NULL,
  interval INTEGER NOT NULL,
  start_ms INTEGER NOT NULL,
  open     INTEGER NOT NULL,
  high     INTEGER NOT NULL,
  low      INTEGER NOT NULL,
  close    INTEGER NOT NULL,
  volume   INTEGER NOT NULL,
  PRIMARY KEY (market, outcome, interval, start_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_volume (
  day    INTEGER NOT NULL,
  key    INTEGER NOT NULL,
  volume INTEGER NOT NULL,
  PRIMARY KEY (day, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE settlement (
  market   INTEGER PRIMARY KEY,
  accounts INTEGER NOT NULL,
  total    INTEGER NOT NULL
) STRICT;

CREATE TABLE template (
  template_id  TEXT NOT NULL,
  version      INTEGER NOT NULL,
  published_ms INTEGER NOT NULL,
  PRIMARY KEY (template_id, version)
) STRICT, WITHOUT ROWID;

-- Settlement metadata of trades, as JSON; null once it was taken off.
CREATE TABLE chain_data (
  trade_id INTEGER PRIMARY KEY,
  data TEXT
) STRICT;

-- What creators, builders and referrers earned, by UTC day and market; market 0 is none. Money is in micro-USDT.
CREATE TABLE earner_name (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE earning (
  earner   INTEGER NOT NULL,
  day      INTEGER NOT NULL,
  market   INTEGER NOT NULL,
  fills    INTEGER NOT NULL,
  volume   INTEGER NOT NULL,
  accrued  INTEGER NOT NULL,
  returned INTEGER NOT NULL,
  credited INTEGER NOT NULL,
  PRIMARY KEY (earner, day, market)
) STRICT, WITHOUT ROWID;
