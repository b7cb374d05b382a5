DROP INDEX tickets_by_type, checkouts_by_customer, tickets_by_customer, tickets_by_email, transactions_by_customer,
    transactions_by_email, checkouts_by_email, catalog_events_by_root, catalog_events_by_parent, scan_zones_by_event;
CREATE INDEX tickets_by_customer ON tickets (seller_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX tickets_by_email ON tickets (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX transactions_by_customer ON transactions (seller_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX transactions_by_email ON transactions (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX checkouts_by_email ON checkouts (seller_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX catalog_events_by_root ON catalog_events (seller_id, root_event_id) WHERE root_event_id IS NOT NULL;
CREATE INDEX catalog_events_by_parent ON catalog_events (seller_id, parent_event_id) WHERE parent_event_id IS NOT NULL;
CREATE INDEX scan_zones_by_event ON scan_zones (seller_id, event_id) WHERE event_id IS NOT NULL;
