package sales

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/rest/resttest"
)

// TestAllFaultsOfASaleAreNamedTogether sends bodies with faults found at different steps: when reading a field,
// when looking one up, and in the identification rule, whose message remains the message (BODY-1).
func TestAllFaultsOfASaleAreNamedTogether(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	key, stranger := s.As(t, apitest.Bearer(s.seller.APIKey)), s.As(t, nil)
	items := []any{object{"ticketTypeId": "nowhere", "amount": 1}, object{"ticketTypeId": s.seller.TicketTypeID, "amount": 0}}
	long := strings.Repeat("x", 65)
	for name, row := range map[string]struct {
		client  *resttest.Client
		path    string
		body    object
		message string
		paths   []string
	}{
		"details": {
			s.REST.With("Checkout-Secret", s.secret), s.path("details"),
			object{"name": 5, "company": "Théâtre", "email": "no", "preferredLanguage": "xx", "city": []any{}, "country": "FR"},
			"Missing required identification: france_siren",
			[]string{"name", "city", "identification", "street", "postal", "email", "preferredLanguage"},
		},
		"a checkout": {
			stranger, "/api/checkout",
			object{"sellerId": s.seller.SellerID, "eventId": "nowhere", "items": items, "customerId": long, "preferredLanguage": 1},
			"preferredLanguage must be",
			[]string{"preferredLanguage", "items[1].amount", "eventId", "items[0].ticketTypeId", "customerId"},
		},
		"a checkout of an unknown seller": {
			stranger, "/api/checkout",
			object{"sellerId": "nobody", "eventId": 5, "items": []any{object{"ticketTypeId": "", "amount": "1"}}},
			"sellerId does not exist",
			[]string{"eventId", "items[0].amount", "sellerId", "items[0].ticketTypeId"},
		},
		"a purchase intent": {
			key, "/api/purchaseintents",
			object{
				"eventId": "nowhere", "items": items, "lastname": 5, "company": "Théâtre", "street": "Quai 1", "country": "FR", "expiresAt": "soon",
				"identification": []any{object{"type": "france_siren", "identifier": "732829321"}},
			},
			"identification[0].identifier",
			[]string{
				"lastname", "expiresAt", "identification[0].identifier", "postal", "city", "items[1].amount", "eventId", "items[0].ticketTypeId",
			},
		},
	} {
		var refusal resttest.Error
		row.client.Post(row.path, row.body).Want(http.StatusBadRequest).Into(&refusal)
		var paths []string
		for _, detail := range refusal.Details {
			paths = append(paths, detail.Path)
		}
		slices.Sort(paths)
		slices.Sort(row.paths)
		if !slices.Equal(paths, row.paths) || !strings.Contains(refusal.Message, row.message) {
			t.Errorf("%s: %q at %q,\nwant %q", name, refusal.Message, paths, row.paths)
		}
	}
	s.REST.Post(s.path("details"), object{"name": 5}).Want(http.StatusUnauthorized) // only permitted callers get the faults
}
