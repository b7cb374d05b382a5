-- A trigger's statement is planned once for a connection, and for as many rows as its first call has: after the change of
-- one ticket, a change of ten thousand on the same connection looped over all of them for each of them.
ALTER FUNCTION feed_updated_tickets() SET enable_nestloop = off;
ALTER FUNCTION feed_updated_entries() SET enable_nestloop = off;
