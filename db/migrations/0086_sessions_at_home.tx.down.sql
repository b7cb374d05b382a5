DROP TRIGGER IF EXISTS accounts_are_at_home ON sessions;
