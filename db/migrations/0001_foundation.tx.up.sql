-- Callers, keys, webhooks and what is delivered to them.
-- Identifiers are 24 hexadecimal characters in byte order (COLLATE "C"); those of events and deliveries are
-- version 7 UUIDs, whose first 48 bits are the time: the tables that grow are partitioned by them.

CREATE TABLE organizations (
    id         text COLLATE "C" NOT NULL CONSTRAINT organizations_pkey PRIMARY KEY,
    name       text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE sellers (
    id              text COLLATE "C" NOT NULL CONSTRAINT sellers_pkey PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL CONSTRAINT seller_belongs_to_organization REFERENCES organizations,
    name            text NOT NULL,
    country         text NOT NULL,
    webhooks        boolean NOT NULL,
    siren           boolean NOT NULL,
    meta            jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX sellers_by_organization ON sellers (organization_id, id);

CREATE TABLE users (
    id            text COLLATE "C" NOT NULL CONSTRAINT users_pkey PRIMARY KEY,
    email         text NOT NULL,
    email_folded  text COLLATE "C" NOT NULL CONSTRAINT user_email_is_taken UNIQUE,
    name          text NOT NULL,
    password_hash text NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);

CREATE TABLE memberships (
    id              text COLLATE "C" NOT NULL CONSTRAINT memberships_pkey PRIMARY KEY,
    user_id         text COLLATE "C" NOT NULL CONSTRAINT membership_of_user REFERENCES users ON DELETE CASCADE,
    seller_id       text COLLATE "C" CONSTRAINT membership_at_seller REFERENCES sellers,
    organization_id text COLLATE "C" CONSTRAINT membership_at_organization REFERENCES organizations,
    role            smallint NOT NULL CONSTRAINT membership_role_is_known CHECK (role BETWEEN 1 AND 4),
    created_at      timestamptz NOT NULL,
    CONSTRAINT membership_is_at_one_place CHECK ((seller_id IS NULL) <> (organization_id IS NULL)),
    CONSTRAINT user_is_member_of_seller UNIQUE (user_id, seller_id),
    CONSTRAINT user_is_member_of_organization UNIQUE (user_id, organization_id)
);
CREATE INDEX memberships_by_seller ON memberships (seller_id, id);
CREATE INDEX memberships_by_organization ON memberships (organization_id, id);

CREATE TABLE sessions (
    id           text COLLATE "C" NOT NULL CONSTRAINT sessions_pkey PRIMARY KEY,
    digest       bytea NOT NULL CONSTRAINT session_secret_is_unique UNIQUE,
    user_id      text COLLATE "C" NOT NULL CONSTRAINT session_of_user REFERENCES users ON DELETE CASCADE,
    created_at   timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    address      text NOT NULL,
    user_agent   text NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);

-- Failed logins by account and by address, each under the SHA-256 of its name.
CREATE TABLE login_failures (
    subject      bytea NOT NULL CONSTRAINT login_failures_pkey PRIMARY KEY,
    failures     integer NOT NULL,
    last_at      timestamptz NOT NULL,
    locked_until timestamptz
);

CREATE TABLE api_keys (
    id                 text COLLATE "C" NOT NULL CONSTRAINT api_keys_pkey PRIMARY KEY,
    seller_id          text COLLATE "C" CONSTRAINT api_key_of_seller REFERENCES sellers,
    organization_id    text COLLATE "C" CONSTRAINT api_key_of_organization REFERENCES organizations,
    name               text NOT NULL,
    hint               text NOT NULL,
    version            integer NOT NULL,
    active             boolean NOT NULL,
    is_default         boolean NOT NULL,
    full_seller_access boolean NOT NULL,
    permissions        text[] NOT NULL,
    expires_at         timestamptz,
    sealed_secret      bytea,
    created_by_type    text NOT NULL,
    created_by_id      text NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT api_key_has_one_owner CHECK ((seller_id IS NULL) <> (organization_id IS NULL))
);
CREATE INDEX api_keys_by_seller ON api_keys (seller_id, id);
CREATE INDEX api_keys_by_organization ON api_keys (organization_id, id);
CREATE UNIQUE INDEX seller_has_one_default_key ON api_keys (seller_id) WHERE is_default;

-- A key has one current secret and, while a rotation overlaps, older ones with a deadline.
CREATE TABLE api_key_secrets (
    digest      bytea NOT NULL CONSTRAINT api_key_secrets_pkey PRIMARY KEY,
    api_key_id  text COLLATE "C" NOT NULL CONSTRAINT secret_of_api_key REFERENCES api_keys ON DELETE CASCADE,
    valid_until timestamptz
);
CREATE INDEX api_key_secrets_by_key ON api_key_secrets (api_key_id);

-- Apart from the keys, so that noting a use never waits for a change of the key.
CREATE TABLE api_key_uses (
    api_key_id   text COLLATE "C" NOT NULL CONSTRAINT api_key_uses_pkey PRIMARY KEY,
    last_used_at timestamptz NOT NULL
);

CREATE TABLE webhooks (
    id              text COLLATE "C" NOT NULL CONSTRAINT webhooks_pkey PRIMARY KEY,
    seller_id       text COLLATE "C" NOT NULL CONSTRAINT webhook_of_seller REFERENCES sellers,
    name            text NOT NULL,
    url             text NOT NULL,
    enabled         boolean NOT NULL,
    event_types     text[] NOT NULL,
    sealed_hmac_key bytea,
    created_by_type text NOT NULL,
    created_by_id   text NOT NULL,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL
);
CREATE INDEX webhooks_by_seller ON webhooks (seller_id, id);

CREATE TABLE events (
    id           uuid NOT NULL,
    seller_id    text COLLATE "C" NOT NULL,
    type         text COLLATE "C" NOT NULL,
    mode         text COLLATE "C" NOT NULL,
    head_version smallint NOT NULL,
    data         bytea NOT NULL,
    created_at   timestamptz NOT NULL,
    CONSTRAINT events_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE TABLE events_default PARTITION OF events DEFAULT;

CREATE TABLE deliveries (
    id              uuid NOT NULL,
    event_id        uuid NOT NULL,
    webhook_id      text COLLATE "C" NOT NULL,
    seller_id       text COLLATE "C" NOT NULL,
    type            text COLLATE "C" NOT NULL,
    state           text COLLATE "C" NOT NULL
                    CONSTRAINT delivery_state_is_known CHECK (state IN ('pending', 'delivered', 'failed', 'canceled')),
    attempts        integer NOT NULL DEFAULT 0,
    scheduled       integer NOT NULL DEFAULT 0,
    retry_requested boolean NOT NULL DEFAULT false,
    retriggered_at  timestamptz,
    next_attempt_at timestamptz,
    delivered_at    timestamptz,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT deliveries_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
CREATE TABLE deliveries_default PARTITION OF deliveries DEFAULT;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_by_seller ON deliveries (seller_id, id);
-- Both hold only what is still to be done: they find the deliveries whose job has vanished.
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE state = 'pending';
CREATE INDEX deliveries_requested ON deliveries (retriggered_at) WHERE retry_requested;
COMMENT ON COLUMN deliveries.attempts IS 'HTTP calls made, numbered 1 to attempts without gaps';
COMMENT ON COLUMN deliveries.scheduled IS 'those of them that the retry schedule made; the others were made by hand';
COMMENT ON COLUMN deliveries.retry_requested IS 'a person asked for an attempt that is not finished yet';
COMMENT ON COLUMN deliveries.next_attempt_at IS 'when the next attempt of the schedule is due';

CREATE TABLE attempts (
    delivery_id     uuid NOT NULL,
    number          integer NOT NULL,
    webhook_id      text COLLATE "C" NOT NULL,
    by_hand         boolean NOT NULL,
    url             text NOT NULL,
    started_at      timestamptz NOT NULL,
    duration_ms     integer NOT NULL,
    status          integer,
    failure         text COLLATE "C",
    detail          text NOT NULL,
    response_body   bytea NOT NULL,
    body_truncated  boolean NOT NULL,
    CONSTRAINT attempts_pkey PRIMARY KEY (delivery_id, number)
) PARTITION BY RANGE (delivery_id);
CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;
CREATE INDEX attempts_by_webhook ON attempts (webhook_id, started_at) INCLUDE (status, duration_ms, failure);

CREATE TABLE audit_entries (
    id              text COLLATE "C" NOT NULL CONSTRAINT audit_entries_pkey PRIMARY KEY,
    at              timestamptz NOT NULL,
    seller_id       text COLLATE "C",
    organization_id text COLLATE "C",
    actor_kind      text NOT NULL,
    actor_id        text NOT NULL,
    action          text NOT NULL,
    object          text NOT NULL,
    object_id       text NOT NULL,
    before          jsonb NOT NULL,
    after           jsonb NOT NULL,
    address         text NOT NULL,
    request_id      text NOT NULL
);
CREATE INDEX audit_entries_by_seller ON audit_entries (seller_id, id);
CREATE INDEX audit_entries_by_organization ON audit_entries (organization_id, id);

-- One row: how often anything a credential check depends on has changed. See docs/credentials.md.
CREATE TABLE credential_epoch (
    only_row boolean NOT NULL DEFAULT true CONSTRAINT credential_epoch_pkey PRIMARY KEY
             CONSTRAINT credential_epoch_has_one_row CHECK (only_row),
    epoch    bigint NOT NULL
);
INSERT INTO credential_epoch (epoch) VALUES (1);

-- One row a running process: until when it may trust its cache, and which epoch it has seen.
CREATE TABLE leases (
    process_id   text COLLATE "C" NOT NULL CONSTRAINT leases_pkey PRIMARY KEY,
    expires_at   timestamptz NOT NULL,
    epoch        bigint NOT NULL
);
COMMENT ON COLUMN leases.expires_at IS 'for live_processes alone: no check of a credential reads this clock';

-- Which processes run: jobs of the others are taken over.
CREATE VIEW live_processes AS SELECT process_id FROM leases WHERE expires_at > clock_timestamp();

-- Answers to requests with an Idempotency-Key, kept for a day; the answer is sealed, it may hold a secret.
CREATE TABLE idempotent_requests (
    scope         text COLLATE "C" NOT NULL,
    key           text COLLATE "C" NOT NULL,
    body_digest   bytea NOT NULL,
    sealed_answer bytea NOT NULL,
    created_at    timestamptz NOT NULL,
    CONSTRAINT idempotent_requests_pkey PRIMARY KEY (scope, key)
);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests (created_at);
