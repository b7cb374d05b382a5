package sales

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
)

// fill creates checkouts of a French company with details and returns their paths.
func (s *till) fill(count int) []string {
	s.t.Helper()
	var paths []string
	for range count {
		created := s.do(http.StatusCreated, http.MethodPost, "/api/checkout", s.asKey(), object{
			"eventId": s.seller.EventID, "items": []object{{"ticketTypeId": s.seller.TicketTypeID, "amount": 4}},
		})
		path := "/api/checkout/" + systemtest.Field(s.t, created, "_id")
		s.do(http.StatusOK, http.MethodPost, path+"/details", s.asKey(), object{
			"company": "ACME", "street": "1 rue", "postal": "75002", "city": "Paris", "country": "FR",
			"identification": []object{{"type": "france_siren", "identifier": "732829320"}},
		})
		paths = append(paths, path)
	}
	return paths
}

// complete completes a checkout at a server that may be killed meanwhile.
func (s *till) complete(url, path string) (status int, answer string, err error) {
	return systemtest.TryRequest(s.t.Context(), http.DefaultClient, http.MethodPost, url+path+"/complete", "", s.asKey())
}

// completeAll completes all open checkouts, even if that was tried before.
func (s *till) completeAll(paths []string) {
	s.t.Helper()
	for _, path := range paths {
		s.do(http.StatusOK, http.MethodPost, path+"/complete", s.asKey(), nil)
	}
}

// eachSold counts, for each checkout, its transactions, tickets, invoices, and events of each kind.
const eachSold = `WITH told AS MATERIALIZED (SELECT type, convert_from(data, 'UTF8')::jsonb AS data FROM events)
	SELECT format('%s %s %s %s %s %s %s', c.status,
		(SELECT count(*) FROM transactions WHERE id = c.document->>'transactionId'),
		(SELECT count(*) FROM tickets WHERE transaction_id = c.document->>'transactionId'),
		(SELECT count(*) FROM invoices WHERE transaction_id = c.document->>'transactionId'),
		(SELECT count(*) FROM told WHERE type = 'checkout.completed' AND data #>> '{checkout,_id}' = c.id),
		(SELECT count(*) FROM told WHERE type = 'transaction.complete' AND data #>> '{transaction,_id}' = c.document->>'transactionId'),
		(SELECT count(*) FROM told WHERE type = 'ticket.created' AND data #>> '{ticket,transactionId}' = c.document->>'transactionId'))
	FROM checkouts c`

// check checks the number of checkouts that are completely sold and completely open, and that nothing else exists.
func (s *till) check(sold, open int) {
	s.t.Helper()
	found, err := s.sql.QueryContext(s.t.Context(), eachSold)
	systemtest.Must(s.t, err)
	defer found.Close()
	got := map[string]int{}
	for found.Next() {
		var each string
		systemtest.Must(s.t, found.Scan(&each))
		got[each]++
	}
	systemtest.Must(s.t, found.Err())
	if got["COMPLETE 1 4 1 1 1 4"] != sold || got["DETAILS 0 0 0 0 0 0"] != open || len(got) > 2 {
		s.t.Errorf("checkouts by outcome: %v, want %d sold and %d open", got, sold, open)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM transactions":                                                        sold,
		"SELECT count(*) FROM tickets WHERE transaction_id IS NOT NULL":                            4 * sold,
		"SELECT count(DISTINCT number) FROM invoices":                                              sold,
		"SELECT max(number) FROM invoices":                                                         sold, // and so 1, 2, 3 … without gaps
		"SELECT last FROM invoice_counters":                                                        sold,
		"SELECT count(*) FROM hand_overs":                                                          sold,
		"SELECT count(*) FROM deliveries WHERE type != 'checkout.detailsSubmitted'":                6 * sold,
		"SELECT count(*) FROM events WHERE type IN ('transaction.complete', 'checkout.completed')": 2 * sold,
	} {
		if count := s.count(query); count != want {
			s.t.Errorf("%s: %d, want %d", query, count, want)
		}
	}
}

// soldSoFar returns the number of complete checkouts.
func (s *till) soldSoFar() int {
	return s.count("SELECT count(*) FROM checkouts WHERE status = 'COMPLETE'")
}

// A process that dies while it completes checkouts leaves each of them completely sold or open, and invoice numbers without
// gaps.
func TestAKillLeavesNoSaleHalfDone(t *testing.T) {
	t.Parallel()
	s := openTill(t)
	s.restart() // without workers: deliveries are tested elsewhere
	s.completeAll(s.fill(1))
	s.check(1, 0)
	s.killBeforeTheNumber(3)
	for round := range 2 {
		s.killAfter(5+round, 24)
	}
	s.completeAtOnce(100)
}

// restart kills the server, and starts another when the database has ended the dead one's statements.
func (s *till) restart() {
	s.t.Helper()
	s.running.Kill()
	s.until("the dead process's statements have ended", `SELECT count(*) = $1 FROM pg_stat_activity
		WHERE datname = current_database() AND state != 'idle' AND pid != pg_backend_pid()`, 0)
	s.running = systemtest.Serve(s.t, s.settings, "--no-workers")
}

// killBeforeTheNumber kills sales that have written everything and wait for the number of their invoice. Nothing must remain.
func (s *till) killBeforeTheNumber(sales int) {
	s.t.Helper()
	before, paths := s.soldSoFar(), s.fill(sales)
	blocker, err := s.sql.BeginTx(s.t.Context(), nil)
	systemtest.Must(s.t, err)
	_, err = blocker.ExecContext(s.t.Context(), "SELECT FROM invoice_counters FOR UPDATE")
	systemtest.Must(s.t, err)
	var calls sync.WaitGroup
	for _, path := range paths {
		calls.Go(func() {
			if status, answer, err := s.complete(s.running.URL, path); err == nil {
				s.t.Errorf("got %d %s", status, answer)
			}
		})
	}
	s.until("all sales wait", `SELECT count(*) = $1 FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`, sales)
	s.running.Kill()
	calls.Wait()
	systemtest.Must(s.t, blocker.Rollback())
	s.restart()
	s.check(before, sales)
	s.completeAll(paths)
	s.check(before+sales, 0)
}

// killAfter kills a server after a number of responses, while it completes checkouts for eight callers.
func (s *till) killAfter(answers, sales int) {
	s.t.Helper()
	before, paths := s.soldSoFar(), s.fill(sales)
	waiting, outcomes := make(chan string, sales), make(chan bool, sales)
	for _, path := range paths {
		waiting <- path
	}
	close(waiting)
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for path := range waiting {
				status, _, err := s.complete(s.running.URL, path)
				outcomes <- err == nil && status == http.StatusOK
			}
		})
	}
	answered := 0
	hear := func() {
		if <-outcomes {
			answered++
		}
	}
	for range answers {
		hear()
	}
	s.running.Kill()
	callers.Wait()
	for len(outcomes) > 0 {
		hear()
	}
	s.restart()
	sold := s.soldSoFar() - before
	if answered < answers || sold < answered {
		s.t.Errorf("%d of %d were sold, %d confirmed", sold, sales, answered)
	}
	s.check(before+sold, sales-sold)
	s.completeAll(paths)
	s.check(before+sales, 0)
}

// completeAtOnce completes one checkout by many concurrent callers at two processes.
func (s *till) completeAtOnce(callers int) {
	s.t.Helper()
	before, path := s.soldSoFar(), s.fill(1)[0]
	urls := [...]string{s.running.URL, systemtest.Serve(s.t, s.settings, "--no-workers").URL}
	answers := make([]string, callers)
	var calls sync.WaitGroup
	for i := range answers {
		calls.Go(func() {
			status, answer, err := s.complete(urls[i%2], path)
			answers[i] = fmt.Sprint(status, err, answer)
		})
	}
	calls.Wait()
	slices.Sort(answers)
	if distinct := slices.Compact(answers); len(distinct) != 1 || !strings.HasPrefix(distinct[0], "200 <nil>{") {
		s.t.Errorf("answers: %q", distinct)
	}
	s.check(before+1, 0)
}

// until repeats a query until it returns true.
func (s *till) until(what, query string, args ...any) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); <-time.After(5 * time.Millisecond) {
		var yes bool
		systemtest.Must(s.t, s.sql.QueryRowContext(s.t.Context(), query, args...).Scan(&yes))
		if yes {
			return
		}
	}
	s.t.Fatalf("not within a minute: %s", what)
}
