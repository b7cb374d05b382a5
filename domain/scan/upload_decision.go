package scan

import (
	"context"
	"maps"

	"ticketgate/domain/ticket"
)

// decideAll puts scans at an event into the log and the histories that they belong to. It returns which of them, and of the
// scans before them, are in conflict with the rules by now.
func (r *recording) decideAll(ctx context.Context, at Question, fresh []offline) (map[string]bool, error) {
	conflicts := map[string]bool{}
	if len(fresh) == 0 {
		return conflicts, nil
	}
	tickets, err := r.tickets(ctx, fresh)
	if err != nil {
		return nil, err
	}
	count, err := r.openPlaces(ctx, at, fresh, tickets)
	if err != nil {
		return nil, err
	}
	for _, one := range fresh {
		q := at
		q.Ticket, q.Direction, q.At = tickets.of(one), one.direction, one.at
		made := r.scan(q, one.Barcode)
		made.ID, made.Offline, made.ScannedAt, made.ClockAhead, made.ClientID = one.scanID, true, &one.ScannedAt, one.ahead, one.ID
		made.settle("", one.Type == OK)
		judged := q.judged(made.ID, one.Type == OK)
		if place, known := made.place(); known && !at.keptOut() {
			made.Late = count.add(place, judged)
		} else {
			made.mark(judged.Held)
		}
		r.scans = append(r.scans, made)
	}
	changed := count.derive()
	for i := range r.scans {
		made := &r.scans[i]
		if mark, derived := changed[made.ID]; derived {
			made.mark(mark.Reason)
		}
	}
	return r.storeJudged(ctx, count, changed)
}

// storeJudged writes new scans with what counts of them, and the marks of earlier scans that they have changed.
func (r *recording) storeJudged(ctx context.Context, count counting, changed map[string]Mark) (map[string]bool, error) {
	r.passes = count.added
	if err := r.store(ctx); err != nil {
		return nil, err
	}
	if err := r.tx.UpdatePlaces(ctx, r.seller, count.histories()); err != nil {
		return nil, err
	}
	if err := r.tx.InsertJudged(ctx, r.seller, count.fresh()); err != nil {
		return nil, err
	}
	conflicts := make(map[string]bool, len(changed))
	for id, mark := range changed {
		conflicts[id] = mark.Conflict
	}
	var conflicting []string
	for _, made := range r.scans {
		conflicts[made.ID] = made.Conflict
		if made.Conflict {
			conflicting = append(conflicting, made.ID)
		}
		delete(changed, made.ID)
	}
	if err := r.tx.MarkConflicts(ctx, r.gate.device.ID, conflicting); err != nil {
		return nil, err
	}
	return conflicts, r.tx.UpdateMarks(ctx, r.seller, changed, r.now)
}

// keptOut reports whether the device has no business at the event. What it hands in for it is kept, marked, and counts
// towards nothing (GATE-6).
func (q *Question) keptOut() bool {
	outcome, _, _ := eventIsAssigned(q)
	return outcome == Failed
}

// mark notes the rule that fails. A scan at an event that is not the device's is in conflict whatever the device decided.
func (s *Scan) mark(reason Reason) {
	approved := s.Result == Approved
	s.settle(reason, approved)
	s.Conflict = approved != (reason == "") || reason == EventNotAssigned
}

// codes are tickets by barcode and by id.
type codes struct{ byBarcode, byID map[string]*ticket.Ticket }

// of is the ticket of a scan: the one that the device knew it by, else the one that has the code. While the device was away the
// ticket may have got another code, and its own may be another ticket's by now.
func (c codes) of(one offline) *ticket.Ticket {
	if one.TicketID != nil {
		if found, ok := c.byID[*one.TicketID]; ok {
			return found
		}
	}
	return c.byBarcode[one.Barcode]
}

func (r *recording) tickets(ctx context.Context, list []offline) (codes, error) {
	barcodes, ids := make([]string, 0, len(list)), []string{}
	for _, one := range list {
		barcodes = append(barcodes, one.Barcode)
		if one.TicketID != nil {
			ids = append(ids, *one.TicketID)
		}
	}
	found, err := r.tx.TicketsByCode(ctx, r.seller, findable(barcodes), ids)
	tickets := codes{map[string]*ticket.Ticket{}, map[string]*ticket.Ticket{}}
	for i := range found {
		tickets.byBarcode[found[i].Barcode], tickets.byID[found[i].ID] = &found[i].Ticket, &found[i].Ticket
	}
	return tickets, err
}

// counting is what is known of the places that an upload touches, and what it adds.
type counting struct {
	passes map[Place][]Pass // those before, and the added
	judged map[Place][]Judged
	known  map[Place]int // how many of judged were there before
	before map[Place][]Pass
	added  map[Place][]Pass
}

// openPlaces locks all places of an upload, in one order, and reads what was counted there.
func (r *recording) openPlaces(ctx context.Context, at Question, list []offline, tickets codes) (counting, error) {
	count := counting{
		passes: map[Place][]Pass{}, judged: map[Place][]Judged{}, known: map[Place]int{}, added: map[Place][]Pass{},
	}
	met := map[Place]bool{}
	var places []Place
	for _, one := range list {
		found := tickets.of(one)
		if found == nil || at.keptOut() {
			continue
		}
		if place := (Place{found.ID, at.EventID, r.gate.zoneID()}); !met[place] {
			met[place] = true
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return count, nil
	}
	if _, err := r.tx.LockPlaces(ctx, r.seller, places); err != nil {
		return counting{}, err
	}
	err := count.read(ctx, r, places)
	return count, err
}

func (c *counting) read(ctx context.Context, r *recording, places []Place) (err error) {
	if c.before, err = r.tx.Passes(ctx, r.seller, places); err != nil {
		return err
	}
	maps.Copy(c.passes, c.before)
	if c.judged, err = r.tx.Judged(ctx, r.seller, places); err != nil {
		return err
	}
	for place, judged := range c.judged {
		c.known[place] = len(judged)
	}
	return nil
}

// add puts a scan to its place and reports whether a later one was counted there before the upload.
func (c *counting) add(place Place, one Judged) bool {
	one.Late = isLate(c.before[place], one.At)
	c.judged[place] = append(c.judged[place], one)
	if one.Approved {
		c.passes[place] = append(c.passes[place], one.Pass)
		c.added[place] = append(c.added[place], one.Pass)
	}
	return one.Late
}

// derive marks all judged scans of the places anew, and returns the marks that have changed by the ids of the scans. Those of
// new scans are among them, whatever they are.
func (c *counting) derive() map[string]Mark {
	changed := map[string]Mark{}
	for place, judged := range c.judged {
		for _, mark := range derive(c.passes[place], judged) {
			changed[mark.ScanID] = mark
		}
		for _, one := range judged[c.known[place]:] {
			changed[one.ScanID] = Mark{one.ScanID, one.Reason, one.Conflict()}
		}
	}
	return changed
}

// fresh are the judged scans that the upload has added.
func (c *counting) fresh() map[Place][]Judged {
	fresh := make(map[Place][]Judged, len(c.judged))
	for place, judged := range c.judged {
		fresh[place] = judged[c.known[place]:]
	}
	return fresh
}

// histories are those of the places at which something was counted.
func (c *counting) histories() map[Place]History {
	histories := make(map[Place]History, len(c.added))
	for place := range c.added {
		histories[place] = Count(c.passes[place])
	}
	return histories
}
