package sales

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/rest/resttest"
)

// storefront is a server on which a buyer without a credential has a checkout of the French seller.
type storefront struct {
	*apitest.Server
	t          *testing.T
	seller     demo.Seller
	id, secret string
}

func openStorefront(t *testing.T) *storefront {
	t.Helper()
	s := &storefront{Server: apitest.Open(t), t: t}
	s.seller = s.Demo.Sellers[0]
	s.id, s.secret = s.begin(s.REST)
	return s
}

// order returns the body of a new checkout.
func (s *storefront) order() object {
	return object{
		"sellerId": s.seller.SellerID, "eventId": s.seller.EventID, "cart": object{"unknown": true},
		"items": []any{object{"ticketTypeId": s.seller.TicketTypeID, "amount": 2, "price": 0}},
	}
}

// begin creates a checkout.
func (s *storefront) begin(as *resttest.Client) (id, secret string) {
	s.t.Helper()
	answer := as.Do(http.MethodPost, "/api/checkout", s.order()).Want(http.StatusCreated)
	var created struct {
		ID     string `json:"_id"`
		Secret string
		Price  json.Number `json:"realPrice"`
	}
	answer.Into(&created)
	if created.Price != "51" {
		s.t.Errorf("the caller's price was used: %s", answer.Body)
	}
	return created.ID, created.Secret
}

func (s *storefront) path(action string) string { return "/api/checkout/" + s.id + "/" + action }

func TestABuyerNeedsOnlyTheSecret(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	otherID, otherSecret := s.begin(s.REST)
	withHeader := func(secret string) *resttest.Client { return s.REST.With("Checkout-Secret", secret) }
	query := "?secret=" + s.secret

	t.Run("the secret gives access to form, details and abort in header, query and body", func(t *testing.T) {
		withHeader(s.secret).In(t).Get(s.path("detailsform")).Want(http.StatusOK)
		s.REST.In(t).Get(s.path("detailsform" + query)).Want(http.StatusOK)
		for _, sent := range []struct {
			as    *resttest.Client
			query string
			body  object
		}{
			{withHeader(s.secret), "", object{}}, {s.REST, query, object{}}, {s.REST, "", object{"secret": s.secret}},
		} {
			sent.body["lastname"] = systemtest.Serial("Lovelace ")
			answer := sent.as.In(t).Do(http.MethodPost, s.path("details"+sent.query), sent.body).Want(http.StatusOK)
			// The holder of the secret gets it back (WEBHOOK-21).
			if answer.Text("secret") != s.secret || !strings.Contains(string(answer.Body), sent.body["lastname"].(string)) {
				t.Errorf("got %s", answer.Body)
			}
		}
	})
	t.Run("the secret never completes, lists, or opens another checkout", func(t *testing.T) {
		for _, as := range []*resttest.Client{withHeader(s.secret), s.REST, withHeader(otherSecret)} {
			as.In(t).Do(http.MethodPost, s.path("complete"+query), object{"secret": s.secret}).Want(http.StatusUnauthorized)
		}
		withHeader(s.secret).In(t).Get("/api/checkout/" + otherID + "/detailsform").Want(http.StatusUnauthorized)
		for field, document := range map[string]string{
			"checkouts": `{ checkouts { nodes { _id } } }`, "checkout": `{ checkout(id: "` + s.id + `") { _id } }`,
			"complete": `mutation { completeCheckout(id: "` + s.id + `") { _id } }`,
		} {
			o := s.Execute(t, apitest.Caller{"Checkout-Secret": s.secret}, document, nil)
			if o.Refusal.Code != string(domain.CodeUnauthenticated) {
				t.Errorf("%s: %v", field, o)
			}
		}
	})
	t.Run("a wrong secret reveals nothing", func(t *testing.T) {
		var answers []string
		for _, as := range []*resttest.Client{withHeader(otherSecret), withHeader(secrets.New(secrets.Checkout)), withHeader("x"), s.REST} {
			for _, id := range []string{s.id, strings.Repeat("0", 24), "nothing"} {
				var refusal resttest.Error
				as.In(t).Get("/api/checkout/" + id + "/detailsform").Want(http.StatusUnauthorized).Into(&refusal)
				answers = append(answers, refusal.Code+refusal.Message)
			}
		}
		slices.Sort(answers)
		if distinct := slices.Compact(answers); len(distinct) != 1 {
			t.Errorf("answers: %q", distinct)
		}
	})
	t.Run("an abort needs no body and can be repeated", func(t *testing.T) {
		first := withHeader(s.secret).In(t).Do(http.MethodPost, s.path("abort"), nil).Want(http.StatusOK)
		again := s.REST.In(t).Do(http.MethodPost, s.path("abort"), object{"secret": s.secret}).Want(http.StatusOK)
		if !bytes.Equal(first.Body, again.Body) || !strings.Contains(string(first.Body), `"status":"ABORTED"`) {
			t.Errorf("got %s and %s", first.Body, again.Body)
		}
		withHeader(s.secret).In(t).Do(http.MethodPost, s.path("details"), object{}).Want(http.StatusConflict)
	})
	s.REST.As(s.seller.APIKey).Do(http.MethodPost, "/api/checkout/"+otherID+"/complete", nil).Want(http.StatusOK)
}

func TestFrenchCompanyBuysTickets(t *testing.T) {
	t.Parallel()
	aFrenchCompanyBuys(t)
}

func aFrenchCompanyBuys(t *testing.T) {
	t.Helper()
	s := openStorefront(t)
	buyer, server := s.REST.With("Checkout-Secret", s.secret), s.REST.As(s.seller.APIKey)
	var form struct {
		SkipAddressInfo, EnforceAddress bool
		IdentificationConfig            [][]object
	}
	buyer.Get(s.path("detailsform")).Want(http.StatusOK).Into(&form)
	if form.SkipAddressInfo || !form.EnforceAddress || len(form.IdentificationConfig) != 1 || form.IdentificationConfig[0][0]["type"] != "france_siren" {
		t.Errorf("the form is %+v", form)
	}
	company := object{"company": "ACME", "country": "FR", "more": object{}}
	var refusal resttest.Error
	buyer.Do(http.MethodPost, s.path("details"), company).Want(http.StatusBadRequest).Into(&refusal)
	if refusal.Message != "Missing required identification: france_siren" || len(refusal.Details) != 4 || refusal.Details[0].Hint == "" {
		t.Errorf("refused with %+v", refusal)
	}
	buyer.Do(http.MethodPost, s.path("details"), object{"Company": "ACME"}).Want(http.StatusBadRequest)
	maps.Copy(company, object{
		"street": "1 rue de la Paix", "postal": "75002", "city": "Paris",
		"identification": []any{object{"type": "france_siren", "identifier": " 732829320"}},
	})
	buyer.Do(http.MethodPost, s.path("details"), company).Want(http.StatusOK)
	first := server.Do(http.MethodPost, s.path("complete"), nil).Want(http.StatusOK)
	again := server.Do(http.MethodPost, s.path("complete"), object{"paid": true}).Want(http.StatusOK)
	var complete struct {
		TransactionID  string
		Identification []struct{ Identifier string }
	}
	first.Into(&complete)
	if !bytes.Equal(first.Body, again.Body) || len(complete.Identification) != 1 || complete.Identification[0].Identifier != "732829320" {
		t.Errorf("completed: %s, again: %s", first.Body, again.Body)
	}
	o := s.Execute(t, apitest.Bearer(s.seller.APIKey), `query($id: ID!) { transaction(id: $id) { identification { identifier } city } }`,
		object{"id": complete.TransactionID})
	if got := systemtest.Printed(t, o.Result); got != `{"transaction":{"city":"Paris","identification":[{"identifier":"732829320"}]}}` {
		t.Errorf("the transaction is %s", got)
	}
	server.Do(http.MethodPost, s.path("abort"), nil).Want(http.StatusConflict)
}

// TestDetailsAreJudgedTheSameInBothAPIs sends rows of the decision table, and valid and invalid forms of a SIREN, to
// one checkout. Accepted details may be submitted again.
func TestDetailsAreJudgedTheSameInBothAPIs(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	buyer := s.REST.With("Checkout-Secret", s.secret)
	tried, sellerNow := 0, ""
	for i, row := range domaintest.IdentificationRows() {
		if i%7 != 0 {
			continue
		}
		if now := fmt.Sprint(row.SellerCountry, row.Module); now != sellerNow {
			_, err := s.SQL.ExecContext(t.Context(), "UPDATE sellers SET country = $2, siren = $3 WHERE id = $1",
				string(s.seller.SellerID), row.SellerCountry, row.Module)
			systemtest.Must(t, err)
			sellerNow = now
		}
		body := object{"company": row.Company, "street": row.Street, "postal": row.Postal, "city": row.City, "country": row.Country}
		if row.Identification != "" {
			body["identification"] = json.RawMessage(row.Identification)
		}
		s.judged(t, buyer, row.String(), body, row.Message, row.Paths, row.Kept)
		tried++
	}
	if tried < 400 {
		t.Errorf("only %d rows", tried)
	}
	_, err := s.SQL.ExecContext(t.Context(), "UPDATE sellers SET country = 'FR', siren = true WHERE id = $1", string(s.seller.SellerID))
	systemtest.Must(t, err)
	var numbers struct {
		Accept          []struct{ In, Out string }
		Reject          []string
		RejectJSONTypes []json.RawMessage `json:"reject_json_types"`
	}
	text, err := os.ReadFile("../../../domain/identification/testdata/siren.json")
	systemtest.Must(t, err)
	systemtest.Must(t, json.Unmarshal(text, &numbers))
	sent := func(identifier any) object {
		return object{"identification": []any{object{"type": "france_siren", "identifier": identifier}}}
	}
	at := []string{"identification[0].identifier"}
	for _, number := range numbers.Accept {
		s.judged(t, buyer, number.In, sent(number.In), "", nil, number.Out)
	}
	for _, number := range numbers.Reject {
		s.judged(t, buyer, number, sent(number), "identification[0].identifier", at, "")
	}
	for _, wrong := range numbers.RejectJSONTypes {
		s.judged(t, buyer, string(wrong), sent(wrong), "identification[0].identifier", at, "")
	}
	if len(numbers.Accept) < 20 || len(numbers.Reject) < 20 || len(numbers.RejectJSONTypes) != 3 {
		t.Errorf("too few numbers: %+v", numbers)
	}
}

// judged sends details through both APIs, which must accept or refuse them with the same message.
func (s *storefront) judged(t *testing.T, buyer *resttest.Client, name string, body object, message string, paths []string, kept string) {
	t.Helper()
	answer := buyer.Do(http.MethodPost, s.path("details"), body)
	o := s.Execute(t, apitest.Caller{"Checkout-Secret": s.secret}, `mutation($id: ID!, $input: CheckoutDetailsInput!) {
		submitCheckoutDetails(id: $id, input: $input) { identification { identifier } } }`, object{"id": s.id, "input": body})
	if message == "" {
		var accepted struct{ Identification []struct{ Identifier string } }
		answer.Want(http.StatusOK).Into(&accepted)
		got := ""
		for _, document := range accepted.Identification {
			got += document.Identifier
		}
		if got != kept || o.Refusal.Code != "" || strings.Contains(string(o.Body), `"identifier":"`+kept+`"`) != (kept != "") {
			t.Errorf("%s: kept %q, GraphQL %v", name, got, o)
		}
		return
	}
	var refusal resttest.Error
	answer.Want(http.StatusBadRequest).Into(&refusal)
	var got []string
	for _, detail := range refusal.Details {
		got = append(got, detail.Path)
	}
	if !strings.Contains(refusal.Message, message) || !slices.Equal(got, paths) || o.Refusal.Message != refusal.Message ||
		systemtest.Printed(t, o.Refusal.Details) != systemtest.Printed(t, refusal.Details) {
		t.Errorf("%s: REST %s, GraphQL %v, want %q at %q", name, answer.Body, o, message, paths)
	}
}

func TestListedOriginsMayCallCheckouts(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	for seller, shop := range map[int]string{0: "https://shop.example.com", 1: "https://other.example.com"} {
		_, err := s.Do.Sellers.Update(s.ActingOn(t, s.Demo.Sellers[seller]), tenant.SellerChange{CheckoutOrigins: optional.Some([]string{shop})})
		systemtest.Must(t, err)
	}
	for name, row := range map[string]struct {
		origin          string
		preflight, call int
	}{
		"its own shop":               {"https://shop.example.com", http.StatusNoContent, http.StatusOK},
		"another seller's shop":      {"https://other.example.com", http.StatusNoContent, http.StatusForbidden},
		"an unknown shop":            {"https://evil.example.com", http.StatusForbidden, http.StatusForbidden},
		"a page without an origin":   {"null", http.StatusForbidden, http.StatusForbidden},
		"another spelling of a shop": {"https://SHOP.example.com", http.StatusForbidden, http.StatusForbidden},
	} {
		status, header := s.ask(t, http.MethodOptions, s.path("detailsform"), row.origin, "Access-Control-Request-Method: GET")
		allowed := ""
		if row.preflight == http.StatusNoContent {
			allowed = row.origin
		}
		if status != row.preflight || header.Get("Access-Control-Allow-Origin") != allowed || !slices.Contains(header.Values("Vary"), "Origin") ||
			header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s, preflight: %d %v", name, status, header)
		}
		if allowed != "" && (header.Get("Access-Control-Allow-Methods") != http.MethodGet || !strings.Contains(header.Get("Access-Control-Allow-Headers"), "checkout-secret")) {
			t.Errorf("%s, preflight: %v", name, header)
		}
		status, header = s.ask(t, http.MethodGet, s.path("detailsform"), row.origin, "Checkout-Secret: "+s.secret)
		if status != row.call || header.Get("Access-Control-Allow-Origin") != allowed || !slices.Contains(header.Values("Vary"), "Origin") {
			t.Errorf("%s: %d %v", name, status, header)
		}
	}
	for path, want := range map[string]int{"/api/keys": http.StatusMethodNotAllowed, "/api/checkouts": http.StatusNotFound, s.path("x/y"): http.StatusNotFound} {
		status, header := s.ask(t, http.MethodOptions, path, "https://shop.example.com", "Access-Control-Request-Method: GET")
		if status != want || header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", path, status, header)
		}
	}
	if status, header := s.ask(t, http.MethodOptions, s.path("abort"), "", "Access-Control-Request-Method: POST"); status != http.StatusMethodNotAllowed || header.Get("Allow") != "POST" {
		t.Errorf("OPTIONS without an origin: %d %v", status, header)
	}
	for own, headers := range map[string][]string{s.URL: nil, "http://127.0.0.1": {"Sec-Fetch-Site: same-origin"}} {
		if status, _ := s.ask(t, http.MethodGet, s.path("detailsform"), own, append(headers, "Checkout-Secret: "+s.secret)...); status != http.StatusOK {
			t.Errorf("a page of this server, %s: %d", own, status)
		}
	}
	if status, _ := s.ask(t, http.MethodGet, s.path("detailsform"), s.URL, "Checkout-Secret: "+s.secret, "Sec-Fetch-Site: cross-site"); status != http.StatusForbidden {
		t.Errorf("a cross-site page: %d", status)
	}
	status, header := s.ask(t, http.MethodGet, s.path("detailsform"), "", "Checkout-Secret: "+s.secret)
	if status != http.StatusOK || header.Get("Vary") != "Origin" || header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without an origin: %d %v", status, header)
	}
}

// ask makes a call from a page, without checking it against the OpenAPI document.
func (s *storefront) ask(t *testing.T, method, path, origin string, headers ...string) (int, http.Header) {
	t.Helper()
	if origin != "" {
		headers = append(headers, "Origin: "+origin)
	}
	answer, err := systemtest.Call(t.Context(), http.DefaultClient, method, s.URL+path, "", headers...)
	systemtest.Must(t, err)
	systemtest.Must(t, answer.Body.Close())
	return answer.StatusCode, answer.Header
}

func TestARepeatedRequestOfABuyerGetsTheFirstResponse(t *testing.T) {
	t.Parallel()
	s := openStorefront(t)
	once := s.REST.With("Idempotency-Key", "cart-0123456789abcdef")
	first, secret := s.begin(once)
	if again, same := s.begin(once); again != first || secret != same {
		t.Errorf("created %s and %s", first, again)
	}
	s.REST.With("Idempotency-Key", "cart-0123456789abcdef").Do(http.MethodPost, "/api/checkout", object{"eventId": "e", "items": []any{}}).Want(http.StatusUnprocessableEntity)
	if byKey, _ := s.begin(once.As(s.seller.APIKey)); byKey == first {
		t.Error("a key got another caller's response")
	}
	s.id = first
	details := func(as *resttest.Client) resttest.Answer {
		return as.With("Idempotency-Key", "details-0123456789abcdef").Do(http.MethodPost, s.path("details"), object{"lastname": "Lovelace"})
	}
	details(s.REST.With("Checkout-Secret", secret)).Want(http.StatusOK)
	details(s.REST.With("Checkout-Secret", secret)).Want(http.StatusOK)
	details(s.REST).Want(http.StatusUnauthorized) // and not the stored response
	details(s.REST.With("Checkout-Secret", s.secret)).Want(http.StatusUnauthorized)
	t.Run("a key that another caller might choose is refused", func(t *testing.T) {
		s := openStorefront(t)
		for _, key := range []string{"cart-1", strings.Repeat("a", 64), "aaaaaaaa-bbbbbbbb"} {
			for name, as := range map[string]*resttest.Client{"no credential": s.REST, "a secret": s.REST.With("Checkout-Secret", "x")} {
				answer := as.With("Idempotency-Key", key).Do(http.MethodPost, "/api/checkout", object{"eventId": "e"})
				answer.Want(http.StatusBadRequest)
				if !strings.Contains(string(answer.Body), "Without a credential, Idempotency-Key must be") {
					t.Errorf("%s with %s: %s", name, key, answer.Body)
				}
			}
		}
	})
}

func TestCheckoutCreationIsRateLimited(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_PUBLIC_RATE=1", "TICKETGATE_PUBLIC_BURST=2")
	seller := h.Demo.Sellers[0]
	body, err := json.Marshal(object{
		"sellerId": seller.SellerID, "eventId": seller.EventID, "items": []any{object{"ticketTypeId": seller.TicketTypeID, "amount": 1}},
	})
	systemtest.Must(t, err)
	statuses := map[int]int{}
	for range 20 {
		status, _ := h.Post(t, "/api/checkout", body)
		statuses[status]++
	}
	if statuses[http.StatusCreated] < 2 || statuses[http.StatusTooManyRequests] < 10 || len(statuses) != 2 {
		t.Errorf("got %v", statuses)
	}
}
