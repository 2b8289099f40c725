-- One row per sequenced command; rows are only ever added.
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL,
  ts_ms INTEGER NOT NULL,
  type TEXT NOT NULL,
  ver INTEGER NOT NULL,
  actor TEXT NOT NULL,
  request_id TEXT NOT NULL,
  body TEXT NOT NULL,
  outcome_hash TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

-- One row per writer that ever took the lead.
CREATE TABLE reign (
  epoch INTEGER PRIMARY KEY
) STRICT;
