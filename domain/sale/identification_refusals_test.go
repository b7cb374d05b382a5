package sale_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
)

// reasonsOf formats a seller's rejections as reason, count and time.
func (s *shop) reasonsOf(of ids.Seller) string {
	s.T.Helper()
	found, err := s.checkouts.Refusals(s.key(of))
	s.Must(err)
	shown := []string{}
	for _, r := range found {
		shown = append(shown, fmt.Sprintf("%s %d %s", r.Reason, r.Count, r.LastAt.UTC().Format("01-02 15:04")))
	}
	return strings.Join(shown, ", ")
}

func TestRefusalsOfTheIdentificationRuleAreCounted(t *testing.T) {
	s := newShop(t)
	s.french()
	checkout := s.open()
	number := func(text string) string {
		return strings.Replace(acme, `" 732829320"`, fmt.Sprintf("%q", text), 1)
	}
	s.now = s.now.Truncate(time.Hour)
	start := s.now
	for _, sent := range []string{
		number("732829321"), number("732829322"), number("73282932000074"), number("732 829 320"), number("FR44732829320"),
		domaintest.Merged(acme, `"identification":null`), domaintest.Merged(acme, `"city":""`), domaintest.Merged(acme, `"identification":"732829320"`),
	} {
		s.now = s.now.Add(time.Minute)
		if _, err := s.submit(checkout, sent); !domain.HasCode(err, domain.CodeValidationFailed) {
			t.Fatalf("%s: %v", sent, err)
		}
	}
	at := func(minutes int) string {
		return start.UTC().Add(time.Duration(minutes) * time.Minute).Format("01-02 15:04")
	}
	want := fmt.Sprintf("CHECKSUM 2 %s, ADDRESS 1 %s, CHARACTERS 1 %s, LENGTH 1 %s, MALFORMED 1 %s, MISSING_DOCUMENT 1 %s, SPACES 1 %s",
		at(2), at(7), at(5), at(3), at(8), at(6), at(4))

	t.Run("each reason is counted separately", func(t *testing.T) {
		if got := s.reasonsOf(seller); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("not counted for another seller", func(t *testing.T) {
		if got := s.reasonsOf(other); got != "" {
			t.Errorf("another seller has %s", got)
		}
	})
	t.Run("other errors and accepted details do not count", func(t *testing.T) {
		if _, err := s.submit(checkout, domaintest.Merged(acme, `"email":"zoe"`)); !domain.HasCode(err, domain.CodeValidationFailed) {
			t.Errorf("an invalid email address: %v", err)
		}
		_, err := s.submit(checkout, acme)
		s.Must(err)
		if got := s.reasonsOf(seller); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("kept for thirty days", func(t *testing.T) {
		s.now = start.Add(29 * 24 * time.Hour)
		if got := s.reasonsOf(seller); got != want {
			t.Errorf("on the 30th day: %s", got)
		}
		s.now = start.Add(30 * 24 * time.Hour)
		if got := s.reasonsOf(seller); got != "" {
			t.Errorf("on the 31st day: %s", got)
		}
		s.Must(s.Store.PurgeRefusals(t.Context(), start.Add(24*time.Hour)))
		if n := s.Count("SELECT count(*) FROM identification_refusals"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

func TestRefusedPurchaseIntentsAreCounted(t *testing.T) {
	w := newIntentFixture(t)
	input := stalls()
	input.Buyer = details(domaintest.Merged(acme, `"identification":null`)).Buyer
	if _, err := w.intents.Create(w.key(seller), input); !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Fatalf("a company without a number: %v", err)
	}
	found, err := w.Store.Refusals(t.Context(), seller, w.now)
	if err != nil || len(found) != 1 || found[0].Reason != identification.MissingDocument || found[0].Count != 1 {
		t.Errorf("counted %+v, %v", found, err)
	}
}

func TestTrialReadsNumberLikeCheckout(t *testing.T) {
	s := newShop(t)
	trial, err := s.checkouts.TrySIREN(s.key(seller), " 732829320 ")
	if err != nil || trial.Identifier == nil || *trial.Identifier != "732829320" {
		t.Errorf("got %+v, %v", trial, err)
	}
	_, err = s.checkouts.TrySIREN(s.key(seller), strings.Repeat("1", 256))
	refused(t, err, domain.CodeValidationFailed, "at most 255", "identifier")
	ctx := domain.WithActor(t.Context(), new(dbtest.KeyOf(seller, "events:list")))
	if _, err = s.checkouts.TrySIREN(ctx, "1"); !domain.HasCode(err, domain.CodeMissingPermission) {
		t.Errorf("without the permission: %v", err)
	}
}
