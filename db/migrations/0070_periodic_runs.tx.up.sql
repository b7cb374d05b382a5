-- The period in which each periodic job last ran, by its start: see package jobs.
CREATE TABLE periodic_runs (
    name     text COLLATE "C" NOT NULL,
    period   timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    CONSTRAINT periodic_runs_pkey PRIMARY KEY (name)
);
