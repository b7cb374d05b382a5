DROP TABLE device_uses, devices, scan_group_events, scan_groups;
