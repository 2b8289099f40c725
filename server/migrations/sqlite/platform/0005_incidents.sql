-- What was the matter with a lane, and for how long: for the status page.
CREATE TABLE incidents (
  incident_id TEXT PRIMARY KEY,
  lane TEXT NOT NULL,
  kind TEXT NOT NULL,
  from_ms INTEGER NOT NULL,
  to_ms INTEGER,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
