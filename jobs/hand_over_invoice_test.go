package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/optional"
	"ticketgate/domain/sale"
	"ticketgate/domain/tenant"
	"ticketgate/domain/webhook"
	"ticketgate/jobs/jobstest"
)

// invoicing sets the URL for the seller's invoices. An empty URL disables hand-over.
func (p *platform) invoicing(url, key string) {
	p.t.Helper()
	sellers := tenant.Sellers{Store: p.store.Tenants(), Now: time.Now}
	sellers.Policy.AllowPrivateAddresses = true
	change := tenant.SellerChange{SellerID: seller, Invoicing: optional.Null[tenant.InvoicingChange]()}
	if url != "" {
		change.Invoicing = optional.Some(tenant.InvoicingChange{URL: url, HMACKey: optional.Some(key)})
	}
	_, err := sellers.Update(domain.WithActor(p.t.Context(), &domain.Actor{Kind: domain.SystemActor, ID: "system", SellerID: seller}), change)
	p.must(err)
}

func (p *platform) transactions() sale.Transactions {
	return sale.Transactions{Store: p.store.Transactions(), Now: time.Now}
}

func (p *platform) invoices() sale.Invoices {
	return sale.Invoices{Store: p.store.Invoices(), Now: time.Now}
}

// bought is a transaction of a company.
const bought = `{"_id":"t1","sellerId":"` + string(seller) + `","eventId":"e1","realPrice":10,"status":"COMPLETE","secret":"s",
	"tid":"T-1","coupons":[],"company":"ACME <é>","street":"1 rue","postal":"75002","city":"Paris","country":"FR",
	"identification":[{"type":"france_siren","identifier":"732829320"}],
	"tickets":[{"_id":"a","amount":1,"price":10,"ticketTypeId":"tt1","name":"Standard","taxRate":20}]}`

// issue creates a transaction and its invoice.
func (p *platform) issue() sale.Invoice { return p.issueOf("1") }

// issueOf is issue for a transaction with its own number.
func (p *platform) issueOf(number string) sale.Invoice {
	p.t.Helper()
	own := strings.NewReplacer(`"t1"`, `"t`+number+`"`, `"T-1"`, `"T-`+number+`"`, `"_id":"a"`, `"_id":"a`+number+`"`)
	text, err := ecmajson.Parse([]byte(own.Replace(bought)), ecmajson.Limits{})
	p.must(err)
	_, err = p.transactions().Import(p.key(), sale.TransactionImport{Transactions: []ecmajson.Value{text}})
	p.must(err)
	record, err := p.transactions().Get(p.key(), "t"+number)
	p.must(err)
	var issued []sale.Invoice
	p.must(p.store.Transactions().InTx(p.t.Context(), func(tx sale.TransactionTx) (err error) {
		invoice := sale.NewInvoice(record.Transaction, tenant.Seller{ID: seller, Name: "S", Country: "FR"}, time.Now())
		issued, err = tx.CreateInvoices(p.t.Context(), seller, []sale.Invoice{invoice})
		return err
	}))
	return issued[0]
}

// handOver returns the hand-over of an invoice, as a caller who may see its URL reads it.
func (p *platform) handOver(id string) sale.HandOver {
	p.t.Helper()
	found, err := p.invoices().Get(p.system(), id)
	p.must(err)
	if found.HandOver == nil {
		p.t.Fatal("the invoice has no hand-over")
	}
	return *found.HandOver
}

func (p *platform) system() context.Context {
	return domain.WithActor(p.t.Context(), &domain.Actor{Kind: domain.SystemActor, ID: "system", SellerID: seller})
}

func TestInvoiceIsHandedOverSigned(t *testing.T) {
	p := newPlatform(t, "0s")
	url, calls := listen(t, func(w http.ResponseWriter, number int) {
		if number == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(strings.Repeat("x", 17<<10)))
			return
		}
		_, _ = w.Write([]byte("booked"))
	})
	p.invoicing(url+"/in?token=hidden", "clé")
	p.start()
	invoice := p.issue()

	first := receive(t, calls, "the first call")
	failed := p.attempt()
	second := receive(t, calls, "the second call")
	line := p.attempt()
	if first.body != second.body {
		t.Errorf("the bytes differ:\n%s\n%s", first.body, second.body)
	}
	var sent sale.Invoice
	p.must(json.Unmarshal([]byte(first.body), &sent))
	if sent.ID != invoice.ID || sent.Number != 1 || sent.Identification[0].Identifier != "732829320" || *sent.Buyer.Street != "1 rue" ||
		sent.Total != "10" || sent.TaxTotal != "1.67" || !strings.Contains(first.body, "ACME <é>") {
		t.Errorf("sent %s", first.body)
	}
	for _, got := range []call{first, second} {
		if signature := got.header.Get("x-service-signature"); signature != webhook.Sign([]byte("clé"), []byte(got.body)) {
			t.Errorf("signature %q", signature)
		}
	}
	for name, value := range map[string]any{
		"invoice": invoice.ID, "seller": string(seller), "attempt": int64(2), "url": url + "/in", "status": int64(200),
		"success": true, "recorded": true, "state": "delivered", "by_hand": false,
	} {
		if line[name] != value {
			t.Errorf("the log's %s is %v", name, line[name])
		}
	}
	if failed["state"] != "pending" {
		t.Errorf("after the first attempt: %v", failed)
	}
	h := p.handOver(invoice.ID)
	if h.State != sale.HandOverDelivered || h.AttemptCount != 2 || h.ScheduledCount != 2 || h.DeliveredAt == nil || h.NextAttemptAt != nil {
		t.Errorf("%+v", h)
	}
	a, b := h.Attempts[0], h.Attempts[1]
	if a.Number != 1 || *a.Status != 500 || len(a.ResponseBody) != 16<<10 || !a.ResponseBodyTruncated || a.URL != url+"/in?token=hidden" ||
		b.Number != 2 || *b.Status != 200 || b.ResponseBody != "booked" || b.Failure != nil || b.ByHand {
		t.Errorf("%+v", h.Attempts)
	}
	seen, err := p.invoices().Get(p.key(), invoice.ID)
	if err != nil || seen.HandOver.Attempts[0].URL != url {
		t.Errorf("a key sees %+v, %v", seen.HandOver, err)
	}
}

// An invoicing system that hangs gets two calls at a time. Its other invoices wait outside of the workers of
// webhooks.
func TestHangingInvoicingDelaysNoWebhook(t *testing.T) {
	const invoices, workers = 10, 4
	p := newPatient(t, workers)
	url, calls, letGo := hanging(t)
	p.invoicing(url, "key")
	for i := range invoices {
		p.issueOf(strconv.Itoa(i))
	}
	p.start()
	for range 2 {
		receive(t, calls, "a hand-over")
	}
	p.until("the others to be postponed", "SELECT count(*) = 8 FROM "+jobstest.Jobs+" WHERE queue = 'invoice_hand_over' AND metadata ? 'snoozes'")
	healthy, answered := listen(t, status(http.StatusNoContent))
	p.hook(healthy, "")
	for range 2 * workers {
		p.publishMany(1)
		receive(t, answered, "the call to the webhook")
	}
	if created := p.count("SELECT count(*) FROM hand_over_attempts"); created != 0 || len(calls) != 0 {
		t.Errorf("%d hand-overs ended, and %d were called besides the first two", created, len(calls))
	}
	letGo()
	p.until("all invoices to be handed over", "SELECT count(*) = 10 FROM hand_overs WHERE state = 'delivered' AND attempts = 1")
}

func TestInvoiceFollowsNoRedirect(t *testing.T) {
	p := newPlatform(t, "1h")
	elsewhere, followed := listen(t, status(200))
	url, _ := listen(t, func(w http.ResponseWriter, _ int) {
		w.Header().Set("Location", elsewhere)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	p.invoicing(url, "")
	p.start()
	invoice := p.issue()
	p.attempt()
	if h := p.handOver(invoice.ID); h.State != sale.HandOverDelivered || *h.Attempts[0].Status != 307 || len(followed) != 0 {
		t.Errorf("%+v, followed %d times", h, len(followed))
	}
}

func TestARetryGoesToTheCurrentInvoicingURL(t *testing.T) {
	p := newPlatform(t, "0s")
	moved, calls := listen(t, status(200))
	changed := make(chan struct{})
	old, first := listen(t, func(w http.ResponseWriter, _ int) {
		<-changed
		w.WriteHeader(http.StatusInternalServerError)
	})
	p.invoicing(old, "old key")
	p.start()
	invoice := p.issue()
	receive(t, first, "the first call") // the running job may not have read the new URL yet
	p.invoicing(moved, "new key")
	close(changed)
	got := receive(t, calls, "the second call")
	if signature := got.header.Get("x-service-signature"); signature != webhook.Sign([]byte("new key"), []byte(got.body)) {
		t.Errorf("signature %q", signature)
	}
	p.attempt()
	p.attempt()
	if h := p.handOver(invoice.ID); h.Attempts[0].URL != old || h.Attempts[1].URL != moved {
		t.Errorf("%+v", h.Attempts)
	}
}

func TestHandOverIsCanceledWithInvoicing(t *testing.T) {
	p := newPlatform(t, "0s")
	url, calls := listen(t, status(200))
	p.invoicing(url, "")
	invoice := p.issue()
	p.invoicing("", "")
	p.start()
	p.until("end", "SELECT state = 'canceled' FROM hand_overs")
	if _, err := p.invoices().RetryHandOver(p.key(), invoice.ID); !domain.HasCode(err, domain.CodeInvalidState) {
		t.Errorf("without invoicing a retry got %v", err)
	}
	p.invoicing(url, "")
	if h, err := p.invoices().RetryHandOver(p.key(), invoice.ID); err != nil || h.State != sale.HandOverPending || !h.RetryRequested {
		t.Errorf("%+v, %v", h, err)
	}
	receive(t, calls, "the manual call")
	p.attempt()
	h := p.handOver(invoice.ID)
	if h.State != sale.HandOverDelivered || h.AttemptCount != 1 || h.ScheduledCount != 0 || !h.Attempts[0].ByHand {
		t.Errorf("%+v", h)
	}
}

func TestAFailedHandOverCanBeRetried(t *testing.T) {
	p := newPlatform(t, "0s")
	url, calls := listen(t, func(w http.ResponseWriter, number int) {
		if number <= 2 {
			w.WriteHeader(http.StatusGone)
		}
	})
	p.invoicing(url, "")
	p.start()
	invoice := p.issue()
	for range 2 {
		receive(t, calls, "a call")
		p.attempt()
	}
	if h := p.handOver(invoice.ID); h.State != sale.HandOverFailed || h.NextAttemptAt != nil {
		t.Fatalf("%+v", h)
	}
	p.wantNotice("giveUpInvoiceHandOver", "invoice", invoice.ID, `{"state": "failed", "status": 410, "attempts": 2}`)
	_, err := p.invoices().RetryHandOver(p.key(), invoice.ID)
	p.must(err)
	receive(t, calls, "the manual call")
	if line := p.attempt(); line["by_hand"] != true || line["attempt"] != int64(3) {
		t.Errorf("%v", line)
	}
	if h := p.handOver(invoice.ID); h.State != sale.HandOverDelivered || h.AttemptCount != 3 || h.ScheduledCount != 2 {
		t.Errorf("%+v", h)
	}
	if got := p.count("SELECT count(*) FROM audit_entries WHERE action = 'retryInvoiceHandOver' AND after->>'state' = 'failed'"); got != 1 {
		t.Errorf("%d entries of the audit log", got)
	}
}

// A killed process may lose its job, but never the hand-over.
func TestLostHandOverIsSwept(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.invoicing(url, "")
	p.issue()
	p.exec(jobstest.Delete("kind = 'hand_over_invoice'"))
	p.start()
	for range 2 { // the second sweep finds the job that the first inserted, or the invoice handed over
		p.must(p.workers.SweepBefore(t.Context(), time.Now().Add(time.Hour)))
	}
	receive(t, calls, "the call")
	p.attempt()
	if got := p.count("SELECT attempts FROM hand_overs WHERE state = 'delivered'"); got != 1 || len(calls) != 0 {
		t.Errorf("%d attempts, %d more calls", got, len(calls))
	}
}

func TestInvoicesAreNotHandedOverWithoutInvoicing(t *testing.T) {
	p := newPlatform(t, "1h")
	invoice := p.issue()
	if jobs := p.count(jobstest.Count("true")); jobs != 0 {
		t.Errorf("%d jobs", jobs)
	}
	found, err := p.invoices().Get(p.key(), invoice.ID)
	if err != nil || found.HandOver != nil {
		t.Errorf("%+v, %v", found.HandOver, err)
	}
	url, _ := listen(t, status(200))
	p.invoicing(url, "")
	if _, err := p.invoices().RetryHandOver(p.key(), invoice.ID); err != nil {
		t.Error(err)
	}
	if got := p.count(`SELECT count(*) FROM audit_entries WHERE action = 'retryInvoiceHandOver' AND after::text = '{"attempts": 0}'`); got != 1 {
		t.Errorf("%d entries have no previous state", got)
	}
}

func TestRolledBackInvoiceIsNotHandedOver(t *testing.T) {
	p := newPlatform(t, "1h")
	url, _ := listen(t, status(200))
	invoice := p.issue()
	p.invoicing(url, "")
	refused := errors.New("refused")
	err := p.store.Invoices().InTx(t.Context(), func(tx sale.HandOverTx) error {
		if _, _, changed, err := tx.RequestHandOver(t.Context(), seller, invoice.ID, time.Now()); !changed || err != nil {
			t.Errorf("the retry request was recorded as %v, %v", changed, err)
		}
		return refused
	})
	if jobs := p.count(jobstest.Count("true")); !errors.Is(err, refused) || jobs != 0 {
		t.Errorf("%d jobs after %v", jobs, err)
	}
}

func (p *platform) count(query string) (n int) {
	p.t.Helper()
	p.must(p.sql.QueryRowContext(p.t.Context(), query).Scan(&n))
	return n
}
