-- Refusals are kept as well now: every answer says what it is. Those of engine commands have done so all along.
UPDATE saved_answers SET answer = '{"data":' || answer || '}'
  WHERE answer NOT LIKE '{"data":%' AND answer NOT LIKE '{"code":%';
