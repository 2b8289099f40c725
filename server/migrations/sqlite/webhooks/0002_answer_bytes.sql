-- What a receiver answered is its own: of an attempt's answer only the status and the length are kept.
ALTER TABLE attempts DROP COLUMN excerpt;
ALTER TABLE attempts ADD COLUMN answer_bytes INTEGER;
