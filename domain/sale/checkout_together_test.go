package sale_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/sale"
)

// elsewhere returns the checkouts of another process with the same database.
func (s *shop) elsewhere() sale.Checkouts {
	there := s.checkouts
	there.Store = s.Process().Checkouts()
	return there
}

// openOther creates a checkout of four tickets of the other seller.
func (s *shop) openOther() sale.Checkout {
	s.T.Helper()
	input := wants("o1", "seats", 4)
	input.SellerID = other
	checkout, err := s.checkouts.Create(s.anonymous(), input)
	s.Must(err)
	return checkout
}

// otherSells creates an event and a ticket type of the other seller.
func (s *shop) otherSells() {
	s.T.Helper()
	records := catalog.New(s.Store.Catalog(), s.LookUp, s.checkouts.Now)
	_, err := records.Events.Create(s.key(other), catalog.NewEvent{
		ID: new("o1"), Name: "Elsewhere", SellerID: other, Start: moment.New(s.now.Add(time.Hour)),
	})
	s.Must(err)
	_, err = records.TicketTypes.Create(s.key(other), catalog.NewTicketType{
		ID: new("seats"), SellerID: other, EventID: "o1", Name: "Seats", Price: "12.5",
	})
	s.Must(err)
	s.happened()
}

// Many checkouts of two sellers are completed through two processes. Some can't be completed, and some are completed
// repeatedly.
func TestSalesShareCommits(t *testing.T) {
	s := newShop(t)
	s.otherSells()
	const each = 40
	aborted, expired := s.open(), s.open()
	_, err := s.checkouts.Abort(s.key(seller), aborted.ID, "")
	s.Must(err)
	s.now = expired.ExpiresAt.Time
	gone := s.open()
	s.Exec("UPDATE checkouts SET event_id = 'e3' WHERE id = $1", gone.ID)
	processes := []sale.Checkouts{s.checkouts, s.elsewhere()}
	var all sync.WaitGroup
	complete := func(n int, of ids.Seller, id, want string) {
		all.Go(func() {
			answer, err := processes[n%2].Complete(s.key(of), id)
			got := string(answer.Status)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, want) {
				t.Errorf("completing %s: %s, want %s", id, got, want)
			}
		})
	}
	for n := range each {
		mine, theirs := s.open(), s.openOther()
		for again := range 2 {
			complete(n+again, seller, mine.ID, "COMPLETE")
			complete(n+again, other, theirs.ID, "COMPLETE")
		}
		complete(n, other, mine.ID, "Checkout not found")
		complete(n, seller, aborted.ID, "was aborted")
		complete(n, seller, expired.ID, "has expired")
		complete(n, seller, gone.ID, "event of this checkout was deleted")
	}
	all.Wait()
	for query, want := range map[string]int{
		"SELECT count(*) FROM checkouts WHERE status = 'COMPLETE'": 2 * each, "SELECT count(*) FROM transactions": 2 * each,
		"SELECT count(*) FROM tickets": 8 * each, "SELECT count(*) FROM invoices": 2 * each,
		"SELECT count(*) FROM audit_entries WHERE action = 'completeCheckout' AND actor_kind = 'API_KEY'": 2 * each,
		"SELECT count(*) FROM events WHERE type = 'ticket.created'":                                       8 * each,
		"SELECT sum(last) FROM invoice_counters":                                                          2 * each,
		`SELECT count(*) FROM (SELECT seller_id FROM invoices GROUP BY seller_id
			HAVING min(number) = 1 AND max(number) = count(*) AND count(*) = 40) AS sellers`: 2,
		`SELECT count(*) FROM invoices i JOIN invoices j ON j.seller_id = i.seller_id AND j.number > i.number
			WHERE j.issued_at < i.issued_at`: 0,
		`SELECT count(*) FROM invoices WHERE (document ->> 'number')::int <> number OR document ->> 'sellerId' <> seller_id`: 0,
		`SELECT count(*) FROM checkouts c JOIN transactions t ON t.seller_id = c.seller_id AND t.id = c.document ->> 'transactionId'
			JOIN invoices i ON i.seller_id = t.seller_id AND i.transaction_id = t.id WHERE (SELECT count(*) FROM tickets k
			WHERE k.seller_id = t.seller_id AND k.transaction_id = t.id AND k.event_id = t.event_id) = 4`: 2 * each,
	} {
		if got := s.Count(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	for _, query := range []string{
		`SELECT count(*) FROM tickets WHERE document ->> '_id' <> id OR document ->> 'barcode' <> barcode
			OR document ->> 'transactionId' <> transaction_id OR document ->> 'ticketTypeId' <> ticket_type_id
			OR (document ->> 'createdAt')::timestamptz <> created_at OR document ->> 'rootEventId' <> root_event_id`,
		`SELECT count(*) FROM transactions WHERE document ->> '_id' <> id OR document ->> 'tid' <> tid OR document ->> 'eventId' <> event_id
			OR (document ->> 'updatedAt')::timestamptz <> updated_at OR history_types <> '{created,completed}'`,
		"SELECT count(*) - count(DISTINCT document ->> 'secret') FROM tickets",
	} {
		if got := s.Count(query); got != 0 {
			t.Errorf("%s: %d", query, got)
		}
	}
	if commits := s.Count("SELECT count(DISTINCT xmin::text) FROM transactions"); commits >= 2*each {
		t.Errorf("%d sales took %d commits", 2*each, commits)
	}
}

// holding runs f while another connection holds a lock.
func (s *shop) holding(lock string, argument any, f func()) {
	s.T.Helper()
	tx, err := s.Owner(s.T).BeginTx(s.T.Context(), &sql.TxOptions{})
	s.Must(err)
	_, err = tx.ExecContext(s.T.Context(), lock, argument)
	s.Must(err)
	f()
	s.Must(tx.Rollback())
}

func TestLockedInvoiceNumbersDelayNoOtherSeller(t *testing.T) {
	s := newShop(t)
	s.otherSells()
	_, err := s.checkouts.Complete(s.key(seller), s.open().ID) // creates the seller's invoice counter
	s.Must(err)
	const each = 10
	var held, free []sale.Checkout
	for range each {
		held, free = append(held, s.open()), append(free, s.openOther())
	}
	var waiting, done sync.WaitGroup
	s.holding("UPDATE invoice_counters SET last = last WHERE seller_id = $1", string(seller), func() {
		for i := range each {
			waiting.Go(func() { _, _ = s.checkouts.Complete(s.key(seller), held[i].ID) })
			done.Go(func() {
				_, err := s.checkouts.Complete(s.key(other), free[i].ID)
				s.Must(err)
			})
		}
		done.Wait()
		if got := s.Count("SELECT count(*) FROM invoices WHERE seller_id = '" + string(other) + "'"); got != each {
			t.Errorf("the other seller has %d invoices, want %d", got, each)
		}
	})
	waiting.Wait()
	for _, checkout := range held { // some may have timed out
		_, err := s.checkouts.Complete(s.key(seller), checkout.ID)
		s.Must(err)
	}
	if got := s.Count("SELECT max(number) FROM invoices WHERE seller_id = '" + string(seller) + "'"); got != each+1 {
		t.Errorf("the last number is %d, want %d", got, each+1)
	}
}

func TestALockedCheckoutDelaysNoOther(t *testing.T) {
	s := newShop(t)
	held, free := s.open(), s.open()
	var waiting sync.WaitGroup
	s.holding("SELECT 1 FROM checkouts WHERE id = $1 FOR UPDATE", held.ID, func() {
		waiting.Go(func() { _, _ = s.checkouts.Complete(s.key(seller), held.ID) })
		_, err := s.checkouts.Complete(s.key(seller), free.ID)
		s.Must(err)
	})
	waiting.Wait()
	_, err := s.checkouts.Complete(s.key(seller), held.ID)
	s.Must(err)
	if got := s.Count("SELECT count(*) FROM invoices"); got != 2 {
		t.Errorf("got %d invoices, want 2", got)
	}
}

// If a request is repeated while the first one runs, only one of them completes the checkout, even in a shared transaction.
func TestRepeatedCompletionsHaveOneStoredResponse(t *testing.T) {
	s := newShop(t)
	const each = 30
	processes := []sale.Checkouts{s.checkouts, s.elsewhere()}
	requests := make([]domain.IdempotentRequest, each)
	answered := make([]int, each)
	var all sync.WaitGroup
	var mutex sync.Mutex
	for n := range each {
		checkout := s.open()
		requests[n] = domain.IdempotentRequest{Scope: "1/k/s /api/checkout/" + checkout.ID + "/complete", Key: fmt.Sprint("key ", n)}
		for again := range 3 {
			all.Go(func() {
				ctx := domain.WithIdempotentRequest(s.key(seller), requests[n])
				answer, err := processes[again%2].Complete(ctx, checkout.ID)
				mutex.Lock()
				defer mutex.Unlock()
				switch {
				case err == nil && answer.Status == sale.CheckoutComplete:
					answered[n]++
				case domaintest.Code(err) != domain.CodeAnsweredBefore:
					t.Errorf("got %v, want success or %s", err, domain.CodeAnsweredBefore)
				}
			})
		}
	}
	all.Wait()
	if slices.ContainsFunc(answered, func(times int) bool { return times != 1 }) {
		t.Errorf("completed %v times, want once each", answered)
	}
	for _, request := range requests {
		answer, err := s.Store.StoredResponse(s.key(seller), request)
		if s.Must(err); !strings.Contains(string(answer), `"status":"COMPLETE"`) {
			t.Errorf("stored response %s", answer)
		}
	}
	if got := s.Count("SELECT count(*) FROM invoices"); got != each {
		t.Errorf("got %d invoices, want %d", got, each)
	}
}

// A panic in one sale fails only that sale.
func TestAPanickingSaleStopsNoOther(t *testing.T) {
	s := newShop(t)
	faulty := s.checkouts
	faulty.Now = func() time.Time { panic("no clock") }
	const each = 10
	var all sync.WaitGroup
	for range each {
		bad, good := s.open(), s.open()
		all.Go(func() {
			if _, err := faulty.Complete(s.key(seller), bad.ID); err == nil || !strings.Contains(err.Error(), "no clock") {
				t.Errorf("got %v, want the panic", err)
			}
		})
		all.Go(func() {
			_, err := s.checkouts.Complete(s.key(seller), good.ID)
			s.Must(err)
		})
	}
	all.Wait()
	if got := s.Count("SELECT count(*) FROM invoices"); got != each {
		t.Errorf("got %d invoices, want %d", got, each)
	}
}

func TestCanceledCallerDoesNotStopSale(t *testing.T) {
	s := newShop(t)
	const each = 20
	ctx, giveUp := context.WithCancel(s.key(seller))
	var all sync.WaitGroup
	for n := range each {
		left, stays := s.open(), s.open()
		all.Go(func() { _, _ = s.checkouts.Complete(ctx, left.ID) })
		all.Go(func() {
			_, err := s.checkouts.Complete(s.key(seller), stays.ID)
			s.Must(err)
		})
		if n == each/2 {
			giveUp()
		}
	}
	all.Wait()
	giveUp()
	sold := s.Count("SELECT count(*) FROM checkouts WHERE status = 'COMPLETE'")
	for _, query := range []string{
		"SELECT count(*) FROM invoices", "SELECT max(number) FROM invoices", "SELECT count(*) / 4 FROM tickets",
	} {
		if got := s.Count(query); sold < each || got != sold {
			t.Errorf("%s: %d, of %d sold", query, got, sold)
		}
	}
}

// SALE-1: more than 100 tickets.
func TestLargeOrderIsCompletedAlone(t *testing.T) {
	s := newShop(t)
	checkout, err := s.checkouts.Create(s.anonymous(), wants("e1", "stalls", 600, "balcony", 300))
	s.Must(err)
	complete, err := s.checkouts.Complete(s.key(seller), checkout.ID)
	s.Must(err)
	if got := s.Count("SELECT count(*) FROM tickets"); complete.Status != sale.CheckoutComplete || got != 900 {
		t.Errorf("%s with %d tickets", complete.Status, got)
	}
}
