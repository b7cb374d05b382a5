-- Accounts belong to people: a member is invited and joins with an account of their own. Several accounts may have one
-- address, since nothing proves whose address it is; each has its own password and memberships.
ALTER TABLE users DROP CONSTRAINT user_email_is_taken;
CREATE INDEX users_by_email ON users (email_folded, id);

-- The passwords of accounts made so far were chosen by administrators, or may have been: those accounts choose another one
-- when they accept their first invitation.
ALTER TABLE users
    ADD COLUMN password_shared boolean NOT NULL DEFAULT true,
    ADD COLUMN invited_by_organization text COLLATE "C" CONSTRAINT user_invited_by_organization REFERENCES organizations;

CREATE TABLE invitations (
    id                 text COLLATE "C" NOT NULL CONSTRAINT invitations_pkey PRIMARY KEY,
    seller_id          text COLLATE "C" CONSTRAINT invitation_to_seller REFERENCES sellers,
    organization_id    text COLLATE "C" CONSTRAINT invitation_to_organization REFERENCES organizations,
    email              text NOT NULL,
    email_folded       text COLLATE "C" NOT NULL,
    role               smallint NOT NULL CONSTRAINT invitation_role_is_known CHECK (role BETWEEN 1 AND 4),
    invited_by_type    text NOT NULL,
    invited_by_id      text NOT NULL,
    created_at         timestamptz NOT NULL,
    expires_at         timestamptz NOT NULL,
    CONSTRAINT invitation_is_to_one_place CHECK ((seller_id IS NULL) <> (organization_id IS NULL)),
    CONSTRAINT seller_invites_address_once UNIQUE (seller_id, email_folded),
    CONSTRAINT organization_invites_address_once UNIQUE (organization_id, email_folded)
);
CREATE INDEX invitations_by_seller ON invitations (seller_id, id);
CREATE INDEX invitations_by_organization ON invitations (organization_id, id);

-- Every one-time link that was issued: of an invitation, or for a new password of a user. Rows stay for a while after
-- their end, since the limits count them. sealed_code is kept until the link's email has been sent.
CREATE TABLE account_links (
    id              text COLLATE "C" NOT NULL CONSTRAINT account_links_pkey PRIMARY KEY,
    digest          bytea NOT NULL CONSTRAINT account_link_code_is_unique UNIQUE,
    invitation_id   text COLLATE "C" CONSTRAINT link_of_invitation REFERENCES invitations ON DELETE SET NULL,
    user_id         text COLLATE "C" CONSTRAINT link_of_user REFERENCES users ON DELETE SET NULL,
    organization_id text COLLATE "C",
    seller_id       text COLLATE "C",
    email           text NOT NULL,
    email_folded    text COLLATE "C" NOT NULL,
    by_platform     boolean NOT NULL,
    shown           boolean NOT NULL,
    sealed_code     bytea,
    issued_at       timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    mailed_at       timestamptz,
    ended_at        timestamptz
);
CREATE INDEX account_links_by_invitation ON account_links (invitation_id);
CREATE INDEX account_links_by_user ON account_links (user_id);
CREATE INDEX account_links_by_organization ON account_links (organization_id, issued_at);

-- Where accounts have signed in before, each under the SHA-256 of account and network.
CREATE TABLE known_places (
    place        bytea NOT NULL CONSTRAINT known_places_pkey PRIMARY KEY,
    last_used_at timestamptz NOT NULL
);
