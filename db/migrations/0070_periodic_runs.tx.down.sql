DROP TABLE periodic_runs;
