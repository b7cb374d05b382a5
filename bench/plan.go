package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// planned describes how the server executes a statement and how many pages it reads, with a custom and a generic plan.
// It returns an error for a sequential scan.
func (r *rig) planned(ctx context.Context, s statement) (string, error) {
	var most int
	err := r.cluster.connected(ctx, r.database(embedded.ApplicationRole), func(conn *pgx.Conn) error {
		for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
			count, err := pagesOf(ctx, conn, mode, s)
			if err != nil {
				return err
			}
			most = max(most, count)
		}
		return nil
	})
	return fmt.Sprintf("%d pages, no sequential scan", most), err
}

// pagesOf executes the statement and returns the number of pages that it reads.
func pagesOf(ctx context.Context, conn *pgx.Conn, mode string, s statement) (int, error) {
	execute := "EXECUTE " + mode + " ('" + strings.Join(s.arguments, "', '") + "')"
	// It is first executed without counting, because a new connection also reads pages of the catalog.
	for _, before := range []string{"SET plan_cache_mode = " + mode, "PREPARE " + mode + " AS " + s.text, execute} {
		if _, err := conn.Exec(ctx, before, pgx.QueryExecModeSimpleProtocol); err != nil {
			return 0, err
		}
	}
	var text []byte
	explain := "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + execute
	if err := conn.QueryRow(ctx, explain, pgx.QueryExecModeSimpleProtocol).Scan(&text); err != nil {
		return 0, err
	}
	return pagesIn(text)
}

// pagesIn parses the output of EXPLAIN and returns the number of pages.
func pagesIn(explained []byte) (int, error) {
	var plans []struct {
		Plan struct {
			Cached int `json:"Shared Hit Blocks"`
			Read   int `json:"Shared Read Blocks"`
		} `json:"Plan"`
	}
	if err := json.Unmarshal(explained, &plans); err != nil || len(plans) != 1 {
		return 0, fmt.Errorf("EXPLAIN said %s: %w", explained, err)
	}
	if strings.Contains(string(explained), `"Seq Scan"`) {
		return 0, fmt.Errorf("a table is read in full: %s", explained)
	}
	return plans[0].Plan.Cached + plans[0].Plan.Read, nil
}
