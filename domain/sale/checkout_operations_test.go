package sale_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/sale"
	"ticketgate/domain/secrets"
)

func TestACheckoutUsesThePricesOfItsTicketTypes(t *testing.T) {
	s := newShop(t)
	s.language = "fr-CH, de;q=0.5"
	checkout := s.open()
	if kind, ok := secrets.KindOf(checkout.Secret); !ok || kind != secrets.Checkout {
		t.Errorf("the secret is %q", checkout.Secret)
	}
	want := fmt.Sprintf(`{"_id":%q,"sellerId":%q,"status":"NEW","eventId":"e1","items":[`+
		`{"_id":%q,"ticketTypeId":"stalls","eventId":"e1","name":"Stalls","amount":2,"price":25.1,"taxRate":7,`+
		`"regularPrice":25.1,"realPrice":25.1,"outerCharge":0,"currency":"EUR"},`+
		`{"_id":%q,"ticketTypeId":"balcony","eventId":"e1","name":"Balcony","amount":2,"price":10.2,"taxRate":7,`+
		`"regularPrice":10.2,"realPrice":10.2,"outerCharge":0,"currency":"EUR"}],`+
		`"currency":"EUR","realPrice":70.6,"regularPrice":70.6,"preferredLanguage":"fr",`+
		`"expiresAt":"2026-11-27T12:30:00.123Z","createdAt":"2026-11-27T12:00:00.123Z","updatedAt":"2026-11-27T12:00:00.123Z","type":"transaction"}`,
		checkout.ID, seller, checkout.Items[0].ID, checkout.Items[1].ID)
	if got := s.text(s.stored(checkout.ID)); got != want || s.text(checkout) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.wantEvents()
	if s.Count("SELECT count(*) FROM checkouts WHERE document::text LIKE '%chk_%'") != 0 {
		t.Error("the secret is stored")
	}
	for _, test := range []struct {
		input sale.NewCheckout
		total string
	}{
		{wants("e1", "untaxed", 1), "0"},
		{wants("e1", "balcony", 3, "stalls", 7), "206.3"},
		{wants("e1", "dear", 10), "9999999999999.9"},
	} {
		checkout, err := s.checkouts.Create(s.anonymous(), test.input)
		if s.Must(err); checkout.RealPrice.String() != test.total || checkout.RegularPrice != checkout.RealPrice {
			t.Errorf("%+v costs %s, want %s", test.input.Items, checkout.RealPrice, test.total)
		}
	}
	// The total of 1000 tickets is a valid JSON number, but its net amount is not.
	for _, amount := range []int{11, 1000} {
		_, err := s.checkouts.Create(s.anonymous(), wants("e1", "dear", amount))
		refused(t, err, domain.CodeValidationFailed, "must have a lower total price: JSON numbers cannot hold this one exactly", "items")
	}
}

func TestWrongCheckoutsAreRefused(t *testing.T) {
	s := newShop(t)
	long := strings.Repeat("x", 65)
	with := func(change func(*sale.NewCheckout)) sale.NewCheckout {
		input := wants("e1", "stalls", 1)
		change(&input)
		return input
	}
	many := make([]any, 0, 202)
	for range 101 {
		many = append(many, "stalls", 1)
	}
	english := sale.Language("english")
	for name, test := range map[string]struct {
		input sale.NewCheckout
		paths string
	}{
		"no seller":                {with(func(c *sale.NewCheckout) { c.SellerID = "" }), "sellerId"},
		"an unknown seller":        {with(func(c *sale.NewCheckout) { c.SellerID = "unknown" }), "sellerId"},
		"another seller":           {with(func(c *sale.NewCheckout) { c.SellerID = other }), "eventId items[0].ticketTypeId"},
		"an unknown event":         {wants("nothing", "stalls", 1), "eventId"},
		"a long event":             {wants(long, "stalls", 1), "eventId"},
		"a root event":             {wants("root", "stalls", 1), "eventId"},
		"no items":                 {wants("e1"), "items"},
		"too many items":           {wants("e1", many...), "items"},
		"unknown and empty types":  {wants("e1", "stalls", 1, "nothing", 1), "items[1].ticketTypeId"},
		"a type of another event":  {wants("e1", "stalls", 1, "elsewhere", 1), "items[1].ticketTypeId"},
		"an inactive type":         {wants("e1", "over", 1), "items[0].ticketTypeId"},
		"two currencies":           {wants("e1", "stalls", 1, "swiss", 1), "items[1].ticketTypeId"},
		"amounts out of bounds":    {wants("e1", "stalls", 0, "stalls", -1, "stalls", 1001), "items[0].amount items[1].amount items[2].amount"},
		"more than 1000 tickets":   {wants("e1", "stalls", 600, "stalls", 600), "items"},
		"a sum that is not exact":  {wants("e1", "dear", 999), "items"},
		"an unknown language":      {with(func(c *sale.NewCheckout) { c.PreferredLanguage = &english }), "preferredLanguage"},
		"a customer without an id": {with(func(c *sale.NewCheckout) { c.CustomerID = new("") }), "customerId"},
	} {
		_, err := s.checkouts.Create(s.anonymous(), test.input)
		if domaintest.Code(err) != domain.CodeValidationFailed || domaintest.Paths(err) != test.paths {
			t.Errorf("%s: got %v at %q, want %q", name, err, domaintest.Paths(err), test.paths)
		}
	}
	if s.Count("SELECT count(*) FROM checkouts") != 0 {
		t.Error("something was stored")
	}
}

func TestCallersOfCheckoutOperations(t *testing.T) {
	s := newShop(t)
	made, theirs := s.open(), s.open()
	member := func(role domain.Role) domain.Actor {
		return domain.Actor{
			Kind: domain.UserActor, SellerID: seller, OrgID: dbtest.Org, Memberships: []domain.Membership{{SellerID: seller, Role: role}},
		}
	}
	const (
		noAuth    = domain.CodeUnauthenticated
		missing   = domain.CodeMissingPermission
		forbidden = domain.CodeForbidden
		notFound  = domain.CodeNotFound
	)
	for name, row := range map[string]struct {
		actor                               domain.Actor
		secret                              string
		create, list, form, abort, complete domain.Code
	}{
		"no credential":              {domain.Actor{}, "", "", noAuth, noAuth, noAuth, noAuth},
		"the buyer":                  {domain.Actor{}, made.Secret, "", noAuth, "", "", noAuth},
		"another checkout's buyer":   {domain.Actor{}, theirs.Secret, "", noAuth, noAuth, noAuth, noAuth},
		"a wrong secret":             {domain.Actor{}, secrets.New(secrets.Checkout), "", noAuth, noAuth, noAuth, noAuth},
		"another kind of secret":     {domain.Actor{}, secrets.New(secrets.APIKey), "", noAuth, noAuth, noAuth, noAuth},
		"a key without permissions":  {dbtest.KeyOf(seller, "scans:list"), "", "", missing, missing, missing, missing},
		"a key with the secret":      {dbtest.KeyOf(other, "scans:list"), made.Secret, domain.CodeValidationFailed, missing, "", "", missing},
		"a key that can list":        {dbtest.KeyOf(seller, "checkouts:list"), "", "", "", "", missing, missing},
		"a key that can update":      {dbtest.KeyOf(seller, "transactions:update"), "", "", missing, missing, "", missing},
		"a key that can complete":    {dbtest.KeyOf(seller, "transactions:create"), "", "", missing, missing, missing, ""},
		"another seller's key":       {dbtest.KeyOf(other), "", domain.CodeValidationFailed, "", notFound, notFound, notFound},
		"a viewer":                   {member(domain.Viewer), "", forbidden, "", "", forbidden, forbidden},
		"a manager":                  {member(domain.Manager), "", "", "", "", "", ""},
		"the platform":               {domain.Actor{Kind: domain.SystemActor, SellerID: seller}, "", "", "", "", "", ""},
		"a device":                   {domain.Actor{Kind: domain.DeviceActor, SellerID: seller}, "", "", forbidden, forbidden, forbidden, forbidden},
		"another organization's key": {domain.Actor{Kind: domain.OrganizationKeyActor, OrgID: "p"}, "", domain.CodeValidationFailed, domain.CodeInvalidRequest, forbidden, forbidden, forbidden},
		"an organization's key":      {domain.Actor{Kind: domain.OrganizationKeyActor, OrgID: dbtest.Org, SellerID: seller}, "", "", "", forbidden, forbidden, forbidden},
	} {
		ctx := domain.WithActor(t.Context(), &row.actor)
		_, create := s.checkouts.Create(ctx, wants("e1", "stalls", 1))
		_, list := s.checkouts.List(ctx, sale.CheckoutFilter{}, domain.Page{Limit: 1})
		_, form := s.checkouts.Form(ctx, made.ID, row.secret, "")
		// These checkouts have ended, so the operations show who may call them and don't change state between rows.
		aborted, sold := s.open(), s.open()
		_, abort := s.checkouts.Abort(ctx, made.ID, row.secret)
		_, complete := s.checkouts.Complete(domain.WithCall(ctx, domain.Call{CheckoutSecret: sold.Secret}), sold.ID)
		for operation, got := range map[string]struct {
			err  error
			want domain.Code
		}{
			"create": {create, row.create}, "list": {list, row.list}, "form": {form, row.form},
			"abort": {abort, row.abort}, "complete": {complete, row.complete},
		} {
			if domaintest.Code(got.err) != got.want {
				t.Errorf("%s, %s: got %v, want %q", name, operation, got.err, got.want)
			}
		}
		_, byHeader := s.checkouts.Abort(domain.WithCall(ctx, domain.Call{CheckoutSecret: aborted.Secret}), aborted.ID, "")
		if byHeader != nil && name != "another seller's key" {
			t.Errorf("%s, by the header: %v", name, byHeader)
		}
	}
	_, unknown := s.checkouts.Form(s.anonymous(), "000000000000000000000000", made.Secret, "")
	_, wrong := s.checkouts.Form(s.anonymous(), made.ID, theirs.Secret, "")
	_, none := s.checkouts.Form(s.anonymous(), made.ID, "", "")
	if unknown.Error() != wrong.Error() || wrong.Error() != none.Error() {
		t.Errorf("the errors reveal which checkouts exist: %v, %v, %v", unknown, wrong, none)
	}
}

func TestTheFormListsEverythingTheSellerRequires(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	form, err := s.checkouts.Form(s.anonymous(), checkout.ID, checkout.Secret, "")
	if s.Must(err); !form.SkipAddressInfo || form.EnforceAddress || form.IdentificationConfig != nil {
		t.Errorf("without the module: %+v", form)
	}
	s.french()
	form, err = s.checkouts.Form(s.anonymous(), checkout.ID, checkout.Secret, "")
	if s.Must(err); form.SkipAddressInfo || !form.EnforceAddress || len(form.IdentificationConfig) != 1 {
		t.Errorf("with the module: %+v", form)
	}
}

func TestDetailsAreStoredTrimmedAndPublished(t *testing.T) {
	s := newShop(t)
	s.french()
	checkout := s.open()
	s.now = s.now.Add(time.Minute)
	changed, err := s.submit(checkout, acme)
	s.Must(err)
	document := s.text(s.stored(checkout.ID))
	if s.text(changed) != document || changed.Status != sale.CheckoutDetails || !changed.UpdatedAt.After(checkout.UpdatedAt.Time) {
		t.Errorf("got %+v", changed)
	}
	for _, part := range []string{
		`"company":"ACME SARL"`, `"phone":"+33 1"`, `"identification":[{"type":"france_siren","identifier":"732829320"}]`,
	} {
		if !strings.Contains(document, part) {
			t.Errorf("%s is not in %s", part, document)
		}
	}
	types, data := s.happened()
	if len(types) != 1 || types[0] != "checkout.detailsSubmitted" || data[0] != `{"checkout":`+document+`}` {
		t.Errorf("published %q with %q", types, data)
	}

	_, err = s.submit(checkout, acme)
	s.Must(err)
	s.wantEvents() // nothing changed
	replaced, err := s.submit(checkout, `{"country":" de ","company":" ","email":"b@example.com"}`)
	s.Must(err)
	if replaced.Company != nil || *replaced.Country != "DE" || replaced.Phone != nil || replaced.Identification != nil {
		t.Errorf("omitted fields were kept: %+v", replaced)
	}
	s.wantEvents("checkout.detailsSubmitted")
}

func TestRefusedDetailsChangeNothing(t *testing.T) {
	s := newShop(t)
	s.french()
	checkout := s.open()
	before := s.text(checkout)
	for _, test := range []struct{ details, message, paths string }{
		{`{"company":"A","country":"FR","street":"1","postal":"2","city":"3"}`, "Missing required identification: france_siren", "identification"},
		{`{"company":"A","email":"zoe"}`, "Missing required identification: france_siren", "identification street postal city country email"},
		{domaintest.Merged(acme, `"city":" "`, `"country":"Frankreich"`), "Address is required", "city country"},
		{
			domaintest.Merged(acme, `"city":""`, `"identification":[{"type":"france_siren","identifier":"73282932000074"}]`),
			"identification[0].identifier", "identification[0].identifier city",
		},
		{`{"email":"zoe","company":"` + strings.Repeat("é", 201) + `","country":"DE"}`, "company", "company email"},
		{`{"phone":"a\u0000b","customerId":""}`, "", "customerId phone"},
	} {
		_, err := s.submit(checkout, strings.ReplaceAll(test.details, `\u0000`, `\ufffd`))
		if strings.Contains(test.details, `\u0000`) {
			sent := details(`{"customerId":""}`)
			sent.Phone = new("a\x00b")
			_, err = s.checkouts.Submit(s.anonymous(), checkout.ID, checkout.Secret, sent)
		}
		refused(t, err, domain.CodeValidationFailed, test.message, test.paths)
	}
	if got := s.text(s.stored(checkout.ID)); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
	s.wantEvents()
}

// TestDetailsObeyTheDecisionTable submits the rows for two sellers to one checkout, which accepts details repeatedly.
func TestDetailsObeyTheDecisionTable(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	tried, sellerNow := 0, ""
	for i, row := range domaintest.IdentificationRows() {
		if i%3 != 0 {
			continue
		}
		if now := fmt.Sprint(row.SellerCountry, row.Module); now != sellerNow {
			s.Exec("UPDATE sellers SET country = $2, siren = $3 WHERE id = $1", string(seller), row.SellerCountry, row.Module)
			sellerNow = now
		}
		tried++
		sent := sale.Details{Buyer: sale.Buyer{
			Company: &row.Company, Street: &row.Street, Postal: &row.Postal, City: &row.City, Country: &row.Country,
		}}
		if row.Identification != "" {
			sent.Identification = domaintest.JSON(row.Identification)
		}
		changed, err := s.checkouts.Submit(s.anonymous(), checkout.ID, checkout.Secret, sent)
		if row.Message != "" {
			refused(t, err, domain.CodeValidationFailed, row.Message, strings.Join(row.Paths, " "))
			continue
		}
		kept := ""
		for _, document := range changed.Identification {
			kept += document.Identifier
		}
		if err != nil || kept != row.Kept {
			t.Errorf("%s: got %q, %v", row, kept, err)
		}
	}
	if tried < 1000 {
		t.Errorf("tried only %d rows", tried)
	}
}

func TestPageMustBeListedOrigin(t *testing.T) {
	s := newShop(t)
	checkout := s.open()
	s.Exec("UPDATE sellers SET checkout_origins = '{https://shop.example}' WHERE id = $1", string(seller))
	for origin, want := range map[string]domain.Code{
		"": "", "https://shop.example": "", "https://other.example": domain.CodeCrossOrigin, "null": domain.CodeCrossOrigin,
	} {
		from := domain.WithCall(t.Context(), domain.Call{Origin: origin, CheckoutSecret: checkout.Secret})
		asKey := domain.WithCall(s.key(seller), domain.Call{Origin: origin})
		_, create := s.checkouts.Create(from, wants("e1", "stalls", 1))
		_, form := s.checkouts.Form(from, checkout.ID, "", "")
		_, submit := s.checkouts.Submit(from, checkout.ID, "", sale.Details{})
		opened := s.open()
		_, abort := s.checkouts.Abort(asKey, opened.ID, "")
		_, complete := s.checkouts.Complete(asKey, s.open().ID)
		for operation, err := range map[string]error{"create": create, "form": form, "submit": submit, "abort": abort, "complete": complete} {
			if domaintest.Code(err) != want {
				t.Errorf("%s from %q: %v", operation, origin, err)
			}
		}
	}
}

func TestFiltersOfCheckouts(t *testing.T) {
	s := newShop(t)
	first := s.open()
	s.now = s.now.Add(time.Second)
	second := s.open()
	_, err := s.submit(second, `{"email":"ÉLISE@example.com","company":"Straße 100%","phone":"+33 1"}`)
	s.Must(err)
	_, err = s.checkouts.Create(s.anonymous(), wants("e2", "elsewhere", 1))
	s.Must(err)
	third, err := s.checkouts.List(s.key(seller), sale.CheckoutFilter{EventID: "e2"}, domain.Page{Limit: 10})
	s.Must(err)
	all := []string{first.ID, second.ID, third.Items[0].ID}
	for name, test := range map[string]struct {
		filter sale.CheckoutFilter
		want   []string
	}{
		"nothing":         {sale.CheckoutFilter{}, all},
		"the status":      {sale.CheckoutFilter{Status: sale.CheckoutDetails}, all[1:2]},
		"a status of two": {sale.CheckoutFilter{StatusIn: []sale.CheckoutStatus{sale.CheckoutDetails, sale.CheckoutNew}}, all},
		"one of a list":   {sale.CheckoutFilter{StatusIn: []sale.CheckoutStatus{sale.CheckoutDetails}}, all[1:2]},
		"both forms": {
			sale.CheckoutFilter{Status: sale.CheckoutNew, StatusIn: []sale.CheckoutStatus{sale.CheckoutDetails}}, nil,
		},
		"an empty list":     {sale.CheckoutFilter{StatusIn: []sale.CheckoutStatus{}}, all},
		"the event":         {sale.CheckoutFilter{EventID: "e1"}, all[:2]},
		"the email":         {sale.CheckoutFilter{Email: "élise@EXAMPLE.com"}, all[1:2]},
		"part of the email": {sale.CheckoutFilter{Email: "example.com"}, nil},
		"a text":            {sale.CheckoutFilter{Text: "STRASSE 100%"}, all[1:2]},
		"a phone":           {sale.CheckoutFilter{Text: "+33"}, all[1:2]},
		"an _id":            {sale.CheckoutFilter{Text: first.ID}, all[:1]},
		"from a time":       {sale.CheckoutFilter{CreatedFrom: &second.CreatedAt}, all[1:]},
		"until":             {sale.CheckoutFilter{CreatedUntil: &second.CreatedAt}, all[:1]},
	} {
		list, err := s.checkouts.List(s.key(seller), test.filter, domain.Page{Limit: 10})
		s.Must(err)
		total, err := list.Total(t.Context())
		s.Must(err)
		var got []string
		for _, checkout := range list.Items {
			got = append(got, checkout.ID)
		}
		if strings.Join(got, " ") != strings.Join(test.want, " ") || total != len(test.want) {
			t.Errorf("%s: got %q of %d, want %q", name, got, total, test.want)
		}
	}
	none, err := s.checkouts.List(s.key(other), sale.CheckoutFilter{}, domain.Page{Limit: 10})
	if s.Must(err); len(none.Items) != 0 {
		t.Errorf("another seller sees %v", none.Items)
	}
	_, err = s.checkouts.List(s.key(seller), sale.CheckoutFilter{Text: "\x00"}, domain.Page{Limit: 10})
	refused(t, err, domain.CodeValidationFailed, "", "text")
}

// One response names all errors, even without a seller (BODY-1).
func TestAnEmptyCheckoutNamesAllMissingFields(t *testing.T) {
	s := newShop(t)
	_, err := s.checkouts.Create(s.anonymous(), sale.NewCheckout{})
	refused(t, err, domain.CodeValidationFailed, "", "sellerId eventId items")
}
