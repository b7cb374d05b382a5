package scan_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

func (w *fixture) after(ctx context.Context, seq int64) scan.ChangePage {
	w.T.Helper()
	after := int(seq)
	page, err := w.feed.After(ctx, &after, nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return page
}

func tapAndGo(c *scan.Config) { c.TapAndGo = &scan.TapAndGo{Enabled: true} }

func TestTheFeedContainsChanges(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group := w.group(tapAndGo)
	device := w.device("Door", group, scan.Full)
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"E1"}),
	}); err != nil {
		t.Fatal(err)
	}
	ctx := w.from(device)
	w.ticket("1", nil)
	w.ticket("2", func(d map[string]any) { d["eventId"] = "E2" })
	w.ticket("3", func(d map[string]any) { d["status"] = "RESERVED" })
	w.ticket("1", func(d map[string]any) { d["barcode"] = "new" })
	w.ticket("1", func(d map[string]any) { d["barcode"] = "new" }) // changes nothing
	w.ticket("1", func(d map[string]any) { d["barcode"], d["status"] = "new", "INVALID" })
	w.Exec(`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		VALUES ('L1', $1, 'static', 'L', 'l', now(), now())`, string(seller))
	w.Exec(`INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at)
		VALUES ('N1', 'L1', $1, 'card', now(), now())`, string(seller))
	w.Exec("DELETE FROM access_lists WHERE id = 'L1'")
	if _, err := w.groups.Update(w.As(seller), group.ID, scan.GroupChange{Name: "Other"}); err != nil {
		t.Fatal(err)
	}
	page := w.after(ctx, 0)
	got := make([]string, 0, len(page.Changes))
	for _, change := range page.Changes {
		got = append(got, fmt.Sprintf("%d %s %s %s", change.Seq, change.Type, change.ObjectID, texts.Of(change.Code)))
	}
	want := []string{
		"1 rules.changed " + device.ID + " ", "2 ticket.granted 1 B-1", "4 ticket.revoked 1 B-1", "5 ticket.granted 1 new",
		"6 ticket.revoked 1 new", "7 entry.granted N1 card", "8 entry.revoked N1 card", "9 rules.changed " + group.ID + " ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || page.Next != 9 || page.More {
		t.Errorf("next is %d, more is %t:\n%s\nwant\n%s", page.Next, page.More, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if rest := w.after(ctx, page.Next); len(rest.Changes) != 0 || rest.Next != 9 {
		t.Errorf("after the end: %+v", rest)
	}
	item, two := 1, 2
	if part, err := w.feed.After(ctx, &item, &two); err != nil || !part.More || part.Next != 3 || len(part.Changes) != 1 {
		t.Errorf("a page: %+v, %v", part, err)
	}
	beyond := 10
	if _, err := w.feed.After(ctx, &beyond, nil); err == nil || domain.AsError(err).Fields[0] != (domain.FieldError{Path: "after", Message: "must be at most 9"}) {
		t.Errorf("a number that was never assigned: %v", err)
	} else {
		domaintest.HasCode(t, "the call", err, domain.CodeFeedExpired)
	}
	minus := -1
	_, err := w.feed.After(ctx, &minus, nil)
	domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
}

// A ticket of a ROOT or GROUP event opens the events below, so devices of those events are told of it and can read it.
func TestADeviceGetsTicketsOfEventsAboveItsOwn(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Exec("UPDATE catalog_events SET parent_event_id = 'G1' WHERE seller_id = $1 AND id = 'E2'", string(seller))
	device := w.device("Door", w.group(nil), scan.Full)
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"D1", "E2"}),
	}); err != nil {
		t.Fatal(err)
	}
	for _, event := range []string{"R1", "G1", "D1", "E1"} {
		w.ticket(event, func(d map[string]any) { d["eventId"] = event })
	}
	var told []string
	for _, change := range w.after(w.from(device), 0).Changes {
		if change.EventID != nil {
			told = append(told, *change.EventID)
		}
	}
	if got := strings.Join(told, " "); got != "R1 G1 D1" {
		t.Errorf("got changes of tickets of %s", got)
	}
	for _, event := range []string{"R1", "G1", "D1"} {
		list, err := w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: event}, domain.Page{Limit: 10})
		if err != nil || len(list.Items) != 1 || list.Items[0].ID != event {
			t.Errorf("tickets of %s: %+v, %v", event, list.Items, err)
		}
	}
	_, err := w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: "E1"}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
}

// Old changes are removed. A reader that has seen all removed changes continues. Any other gets FEED_EXPIRED.
func TestTheFeedDropsOldChangesAndReportsIt(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	ctx := w.from(w.device("Door", w.group(nil), scan.Full))
	forget := func() {
		t.Helper()
		if err := w.Store.PurgeChanges(t.Context(), w.now); err != nil {
			t.Fatal(err)
		}
	}
	old := func(condition string) {
		w.Exec("UPDATE device_feed SET at = $1 WHERE "+condition, w.now.Add(-time.Minute))
	}
	expired := func(after int, forgotten string) {
		t.Helper()
		_, err := w.feed.After(ctx, &after, nil)
		domaintest.HasCode(t, "the call", err, domain.CodeFeedExpired)
		if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0] != (domain.FieldError{Path: "after", Message: "must be at least " + forgotten}) {
			t.Errorf("got fields %+v", fields)
		}
	}
	seqs := func(page scan.ChangePage, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, change := range page.Changes {
			text += fmt.Sprint(change.Seq, " ")
		}
		return text + "next " + fmt.Sprint(page.Next)
	}
	equal := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	for _, id := range []string{"1", "2", "3", "4"} {
		w.ticket(id, nil)
	}
	forget()
	equal(seqs(w.after(ctx, 0), nil), "1 2 3 4 next 4")
	old("seq <> 3") // the fourth is kept, since the third is not old yet
	forget()
	equal(seqs(w.feed.After(ctx, nil, nil)), "3 4 next 4")
	equal(seqs(w.after(ctx, 2), nil), "3 4 next 4")
	expired(1, "2")
	expired(0, "2")
	old("true")
	forget()
	equal(seqs(w.feed.After(ctx, nil, nil)), "next 4")
	equal(seqs(w.after(ctx, 4), nil), "next 4")
	expired(3, "4")
	w.ticket("5", nil) // gets a number, although it is removed before it is read
	old("true")
	forget()
	expired(4, "5")
	w.ticket("6", nil)
	equal(seqs(w.after(ctx, 5), nil), "6 next 6")
	if n := w.Count("SELECT count(*) FROM device_feed"); n != 1 {
		t.Errorf("got %d rows, want 1", n)
	}
}

// A reader that follows writers who commit in any order sees every change once, and never one before what it has seen.
func TestFeedHasNoGaps(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(tapAndGo), scan.Full)
	ctx := w.from(device)
	const writers, each = 6, 15
	insert := `INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at)
		VALUES ($1, 'L1', $2, $1, now(), now())`
	w.Exec(`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		VALUES ('L1', $1, 'static', 'L', 'l', now(), now())`, string(seller))
	done := make(chan error, writers)
	for writer := range writers {
		go func() {
			for n := range each {
				tx, err := w.SQL.BeginTx(t.Context(), nil)
				if err != nil {
					done <- err
					return
				}
				_, err = tx.ExecContext(t.Context(), insert, fmt.Sprintf("%d-%d", writer, n), string(seller))
				if err == nil && n%3 == 0 { // stays open, so that later transactions commit before it
					_, err = tx.ExecContext(t.Context(), "SELECT pg_sleep(0.01)")
				}
				if err == nil {
					err = tx.Commit()
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	var mutex sync.Mutex
	seen := map[string]int64{}
	read := func(seq int64) int64 {
		page := w.after(ctx, seq)
		mutex.Lock()
		defer mutex.Unlock()
		for i, change := range page.Changes {
			if change.Seq != seq+int64(i)+1 {
				t.Errorf("change %d comes after %d", change.Seq, seq+int64(i))
			}
			if first, ok := seen[change.ObjectID]; ok && first != change.Seq {
				t.Errorf("%s has the numbers %d and %d", change.ObjectID, first, change.Seq)
			}
			seen[change.ObjectID] = change.Seq
		}
		return page.Next
	}
	running, seq := writers, int64(0)
	for running > 0 {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running--
		default:
			seq = read(seq)
		}
	}
	read(seq)
	if len(seen) != writers*each {
		t.Errorf("saw %d of %d changes", len(seen), writers*each)
	}
}

// The server plans a trigger's statement once per connection, for as many rows as its first call has. A large change
// after a small one must not use the plan of the small one, with which each row reads every other.
func TestLargeChangeGetsOwnPlan(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Exec(`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
		VALUES ('L1', $1, 'static', 'L', 'l', now(), now())`, string(seller))
	w.Exec(`INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at)
		SELECT 'N' || n, 'L1', $1, 'code' || n, now(), now() FROM generate_series(1, 10000) n`, string(seller))
	w.Exec(`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids,
			document, created_at, updated_at)
		SELECT 'N' || n, $1, 'E1', 'T1', 'VALID', 'B' || n, '', '{}', '{}', now(), now() FROM generate_series(1, 10000) n`, string(seller))
	conn, err := w.SQL.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, statement := range []string{
		"SET statement_timeout = '20s'", // all of them take less than a second; the wrong plan took two minutes
		"UPDATE access_entries SET phone = '1' WHERE id = 'N1'", "UPDATE access_entries SET phone = '2'",
		"UPDATE tickets SET search_folded = '1' WHERE id = 'N1'", "UPDATE tickets SET search_folded = '2'",
		"SET statement_timeout = DEFAULT",
	} {
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if n := w.Count("SELECT count(*) FROM device_feed WHERE type IN ('ticket.granted', 'entry.granted')"); n != 40_002 {
		t.Errorf("the feed has %d changes, want 40002", n)
	}
}

// A ticket that excludes its own event does not open it, like an invalid one.
func TestTheFeedRevokesExcludedTickets(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	ctx := w.from(w.device("Door", w.group(nil), scan.Full))
	for _, excluded := range [][]string{{"E1"}, {"E2"}, {"E1", "E2"}, {}} {
		w.ticket("1", func(d map[string]any) { d["excludedEventIds"] = excluded })
	}
	got := ""
	for _, change := range w.after(ctx, 0).Changes {
		got += fmt.Sprintf("%s %s, ", change.Type, change.ObjectID)
	}
	if want := "ticket.granted 1, ticket.revoked 1, ticket.granted 1, "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Where an event is and when it starts decide which tickets open it, although no ticket changes. A device must be
// told, or it would go on admitting the wrong tickets.
func TestTheFeedContainsMovedEvents(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	events := catalog.New(w.Store.Catalog(), tenant.LookUp(w.Store.Tenants()), func() time.Time { return w.now }).Events
	device := w.device("Door", w.group(nil), scan.Full)
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"E1"}),
	}); err != nil {
		t.Fatal(err)
	}
	ctx := w.from(device)
	w.ticket("1", func(d map[string]any) { d["eventId"] = "R1" })
	later := optional.Some(moment.New(w.now.Add(time.Hour)))
	seen := w.after(ctx, 0).Next
	for _, step := range []struct {
		name, event string
		change      catalog.EventChange
		told, scan  string
	}{
		{"move below the series", "E1", catalog.EventChange{RootEventID: optional.Some("R1")}, "E1", "GRANTED"},
		{"no change", "E1", catalog.EventChange{RootEventID: optional.Some("R1")}, "", "ALREADY_CHECKED_IN"},
		{"no change, by another field", "E1", catalog.EventChange{RootEventID: optional.Null[string](), ParentEventID: optional.Some("R1")}, "", "ALREADY_CHECKED_IN"},
		{"later start of the series", "R1", catalog.EventChange{Start: later}, "R1", "ALREADY_CHECKED_IN"},
		{"move out of the series", "E1", catalog.EventChange{ParentEventID: optional.Null[string]()}, "E1", "WRONG_EVENT"},
		{"later end", "E1", catalog.EventChange{End: later}, "E1", "WRONG_EVENT"},
		{"later start", "E1", catalog.EventChange{Start: later}, "E1", "WRONG_EVENT"},
		{"remove an end that equals the default", "E1", catalog.EventChange{End: optional.Null[moment.DateTime]()}, "", "WRONG_EVENT"},
		{"new name", "E1", catalog.EventChange{Name: optional.Some("Other")}, "", "WRONG_EVENT"},
		{"an event without access", "E2", catalog.EventChange{RootEventID: optional.Some("R1")}, "", "WRONG_EVENT"},
	} {
		if _, err := events.Update(w.As(seller), step.event, step.change); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		page, told := w.after(ctx, seen), ""
		for _, change := range page.Changes {
			if change.Type != scan.RulesChanged || change.ObjectID != texts.Of(change.EventID) {
				t.Errorf("%s: got change %+v", step.name, change)
			}
			told += change.ObjectID
		}
		if seen = page.Next; told != step.told {
			t.Errorf("%s: got changes of %q, want %q", step.name, told, step.told)
		}
		wants(t, w.scan(device, "B-1", scan.In), step.scan)
	}
}
