package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/sale"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

var update = flag.Bool("update", false, "write the pages of docs that are made from the code anew")

const (
	samplesFile = "../../domain/webhook/event_samples.json"
	eventsPage  = "../../docs/events.md"
)

// The catalogue shows what is really stored when records change and, of what other services of the platform tell, what
// they may publish.
func TestEverySampleOfAnEventIsWhatIsStored(t *testing.T) {
	t.Parallel()
	stored := storedEvents(t)
	var text, page bytes.Buffer
	page.WriteString(eventsIntroduction)
	text.WriteString("{\n")
	kinds := domain.EventKinds()
	for i, kind := range kinds {
		data, ok := stored[kind.Type]
		if !ok || data == "" {
			t.Errorf("%s did not happen", kind.Type)
			continue
		}
		fmt.Fprintf(&text, "%q: %s%s\n", kind.Type, data, map[bool]string{true: ",", false: ""}[i+1 < len(kinds)])
		fmt.Fprintf(&page, "\n## %s\n\nPublished when a %s.\n\n```json\n", kind.Type, kind.Trigger)
		must(t, json.Indent(&page, []byte(data), "", "  "))
		page.WriteString("\n```\n")
	}
	text.WriteString("}\n")
	for file, want := range map[string][]byte{samplesFile: text.Bytes(), eventsPage: page.Bytes()} {
		if *update {
			must(t, os.WriteFile(file, want, 0o600))
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what happens (%v): run this test with -update and look at what changed", file, err)
		}
	}
}

func TestEverySampleReachesItsReaders(t *testing.T) {
	t.Parallel()
	ctx := domain.WithActor(t.Context(), &domain.Actor{})
	catalogue, err := webhook.Events{}.Types(ctx)
	must(t, err)
	for _, kind := range catalogue {
		for _, name := range kind.Data {
			if value, ok := kind.Sample.Member(name); !ok || (value.Kind() != ecmajson.Object && value.Kind() != ecmajson.Array) {
				t.Errorf("the sample of %s has no %s", kind.Type, name)
			}
		}
	}
}

const sampleSeller domain.SellerID = "6570c0ff9d3e4f0012ab0001"

// storedEvents makes every type of event happen and returns the data of the first of each.
func storedEvents(t *testing.T) map[domain.EventType]string {
	t.Helper()
	ctx, store, plain := sampleWorld(t)
	events := webhook.Events{Store: store.Webhooks(), Resources: publishedResources(), Seller: sampleSellerOnly}
	for kind, data := range publishedSamples(t) {
		_, err := events.Publish(ctx, webhook.NewEvent{Type: kind, Data: data})
		must(t, err)
	}
	return withSteadyIDs(firstOfEach(t, plain))
}

// sampleSellerOnly finds the one seller there is.
func sampleSellerOnly(context.Context, domain.SellerID) (domain.OrgID, domain.Features, error) {
	return "o", domain.Features{Webhooks: true, SIREN: true}, nil
}

// sampleWorld is a database in which every kind of record was created and changed, and the platform acting on its seller.
func sampleWorld(t *testing.T) (context.Context, *db.Store, *sql.DB) {
	t.Helper()
	database := dbtest.New(t)
	now := time.Date(2026, 11, 27, 20, 37, 0, 120_000_000, time.UTC)
	clock := func() time.Time { return now }
	store, err := db.Open(db.Config{URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: clock})
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	plain, err := sql.Open("pgx", database.ApplicationURL)
	must(t, err)
	t.Cleanup(func() { _ = plain.Close() })
	for _, statement := range []string{
		`INSERT INTO organizations VALUES ('o', 'O', now())`,
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ('` + string(sampleSeller) + `', 'o', 'S', 'FR', true, true, now(), now())`,
	} {
		_, err = plain.ExecContext(t.Context(), statement)
		must(t, err)
	}
	ctx := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.SystemActor, SellerID: sampleSeller, OrgID: "o"})
	later := func() { now = now.Add(time.Minute) }

	catalogueHappens(ctx, t, store, clock, sampleSellerOnly, later)
	salesHappen(ctx, t, store, clock, sampleSellerOnly, later)
	purchaseIntentsHappen(ctx, t, store, clock, sampleSellerOnly, later)
	return ctx, store, plain
}

// withSteadyIDs replaces the identifiers that the service made, which are new at every run, by ones that stay.
func withSteadyIDs(stored map[domain.EventType]string) map[domain.EventType]string {
	const given, steady = "6570c", "6570c3009d3e4f0012ab%04x"
	made := map[string]string{}
	identifier := regexp.MustCompile(`"[0-9a-f]{24}"`)
	for _, kind := range domain.EventKinds() { // in an order that stays, too
		stored[kind.Type] = identifier.ReplaceAllStringFunc(stored[kind.Type], func(quoted string) string {
			if strings.HasPrefix(quoted, `"`+given) {
				return quoted
			}
			if made[quoted] == "" {
				made[quoted] = fmt.Sprintf(`"`+steady+`"`, len(made)+1)
			}
			return made[quoted]
		})
	}
	return stored
}

func firstOfEach(t *testing.T, from *sql.DB) map[domain.EventType]string {
	t.Helper()
	found, err := from.QueryContext(t.Context(),
		"SELECT DISTINCT ON (type) type, convert_from(data, 'UTF8') FROM events ORDER BY type, created_at, data") // ids are random
	must(t, err)
	defer func() { _ = found.Close() }()
	stored := map[domain.EventType]string{}
	for found.Next() {
		var kind domain.EventType
		var data string
		must(t, found.Scan(&kind, &data))
		stored[kind] = data
	}
	must(t, found.Err())
	return stored
}

type lookUp = func(context.Context, domain.SellerID) (domain.OrgID, domain.Features, error)

// catalogueHappens makes, changes and deletes what tickets are sold for and who buys them.
func catalogueHappens(ctx context.Context, t *testing.T, store *db.Store, clock func() time.Time, seller lookUp, later func()) {
	t.Helper()
	text := func(s string) *string { return &s }
	start, err := domain.ParseDateTime("2027-06-01T18:00:00Z")
	must(t, err)
	events := catalog.Events{Store: store.Catalog(), Seller: seller, Now: clock}
	_, err = events.Create(ctx, catalog.NewEvent{
		ID: text("6570c1009d3e4f0012ab0100"), Name: "Summer concert", Type: catalog.Single, Start: start, TimeZone: text("Europe/Paris"),
	})
	must(t, err)
	customers := catalog.Customers{Store: store.Catalog(), Seller: seller, Now: clock}
	_, err = customers.Create(ctx, catalog.NewCustomer{
		ID: text("6570c1119d3e4f0012ab0200"), Email: text("zoe@example.org"), Firstname: text("Zoë"), Lastname: text("Martin"),
	})
	must(t, err)
	later()
	_, err = events.Update(ctx, "6570c1009d3e4f0012ab0100", catalog.EventChange{Name: domain.Some("Summer concert, open air")})
	must(t, err)
	_, err = customers.Update(ctx, "6570c1119d3e4f0012ab0200", catalog.CustomerChange{Company: domain.Some("Martin & Fils")})
	must(t, err)
	_, err = events.Delete(ctx, "6570c1009d3e4f0012ab0100")
	must(t, err)
}

// salesHappen hands a transaction and its tickets in, and takes it through its moves.
func salesHappen(ctx context.Context, t *testing.T, store *db.Store, clock func() time.Time, seller lookUp, later func()) {
	t.Helper()
	transactions := sale.Transactions{Store: store.Transactions(), Seller: seller, Now: clock}
	tickets := ticket.Tickets{Store: store.Tickets(), Seller: seller, Now: clock}
	const parts = 2
	issued := make([]ecmajson.Value, parts)
	for i := range issued {
		issued[i] = parsed(t, fmt.Sprintf(sampleTicket, i, i, i, i))
	}
	_, err := tickets.Import(ctx, ticket.Import{Tickets: issued})
	must(t, err)
	const open = `"cancelledAt": null`
	first := strings.Replace(sampleTransaction, open, `"cancelledAt": "2026-11-28T09:00:00.000Z"`, 1)
	for _, text := range []string{
		strings.Replace(sampleTransaction, "COMPLETE", "RESERVED-BY-SYSTEM", 1), sampleTransaction, first,
		strings.Replace(strings.ReplaceAll(first, open, `"cancelledAt": "2026-11-28T10:00:00.000Z"`), "COMPLETE", "CANCELED", 1),
	} {
		later()
		_, err := transactions.Import(ctx, sale.TransactionImport{Transactions: []ecmajson.Value{parsed(t, text)}})
		must(t, err)
	}
}

// purchaseIntentsHappen takes purchase intents through all their moves.
func purchaseIntentsHappen(ctx context.Context, t *testing.T, store *db.Store, clock func() time.Time, seller lookUp, later func()) {
	t.Helper()
	text := func(s string) *string { return &s }
	event, kind := "6570c1009d3e4f0012ab0101", "6570c1229d3e4f0012ab0300"
	_, err := catalog.Events{Store: store.Catalog(), Seller: seller, Now: clock}.Create(ctx, catalog.NewEvent{
		ID: &event, Name: "Summer concert", Type: catalog.Single, Start: domain.NewDateTime(clock().AddDate(0, 6, 0)),
	})
	must(t, err)
	_, err = catalog.TicketTypes{Store: store.Catalog(), Seller: seller, Now: clock}.Create(ctx, catalog.NewTicketType{
		ID: &kind, EventID: event, Name: "Parterre", Price: "48.5",
	})
	must(t, err)
	intents := sale.PurchaseIntents{Store: store.PurchaseIntents(), Seller: seller, Now: clock}
	until := domain.NewDateTime(clock().AddDate(0, 0, 7))
	wanted := sale.NewPurchaseIntent{
		EventID: event, Items: []sale.WantedItem{{TicketTypeID: kind, Amount: 2}}, ExpiresAt: &until,
		Buyer: sale.Buyer{
			CustomerID: text("6570c1119d3e4f0012ab0200"), Company: text("Martin & Fils"), Prename: text("Zoë"), Lastname: text("Martin"),
			Email: text("zoe@example.org"), Street: text("12, rue de l'Exemple"), Postal: text("75001"), City: text("Paris"), Country: text("FR"),
		},
		Identification: parsed(t, `[{"type": "france_siren", "identifier": "732829320"}]`),
	}
	update := func(ctx context.Context, id string) (sale.PurchaseIntent, error) {
		return intents.Update(ctx, id, sale.PurchaseIntentChange{Items: []sale.WantedItem{{TicketTypeID: kind, Amount: 3}}})
	}
	for _, moves := range [][]func(context.Context, string) (sale.PurchaseIntent, error){
		{update, intents.Approve, intents.Complete}, {intents.Reject}, {intents.Cancel}, {intents.Expire},
	} {
		later()
		made, err := intents.Create(ctx, wanted)
		must(t, err)
		for _, move := range moves {
			later()
			_, err := move(ctx, made.ID)
			must(t, err)
		}
	}
}

func parsed(t *testing.T, text string) ecmajson.Value {
	t.Helper()
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	must(t, err)
	return value
}

// publishedSamples are the events that other services of the platform publish, with their data.
func publishedSamples(t *testing.T) map[domain.EventType]ecmajson.Value {
	t.Helper()
	samples := map[domain.EventType]ecmajson.Value{}
	for _, kind := range domain.EventKinds() {
		if members, published := publishedMembers[kind.Data[0]]; published {
			const head = `{%q: {"_id": "6570c2009d3e4f0012ab0300", "sellerId": %q, %s,
				"createdAt": "2026-11-27T20:37:00.120Z", "updatedAt": "2026-11-27T20:37:00.120Z"}}`
			samples[kind.Type] = parsed(t, fmt.Sprintf(head, kind.Data[0], sampleSeller, members(kind.Type)))
		}
	}
	return samples
}
