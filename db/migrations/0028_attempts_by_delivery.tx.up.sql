-- Since figures are counted as attempts are recorded, attempts are found by their delivery alone.
DROP INDEX attempts_by_webhook;
