ALTER TABLE hand_overs DROP COLUMN failed_at;
ALTER TABLE deliveries DROP COLUMN failed_at;
