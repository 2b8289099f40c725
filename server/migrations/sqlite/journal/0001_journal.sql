-- One row per commit; rows are only ever added.
CREATE TABLE batch (
  last_seq INTEGER PRIMARY KEY,
  -- Every record of the commit, one behind the other.
  records TEXT NOT NULL
) STRICT;

-- One row per writer that ever took the lead.
CREATE TABLE reign (
  epoch INTEGER PRIMARY KEY
) STRICT;
