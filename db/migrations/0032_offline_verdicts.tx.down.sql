ALTER TABLE scan_claims DROP COLUMN content;
DROP TABLE offline_verdicts;
