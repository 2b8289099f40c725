-- cancel_on_disconnect as it is asked for now: what is here when the server starts counts as lost.
CREATE TABLE lifelines (
  lane TEXT NOT NULL,
  credential TEXT NOT NULL,
  account_id TEXT NOT NULL,
  grace_ms INTEGER NOT NULL,
  PRIMARY KEY (lane, credential)
) STRICT, WITHOUT ROWID;
