DROP VIEW live_processes;
DROP TABLE idempotent_requests, leases, credential_epoch, audit_entries, attempts, deliveries, events, webhooks,
    api_key_uses, api_key_secrets, api_keys, login_failures, sessions, memberships, users, sellers, organizations;
