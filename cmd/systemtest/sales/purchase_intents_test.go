package sales

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/sale"
	"ticketgate/domain/tenant"
)

// TestPurchaseIntentsFollowTheIdentificationRule sends rows of the decision table, spread evenly over it, through both
// APIs.
func TestPurchaseIntentsFollowTheIdentificationRule(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	rows := domaintest.IdentificationRows()
	const step = 29 // shares no factor with the periods of the table
	tried, met := 0, map[string]int{}
	var set domaintest.IdentificationRow
	for i := 0; i < len(rows); i += step {
		row := rows[i]
		if row.SellerCountry != set.SellerCountry || row.Module != set.Module {
			_, err := h.Do.Sellers.Update(h.ActingOn(t, seller), tenant.SellerChange{
				SellerID: seller.SellerID, Country: optional.Some(row.SellerCountry), SIREN: optional.Some(row.Module),
			})
			systemtest.Must(t, err)
			set = row
		}
		tried, met[row.Message] = tried+1, met[row.Message]+1
		c := apitest.To(domain.CreatePurchaseIntent, object{"input": intentOf(seller, row)})
		for api, got := range map[string]apitest.Outcome{
			"REST":    h.ThroughREST(t, apitest.Bearer(seller.APIKey), apitest.RoutesOf(domain.CreatePurchaseIntent)[0], c),
			"GraphQL": h.ThroughGraphQL(t, apitest.Bearer(seller.APIKey), c),
		} {
			judgeIdentification(t, api, row, got)
		}
	}
	if tried < 400 || len(met) < 9 {
		t.Errorf("%d rows met only %v", tried, met)
	}
	count := h.Count(t, "SELECT count(*) FROM purchase_intents WHERE seller_id = $1", seller.SellerID)
	if sent := h.Count(t, "SELECT count(*) FROM events WHERE type = 'purchaseIntent.created'"); count != 2*met[""] || sent != count {
		t.Errorf("%d rows were accepted, %d stored, and %d published", met[""], count, sent)
	}
}

func intentOf(seller demo.Seller, row domaintest.IdentificationRow) object {
	input := object{
		"eventId": seller.EventID, "items": []any{object{"ticketTypeId": seller.TicketTypeID, "amount": 1}},
		"company": row.Company, "street": row.Street, "postal": row.Postal, "city": row.City, "country": row.Country,
	}
	if row.Identification != "" {
		input["identification"] = json.RawMessage(row.Identification)
	}
	return input
}

func judgeIdentification(t *testing.T, api string, row domaintest.IdentificationRow, got apitest.Outcome) {
	t.Helper()
	if row.Message != "" {
		var paths []string
		for _, field := range got.Refusal.Details {
			paths = append(paths, field.Path)
		}
		if !strings.Contains(got.Refusal.Message, row.Message) || !slices.Equal(paths, row.Paths) || got.Result != nil {
			t.Errorf("%s, %s: %v", api, row, got)
		}
		return
	}
	created, _ := got.Result.(map[string]any)
	var kept string
	if documents, _ := created["identification"].([]any); len(documents) > 0 {
		kept, _ = documents[0].(map[string]any)["identifier"].(string)
	}
	if created["status"] != "CREATED" || kept != row.Kept {
		t.Errorf("%s, %s: %v", api, row, got)
	}
}

// TestPurchaseIntentsOverREST tests what only REST has: unknown fields, and repeated requests.
func TestPurchaseIntentsOverREST(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	kind, err := h.Do.TicketTypes.Create(h.ActingOn(t, seller), catalog.NewTicketType{
		EventID: seller.EventID, Name: "Third", Price: "33.33",
	})
	systemtest.Must(t, err)
	body := object{
		"eventId": seller.EventID, "total": 1, "realPrice": 0, "status": "COMPLETED", "lastname": nil,
		"items": []any{object{"ticketTypeId": kind.ID, "amount": 3, "price": 0}},
	}
	client := h.As(t, apitest.Bearer(seller.APIKey)).With("Idempotency-Key", "once")
	first := client.Post("/api/purchaseintents", body).Want(http.StatusCreated)
	var purchaseIntent sale.PurchaseIntent
	first.Into(&purchaseIntent)
	if purchaseIntent.RealPrice != "99.99" || purchaseIntent.Status != sale.IntentCreated || purchaseIntent.Items[0].Price != "33.33" {
		t.Errorf("created %s", first.Body)
	}
	again := client.Post("/api/purchaseintents", body).Want(http.StatusCreated)
	if !bytes.Equal(again.Body, first.Body) {
		t.Errorf("the same request again: %s", again.Body)
	}
	if count := h.Count(t, "SELECT count(*) FROM events WHERE type LIKE 'purchaseIntent.%'"); count != 1 {
		t.Errorf("%d events", count)
	}
	body["eventID"] = "x"
	refused := h.As(t, apitest.Bearer(seller.APIKey)).Post("/api/purchaseintents", body).Want(http.StatusBadRequest)
	if !strings.Contains(string(refused.Body), `"path":"eventID"`) {
		t.Errorf("a field name in another case: %s", refused.Body)
	}
}

// TestPurchaseIntentsNameTheirSeller tries callers that act on no seller, or on another one, until the body names it.
// The API must not decide this before it has read the body.
func TestPurchaseIntentsNameTheirSeller(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	oldest, named := h.Demo.Sellers[0], h.Demo.Sellers[3] // of one organization
	manager := managerElsewhere(t, h, oldest, named)
	platform := apitest.Bearer(systemtest.SystemToken)
	body := func(more object) object {
		input := object{"eventId": named.EventID, "items": []any{object{"ticketTypeId": named.TicketTypeID, "amount": 1}}}
		maps.Copy(input, more)
		return input
	}
	for name, row := range map[string]struct {
		who    apitest.Caller
		body   object
		status int
		says   string
	}{
		"the platform":                          {platform, body(object{"sellerId": named.SellerID}), http.StatusCreated, ""},
		"the platform, naming it twice":         {platform.On(named.SellerID), body(object{"sellerId": named.SellerID}), http.StatusCreated, ""},
		"the platform, naming none":             {platform, body(nil), http.StatusBadRequest, "or sellerId in the input"},
		"the platform, naming two":              {platform.On(oldest.SellerID), body(object{"sellerId": named.SellerID}), http.StatusBadRequest, `"sellerId"`},
		"a session":                             {manager, body(object{"sellerId": named.SellerID}), http.StatusCreated, ""},
		"a session, naming another seller":      {manager, body(object{"sellerId": h.Demo.Sellers[1].SellerID}), http.StatusBadRequest, `"sellerId"`},
		"a viewer, refused before the body":     {h.SellerMember(t, named, domain.Viewer), object{}, http.StatusForbidden, "MANAGER"},
		"a key without it, refused before that": {apitest.Bearer(h.Demo.Organizations[0].Key), object{}, http.StatusForbidden, "organization key"},
	} {
		answer := h.As(t, row.who).Post("/api/purchaseintents", row.body).Want(row.status)
		if !strings.Contains(string(answer.Body), row.says) {
			t.Errorf("%s: %s", name, answer.Body)
		}
		var purchaseIntent sale.PurchaseIntent
		if row.status == http.StatusCreated {
			answer.Into(&purchaseIntent)
			if purchaseIntent.SellerID != named.SellerID {
				t.Errorf("%s: created for %s", name, purchaseIntent.SellerID)
			}
		}
	}
}

// managerElsewhere returns a session that may only view its oldest seller, and manages another one.
func managerElsewhere(t *testing.T, h *apitest.Server, oldest, managed demo.Seller) apitest.Caller {
	t.Helper()
	email := systemtest.Serial("user") + "@demo.ticketgate.example"
	settled, err := h.Do.Invitations.Settle(h.ActingOn(t, oldest), tenant.NewMember{Email: email, Role: domain.Viewer, Password: apitest.Password})
	systemtest.Must(t, err)
	invited, err := h.Do.Invitations.Invite(h.ActingOn(t, managed), tenant.NewMember{Email: email, Role: domain.Manager})
	systemtest.Must(t, err)
	user := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.UserActor, ID: settled.Member.User.ID})
	_, err = h.Do.Invitations.Accept(user, tenant.Acceptance{Code: systemtest.CodeOf(invited.Invitation.Link)})
	systemtest.Must(t, err)
	return h.Session(t, email, apitest.Password)
}
