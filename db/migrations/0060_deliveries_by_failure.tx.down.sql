DROP INDEX deliveries_by_failure;
