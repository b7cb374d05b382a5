package catalog

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
	"ticketgate/domain/optional"
)

const seller ids.Seller = "111111111111111111111111"

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

// paths returns the paths of an error's fields, in order.
func paths(err error) []string {
	if err == nil {
		return nil
	}
	found := []string{}
	for _, field := range domain.AsError(err).Fields {
		found = append(found, field.Path)
	}
	return found
}

func parsed(t *testing.T, text string) ecmajson.Value {
	t.Helper()
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func newEvent(input NewEvent) (Event, error) {
	var errs domain.FieldErrors
	event := asked[Event, *Event](input, seller, noon, &errs)
	return event, errs.Err()
}

func newTicketType(input NewTicketType) (TicketType, error) {
	var errs domain.FieldErrors
	ticketType := asked[TicketType, *TicketType](input, seller, noon, &errs)
	return ticketType, errs.Err()
}

func TestNewEventHasDefaults(t *testing.T) {
	event, err := newEvent(NewEvent{Name: "  Gala ", Start: moment.New(noon)})
	if err != nil {
		t.Fatal(err)
	}
	if event.Name != "Gala" || event.Type != Single || event.TimeZone != "UTC" || event.CodeDisplay != QR || event.SkipAddressInfo {
		t.Errorf("%+v", event)
	}
	if !event.Ends().Equal(noon) || len(event.ID) != 24 {
		t.Errorf("got end %s and _id %s", event.Ends(), event.ID)
	}
}

func TestAllFaultsOfAnEventAreNamedTogether(t *testing.T) {
	text := func(s string) *string { return &s }
	earlier := moment.New(noon.Add(-time.Millisecond))
	_, err := newEvent(NewEvent{
		ID: text(strings.Repeat("x", 65)), Name: " ", Type: "FAIR", RootEventID: text(""), ParentEventID: text(strings.Repeat("y", 65)),
		Start: moment.New(noon), End: &earlier, TimeZone: text("Mars/Olympus"), CodeDisplay: "AZTEC",
		Meta: parsed(t, `[]`),
	})
	want := []string{"_id", "type", "name", "rootEventId", "parentEventId", "end", "timeZone", "codeDisplay", "meta"}
	if got := paths(err); !slices.Equal(got, want) {
		t.Errorf("got the paths %v", got)
	}
}

func TestAllowedRootsAndParentsOfAnEvent(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name  string
		event NewEvent
		wrong []string
	}{
		{"a ROOT can't have a root", NewEvent{Type: Root, RootEventID: text("r")}, []string{"rootEventId"}},
		{"a ROOT can be in a group", NewEvent{Type: Root, ParentEventID: text("g")}, nil},
		{"a RECURRENCE can have a root", NewEvent{Type: Recurrence, RootEventID: text("r")}, nil},
		{"an event is not its own root", NewEvent{ID: text("a"), RootEventID: text("a")}, []string{"rootEventId"}},
		{"an event is not its own parent", NewEvent{ID: text("a"), Type: Group, ParentEventID: text("a")}, []string{"parentEventId"}},
	} {
		c.event.Name, c.event.Start = "N", moment.New(noon)
		if _, err := newEvent(c.event); !slices.Equal(paths(err), c.wrong) {
			t.Errorf("%s: got the paths %v", c.name, paths(err))
		}
	}
}

func TestTimeZonesAreIANANames(t *testing.T) {
	for name, want := range map[string]bool{
		"UTC": true, "Europe/Berlin": true, "America/Argentina/Buenos_Aires": true, "Etc/GMT+5": true, "America/Port-au-Prince": true,
		"": false, "Local": false, "Factory": false, "Europe": false, "Berlin": false, "+01:00": false, "CEST": false,
		"europe/berlin": false, "../Europe/Berlin": false, "/Europe/Berlin": false, "Europe//Berlin": false,
		"posix/Europe/Berlin": false, "localtime": false, "posixrules": false, "Europe/Berlin\x00": false,
	} {
		if got := isTimeZone(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

func TestMetaIsAnObjectWithinLimits(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels) }
	long := func(size int) string { return `{"a":"` + strings.Repeat("x", size-8) + `"}` }
	for _, c := range []struct {
		name, meta string
		right      bool
	}{
		{"an empty object", `{}`, true},
		{"null", `null`, true},
		{"an array", `[1]`, false},
		{"a string", `"x"`, false},
		{"depth 8", deep(8), true},
		{"depth 9", deep(9), false},
		{"16 KiB", long(16 << 10), true},
		{"16 KiB and a byte", long(16<<10 + 1), false},
	} {
		var zone ScanZone
		var errs domain.FieldErrors
		zone.apply(NewScanZone{Name: "Z", Meta: parsed(t, c.meta)}.change(), &errs)
		if got := paths(errs.Err()); (got == nil) != c.right || (len(got) > 0 && got[0] != "meta") {
			t.Errorf("%s: got the paths %v", c.name, got)
		}
	}
}

func TestPricesAreExact(t *testing.T) {
	for _, c := range []struct {
		price    document.Number
		currency money.Currency
		message  string
	}{
		{"0", "EUR", ""},
		{"10.5", "EUR", ""},
		{"999999999999.99", "EUR", ""},
		{"1000", "JPY", ""},
		{"10.555", "EUR", "must have at most 2 decimals in EUR"},
		{"10.5", "JPY", "must have at most 0 decimals in JPY"},
		{"-0.01", "EUR", "must not be negative"},
		{"1000000000000", "EUR", "must be an amount such as 10.5 with at most 12 digits before the point"},
		{"1e+21", "EUR", "must be an amount such as 10.5 with at most 12 digits before the point"},
		{"1e-7", "EUR", "must be an amount such as 10.5 with at most 12 digits before the point"},
	} {
		var errs domain.FieldErrors
		checkAmount(&errs, "price", c.price, c.currency)
		got := ""
		if err := errs.Err(); err != nil {
			got = domain.AsError(err).Fields[0].Message
		}
		if got != c.message {
			t.Errorf("%s %s: %q", c.price, c.currency, got)
		}
	}
}

func TestTicketTypeIsChecked(t *testing.T) {
	rate := document.Number("100.1")
	_, err := newTicketType(NewTicketType{Name: "", Price: "-1", Currency: "XXX", TaxRate: &rate})
	if got := paths(err); !slices.Equal(got, []string{"eventId", "name", "currency", "taxRate"}) {
		t.Errorf("got the paths %v", got)
	}
	ticketType, err := newTicketType(NewTicketType{EventID: "e", Name: "T", Price: "12"})
	if err != nil || ticketType.Currency != "EUR" || !ticketType.Active || ticketType.TaxRate != nil {
		t.Errorf("got %+v, %v", ticketType, err)
	}
	for rate, want := range map[document.Number]bool{
		"0": true, "7.7": true, "100": true, "19.1234": true, "100.5": false, "-1": false, "19.12345": false, "1e-7": false,
	} {
		var errs domain.FieldErrors
		if checkTaxRate(&errs, rate); errs.Any() == want {
			t.Errorf("%s %%: %v", rate, errs.Err())
		}
	}
}

func TestACurrencyWithoutDecimalsNeedsAWholePrice(t *testing.T) {
	kept := TicketType{Price: "10.5", Currency: "EUR"}
	var errs domain.FieldErrors
	kept.apply(TicketTypeChange{Currency: optional.Some[money.Currency]("JPY")}, &errs)
	if got := paths(errs.Err()); !slices.Equal(got, []string{"price"}) {
		t.Errorf("got the paths %v", got)
	}
}

func TestCustomerTexts(t *testing.T) {
	text := optional.Some[string]
	var customer Customer
	var errs domain.FieldErrors
	customer.apply(CustomerChange{
		Email: text(" Ada@Example.com "), Firstname: text(" Ada"), Lastname: text("Lovelace"), Company: text("  "), City: optional.Null[string](),
	}, &errs)
	if errs.Any() || *customer.Email != "Ada@Example.com" || *customer.Firstname != "Ada" || customer.Company != nil ||
		customer.City != nil {
		t.Errorf("got %+v, %v", customer, errs.Err())
	}
	if name := customer.FullName(); name != "Ada Lovelace" {
		t.Errorf("got the name %q", name)
	}
	customer.apply(CustomerChange{
		Email: text("ada"), Phone: text(strings.Repeat("1", 201)), Street: text("a\x00b"), Firstname: optional.Null[string](),
	}, &errs)
	got := paths(errs.Err())
	if !slices.Equal(got, []string{"email", "phone", "street"}) || customer.Firstname != nil || *customer.Lastname != "Lovelace" {
		t.Errorf("wrong are %v, %+v", got, customer)
	}
}

func TestARecordIsPrintedLikeECMAScript(t *testing.T) {
	rate := document.Number("7.7")
	ticketType := TicketType{
		ID: "t", SellerID: "s", EventID: "e", Name: "<A&B>", Price: "10.5", Currency: "EUR", TaxRate: &rate,
		Meta: parsed(t, `{"b":1.0,"7":[]}`), CreatedAt: moment.New(noon), UpdatedAt: moment.New(noon),
	}
	const want = `{"_id":"t","sellerId":"s","eventId":"e","name":"<A&B>","price":10.5,"currency":"EUR","taxRate":7.7,"active":false,` +
		`"meta":{"7":[],"b":1},"createdAt":"2026-11-27T12:00:00.000Z","updatedAt":"2026-11-27T12:00:00.000Z"}`
	if got, err := printed(ticketType); err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	bare := Event{ID: "e", SellerID: "s", Name: "N", Type: Single, Start: moment.New(noon), TimeZone: "UTC", CodeDisplay: QR}
	const bareWant = `{"_id":"e","sellerId":"s","name":"N","type":"SINGLE","start":"2026-11-27T12:00:00.000Z","timeZone":"UTC",` +
		`"skipAddressInfo":false,"codeDisplay":"QR","createdAt":"0001-01-01T00:00:00.000Z","updatedAt":"0001-01-01T00:00:00.000Z"}`
	if got, err := printed(bare); err != nil || string(got) != bareWant {
		t.Errorf("got %s, %v", got, err)
	}
}
