-- Visitors of the page, who have no password.
ALTER TABLE users ADD COLUMN is_demo INTEGER NOT NULL DEFAULT 0;
