package scan

import (
	"context"
	"maps"
	"slices"

	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// sharing decides scans of one seller in one transaction, one after the other. Each sees the results of those before
// it.
type sharing struct {
	tx     Tx
	seller ids.Seller
	calls  []call
	now    moment.DateTime

	known  []Known // by call
	events map[string]EventAndAbove
	places map[Place]*sharedPlace
	// zones maps each ticket at an event to the zone of its first call. The keys have no ZoneID. A call in another zone
	// needs its own transaction.
	zones  map[Place]string
	keys   map[string]bool // of idempotent requests
	made   []*shared       // by call; nil is left to the caller
	answer []*Answer
}

// shared is a decided scan. Its at is the place where the scan counts, or nil.
type shared struct {
	decided
	at *sharedPlace
}

// sharedPlace is the state of a place while scans are decided there.
type sharedPlace struct {
	known         bool // exists in the database
	before, after History
	passes        []Pass
	stored        bool
}

// run decides and stores the calls, and sets their answers.
func (r *sharing) run(ctx context.Context) error {
	if err := r.read(ctx); err != nil {
		return err
	}
	r.places, r.zones, r.keys = map[Place]*sharedPlace{}, map[Place]string{}, map[string]bool{}
	r.made, r.answer = make([]*shared, len(r.calls)), make([]*Answer, len(r.calls))
	for i := range r.calls {
		r.made[i] = r.decide(i)
	}
	if err := r.count(ctx); err != nil {
		return err
	}
	return r.store(ctx)
}

// read reads the tickets, their histories, and the events.
func (r *sharing) read(ctx context.Context) (err error) {
	held := make([]Held, len(r.calls))
	for i, item := range r.calls {
		held[i] = Held{item.Barcode, item.EventID}
		if len(findable([]string{item.Barcode})) == 0 {
			held[i].Barcode = ""
		}
	}
	if r.known, err = r.tx.KnownAtGate(ctx, r.seller, held); err != nil {
		return err
	}
	var events []string
	met := map[string]bool{}
	for i, item := range r.calls {
		id := item.EventID
		if id == "" && r.known[i].Ticket != nil {
			id = r.known[i].Ticket.EventID
		}
		if id != "" && !met[id] {
			met[id] = true
			events = append(events, id)
		}
	}
	r.events, err = r.tx.EventsAndAbove(ctx, r.seller, events)
	return err
}

// decide decides one call. It returns nil if the call needs its own transaction, or its caller has given up.
func (r *sharing) decide(i int) *shared {
	item, known := &r.calls[i], &r.known[i]
	select {
	case <-item.gone:
		return nil
	default:
	}
	if item.request != nil {
		key := item.request.Scope + "\x00" + item.request.Key
		if r.keys[key] {
			return nil
		}
		r.keys[key] = true
	}
	run := recording{seller: r.seller, gate: item.gate, now: r.now}
	q := run.question(item.Attempt, known.Ticket)
	if found, ok := r.events[q.EventID]; ok {
		q.Event, q.Above = &found.Event, found.Above
	}
	scan := run.scan(q, item.Barcode)
	at, alone := r.place(&scan, known)
	if alone {
		return nil
	}
	if at != nil {
		q.History = at.after
	}
	done := &shared{decide(q, scan, r.now), at}
	answer, err := done.answer(item.gate, known.Ticket)
	if err != nil {
		return nil
	}
	if answer.Ticket != nil {
		answer.InsideZones = known.insideBut(done.place.ZoneID)
	}
	if item.bare {
		answer.Ticket = nil
	}
	if done.passed != nil {
		at.after, at.passes = done.after, append(at.passes, *done.passed)
	}
	r.answer[i] = &answer
	return done
}

// place returns the place of a scan, or nil if it has none. It also reports whether the scan needs its own transaction.
// An answer lists the ticket's other zones, which an earlier call may have changed.
func (r *sharing) place(scan *Scan, known *Known) (at *sharedPlace, alone bool) {
	place, counts := scan.place()
	if !counts {
		return nil, false
	}
	anyZone := Place{TicketID: place.TicketID, EventID: place.EventID}
	if zone, met := r.zones[anyZone]; met && zone != place.ZoneID {
		return nil, true
	}
	r.zones[anyZone] = place.ZoneID
	at = r.places[place]
	if at == nil {
		zone, there := known.Zones[place.ZoneID]
		at = &sharedPlace{known: there, before: zone.History, after: zone.History, stored: true}
		r.places[place] = at
	}
	return at, false
}

// count stores the new histories of places that have not changed in the database meanwhile.
func (r *sharing) count(ctx context.Context) error {
	fresh, known := map[Place]History{}, []Place(nil)
	for place, at := range r.places {
		switch {
		case len(at.passes) == 0:
			continue
		case at.known:
			known = append(known, place)
		default:
			fresh[place] = at.after
		}
		at.stored = false
	}
	// New places come first. Inserting them may wait for another transaction, and must not hold locks that it needs.
	if err := r.insert(ctx, fresh); err != nil {
		return err
	}
	return r.update(ctx, known)
}

func (r *sharing) insert(ctx context.Context, fresh map[Place]History) error {
	if len(fresh) == 0 {
		return nil
	}
	inserted, err := r.tx.InsertPlaces(ctx, r.seller, fresh)
	for _, place := range inserted {
		r.places[place].stored = true
	}
	return err
}

func (r *sharing) update(ctx context.Context, known []Place) error {
	if len(known) == 0 {
		return nil
	}
	free, err := r.tx.LockFreePlaces(ctx, r.seller, known)
	if err != nil {
		return err
	}
	changed := map[Place]History{}
	for place, now := range free {
		if at := r.places[place]; now.equal(at.before) {
			at.stored, changed[place] = true, at.after
		}
	}
	return r.tx.UpdatePlaces(ctx, r.seller, changed)
}

// store stores the scans whose places were stored, and their answers.
func (r *sharing) store(ctx context.Context) error {
	run := recording{tx: r.tx, seller: r.seller, now: r.now, passes: map[Place][]Pass{}}
	for place, at := range r.places {
		if at.stored && len(at.passes) > 0 {
			run.passes[place] = at.passes
		}
	}
	for i, done := range r.made {
		if done != nil && done.at != nil && !done.at.stored {
			r.made[i] = nil
		}
		if r.made[i] == nil {
			r.answer[i] = nil
			continue
		}
		run.scans, run.traces = append(run.scans, done.scan), append(run.traces, r.calls[i].trace)
		if request := r.calls[i].request; request != nil {
			r.tx.SetResponseTo(*request, *r.answer[i])
		}
	}
	if len(run.scans) == 0 {
		return nil
	}
	return run.store(ctx)
}

func (r *sharing) outcomes() []outcome {
	all := make([]outcome, len(r.calls))
	for i, answer := range r.answer {
		all[i].answer = answer
	}
	return all
}

// Held is a code scanned at an event. An empty EventID means the ticket's own event.
type Held struct{ Barcode, EventID string }

// Known holds the stored records for a code at an event.
type Known struct {
	Ticket *ticket.Record // nil if no ticket has the code
	// Zones are the ticket's histories at the event, by zone.
	Zones map[string]KnownZone
}

// KnownZone is a ticket's history in a zone.
type KnownZone struct {
	History
	// Name is the name of the zone, if the ticket is inside it.
	Name *string
}

func (z KnownZone) since() moment.DateTime {
	if z.Last == nil {
		return moment.DateTime{}
	}
	return *z.Last
}

// EventAndAbove is an event with the ids of the ROOT and GROUP events above it.
type EventAndAbove struct {
	catalog.Event
	Above []string
}

// insideBut returns the zones that the ticket is inside of, except one.
func (k *Known) insideBut(zoneID string) []InsideZone {
	var inside []InsideZone
	for _, id := range slices.Sorted(maps.Keys(k.Zones)) {
		if zone := k.Zones[id]; id != zoneID && zone.Inside > 0 {
			inside = append(inside, InsideZone{ScanZoneID: texts.Shown(id), Name: zone.Name, Since: zone.since()})
		}
	}
	return inside
}
