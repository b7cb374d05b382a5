package telemetry

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"

	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

func newTestMetrics(log *strings.Builder) *Metrics {
	return NewMetrics("v1", slog.New(slog.NewTextHandler(log, nil)), time.Now)
}

// described returns the names of all our metrics, including those without a value.
func described(m *Metrics) []string {
	descs := make(chan *prometheus.Desc, 1000)
	m.registry.Describe(descs)
	close(descs)
	named := regexp.MustCompile(`fqName: "(\w+)"`)
	var names []string
	for desc := range descs {
		name := named.FindStringSubmatch(desc.String())[1]
		if !strings.HasPrefix(name, "go_") && !strings.HasPrefix(name, "process_") && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func TestOperationsPageListsEachMetric(t *testing.T) {
	t.Parallel()
	m := newTestMetrics(&strings.Builder{})
	m.Pool(PoolRequests, func() sql.DBStats { return sql.DBStats{} })
	m.Backlog(Readings{})
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| Metric |")
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)`").FindAllStringSubmatch(table, -1) {
		listed = append(listed, row[1])
	}
	slices.Sort(listed)
	if want := described(m); !slices.Equal(listed, want) {
		t.Errorf("docs/operations.md lists\n%q, want\n%q", listed, want)
	}
}

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Errorf("a scrape returned %d", answer.Code)
	}
	return answer.Body.String()
}

func TestOtherMetricsSurviveAFailedBacklogQuery(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	m := newTestMetrics(&log)
	m.Backlog(Readings{Backlog: func(context.Context) (webhook.Backlog, error) {
		return webhook.Backlog{}, errors.New("the database is away")
	}})
	text := scrape(t, m)
	if !strings.Contains(text, "http_server_active_requests 0\n") || strings.Contains(text, "ticketgate_deliveries_due") {
		t.Errorf("got %s", text)
	}
	if !strings.Contains(log.String(), "the database is away") {
		t.Errorf("the log says %q", log.String())
	}
}

func TestTheDatabaseIsQueriedOnceForManyScrapes(t *testing.T) {
	t.Parallel()
	now, asked := time.Now(), 0
	m := NewMetrics("v1", slog.New(slog.DiscardHandler), func() time.Time { return now })
	m.Backlog(Readings{
		Backlog: func(context.Context) (webhook.Backlog, error) {
			asked++
			return webhook.Backlog{Due: asked, Oldest: 1500 * time.Millisecond, SetAside: 7}, nil
		},
		Jobs: func(context.Context) ([]jobs.Depth, error) {
			return []jobs.Depth{{Queue: "q", State: "running", Jobs: 3}}, nil
		},
	})
	scrape(t, m)
	now = now.Add(backlogKept - time.Millisecond)
	for _, want := range []string{
		"ticketgate_deliveries_due 1\n", "ticketgate_deliveries_oldest_due_seconds 1.5\n", "ticketgate_deliveries_set_aside 7\n",
		`ticketgate_jobs{queue="q",state="running"} 3` + "\n",
	} {
		if text := scrape(t, m); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	now = now.Add(time.Millisecond)
	if text := scrape(t, m); !strings.Contains(text, "ticketgate_deliveries_due 2\n") || asked != 2 {
		t.Errorf("read %d times", asked)
	}
}

func TestOperationOfAStatement(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT 1":                             "SELECT",
		"\n\t(select 1)":                       "SELECT",
		"-- name: JobGet :many\nWITH a AS (b)": "WITH",
		"-- one\n-- two\nUPDATE x":             "UPDATE",
		"begin":                                "BEGIN",
		"INSERT INTO x VALUES ('a secret')":    "INSERT",
		"EXPLAIN SELECT":                       "OTHER",
		"-- a comment and nothing else":        "OTHER",
		"":                                     "OTHER",
		"'SELECT'":                             "OTHER",
	} {
		if got := operationOf(sql); got != want {
			t.Errorf("%q: %s, want %s", sql, got, want)
		}
	}
}

func TestErrorTypeOfAStatement(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"":           nil,
		"23505":      errors.Join(errors.New("more"), &pgconn.PgError{Code: "23505", Detail: "Key (code)=(a secret) exists"}),
		"canceled":   context.Canceled,
		"timeout":    context.DeadlineExceeded,
		"connection": errors.New("write: broken pipe"),
	} {
		if got := errorType(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

// Stores that cancel as instructed.
type (
	canceledAttempts struct {
		jobs.Store
		told webhook.Recorded
	}
	canceledHandOvers struct {
		jobs.HandOvers
		told webhook.Recorded
	}
)

func (c canceledAttempts) Cancel(context.Context, webhook.Delivery, time.Time) (webhook.Recorded, error) {
	return c.told, nil
}

func (c canceledHandOvers) Cancel(context.Context, webhook.Delivery, time.Time) (webhook.Recorded, error) {
	return c.told, nil
}

// A canceled manual retry and a cancellation that the fence refused are not ends.
func TestOnlyEndsOfDeliveriesAreCounted(t *testing.T) {
	t.Parallel()
	m := newTestMetrics(&strings.Builder{})
	of := webhook.Delivery{State: webhook.Pending, RetryRequested: true}
	for _, told := range []webhook.Recorded{
		{},
		{OK: true, After: webhook.Delivery{State: webhook.Delivered}},
		{OK: true, After: webhook.Delivery{State: webhook.Failed}},
		{OK: true, After: webhook.Delivery{State: webhook.Canceled}},
		{OK: true, After: webhook.Delivery{State: webhook.Canceled}, Ended: webhook.Canceled},
	} {
		_, webhooks := m.Attempts(canceledAttempts{told: told}).Cancel(t.Context(), of, time.Now())
		_, invoices := m.HandOvers(canceledHandOvers{told: told}).Cancel(t.Context(), of, time.Now())
		if err := errors.Join(webhooks, invoices); err != nil {
			t.Error(err)
		}
	}
	ends := regexp.MustCompile(`(?m)^ticketgate_deliveries_ended_total.* [^0]\S*$`).FindAllString(scrape(t, m), -1)
	want := []string{
		`ticketgate_deliveries_ended_total{of="invoice",state="canceled"} 1`,
		`ticketgate_deliveries_ended_total{of="webhook",state="canceled"} 1`,
	}
	if !slices.Equal(ends, want) {
		t.Errorf("counted %q", ends)
	}
}

func TestOutcomeOfAnAttempt(t *testing.T) {
	t.Parallel()
	status := func(code int) webhook.Attempt { return webhook.Attempt{Status: &code} }
	timeout := webhook.Failure("timeout")
	for want, attempt := range map[string]webhook.Attempt{
		"delivered": status(302), "status_4xx": status(404), "status_5xx": status(599), "timeout": {Failure: &timeout}, none: {},
	} {
		if got := attemptOutcome(attempt); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTableOfAStatement(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"SELECT a FROM webhooks w JOIN sellers s":                         "webhooks",
		"SELECT x FROM unnest($1::text[]) AS e (id) JOIN webhooks w":      "webhooks",
		`INSERT INTO "api_keys" AS "k" ("id") VALUES ('FROM a_secret')`:   "api_keys",
		"WITH event AS (\n\tINSERT INTO events (id) SELECT 1) SELECT 2":   "events",
		"UPDATE deliveries d SET state = $2":                              "deliveries",
		"SELECT 'FROM a_secret', x FROM events":                           "",
		"begin":                                                           "",
		"SELECT pg_notify($1, $2)":                                        "",
		"DELETE FROM set_aside WHERE x IN (SELECT id FROM deliveries)":    "set_aside",
		"SELECT $1 FROM (SELECT id FROM events FOR UPDATE SKIP LOCKED) x": "events",
	} {
		if got := tableOf(sql); got != want {
			t.Errorf("%q: %q, want %q", sql, got, want)
		}
	}
}
