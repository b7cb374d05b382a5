package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// suitable refuses what would seem to work and fail later: an owner of another database, in prod a role of the
// application that could change schema or audit log, and secret keys other than those that the data was sealed with.
func (p *Program) suitable(ctx context.Context) error {
	if p.Config.Prod {
		if err := refuseStrongRole(ctx, p.database); err != nil {
			return err
		}
	}
	if err := p.store.CheckSealed(ctx); err != nil {
		return fmt.Errorf("%s: %w", settingSecretKey, err)
	}
	return nil
}

func refuseStrongRole(ctx context.Context, at *database) error {
	conn, err := pgx.Connect(ctx, at.application)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, finding := range examineRole(ctx, conn, at) {
		if finding.verdict != fine {
			return fmt.Errorf("%s: %s; %s", settingDatabaseURL, finding.found, finding.advice)
		}
	}
	return nil
}

// sameDatabase compares what both URLs lead to: migrations of another database would be noticed only much later.
func sameDatabase(ctx context.Context, at *database) error {
	const identity = "SELECT current_database() || ' of the server started at ' || pg_postmaster_start_time()"
	places := make([]string, 0, 2)
	for _, url := range []string{at.application, at.owner} {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		var place string
		err = conn.QueryRow(ctx, identity).Scan(&place)
		_ = conn.Close(ctx)
		if err != nil {
			return err
		}
		places = append(places, place)
	}
	if places[0] != places[1] {
		return fmt.Errorf("%s names another database (%s) than %s (%s)", settingOwnerURL, places[1], settingDatabaseURL, places[0])
	}
	return nil
}
