-- Settlement metadata of trades, as JSON; null once it was taken off.
CREATE TABLE chain_data (
  trade_id INTEGER PRIMARY KEY,
  data TEXT
) STRICT;
