CREATE INDEX attempts_by_webhook ON attempts (webhook_id, started_at) INCLUDE (status, duration_ms, failure);
