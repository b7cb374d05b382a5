package webhooks

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

// The ids of the samples. Identifiers that start like these are not replaced, see withSteadyIDs.
const (
	sampleEvent      = "6570c1009d3e4f0012ab0100"
	sampleTicketType = "6570c1229d3e4f0012ab0300"
	sampleCustomer   = "6570c1119d3e4f0012ab0200"
)

const sampleSeller ids.Seller = "6570c0ff9d3e4f0012ab0001"

// sampleFixture is a seller whose records go through every transition, a minute apart.
type sampleFixture struct {
	t     *testing.T
	store *db.Store
	plain *sql.DB
	now   time.Time
	// publishers are the operations that have published each type of event.
	publishers map[domain.EventType][]domain.Operation
}

func newSampleFixture(t *testing.T) *sampleFixture {
	t.Helper()
	database := dbtest.New(t)
	w := &sampleFixture{
		t: t, now: time.Date(2026, 11, 27, 20, 37, 0, 120_000_000, time.UTC), publishers: map[domain.EventType][]domain.Operation{},
	}
	var err error
	w.store, err = db.Open(db.Config{URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: w.clock})
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = w.store.Close() })
	w.plain, err = sql.Open("pgx", database.ApplicationURL)
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = w.plain.Close() })
	for _, statement := range []string{
		`INSERT INTO organizations VALUES ('o', 'O', now())`,
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ('` + string(sampleSeller) + `', 'o', 'S', 'FR', true, true, now(), now())`,
	} {
		_, err = w.plain.ExecContext(t.Context(), statement)
		systemtest.Must(t, err)
	}
	return w
}

func (w *sampleFixture) clock() time.Time { return w.now }

// platform returns a context for the platform acting on the seller.
func (w *sampleFixture) platform() context.Context {
	return domain.WithActor(w.t.Context(), &domain.Actor{Kind: domain.SystemActor, SellerID: sampleSeller, OrgID: "o"})
}

// seller returns the organization and the features of the only seller.
func (w *sampleFixture) seller(context.Context, ids.Seller) (ids.Org, domain.Features, error) {
	return "o", domain.Features{Webhooks: true, SIREN: true}, nil
}

func (w *sampleFixture) events() webhook.Events {
	return webhook.Events{Store: w.store.Webhooks(), Resources: program.PublishedResources(), Seller: w.seller}
}

// done records what an operation has published, and advances the clock by a minute.
func (w *sampleFixture) done(as domain.Operation, err error) {
	w.t.Helper()
	systemtest.Must(w.t, err)
	publication, err := w.plain.QueryContext(w.t.Context(), "SELECT DISTINCT type FROM events WHERE created_at = $1", w.now)
	systemtest.Must(w.t, err)
	defer func() { _ = publication.Close() }()
	for publication.Next() {
		var kind domain.EventType
		systemtest.Must(w.t, publication.Scan(&kind))
		if !slices.Contains(w.publishers[kind], as) {
			w.publishers[kind] = append(w.publishers[kind], as)
		}
	}
	systemtest.Must(w.t, publication.Err())
	w.now = w.now.Add(time.Minute)
}

// changeEverything runs every operation that publishes. The imports come first, because codes of a checkout's tickets differ
// at every run.
func (w *sampleFixture) changeEverything() {
	w.t.Helper()
	w.changeCatalog()
	w.sell()
	w.changePurchaseIntents()
	w.changeCheckouts()
	w.changeGate()
}

// changeCatalog creates, changes and deletes the records of the catalog and of customers.
func (w *sampleFixture) changeCatalog() {
	w.t.Helper()
	ctx := w.platform()
	start, err := moment.Parse("2027-06-01T18:00:00Z")
	systemtest.Must(w.t, err)
	events := catalog.New(w.store.Catalog(), w.seller, w.clock).Events
	_, err = events.Create(ctx, catalog.NewEvent{
		ID: new(sampleEvent), Name: "Summer concert", Type: catalog.Single, Start: start, TimeZone: new("Europe/Paris"),
	})
	w.done(domain.CreateEvent, err)
	w.changeTicketTypes(ctx)
	_, err = events.Update(ctx, sampleEvent, catalog.EventChange{Name: optional.Some("Summer concert, open air")})
	w.done(domain.UpdateEvent, err)
	rehearsal, err := events.Create(ctx, catalog.NewEvent{Name: "Rehearsal", Type: catalog.Single, Start: start})
	w.done(domain.CreateEvent, err)
	_, err = events.Delete(ctx, rehearsal.ID, nil)
	w.done(domain.DeleteEvent, err)

	customers := catalog.New(w.store.Catalog(), w.seller, w.clock).Customers
	_, err = customers.Create(ctx, catalog.NewCustomer{
		ID: new(sampleCustomer), Email: new("zoe@example.org"), Firstname: new("Zoë"), Lastname: new("Martin"),
	})
	w.done(domain.CreateCustomer, err)
	_, err = customers.Update(ctx, sampleCustomer, catalog.CustomerChange{Company: optional.Some("Martin & Fils")})
	w.done(domain.UpdateCustomer, err)
}

// changeTicketTypes creates, changes and removes ticket types of the event, within the previous minute.
func (w *sampleFixture) changeTicketTypes(ctx context.Context) {
	w.t.Helper()
	after := w.now
	w.now = after.Add(-40 * time.Second)
	happened := func(as domain.Operation, err error) {
		w.done(as, err)
		w.now = w.now.Add(-50 * time.Second)
	}
	types := catalog.New(w.store.Catalog(), w.seller, w.clock).TicketTypes
	_, err := types.Create(ctx, catalog.NewTicketType{ID: new(sampleTicketType), EventID: sampleEvent, Name: "Parterre", Price: "48"})
	happened(domain.CreateTicketType, err)
	_, err = types.Update(ctx, sampleTicketType, catalog.TicketTypeChange{Price: optional.Some(document.Number("48.5"))})
	happened(domain.UpdateTicketType, err)
	_, err = types.Create(ctx, catalog.NewTicketType{ID: new("withdrawn"), EventID: sampleEvent, Name: "Balcony", Price: "20"})
	happened(domain.CreateTicketType, err)
	_, err = types.Delete(ctx, "withdrawn", nil)
	happened(domain.DeleteTicketType, err)
	w.now = after
}

// sell imports tickets and their transaction, and takes both through their transitions.
func (w *sampleFixture) sell() {
	w.t.Helper()
	var issued, named []ecmajson.Value
	for i := range 2 {
		text := fmt.Sprintf(sampleTicket, i, i, i, i)
		issued = append(issued, parsed(w.t, text))
		named = append(named, parsed(w.t, strings.Replace(text, `"currency"`, `"firstname": "Zoë", "lastname": "Martin", "currency"`, 1)))
	}
	for _, tickets := range [][]ecmajson.Value{issued, named} {
		_, err := ticket.Tickets{Store: w.store.Tickets(), Seller: w.seller, Now: w.clock}.
			Import(w.platform(), ticket.Import{Tickets: tickets})
		w.done(domain.ImportTickets, err)
	}
	const open = `"cancelledAt": null`
	first := strings.Replace(sampleTransaction, open, `"cancelledAt": "2026-11-28T09:00:00.000Z"`, 1)
	for _, text := range []string{
		strings.Replace(sampleTransaction, "COMPLETE", "RESERVED-BY-SYSTEM", 1), sampleTransaction, first,
		strings.Replace(strings.ReplaceAll(first, open, `"cancelledAt": "2026-11-28T10:00:00.000Z"`), "COMPLETE", "CANCELED", 1),
	} {
		_, err := sale.Transactions{Store: w.store.Transactions(), Seller: w.seller, Now: w.clock}.
			Import(w.platform(), sale.TransactionImport{Transactions: []ecmajson.Value{parsed(w.t, text)}})
		w.done(domain.ImportTransactions, err)
	}
}

// sampleBuyer returns a French company.
func sampleBuyer() sale.Buyer {
	return sale.Buyer{
		CustomerID: new(sampleCustomer), Company: new("Martin & Fils"), Prename: new("Zoë"), Lastname: new("Martin"),
		Email: new("zoe@example.org"), Street: new("12, rue de l'Exemple"), Postal: new("75001"), City: new("Paris"), Country: new("FR"),
	}
}

const sampleIdentification = `[{"type": "france_siren", "identifier": "732829320"}]`

// changePurchaseIntents takes purchase intents through all their transitions.
func (w *sampleFixture) changePurchaseIntents() {
	w.t.Helper()
	intents := sale.PurchaseIntents{Store: w.store.PurchaseIntents(), Seller: w.seller, Now: w.clock}
	until := moment.New(w.now.AddDate(0, 0, 7))
	wanted := sale.NewPurchaseIntent{
		EventID: sampleEvent, Items: []sale.WantedItem{{TicketTypeID: sampleTicketType, Amount: 2}}, ExpiresAt: &until,
		Buyer: sampleBuyer(), Identification: parsed(w.t, sampleIdentification),
	}
	update := func(ctx context.Context, id string) (sale.PurchaseIntent, error) {
		return intents.Update(ctx, id, sale.PurchaseIntentChange{Items: optional.Some([]sale.WantedItem{{TicketTypeID: sampleTicketType, Amount: 3}})})
	}
	type move struct {
		as   domain.Operation
		make func(context.Context, string) (sale.PurchaseIntent, error)
	}
	for _, moves := range [][]move{
		{{domain.UpdatePurchaseIntent, update}, {domain.ApprovePurchaseIntent, intents.Approve}, {domain.CompletePurchaseIntent, intents.Complete}},
		{{domain.RejectPurchaseIntent, intents.Reject}},
		{{domain.CancelPurchaseIntent, intents.Cancel}},
		{{domain.ExpirePurchaseIntent, intents.Expire}},
	} {
		purchaseIntent, err := intents.Create(w.platform(), wanted)
		w.done(domain.CreatePurchaseIntent, err)
		for _, move := range moves {
			_, err := move.make(w.platform(), purchaseIntent.ID)
			w.done(move.as, err)
		}
	}
}

// changeCheckouts completes one checkout and aborts another.
func (w *sampleFixture) changeCheckouts() {
	w.t.Helper()
	ctx := w.platform()
	checkouts := sale.Checkouts{
		Store: w.store.Checkouts(), Catalog: w.store.CatalogReader(), Seller: w.store.Tenants().Seller, Now: w.clock,
	}
	open := func() string {
		checkout, err := checkouts.Create(ctx, sale.NewCheckout{
			EventID: sampleEvent, Items: []sale.WantedItem{{TicketTypeID: sampleTicketType, Amount: 2}},
		})
		w.done(domain.CreateCheckout, err)
		return checkout.ID
	}
	sold, left := open(), open()
	_, err := checkouts.Submit(ctx, sold, "", sale.Details{Buyer: sampleBuyer(), Identification: parsed(w.t, sampleIdentification)})
	w.done(domain.SubmitDetails, err)
	_, err = checkouts.Complete(ctx, sold)
	w.done(domain.CompleteCheckout, err)
	_, err = checkouts.Abort(ctx, left, "")
	w.done(domain.AbortCheckout, err)
}

// changeGate scans a ticket half an hour before the concert. It is not one of the canceled tickets.
func (w *sampleFixture) changeGate() {
	w.t.Helper()
	ctx := w.platform()
	valid := strings.NewReplacer("6570c1a29d3e4f0012ab34c", "6570c1a39d3e4f0012ab34c", `"customerId"`, `"name": "Zoë Martin", "customerId"`).
		Replace(fmt.Sprintf(sampleTicket, 2, 2, 2, 2))
	_, err := ticket.Tickets{Store: w.store.Tickets(), Seller: w.seller, Now: w.clock}.
		Import(ctx, ticket.Import{Tickets: []ecmajson.Value{parsed(w.t, valid)}})
	w.done(domain.ImportTickets, err)
	group, err := scan.Groups{Store: w.store.ScanGroups(), Now: w.clock}.Create(ctx, scan.NewGroup{
		Name: "Main entrance",
		ScanConfig: scan.Config{
			Mode: "default", ScanTypes: &scan.Types{Checkin: true},
			Events: []scan.EventSettings{{EventID: sampleEvent, AllowAllTicketTypes: new(true)}},
		},
	})
	systemtest.Must(w.t, err)
	device, err := scan.Devices{Store: w.store.Devices(), Now: w.clock}.Create(ctx, scan.NewDevice{
		Name: "Gate 1", AccessAllEvents: optional.Some(true),
		DeviceSettings: optional.Some(scan.AccessSettings{ScanGroupID: &group.ID}),
	})
	systemtest.Must(w.t, err)

	w.now = time.Date(2027, 6, 1, 17, 31, 0, 0, time.UTC)
	scans := scan.NewScans(w.store.Scans(), w.store.Credentials(), w.clock)
	answer, err := scans.Scan(ctx, scan.Attempt{Barcode: "TG0000000042", DeviceID: device.ID})
	w.done(domain.ScanTicket, err)
	if answer.Access != scan.Granted {
		w.t.Errorf("the ticket is not admitted: %+v", answer)
	}
	_, err = scans.Upload(ctx, sampleEvent, device.ID, []scan.Uploaded{
		{Barcode: "TG0000000042", ScannedAt: moment.New(w.now), Type: scan.Fail},
	})
	w.done(domain.UploadScans, err)
}
