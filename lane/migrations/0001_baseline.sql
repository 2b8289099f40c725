-- One row per commit; rows are only ever added.
CREATE TABLE batch (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  -- Journal time of the last record.
  ts_ms INTEGER NOT NULL,
  -- Every record of the commit, one behind the other.
  records TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  -- SHA-256 over all of the above.
  hash TEXT NOT NULL
) STRICT;

-- One row per writer that ever took the lead.
CREATE TABLE reign (
  epoch INTEGER PRIMARY KEY
) STRICT;
