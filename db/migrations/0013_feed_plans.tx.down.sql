ALTER FUNCTION feed_updated_entries() RESET enable_nestloop;
ALTER FUNCTION feed_updated_tickets() RESET enable_nestloop;
