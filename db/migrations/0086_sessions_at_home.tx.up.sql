-- `ticketgate join-cluster` creates this trigger for sessions as well. Clusters that joined before get it here: a session that such a
-- cluster opens or ends is unknown to the home cluster, so a new password would not end it.
DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'accounts_are_at_home' AND tgrelid = 'users'::regclass) THEN
        CREATE OR REPLACE TRIGGER accounts_are_at_home BEFORE INSERT OR DELETE ON sessions
            FOR EACH ROW EXECUTE FUNCTION refuse_account_change();
    END IF;
END $$;
