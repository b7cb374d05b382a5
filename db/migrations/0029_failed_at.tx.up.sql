-- Whether a delivery had failed before somebody asked for another attempt is kept, and not told by the retry schedule, which an
-- operator may change at any time. What failed before this has none until then.
ALTER TABLE deliveries ADD COLUMN failed_at timestamptz;
COMMENT ON COLUMN deliveries.failed_at IS 'when the call began with which the retry schedule ran out';
ALTER TABLE hand_overs ADD COLUMN failed_at timestamptz;
COMMENT ON COLUMN hand_overs.failed_at IS 'when the call began with which the retry schedule ran out';
