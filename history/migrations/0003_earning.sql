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

-- All trades before count too: everything is made anew from the journal.
DELETE FROM page;
DELETE FROM order_state;
DELETE FROM name_run;
DELETE FROM name_block;
DELETE FROM candle;
DELETE FROM key_volume;
DELETE FROM settlement;
DELETE FROM template;
DELETE FROM chain_data;
DELETE FROM account_name;
DELETE FROM market_name;
DELETE FROM key_name;
UPDATE cursor SET last_seq = 0;
