-- What the records say stays: an earlier version reads it as well, and the keys' permissions are in the audit log.
SELECT 1;
