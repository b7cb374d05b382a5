-- Which sellers are on another cluster, or on their way there: see docs/splitting.md. On the home cluster it is the routing table; an
-- installation of one cluster has no rows here.
CREATE TABLE seller_moves (
    seller_id  text COLLATE "C" NOT NULL CONSTRAINT seller_moves_pkey PRIMARY KEY,
    state      text COLLATE "C" NOT NULL
               CONSTRAINT seller_move_state_is_known CHECK (state IN ('leaving', 'quiet', 'fenced', 'away', 'arriving')),
    cluster    text COLLATE "C" NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON COLUMN seller_moves.state IS
    'leaving: served here while it is copied; quiet: no more attempts; fenced: refused until the switch; away, arriving: served by cluster';
COMMENT ON COLUMN seller_moves.cluster IS 'the other cluster: where it goes, is, or comes from';

-- Earlier programs run next to this migration before the rights are granted, and don't read the table; this one does.
DO $$ DECLARE reader text; BEGIN
    FOR reader IN SELECT DISTINCT quote_ident(grantee) FROM information_schema.table_privileges
        WHERE table_schema = 'public' AND table_name = 'sellers' AND privilege_type = 'SELECT' AND grantee <> current_user
    LOOP
        EXECUTE 'GRANT SELECT ON seller_moves TO ' || reader;
    END LOOP;
END $$;

-- The lock that orders writes of a seller's rows against its fence. Writers share it.
CREATE FUNCTION seller_move_lock(seller text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(seller, 7310312362);

-- Refuses a write of a seller's rows once the seller is fenced. A move creates triggers with this function for its seller, and drops
-- them at its end: nothing else pays for them.
CREATE FUNCTION refuse_moved_seller() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(seller_move_lock(TG_ARGV[0]));
    IF EXISTS (SELECT FROM seller_moves WHERE seller_id = TG_ARGV[0] AND state IN ('fenced', 'away')) THEN
        RAISE EXCEPTION 'seller % is on another cluster', TG_ARGV[0] USING ERRCODE = 'TGMOV';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END $$;

-- Accounts that arrive from the home cluster change what credentials may do here. These triggers fire for rows that a subscription
-- applies, and for no others.
CREATE FUNCTION advance_credential_epoch() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE advanced bigint; BEGIN
    UPDATE credential_epoch SET epoch = epoch + 1 RETURNING epoch INTO advanced;
    PERFORM pg_notify('credential_epoch', advanced::text);
    RETURN NULL;
END $$;
CREATE TRIGGER sessions_replicated AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION advance_credential_epoch();
ALTER TABLE sessions ENABLE REPLICA TRIGGER sessions_replicated;
CREATE TRIGGER users_replicated AFTER UPDATE OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION advance_credential_epoch();
ALTER TABLE users ENABLE REPLICA TRIGGER users_replicated;
CREATE TRIGGER memberships_replicated AFTER INSERT OR UPDATE OR DELETE ON memberships
    FOR EACH ROW EXECUTE FUNCTION advance_credential_epoch();
ALTER TABLE memberships ENABLE REPLICA TRIGGER memberships_replicated;
CREATE TRIGGER sellers_replicated AFTER INSERT OR UPDATE ON sellers FOR EACH ROW EXECUTE FUNCTION advance_credential_epoch();
ALTER TABLE sellers ENABLE REPLICA TRIGGER sellers_replicated;

-- Refuses changes of accounts on a cluster that has them from its home; `ticketgate join-cluster` creates triggers with it.
CREATE FUNCTION refuse_account_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'accounts are changed on the home cluster' USING ERRCODE = 'TGACC';
END $$;
