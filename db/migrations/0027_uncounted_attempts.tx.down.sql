DROP TABLE uncounted_attempts;
