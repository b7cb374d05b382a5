DROP TABLE customers, scan_zones, ticket_types, catalog_events;
