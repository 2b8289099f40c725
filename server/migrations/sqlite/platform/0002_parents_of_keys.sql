-- What a key ends with: the session or the key that minted it. Keys of before end with a change of the password.
ALTER TABLE keys ADD COLUMN minted_by TEXT;
CREATE INDEX keys_by_parent ON keys (minted_by);
