-- Refusals are kept as well now: every answer says what it is.
UPDATE saved_answers SET answer = '{"data":' || answer || '}';
