DROP TRIGGER tickets_inserted ON tickets;
DROP TRIGGER tickets_updated ON tickets;
DROP TRIGGER tickets_deleted ON tickets;
DROP TRIGGER entries_inserted ON access_entries;
DROP TRIGGER entries_updated ON access_entries;
DROP TRIGGER entries_deleted ON access_entries;
DROP TABLE device_feed, device_feed_heads, scan_claims, scan_passes, scan_places, scans, device_uses, devices,
    scan_group_events, scan_groups;
DROP FUNCTION feed_inserted_tickets, feed_updated_tickets, feed_deleted_tickets, feed_inserted_entries,
    feed_updated_entries, feed_deleted_entries, feed_changed_rules;
