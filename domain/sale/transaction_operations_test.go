package sale_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/sale"
)

func TestCallersOfTransactionOperations(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "NEW"))
	member := func(role domain.Role) domain.Actor {
		return domain.Actor{
			Kind: domain.UserActor, SellerID: seller, OrgID: dbtest.Org,
			Memberships: []domain.Membership{{SellerID: seller, Role: role}},
		}
	}
	const (
		unauthenticated = domain.CodeUnauthenticated
		missing         = domain.CodeMissingPermission
		forbidden       = domain.CodeForbidden
	)
	for name, row := range map[string]struct {
		actor         domain.Actor
		seller        ids.Seller
		imports, list domain.Code
	}{
		"no credential":             {domain.Actor{}, "", unauthenticated, unauthenticated},
		"a key that can create":     {dbtest.KeyOf(seller, "transactions:create"), "", "", missing},
		"a key that can list":       {dbtest.KeyOf(seller, "transactions:list"), "", missing, ""},
		"a key for tickets":         {dbtest.KeyOf(seller, "tickets:create", "tickets:list"), "", missing, missing},
		"a key for another seller":  {dbtest.KeyOf(seller), other, domain.CodeValidationFailed, ""},
		"a viewer":                  {member(domain.Viewer), "", forbidden, ""},
		"a manager":                 {member(domain.Manager), "", "", ""},
		"the platform for a seller": {domain.Actor{Kind: domain.SystemActor}, seller, "", domain.CodeInvalidRequest},
		"an organization's key":     {domain.Actor{Kind: domain.OrganizationKeyActor, OrgID: dbtest.Org}, seller, "", domain.CodeInvalidRequest},
		"a device":                  {domain.Actor{Kind: domain.DeviceActor, SellerID: seller}, "", forbidden, forbidden},
	} {
		ctx := domain.WithActor(t.Context(), &row.actor)
		_, err := w.transactions.Import(ctx, sale.TransactionImport{SellerID: row.seller, Transactions: domaintest.Texts([]string{small("a", "NEW")})})
		domaintest.HasCode(t, name+" imports", err, row.imports)
		_, err = w.transactions.List(ctx, sale.TransactionFilter{}, domain.Page{Limit: 1})
		domaintest.HasCode(t, name+" lists", err, row.list)
		_, err = w.transactions.Get(ctx, "a")
		domaintest.HasCode(t, name+" reads", err, row.list)
	}
}

func TestAnotherSellersTransactionIsNotFound(t *testing.T) {
	w := newFixture(t)
	w.imported(other, sale.ImportedTransactions{Created: 1}, smallOf(other, "theirs", "NEW"))
	for _, id := range []string{"theirs", "nothing", ""} {
		if _, err := w.transactions.Get(w.key(seller), id); domaintest.Code(err) != domain.CodeNotFound || err.Error() != "Transaction not found" {
			t.Errorf("%q: got %v", id, err)
		}
	}
	if got := w.ids(sale.TransactionFilter{TID: "T-theirs"}); len(got) > 0 {
		t.Errorf("got %q", got)
	}
}

// ids returns the ids of the transactions that match a filter.
func (w *fixture) ids(filter sale.TransactionFilter) []string {
	w.T.Helper()
	ids := []string{}
	for _, record := range domaintest.Whole(w.transactions.List(w.key(seller), filter, domain.Page{Limit: 100}))(w.T) {
		ids = append(ids, record.ID)
	}
	return ids
}

func TestFiltersOfTransactions(t *testing.T) {
	w := newFixture(t)
	at := func(day int) string {
		return fmt.Sprintf(`"createdAt":"2026-01-%02dT00:00:00Z","updatedAt":"2026-02-%02dT00:00:00Z"`, day, day)
	}
	w.imported(seller, sale.ImportedTransactions{Created: 3},
		small("z", "NEW", at(1), `"email":"ÉLISE@Example.com"`, `"customerId":"c1"`, `"country":"FR"`, `"company":"Straße 100%"`,
			`"paymentMethod":"service-payments"`, `"preferredLanguage":"de-CH"`, `"historyEntries":[{"_id":"1","type":"payment.succeeded"},{"_id":"2"}]`),
		small("y", "COMPLETE", at(2), `"eventId":"e2"`, `"origin":"pos"`, `"prename":"Ada"`, `"lastname":"Lovelace"`, `"userId":"u"`,
			`"paymentInfo":{"_id":"p","gateway":"managed","providerType":"stripeConnect"}`, `"paymentInfoMethod":"stripe"`),
		small("a", "CANCELED", at(3), `"currency":"CHF"`, `"name":"A_B"`, `"posId":"p1"`, `"subscriptionId":"s1"`,
			`"paymentStatus":"POS-CANCELED"`, `"cancellationReason":"TRAINING/TEST"`, `"taxRate":0.1`),
	)
	when := func(text string) *moment.DateTime {
		parsed, err := moment.Parse(text)
		w.Must(err)
		return &parsed
	}
	type filter = sale.TransactionFilter
	for name, row := range map[string]struct {
		filter filter
		want   []string
	}{
		"none, in the order of creation": {filter{}, []string{"z", "y", "a"}},
		"status":                         {filter{Status: "COMPLETE"}, []string{"y"}},
		"currency":                       {filter{Currency: "CHF"}, []string{"a"}},
		"payment method":                 {filter{PaymentMethod: "service-payments"}, []string{"z"}},
		"payment info method":            {filter{PaymentInfoMethod: "stripe"}, []string{"y"}},
		"payment status":                 {filter{PaymentStatus: "POS-CANCELED"}, []string{"a"}},
		"gateway":                        {filter{PaymentGateway: "managed"}, []string{"y"}},
		"provider":                       {filter{PaymentProvider: "stripeConnect"}, []string{"y"}},
		"origin":                         {filter{Origin: "pos"}, []string{"y"}},
		"language":                       {filter{PreferredLanguage: "de-CH"}, []string{"z"}},
		"reason":                         {filter{CancellationReason: "TRAINING/TEST"}, []string{"a"}},
		"history":                        {filter{HistoryType: "payment.succeeded"}, []string{"z"}},
		"statuses":                       {filter{StatusIn: []sale.TransactionStatus{"COMPLETE", "NEW"}}, []string{"z", "y"}},
		"no statuses":                    {filter{StatusIn: []sale.TransactionStatus{}}, []string{"z", "y", "a"}},
		"a status and others":            {filter{Status: "NEW", StatusIn: []sale.TransactionStatus{"COMPLETE"}}, nil},
		"currencies":                     {filter{CurrencyIn: []money.Currency{"CHF", "USD"}}, []string{"a"}},
		"payment methods":                {filter{PaymentMethodIn: []sale.PaymentMethod{"service-payments", "local"}}, []string{"z"}},
		"payment info methods":           {filter{PaymentInfoMethodIn: []sale.PaymentMethod{"stripe", "local"}}, []string{"y"}},
		"payment statuses":               {filter{PaymentStatusIn: []sale.PaymentStatus{"POS-CANCELED", "RECEIVED"}}, []string{"a"}},
		"gateways":                       {filter{PaymentGatewayIn: []sale.PaymentGateway{"managed", "own"}}, []string{"y"}},
		"providers":                      {filter{PaymentProviderIn: []sale.PaymentProvider{"stripeConnect", "none"}}, []string{"y"}},
		"origins":                        {filter{OriginIn: []sale.TransactionOrigin{"pos", "none"}}, []string{"y"}},
		"languages":                      {filter{PreferredLanguageIn: []sale.Language{"de-CH", "fr"}}, []string{"z"}},
		"reasons":                        {filter{CancellationReasonIn: []sale.CancellationReason{"TRAINING/TEST", "none"}}, []string{"a"}},
		"histories":                      {filter{HistoryTypeIn: []sale.HistoryType{"dispute.created", "payment.succeeded"}}, []string{"z"}},
		"event":                          {filter{EventID: "e2"}, []string{"y"}},
		"customer":                       {filter{CustomerID: "c1"}, []string{"z"}},
		"user":                           {filter{UserID: "u"}, []string{"y"}},
		"point of sale":                  {filter{PosID: "p1"}, []string{"a"}},
		"subscription":                   {filter{SubscriptionID: "s1"}, []string{"a"}},
		"tid":                            {filter{TID: "T-y"}, []string{"y"}},
		"country":                        {filter{Country: "FR"}, []string{"z"}},
		"email in another case":          {filter{Email: "élise@EXAMPLE.com"}, []string{"z"}},
		"text of a whole name":           {filter{Text: "ADA LOVE"}, []string{"y"}},
		"text folded":                    {filter{Text: "STRASSE"}, []string{"z"}},
		"text with a percent sign":       {filter{Text: "0%"}, []string{"z"}},
		"text with an underscore":        {filter{Text: "a_b"}, []string{"a"}},
		"text of a tid":                  {filter{Text: "t-Y"}, []string{"y"}},
		"created from, first included":   {filter{CreatedFrom: when("2026-01-02T00:00:00Z")}, []string{"y", "a"}},
		"created until, last excluded":   {filter{CreatedUntil: when("2026-01-02T00:00:00Z")}, []string{"z"}},
		"updated within": {
			filter{UpdatedFrom: when("2026-02-02T00:00:00Z"), UpdatedUntil: when("2026-02-02T00:00:00.001Z")}, []string{"y"},
		},
		"several at once": {filter{Status: "NEW", EventID: "e2"}, nil},
	} {
		if got := w.ids(row.filter); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", name, got, row.want)
		}
	}
	w.imported(seller, sale.ImportedTransactions{Updated: 1}, small("a", "CANCELED", at(3)))
	if got := w.ids(filter{PaymentStatus: "POS-CANCELED"}); len(got) > 0 {
		t.Errorf("the update did not change the columns: %q", got)
	}
}

// selection returns a GraphQL selection of every field that the sample document has.
func selection(d *document.Definition) string {
	fields := make([]string, 0, len(d.Members))
	for _, member := range d.Members {
		of := member.Type
		for of.Element != nil && of.Kind == document.Array {
			of = *of.Element
		}
		field := member.Name
		if of.Kind == document.Object {
			field += " { " + selection(of.Object) + " }"
		}
		fields = append(fields, field)
	}
	return strings.Join(fields, " ")
}

const importQuery = `mutation($transactions: [JSON!]!) { importTransactions(input: {transactions: $transactions}) { created updated unchanged } }`

// Every imported field can be read as a typed field with the same value.
func TestGraphQLShowsEveryTransactionField(t *testing.T) {
	w := newFixture(t)
	in, out := full("COMPLETE")
	status, answer := w.post(importQuery, `{"transactions":[`+string(in.Append(nil))+`]}`)
	if want := `{"importTransactions":{"created":1,"updated":0,"unchanged":0}}`; status != http.StatusOK || !strings.Contains(answer, want) {
		t.Fatalf("got %d %s", status, answer)
	}
	id, err := json.Marshal(textOf(in, "_id"))
	w.Must(err)
	status, answer = w.post(`query($id: ID!) { transaction(id: $id) { `+selection(sale.TransactionDefinition)+` } }`, `{"id":`+string(id)+`}`)
	var parsed struct {
		Data struct{ Transaction json.RawMessage }
	}
	w.Must(json.Unmarshal([]byte(answer), &parsed))
	if status != http.StatusOK || len(parsed.Data.Transaction) == 0 {
		t.Fatalf("got %d %s", status, answer)
	}
	// A seat has no area name: GraphQL returns null for missing fields.
	shown := withoutNulls(sale.TransactionDefinition, domaintest.JSON(string(parsed.Data.Transaction)))
	if !shown.Equal(out) {
		t.Errorf("got  %s\nwant %s", shown.Append(nil), out.Append(nil))
	}
}

// withoutNulls removes null fields, except in free objects.
func withoutNulls(d *document.Definition, value ecmajson.Value) ecmajson.Value {
	return d.Rewrite("", value, func(_ string, _ *document.Definition, object ecmajson.Value) (ecmajson.Value, bool) {
		var fields []ecmajson.Field
		for _, field := range object.Fields() {
			if field.Value.Kind() != ecmajson.Null {
				fields = append(fields, field)
			}
		}
		return ecmajson.NewObject(fields), true
	})
}

// GraphQL names have no hyphen, dot or slash. Stored documents, REST and webhooks do.
func TestGraphQLEnumerationsHaveOwnSpelling(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 2}, small("other", "NEW"),
		small("a", "RESERVED-BY-SYSTEM", `"paymentMethod":"service-payments"`, `"paymentInfoMethod":"service-payments"`,
			`"paymentStatus":"LOCAL-AWAITING"`, `"preferredLanguage":"zh-TW"`, `"cancellationReason":"TRAINING/TEST"`,
			`"historyEntries":[{"_id":"h","type":"payment_correction.refund.missing_in_core"}]`))
	status, answer := w.post(`{ transactions(filter: {status: RESERVED_BY_SYSTEM, paymentMethod: service_payments,
		paymentInfoMethod: service_payments, paymentStatus: LOCAL_AWAITING, preferredLanguage: zh_TW,
		cancellationReason: TRAINING_TEST, historyType: payment_correction_refund_missing_in_core}) {
		totalCount nodes { _id status paymentMethod paymentInfoMethod paymentStatus preferredLanguage cancellationReason
			historyEntries { type } } } }`, `{}`)
	want := `{"transactions":{"totalCount":1,"nodes":[{"_id":"a","status":"RESERVED_BY_SYSTEM","paymentMethod":"service_payments",` +
		`"paymentInfoMethod":"service_payments","paymentStatus":"LOCAL_AWAITING","preferredLanguage":"zh_TW",` +
		`"cancellationReason":"TRAINING_TEST","historyEntries":[{"type":"payment_correction_refund_missing_in_core"}]}]}}`
	if status != http.StatusOK || !strings.Contains(answer, want) {
		t.Errorf("got %d %s\nwant %s", status, answer, want)
	}
}

func TestGraphQLReportsFaultsWithTheirPath(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 1}, small("a", "CANCELED"))
	for transactions, want := range map[string][]string{
		small("b", "DONE"): {`"code":"VALIDATION_FAILED"`, `"path":"transactions[0].status","message":"must be one of NEW, RESERVED-BY-SYSTEM`},
		small("a", "NEW"):  {`"code":"INVALID_STATE"`, `"path":"transactions[0].status","message":"cannot change from CANCELED to NEW"`},
	} {
		status, answer := w.post(importQuery, `{"transactions":[`+transactions+`]}`)
		for _, part := range want {
			if status != http.StatusOK || !strings.Contains(answer, part) {
				t.Errorf("%s is not in %d %s", part, status, answer)
			}
		}
	}
}

func TestGraphQLImportsMegabytesOfTransactions(t *testing.T) {
	w := newFixture(t)
	const many = 3000
	list := make([]string, many)
	for i := range list {
		list[i] = small(fmt.Sprint("t", i), "COMPLETE", `"company":"`+strings.Repeat("x", 600)+`"`)
	}
	status, answer := w.post(importQuery, `{"transactions":[`+strings.Join(list, ",")+`]}`)
	if want := fmt.Sprintf(`"created":%d,`, many); status != http.StatusOK || !strings.Contains(answer, want) {
		t.Errorf("got %d %.300s", status, answer)
	}
}

// A country is compared in its stored form (TEXT-2). A null filter does not filter.
func TestCountriesAreComparedInUpperCase(t *testing.T) {
	w := newFixture(t)
	w.imported(seller, sale.ImportedTransactions{Created: 4},
		small("a", "NEW", `"country":" fr "`), small("b", "NEW", `"country":"FR"`), small("c", "NEW", `"country":"DE"`),
		small("d", "NEW", `"country":" France "`))
	var found struct {
		Transactions struct{ Nodes []struct{ Country string } }
	}
	w.asks(`{ transactions(filter: {country: " Fr ", status: null, currency: null, paymentMethod: null, paymentInfoMethod: null,
		paymentStatus: null, paymentGateway: null, origin: null, preferredLanguage: null, cancellationReason: null, historyType: null,
		createdFrom: null, text: null}) { nodes { country } } }`, &found)
	if got := fmt.Sprint(found.Transactions.Nodes); got != "[{FR} {FR}]" {
		t.Errorf("got %s", got)
	}
}
