package catalog_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

func TestTicketTypes(t *testing.T) {
	w := newFixture(t)
	event, second := w.event("Gala", nil), w.event("Second", nil)
	domaintest.Must(w.events.Create(w.As(other), catalog.NewEvent{ID: new("theirs"), Name: "T", Start: event.Start}))(t)
	made := domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{
		EventID: event.ID, Name: "Standing", Price: "1234567890.05", TaxRate: ptr(document.Number("7.7")), Meta: domaintest.JSON(`{}`),
	}))(t)

	t.Run("a price is returned exactly", func(t *testing.T) {
		got := domaintest.Must(w.types.Get(w.As(seller), made.ID))(t)
		if got.Price != "1234567890.05" || *got.TaxRate != "7.7" || got.Currency != "EUR" || !got.Active || got.EventID != event.ID ||
			string(got.Meta.Append(nil)) != "{}" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("the event must be the seller's", func(t *testing.T) {
		for _, id := range []string{"nothing", "theirs"} {
			_, err := w.types.Create(w.As(seller), catalog.NewTicketType{EventID: id, Name: "N", Price: "1"})
			domaintest.Refused(t, id, err, domain.CodeValidationFailed, "eventId")
		}
	})
	t.Run("omitted fields are kept and null restores the default", func(t *testing.T) {
		got := domaintest.Must(w.types.Update(w.As(seller), made.ID, catalog.TicketTypeChange{
			Price: optional.Some[document.Number]("0"), Active: optional.Some(false), TaxRate: optional.Null[document.Number](),
		}))(t)
		if got.Price != "0" || got.Active || got.TaxRate != nil || got.Name != "Standing" || !got.UpdatedAt.After(made.UpdatedAt.Time) {
			t.Errorf("%+v", got)
		}
		same := domaintest.Must(w.types.Update(w.As(seller), made.ID, catalog.TicketTypeChange{Price: optional.Some[document.Number]("0")}))(t)
		if !same.UpdatedAt.Equal(got.UpdatedAt.Time) {
			t.Errorf("an unchanged type was written at %s", same.UpdatedAt)
		}
		if n := w.Count(`SELECT count(*) FROM audit_entries
			WHERE action = 'updateTicketType' AND before ->> 'price' = '1234567890.05'`); n != 1 {
			t.Errorf("got %d audit entries", n)
		}
		got = domaintest.Must(w.types.Update(w.As(seller), made.ID, catalog.TicketTypeChange{Active: optional.Null[bool]()}))(t)
		if !got.Active {
			t.Error("null did not restore active")
		}
	})
	t.Run("lists are filtered by event, name and active", func(t *testing.T) {
		hidden := domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{
			EventID: event.ID, Name: "Stand-by", Price: "2", Active: new(false),
		}))(t)
		domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{EventID: second.ID, Name: "Seat", Price: "2"}))(t)
		for _, c := range []struct {
			filter catalog.TicketTypeFilter
			want   int
		}{
			{catalog.TicketTypeFilter{}, 3},
			{catalog.TicketTypeFilter{EventID: event.ID}, 2},
			{catalog.TicketTypeFilter{Name: "STAND", Active: new(true)}, 1},
			{catalog.TicketTypeFilter{Active: new(false)}, 1},
		} {
			if list := domaintest.Must(w.types.List(w.As(seller), c.filter, page(10)))(t); len(list.Items) != c.want {
				t.Errorf("%+v: %d", c.filter, len(list.Items))
			}
		}
		byID := domaintest.Must(w.reader.TicketTypesByID(t.Context(), seller, []string{made.ID, hidden.ID, "nothing"}))(t)
		if len(byID) != 2 || byID[hidden.ID].Name != "Stand-by" {
			t.Errorf("%v", byID)
		}
	})
}

func TestScanZones(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", nil)
	domaintest.Must(w.events.Create(w.As(other), catalog.NewEvent{ID: new("theirs"), Name: "T", Start: event.Start}))(t)
	scanZone := domaintest.Must(w.zones.Create(w.As(seller), catalog.NewScanZone{Name: "Hall", EventID: &event.ID}))(t)

	t.Run("the event must be the seller's, on create and update", func(t *testing.T) {
		_, create := w.zones.Create(w.As(seller), catalog.NewScanZone{Name: "N", EventID: new("theirs")})
		_, update := w.zones.Update(w.As(seller), scanZone.ID, catalog.ScanZoneChange{EventID: optional.Some("theirs")})
		domaintest.Refused(t, "create", create, domain.CodeValidationFailed, "eventId")
		domaintest.Refused(t, "update", update, domain.CodeValidationFailed, "eventId")
	})
	t.Run("null removes it from its event, and repeating that writes nothing", func(t *testing.T) {
		got := domaintest.Must(w.zones.Update(w.As(seller), scanZone.ID, catalog.ScanZoneChange{EventID: optional.Null[string]()}))(t)
		again := domaintest.Must(w.zones.Update(w.As(seller), scanZone.ID, catalog.ScanZoneChange{
			EventID: optional.Null[string](), Name: optional.Some("Hall"),
		}))(t)
		if got.EventID != nil || got.Name != "Hall" || !again.UpdatedAt.Equal(got.UpdatedAt.Time) {
			t.Errorf("got %+v, %+v", got, again)
		}
		if read := domaintest.Must(w.zones.Get(w.As(seller), scanZone.ID))(t); read.EventID != nil {
			t.Errorf("got %+v", read)
		}
	})
	t.Run("lists and look-ups return only the seller's zones", func(t *testing.T) {
		theirs := domaintest.Must(w.zones.Create(w.As(other), catalog.NewScanZone{Name: "Hall"}))(t)
		door := domaintest.Must(w.zones.Create(w.As(seller), catalog.NewScanZone{Name: "Door", EventID: &event.ID}))(t)
		for _, filter := range []catalog.ScanZoneFilter{{Name: "DOO"}, {EventID: event.ID}} {
			if list := domaintest.Must(w.zones.List(w.As(seller), filter, page(10)))(t); len(list.Items) != 1 || list.Items[0].ID != door.ID {
				t.Errorf("%+v: %+v", filter, list.Items)
			}
		}
		byID := domaintest.Must(w.reader.ScanZonesByID(t.Context(), seller, []string{scanZone.ID, door.ID, theirs.ID}))(t)
		if got := slices.Sorted(maps.Keys(byID)); !slices.Equal(got, []string{scanZone.ID, door.ID}) {
			t.Errorf("got %v", got)
		}
	})
}

func TestCustomers(t *testing.T) {
	w := newFixture(t)
	customer := domaintest.Must(w.customers.Create(w.As(seller), catalog.NewCustomer{
		ID: new("crm-7"), Email: new("Émile.Zola@Example.com"), Firstname: new("Émile"), Lastname: new("Zola"), Company: new("İstanbul"),
		Street: new("1, rue O'Neill"), Country: new(" fr "),
	}))(t)

	t.Run("creation publishes the customer", func(t *testing.T) {
		want := `{"customer":{"_id":"crm-7","sellerId":"` + string(seller) + `","email":"Émile.Zola@Example.com","firstname":"Émile",` +
			`"lastname":"Zola","company":"İstanbul","street":"1, rue O'Neill","country":"FR","createdAt":"` + customer.CreatedAt.String() +
			`","updatedAt":"` + customer.UpdatedAt.String() + `","primaryEmail":"Émile.Zola@Example.com","name":"Émile Zola"}}`
		if got := w.published("customer.created"); !slices.Equal(got, []string{want}) {
			t.Errorf("published %v", got)
		}
	})
	t.Run("the audit log has no personal data", func(t *testing.T) {
		if n := w.Count("SELECT count(*) FROM audit_entries WHERE before::text || after::text LIKE '%Zola%'"); n != 0 {
			t.Errorf("%d entries", n)
		}
	})
	t.Run("an update is published once, an unchanged one is not", func(t *testing.T) {
		change := catalog.CustomerChange{Phone: optional.Some(" +33 1 23 "), Company: optional.Null[string]()}
		for range 2 {
			domaintest.Must(w.customers.Update(w.As(seller), "crm-7", change))(t)
		}
		got := domaintest.Must(w.customers.Get(w.As(seller), "crm-7"))(t)
		if *got.Phone != "+33 1 23" || got.Company != nil || *got.Lastname != "Zola" {
			t.Errorf("%+v", got)
		}
		if updated := w.published("customer.updated"); len(updated) != 1 || !strings.Contains(updated[0], `"phone":"+33 1 23"`) {
			t.Errorf("published %v", updated)
		}
	})
	t.Run("an _id is unique", func(t *testing.T) {
		_, err := w.customers.Create(w.As(seller), catalog.NewCustomer{ID: new("crm-7")})
		domaintest.Refused(t, "twin", err, domain.CodeValidationFailed, "_id")
		if created := w.published("customer.created"); len(created) != 1 {
			t.Errorf("published %v", created)
		}
	})
	t.Run("filters are case-insensitive in every script", func(t *testing.T) {
		domaintest.Must(w.customers.Create(w.As(seller), catalog.NewCustomer{
			Firstname: new("Anna"), Company: new("Straße"), Email: new("a_b@example.com"),
		}))(t)
		domaintest.Must(w.customers.Create(w.As(other), catalog.NewCustomer{Lastname: new("Zola"), Email: new("émile.zola@example.com")}))(t)
		later := moment.New(customer.CreatedAt.AddDate(0, 0, 1))
		for _, c := range []struct {
			filter catalog.CustomerFilter
			want   int
		}{
			{catalog.CustomerFilter{}, 2},
			{catalog.CustomerFilter{Email: "ÉMILE.ZOLA@EXAMPLE.COM"}, 1},
			{catalog.CustomerFilter{Email: "zola@example.com"}, 0},
			{catalog.CustomerFilter{Email: "axb@example.com"}, 0},
			{catalog.CustomerFilter{Name: "émile z"}, 1},
			{catalog.CustomerFilter{Name: "STRASSE"}, 1},
			{catalog.CustomerFilter{CreatedFrom: &customer.CreatedAt}, 2},
			{catalog.CustomerFilter{CreatedUntil: &customer.CreatedAt}, 0},
			{catalog.CustomerFilter{CreatedFrom: &later}, 0},
		} {
			list := domaintest.Must(w.customers.List(w.As(seller), c.filter, page(10)))(t)
			if total := domaintest.Must(list.Total(t.Context()))(t); len(list.Items) != c.want || total != c.want {
				t.Errorf("%+v: %d of %d", c.filter, len(list.Items), total)
			}
		}
	})
}

func TestWhoMayUseTheCatalog(t *testing.T) {
	w := newFixture(t)
	event := w.event("Gala", nil)
	zone := domaintest.Must(w.zones.Create(w.As(seller), catalog.NewScanZone{Name: "Z"}))(t)
	ticketType := domaintest.Must(w.types.Create(w.As(seller), catalog.NewTicketType{EventID: event.ID, Name: "T", Price: "1"}))(t)
	customer := domaintest.Must(w.customers.Create(w.As(seller), catalog.NewCustomer{}))(t)
	calls := map[string]func(context.Context) error{
		"events:list": func(ctx context.Context) error { _, err := w.events.Get(ctx, event.ID); return err },
		"events:create": func(ctx context.Context) error {
			_, err := w.events.Create(ctx, catalog.NewEvent{Name: "N", Start: event.Start})
			return err
		},
		"events:update": func(ctx context.Context) error {
			_, err := w.types.Update(ctx, ticketType.ID, catalog.TicketTypeChange{})
			return err
		},
		"scanZones:list": func(ctx context.Context) error { _, err := w.zones.Get(ctx, zone.ID); return err },
		"scanZones:create": func(ctx context.Context) error {
			_, err := w.zones.Create(ctx, catalog.NewScanZone{Name: "N"})
			return err
		},
		"scanZones:update": func(ctx context.Context) error {
			_, err := w.zones.Update(ctx, zone.ID, catalog.ScanZoneChange{})
			return err
		},
		"customers:list":   func(ctx context.Context) error { _, err := w.customers.Get(ctx, customer.ID); return err },
		"customers:create": func(ctx context.Context) error { _, err := w.customers.Create(ctx, catalog.NewCustomer{}); return err },
		"customers:update": func(ctx context.Context) error {
			_, err := w.customers.Update(ctx, customer.ID, catalog.CustomerChange{})
			return err
		},
	}
	for needed, call := range calls {
		if err := call(w.As(seller, domain.Permission(needed))); err != nil {
			t.Errorf("with %s: %v", needed, err)
		}
		err := call(w.As(seller, "tickets:list"))
		if domaintest.HasCode(t, needed, err, domain.CodeMissingPermission); err != nil && err.Error() != `Missing permission "`+needed+`"` {
			t.Errorf("got the error %q", err)
		}
		domaintest.HasCode(t, needed+" without a credential", call(t.Context()), domain.CodeUnauthenticated)
	}
	t.Run("another seller's records are not found", func(t *testing.T) {
		for what, call := range calls {
			if !strings.HasSuffix(what, ":create") {
				domaintest.HasCode(t, what, call(w.As(other)), domain.CodeNotFound)
			}
		}
	})
	t.Run("the platform and an organization key name the seller in the input", func(t *testing.T) {
		for _, actor := range []domain.Actor{{Kind: domain.SystemActor}, {Kind: domain.OrganizationKeyActor, ID: "k", OrgID: org}} {
			ctx := domain.WithActor(t.Context(), &actor)
			made := domaintest.Must(w.customers.Create(ctx, catalog.NewCustomer{SellerID: other}))(t)
			if made.SellerID != other {
				t.Errorf("created for %s", made.SellerID)
			}
			got := domaintest.Must(w.customers.Update(ctx, made.ID, catalog.CustomerChange{SellerID: other, City: optional.Some("Lyon")}))(t)
			if *got.City != "Lyon" {
				t.Errorf("%+v", got)
			}
			_, err := w.customers.Create(ctx, catalog.NewCustomer{})
			domaintest.HasCode(t, "no seller", err, domain.CodeInvalidRequest)
			_, err = w.customers.Create(ctx, catalog.NewCustomer{SellerID: "unknown"})
			domaintest.Refused(t, "unknown seller", err, domain.CodeValidationFailed, "sellerId")
		}
		foreign := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.OrganizationKeyActor, ID: "k", OrgID: "another"})
		_, err := w.customers.Create(foreign, catalog.NewCustomer{SellerID: other})
		domaintest.Refused(t, "another organization's seller", err, domain.CodeValidationFailed, "sellerId")
	})
	t.Run("a session reads as VIEWER and writes as MANAGER", func(t *testing.T) {
		as := func(role domain.Role) context.Context {
			return domain.WithActor(t.Context(), &domain.Actor{
				Kind: domain.UserActor, ID: "u", SellerID: seller, OrgID: org, Memberships: []domain.Membership{{SellerID: seller, Role: role}},
			})
		}
		for what, call := range calls {
			if err := call(as(domain.Manager)); err != nil {
				t.Errorf("%s by a manager: %v", what, err)
			}
			err := call(as(domain.Viewer))
			if strings.HasSuffix(what, ":list") != (err == nil) {
				t.Errorf("%s by a viewer: %v", what, err)
			}
		}
	})
}
