package sale_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
)

func TestCompletingCreatesTransactionTicketsAndEvents(t *testing.T) {
	s := newShop(t)
	s.french()
	s.language = "fr"
	checkout := s.open()
	_, err := s.submit(checkout, acme)
	s.Must(err)
	s.happened()
	s.now = s.now.Add(time.Minute)
	complete, err := s.checkouts.Complete(s.key(seller), checkout.ID)
	s.Must(err)
	if complete.Status != sale.CheckoutComplete || complete.TransactionID == nil || s.text(s.stored(checkout.ID)) != s.text(complete) {
		t.Fatalf("got %s", s.text(complete))
	}

	transaction, err := s.transactions.Get(s.key(seller), *complete.TransactionID)
	s.Must(err)
	checkDocument(t, sale.TransactionDefinition, transaction.Document)
	want := domaintest.Merged(acme, fmt.Sprintf(`"_id":%q`, *complete.TransactionID), fmt.Sprintf(`"sellerId":%q`, seller), `"eventId":"e1"`,
		`"realPrice":70.6`, `"regularPrice":70.6`, `"status":"COMPLETE"`, `"coupons":[]`, `"currency":"EUR"`, `"taxRate":7`,
		`"name":"Ada Lovelace"`, `"origin":"yourticket"`, `"preferredLanguage":"fr"`,
		`"createdAt":"2026-11-27T12:01:00.123Z"`, `"updatedAt":"2026-11-27T12:01:00.123Z"`,
		`"identification":[{"type":"france_siren","identifier":"732829320"}]`,
		fmt.Sprintf(`"tickets":[{"amount":2,"price":25.1,"ticketTypeId":"stalls","type":"ticket","_id":%q,"name":"Stalls","taxRate":7},
			{"amount":2,"price":10.2,"ticketTypeId":"balcony","type":"ticket","_id":%q,"name":"Balcony","taxRate":7}]`,
			checkout.Items[0].ID, checkout.Items[1].ID))
	sameBut(t, want, string(transaction.Document), "phone", "secret", "tid", "historyEntries")
	if len(transaction.Secret) != 26 || !strings.HasPrefix(transaction.TID, "T-") || len(transaction.HistoryEntries) != 2 {
		t.Errorf("secret %q, tid %q, history %v", transaction.Secret, transaction.TID, transaction.HistoryEntries)
	}

	tickets := s.ticketsOf(*complete.TransactionID)
	barcodes := map[string]bool{}
	for i, elem := range tickets {
		checkDocument(t, ticket.Definition, elem.Document)
		barcodes[elem.Barcode], barcodes[elem.Secret] = true, true
		item := checkout.Items[i/2]
		if elem.TicketTypeID != item.TicketTypeID || *elem.CartItemID != item.ID || *elem.RealPrice != item.Price ||
			elem.Status != ticket.Valid || *elem.RootEventID != "root" || *elem.Email != "ada@example.com" || *elem.Firstname != "Ada" ||
			*elem.Company != "ACME SARL" || elem.TicketName != item.Name || *elem.Currency != "EUR" {
			t.Errorf("ticket %d is %s", i, elem.Document)
		}
	}
	if len(tickets) != 4 || len(barcodes) != 8 {
		t.Errorf("got %d tickets with %v", len(tickets), barcodes)
	}

	s.invoiced(*complete.TransactionID)
	types, data := s.happened()
	slices.Sort(types)
	if got := strings.Join(types, " "); got != "checkout.completed ticket.created ticket.created ticket.created ticket.created transaction.complete" {
		t.Errorf("published %s", got)
	}
	whole := `{"transaction":` + string(transaction.Document) + `,"tickets":[`
	for i, item := range tickets {
		if i > 0 {
			whole += ","
		}
		whole += string(item.Document)
		if !slices.Contains(data, `{"ticket":`+string(item.Document)+`}`) {
			t.Errorf("no event contains %s", item.Document)
		}
	}
	if !slices.Contains(data, whole+"]}") || !slices.Contains(data, `{"checkout":`+s.text(complete)+`}`) {
		t.Errorf("the events contain %q", data)
	}
}

// invoiced checks the transaction's only invoice: its number, total, seller, buyer and identification (IDENT-7).
func (s *shop) invoiced(transaction string) {
	s.T.Helper()
	var text string
	s.Must(s.SQL.QueryRowContext(s.T.Context(), "SELECT document FROM invoices WHERE transaction_id = $1", transaction).Scan(&text))
	for _, part := range []string{
		`"number":1,`, `"total":70.6`, `"seller":{"name":"S","country":"FR"}`, `"company":"ACME SARL"`, `"street":"1 rue de la Paix"`,
		`"identification":[{"type":"france_siren","identifier":"732829320"}]`,
	} {
		if !strings.Contains(text, part) {
			s.T.Errorf("%s is not in the invoice %s", part, text)
		}
	}
}

// checkDocument checks that a document is valid for its resource, including the fields that the service sets.
func checkDocument(t *testing.T, of *document.Definition, text []byte) {
	t.Helper()
	var faults domain.FieldErrors
	checked := decode.Document(&faults, "", of, domaintest.JSON(string(text)), decode.Whole)
	if err := faults.Err(); err != nil || !bytes.Equal(checked.Append(nil), text) {
		t.Errorf("%s: got %v", text, err)
	}
}

// sameBut compares two JSON objects, ignoring some of their fields.
func sameBut(t *testing.T, want, got string, but ...string) {
	t.Helper()
	plain := func(text string) string {
		members := map[string]any{}
		if err := json.Unmarshal([]byte(text), &members); err != nil {
			t.Fatal(err)
		}
		for _, name := range but {
			delete(members, name)
		}
		printed, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		return string(printed)
	}
	if plain(want) != plain(got) {
		t.Errorf("got  %s\nwant %s", plain(got), plain(want))
	}
}

// ticketsOf returns the tickets of a transaction, oldest first.
func (s *shop) ticketsOf(transaction string) []ticket.Record {
	s.T.Helper()
	list, err := s.tickets.List(s.key(seller), ticket.Filter{TransactionID: transaction}, domain.Page{Limit: 1000})
	s.Must(err)
	return list.Items
}

func TestCompletingChecksRuleAgain(t *testing.T) {
	s := newShop(t)
	plain, company := s.open(), s.open()
	_, err := s.submit(company, `{"company":"ACME","country":"FR"}`)
	s.Must(err) // nothing is required yet
	s.french()
	s.happened()
	_, err = s.checkouts.Complete(s.key(seller), company.ID)
	refused(t, err, domain.CodeValidationFailed, "Missing required identification: france_siren", "identification street postal city")
	s.Exec(`UPDATE sellers SET identification_config = '[[{"type":"france_siren","identificationThreshold":70.6}]]' WHERE id = $1`, string(seller))
	_, err = s.checkouts.Complete(s.key(seller), plain.ID)
	refused(t, err, domain.CodeValidationFailed, "Missing required identification: france_siren", "identification")
	s.Exec("UPDATE sellers SET identification_config = NULL WHERE id = $1", string(seller))
	s.wantEvents()
	if s.Count("SELECT count(*) FROM transactions") != 0 || s.stored(company.ID).Status != sale.CheckoutDetails {
		t.Error("something was sold")
	}

	_, err = s.submit(company, acme)
	s.Must(err)
	s.Exec("UPDATE sellers SET siren = false WHERE id = $1", string(seller))
	complete, err := s.checkouts.Complete(s.key(seller), company.ID)
	if s.Must(err); complete.Identification != nil {
		t.Errorf("identification was kept without the module: %v", complete.Identification)
	}
	_, err = s.checkouts.Complete(s.key(seller), plain.ID)
	s.Must(err) // without a company nothing is required
}

func TestCheckoutEndsOnce(t *testing.T) {
	s := newShop(t)
	complete, aborted, expired := s.open(), s.open(), s.open()
	ctx := s.key(seller)
	first, err := s.checkouts.Complete(ctx, complete.ID)
	s.Must(err)
	again, err := s.checkouts.Complete(ctx, complete.ID)
	if s.Must(err); s.text(first) != s.text(again) {
		t.Errorf("completed again: %s", s.text(again))
	}
	gone, err := s.checkouts.Abort(ctx, aborted.ID, "")
	s.Must(err)
	s.now = s.now.Add(time.Second)
	twice, err := s.checkouts.Abort(ctx, aborted.ID, "")
	if s.Must(err); gone.Status != sale.CheckoutAborted || s.text(gone) != s.text(twice) {
		t.Errorf("aborted again: %s", s.text(twice))
	}
	types, _ := s.happened()
	slices.Sort(types)
	if got := strings.Join(types, " "); got != "checkout.aborted checkout.completed ticket.created ticket.created ticket.created ticket.created transaction.complete" {
		t.Errorf("published %s", got)
	}

	s.now = expired.ExpiresAt.Time
	for name, id := range map[string]string{"complete": complete.ID, "aborted": aborted.ID, "expired": expired.ID} {
		_, submit := s.checkouts.Submit(ctx, id, "", sale.Details{})
		refused(t, submit, domain.CodeInvalidState, name, "")
	}
	_, err = s.checkouts.Complete(ctx, aborted.ID)
	refused(t, err, domain.CodeInvalidState, "was aborted", "")
	_, err = s.checkouts.Complete(ctx, expired.ID)
	refused(t, err, domain.CodeInvalidState, "has expired", "")
	_, err = s.checkouts.Abort(ctx, complete.ID, "")
	refused(t, err, domain.CodeInvalidState, "is complete", "")
	_, err = s.checkouts.Form(ctx, aborted.ID, "", "")
	s.Must(err)
	s.wantEvents()
	for _, missing := range []string{"nothing", "", "a'b"} {
		_, err := s.checkouts.Complete(ctx, missing)
		refused(t, err, domain.CodeNotFound, "Checkout not found", "")
	}
	if got := s.Count("SELECT count(*) FROM audit_entries WHERE action IN ('completeCheckout', 'abortCheckout')"); got != 2 {
		t.Errorf("the audit log has %d entries", got)
	}
}

func TestAuditLogNamesBuyer(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	_, err := s.checkouts.Abort(s.anonymous(), checkout.ID, checkout.Secret)
	s.Must(err)
	if got := s.Count(`SELECT count(*) FROM audit_entries WHERE action = 'abortCheckout' AND actor_kind = 'BUYER' AND actor_id = '` +
		checkout.ID + `'`); got != 1 {
		t.Errorf("the audit log has %d entries of the buyer", got)
	}
}

func TestNothingIsSoldForADeletedEvent(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	s.Exec("DELETE FROM catalog_events WHERE id = 'e1'")
	_, err := s.checkouts.Complete(s.key(seller), checkout.ID)
	refused(t, err, domain.CodeInvalidState, "event of this checkout was deleted", "")
	_, err = s.checkouts.Submit(s.key(seller), checkout.ID, "", sale.Details{})
	refused(t, err, domain.CodeInvalidState, "event of this checkout was deleted", "")
	aborted, err := s.checkouts.Abort(s.key(seller), checkout.ID, "")
	s.Must(err)
	if aborted.Status != sale.CheckoutAborted {
		t.Errorf("the checkout could not be aborted: %s", aborted.Status)
	}
}

func TestHundredConcurrentCompletions(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	const callers = 100
	answers := make([]string, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			complete, err := s.checkouts.Complete(s.key(seller), checkout.ID)
			text, _ := complete.Document()
			answers[i] = fmt.Sprint(string(text), err)
		})
	}
	all.Wait()
	slices.Sort(answers)
	if distinct := slices.Compact(answers); len(distinct) != 1 || !strings.HasSuffix(distinct[0], "<nil>") {
		t.Errorf("distinct results: %q", distinct)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM transactions": 1, "SELECT count(*) FROM tickets": 4, "SELECT count(*) FROM events": 6,
		"SELECT count(*) FROM invoices": 1, "SELECT last FROM invoice_counters": 1,
	} {
		if got := s.Count(query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}

func TestConcurrentExpiryAbortsCheckoutsOnce(t *testing.T) {
	s := newShop(t)
	const count = 250 // three batches
	for range count {
		s.open()
	}
	complete := s.open()
	_, err := s.checkouts.Complete(s.key(seller), complete.ID)
	s.Must(err)
	s.now = complete.ExpiresAt.Add(-time.Millisecond)
	fresh, err := s.checkouts.Create(s.anonymous(), wants("e1", "stalls", 1))
	s.Must(err)
	if none, err := s.checkouts.Expire(t.Context()); none != 0 || err != nil {
		t.Fatalf("%d expired too early, %v", none, err)
	}
	s.happened()
	s.now = complete.ExpiresAt.Time
	counts := make([]int, 4)
	var all sync.WaitGroup
	for i := range counts {
		all.Go(func() { counts[i], _ = s.checkouts.Expire(t.Context()) })
	}
	all.Wait()
	if total := counts[0] + counts[1] + counts[2] + counts[3]; total != count {
		t.Errorf("%v were aborted, want %d in total", counts, count)
	}
	types, data := s.happened()
	slices.Sort(types)
	if len(types) != count || types[0] != "checkout.aborted" || types[count-1] != "checkout.aborted" || !strings.Contains(data[0], `"status":"ABORTED"`) {
		t.Errorf("got %d events from %s to %s", len(types), types[0], types[len(types)-1])
	}
	if s.stored(fresh.ID).Status != sale.CheckoutNew || s.stored(complete.ID).Status != sale.CheckoutComplete {
		t.Error("other checkouts were changed")
	}
}

// Pasted text may start with U+FEFF, which is white space everywhere (IDENT-6).
func TestByteOrderMarksAreTrimmed(t *testing.T) {
	s := newShop(t)
	s.french()
	sent, err := s.submit(s.open(), `{"company":"\ufeff","country":"\ufeffDE","lastname":"\ufeff Weiß\ufeff","phone":"\ufeff"}`)
	s.Must(err)
	if sent.Company != nil || *sent.Country != "DE" || *sent.Lastname != "Weiß" || sent.Phone != nil {
		t.Errorf("stored %s", s.text(sent))
	}
}

// IMPORT-8, with a stopped clock.
func TestUpdatedAtIncreasesWithStoppedClock(t *testing.T) {
	s := newShop(t)
	ctx := s.key(seller)
	aborted, complete := s.open(), s.open()
	if got, err := s.checkouts.Abort(ctx, aborted.ID, ""); err != nil || !got.UpdatedAt.After(aborted.UpdatedAt.Time) {
		t.Errorf("aborted at %s, %v", got.UpdatedAt, err)
	}
	if got, err := s.checkouts.Complete(ctx, complete.ID); err != nil || !got.UpdatedAt.After(complete.UpdatedAt.Time) {
		t.Errorf("completed at %s, %v", got.UpdatedAt, err)
	}
	intent := sale.PurchaseIntent{Status: sale.IntentCreated, UpdatedAt: complete.UpdatedAt}
	if got, _, err := intent.Moved(sale.IntentApproved, complete.UpdatedAt.Time); err != nil || !got.UpdatedAt.After(complete.UpdatedAt.Time) {
		t.Errorf("approved at %s, %v", got.UpdatedAt, err)
	}
}
