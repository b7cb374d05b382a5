package access_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// Of two tickets of a holder, the lookup returns the one that the scan will admit here, whatever the other one did at
// other events, in other zones, or before it left (GATE-8).
func TestLookUpAgreesWithTheScan(t *testing.T) {
	w := newGateFixture(t)
	scans := scan.NewScans(w.Store.Scans(), w.Store.Credentials(), func() time.Time { return w.now })
	root := "root"
	w.event(root, func(e *catalog.NewEvent) { e.Type = catalog.Root })
	for _, event := range []string{"e1", "e2"} {
		w.event(event, func(e *catalog.NewEvent) { e.RootEventID = &root })
	}
	for _, zone := range []string{"north", "south"} {
		w.Exec(`INSERT INTO scan_zones (seller_id, id, name, name_folded, created_at, updated_at)
			VALUES ($1, $2, $2, $2, now(), now())`, string(seller), zone)
	}
	gate := func(zone string, multi bool) context.Context {
		return w.device(seller, func(c *scan.Config, _ *scan.NewDevice) {
			yes := true
			c.ScanTypes, c.ScanZoneID, c.EnableMultiCheckin = &scan.Types{Checkin: true, Checkout: true}, texts.Shown(zone), &multi
			for _, event := range []string{"e1", "e2"} {
				c.Events = append(c.Events, scan.EventSettings{EventID: event, AllowAllTicketTypes: &yes})
			}
		})
	}
	north, south, none := gate("north", false), gate("south", false), gate("", false)
	again, list := gate("north", true), w.list("Cards")
	for i, row := range []struct {
		name  string
		did   []context.Context // scans of the older ticket by devices at an event: in, then out
		at    string
		asked context.Context //nolint:containedctx // part of the case, as above
		event string
		older bool // whether the older ticket is returned
	}{
		{"nothing", nil, "e1", north, "e1", true},
		{"in here", []context.Context{north}, "e1", north, "e1", false},
		{"in another zone", []context.Context{south}, "e1", north, "e1", true},
		{"in no zone", []context.Context{none}, "e1", north, "e1", true},
		{"in a zone, looked up without one", []context.Context{north}, "e1", none, "e1", true},
		{"in at another event", []context.Context{north}, "e2", north, "e1", true},
		{"in and out, one entry allowed", []context.Context{north, north}, "e1", north, "e1", false},
		{"in and out, several entries allowed", []context.Context{again, again}, "e1", again, "e1", true},
		{"in, several entries allowed", []context.Context{again}, "e1", again, "e1", false},
		{"in at its own event, looked up at the root", []context.Context{north}, "e1", north, "root", false},
	} {
		holder := fmt.Sprint("holder", i)
		w.entryOf(list, holder, holder)
		of := "root"
		if row.event == "root" {
			of = "e1"
		}
		customer := fmt.Sprintf(`"customerId":%q`, holder)
		w.ticket(seller, "older"+holder, of, customer, `"createdAt":"2026-01-01T00:00:00Z"`)
		w.ticket(seller, "younger"+holder, of, customer, `"createdAt":"2026-02-01T00:00:00Z"`)
		for step, device := range row.did {
			direction := []scan.Direction{scan.In, scan.Out}[step]
			answer := domaintest.Must(scans.Scan(device, scan.Attempt{Barcode: "B-older" + holder, EventID: row.at, Direction: direction}))(t)
			if answer.Access != scan.Granted {
				t.Fatalf("%s: %v", row.name, *answer.Reason)
			}
		}
		want := "younger" + holder
		if row.older {
			want = "older" + holder
		}
		w.gets(row.asked, holder, row.event, want)
		at := row.event
		if at == "root" {
			at = "e1"
		}
		if answer := domaintest.Must(scans.Scan(row.asked, scan.Attempt{Barcode: "B-" + want, EventID: at}))(t); answer.Access != scan.Granted {
			t.Errorf("%s: the returned ticket is declined: %v", row.name, *answer.Reason)
		}
	}
	w.entryOf(list, "expiring", "expiring")
	w.ticket(seller, "expired", "e1", `"customerId":"expiring"`, `"createdAt":"2026-01-01T00:00:00Z"`, `"expiresAt":"2026-11-27T12:00:00Z"`)
	w.gets(north, "expiring", "e1", "expired")
	w.ticket(seller, "lasting", "e1", `"customerId":"expiring"`, `"createdAt":"2026-02-01T00:00:00Z"`, `"expiresAt":"2026-11-27T12:00:01Z"`)
	w.gets(north, "expiring", "e1", "lasting")
}

// tree is a set of random events, each below some of the earlier ones.
type tree struct {
	kinds map[string]catalog.EventType
	above map[string][]string // by event, those directly above it
	ids   []string
}

// chain returns an event and all events above it. It is the reference for the rule.
func (tr tree) chain(id string) []string {
	chain := []string{id}
	for i := 0; i < len(chain); i++ {
		for _, up := range tr.above[chain[i]] {
			if !slices.Contains(chain, up) {
				chain = append(chain, up)
			}
		}
	}
	return chain
}

// opens implements the rule: a ticket opens the events below its own, except those that it excludes and those below
// them.
func (tr tree) opens(of, excluded, event string) bool {
	chain := tr.chain(event)
	return slices.Contains(chain, of) && !slices.Contains(chain, excluded)
}

// plant creates events of gathering types and one single event, at random below each other.
func (w *gateFixture) plant(random *rand.Rand, prefix string) tree {
	tr := tree{kinds: map[string]catalog.EventType{}, above: map[string][]string{}}
	for i := range 7 {
		id := fmt.Sprint(prefix, i)
		kind := []catalog.EventType{catalog.Root, catalog.Group, catalog.Single}[random.IntN(3)]
		if i == 0 {
			kind = catalog.Root
		} else if i > 4 {
			kind = catalog.Single
		}
		var root, parent *string
		for _, up := range tr.ids {
			switch {
			case random.IntN(2) > 0 || tr.kinds[up] == catalog.Single:
			case tr.kinds[up] == catalog.Root && kind != catalog.Root && random.IntN(2) > 0:
				root = &up
			default:
				parent = &up
			}
		}
		w.event(id, func(e *catalog.NewEvent) { e.Type, e.RootEventID, e.ParentEventID = kind, root, parent })
		for _, up := range []*string{root, parent} {
			if up != nil {
				tr.above[id] = append(tr.above[id], *up)
			}
		}
		tr.ids, tr.kinds[id] = append(tr.ids, id), kind
	}
	return tr
}

// Over random trees, scan, simulation, lookup, feed and ticket lists agree with the reference (GATE-7).
func TestAllOperationsDecideTheSameOverRandomTrees(t *testing.T) {
	w := newGateFixture(t)
	random := rand.New(rand.NewPCG(13, 7))
	clock := func() time.Time { return w.now }
	scans := scan.NewScans(w.Store.Scans(), w.Store.Credentials(), clock)
	feed := scan.Feed{Store: w.Store.DeviceFeed(), Gates: w.Store.Credentials()}
	atGate := scan.AtGate{Gates: w.Store.Credentials(), Store: w.Store.Devices(), Tickets: w.Store.Tickets()}
	list := w.list("Cards")
	for round := range 3 {
		tr := w.plant(random, fmt.Sprint("tree", round, "-"))
		for _, event := range tr.ids {
			if tr.kinds[event] == catalog.Single {
				c := treeCheck{w, tr, event, scans, feed, atGate, list}
				c.all(t, random)
			}
		}
	}
}

// treeCheck compares all answers about the tickets of a tree at one event.
type treeCheck struct {
	*gateFixture
	tr     tree
	event  string
	scans  scan.Scans
	feed   scan.Feed
	atGate scan.AtGate
	list   access.List
}

func (c treeCheck) all(t *testing.T, random *rand.Rand) {
	t.Helper()
	device := c.device(seller, func(config *scan.Config, d *scan.NewDevice) {
		yes := true
		config.Events = []scan.EventSettings{{EventID: c.event, AllowAllTicketTypes: &yes}}
		d.AccessAllEvents, d.Events = optional.Some(false), optional.Some([]string{c.event})
	})
	type sold struct{ id, of, excluded string }
	var tickets []sold
	for i, of := range c.tr.ids {
		item := sold{fmt.Sprint("T", i, "-", c.event), of, ""}
		excluded := "[]"
		if random.IntN(3) > 0 {
			item.excluded = c.tr.ids[random.IntN(len(c.tr.ids))]
			excluded = fmt.Sprintf("[%q]", item.excluded)
		}
		c.entryOf(c.list, item.id, item.id)
		c.ticket(seller, item.id, of, fmt.Sprintf(`"customerId":%q,"excludedEventIds":%s`, item.id, excluded))
		tickets = append(tickets, item)
	}
	told := map[string]bool{}
	page := domaintest.Must(c.feed.After(device, nil, new(1000)))(t)
	for _, change := range page.Changes {
		if change.EventID != nil {
			told[change.ObjectID] = change.Type == scan.TicketGranted
		}
	}
	listed := domaintest.Must(c.atGate.EventTickets(device, scan.TicketSpan{EventID: c.event, IncludeRootEvents: true}, domain.Page{Limit: 1000}))(t)
	for _, one := range tickets {
		want := c.tr.opens(one.of, one.excluded, c.event)
		barcode := "B-" + one.id
		simulated := domaintest.Must(c.scans.Simulate(c.As(seller), scan.Simulation{
			Barcode: &barcode, DeviceID: &domain.ActorOf(device).ID, EventID: &c.event,
		}))(t)
		_, err := c.lookups.LookUp(device, one.id, c.event)
		at := slices.IndexFunc(listed.Items, func(r ticket.Record) bool { return r.ID == one.id })
		got := map[string]bool{
			"scan":       domaintest.Must(c.scans.Scan(device, scan.Attempt{Barcode: barcode, EventID: c.event}))(t).Access == scan.Granted,
			"simulation": simulated.Access == scan.Granted,
			"lookup":     err == nil,
			"feed":       told[one.id],
			"list":       at >= 0 && !slices.ContainsFunc(listed.Items[at].ExcludedEventIDs, func(id string) bool { return slices.Contains(c.tr.chain(c.event), id) }),
		}
		for who, opens := range got {
			if opens != want {
				t.Errorf("%s: the ticket of %s but %q opens %s: %t, want %t (%v)", who, one.of, one.excluded, c.event, opens, want, c.tr.above)
			}
		}
	}
}
