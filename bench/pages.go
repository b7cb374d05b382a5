package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// pageRows is the number of entries, deliveries and scans of the seller whose lists the browser opens.
const pageRows = 100_000

// Limits of times that users wait, in milliseconds.
const (
	paintLimit  = 1000
	filterLimit = 300
)

// pageStatements extend the data of insight_load.go by a list with entries, and by the scans of a day, of which one in
// a hundred was declined.
var pageStatements = []string{
	`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		VALUES (@seller, @seller, 'static', 'Season cards', 'season cards', now(), now())`,
	`INSERT INTO access_entries (id, list_id, seller_id, external_code, customer_id, firstname, lastname, email, email_folded,
			created_at, updated_at)
		SELECT lpad(to_hex(n), 24, '0'), @seller, @seller, 'CARD-' || n, 'customer-' || n, 'Zoë', 'Martin',
			'zoe' || n || '@example.org', 'zoe' || n || '@example.org', now(), now()
		FROM generate_series(1, @rows::bigint) n`,
	`INSERT INTO scans (id, seller_id, event_id, device_id, device_name, barcode, name, ticket_name, type, result, reason, time,
			offline, late, conflict, clock_ahead, created_at, updated_at)
		SELECT lpad(to_hex(extract(epoch FROM at)::bigint), 8, '0') || lpad(to_hex(n), 16, '0'), @seller, 'event', 'device', 'Gate 1',
			'CARD-' || n, 'Zoë Martin', 'Day ticket', 'checkin', CASE WHEN n % 100 = 0 THEN 'declined' ELSE 'approved' END,
			CASE WHEN n % 100 = 0 THEN 'UNKNOWN_CODE' END, at, false, false, false, false, at, at
		FROM (SELECT n, now() - n * interval '20 hours' / @rows::bigint AS at FROM generate_series(1, @rows::bigint) n) n`,
	`ANALYZE access_entries, scans`,
}

// pages opens the lists in a browser. pick selects one of the times of each list. The figure is that of the slowest
// list.
func pages(pick func(shownList) float64, limit float64) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		b, err := r.newBrowser(ctx)
		measure := func(ctx context.Context, _ time.Duration) (figure, error) {
			lists, err := b.open(ctx)
			var f figure
			for _, list := range lists {
				f.value = max(f.value, pick(list))
				f.remark += fmt.Sprintf("%s %s, ", list.Name, milliseconds.format(pick(list)))
			}
			f.remark += fmt.Sprintf("%d rows each", pageRows)
			return f, err
		}
		return subject{measure: measure, baseline: atMost(limit), against: "the limit"}, err
	}
}

// shownList has the times of one list in milliseconds: from the start of the navigation, with an empty cache, to the
// first paint and to the rows, and from setting a filter to the new rows.
type shownList struct {
	Name   string  `json:"name"`
	First  float64 `json:"first"`
	Paint  float64 `json:"paint"`
	Filter float64 `json:"filter"`
}

func first(l shownList) float64     { return l.First }
func paint(l shownList) float64     { return l.Paint }
func filtering(l shownList) float64 { return l.Filter }

// browser opens the lists of the seller in a real browser.
type browser struct{ environment []string }

// newBrowser loads the rows and creates a user who can sign in.
func (r *rig) newBrowser(ctx context.Context) (*browser, error) {
	chromium, err := findChromium()
	if err != nil {
		return nil, err
	}
	i, err := r.insight(ctx, pageRows)
	if err != nil {
		return nil, err
	}
	if err := i.loadPages(ctx); err != nil {
		return nil, err
	}
	const email, password = "admin@example.org", "the password of the benchmarks"
	platform := i.p.asPlatform(seller{ID: insightSeller})
	answer, err := platform.call(ctx, http.StatusOK, platform.graphql(
		"mutation($input: AddMemberInput!) { addMember(input: $input) { invitation { link } } }",
		map[string]any{"input": map[string]any{"email": email, "role": "ADMIN"}}))
	if err != nil {
		return nil, err
	}
	_, after, found := bytes.Cut(answer, []byte("#"))
	code, _, _ := bytes.Cut(after, []byte(`"`))
	if !found {
		return nil, fmt.Errorf("addMember: %s", answer)
	}
	answer, err = platform.call(ctx, http.StatusOK, platform.graphql(
		"mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { user { _id } } }",
		map[string]any{"input": map[string]any{"code": string(code), "password": password}}))
	if err == nil && bytes.Contains(answer, []byte(`"errors"`)) {
		err = fmt.Errorf("acceptInvitation: %s", answer)
	}
	return &browser{append(os.Environ(), "TICKETGATE_URL="+i.p.url, "TICKETGATE_CHROMIUM="+chromium,
		"TICKETGATE_EMAIL="+email, "TICKETGATE_PASSWORD="+password, "TICKETGATE_LIST="+insightSeller)}, err
}

// loadPages loads the entries and scans.
func (r *rig) loadPages(ctx context.Context) error {
	return r.cluster.connected(ctx, r.database(embedded.OwnerRole), func(conn *pgx.Conn) error {
		for _, statement := range pageStatements {
			_, err := conn.Exec(ctx, statement, pgx.NamedArgs{"seller": insightSeller, "rows": pageRows})
			if err != nil {
				return fmt.Errorf("%.60s: %w", statement, err)
			}
		}
		return nil
	})
}

// open runs the program in dashboard/e2e that opens each list.
func (b *browser) open(ctx context.Context) ([]shownList, error) {
	var lists []shownList
	cmd := exec.CommandContext(ctx, "node", "dashboard/e2e/lists.mjs")
	cmd.Env, cmd.Stderr = b.environment, os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &lists)
	}
	if err != nil {
		return nil, fmt.Errorf("node dashboard/e2e/lists.mjs: %w", err)
	}
	return lists, nil
}

// findChromium returns the path of the browser, which has different names.
func findChromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("needs Chromium: apt-get install chromium")
}
