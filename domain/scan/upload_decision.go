package scan

import (
	"context"
	"maps"

	"ticketgate/domain/ticket"
)

// decideAll adds scans at an event to the log and to their histories. It returns the current conflict flags of these
// scans and of earlier ones that changed.
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
		scan := &r.scans[i]
		if mark, derived := changed[scan.ID]; derived {
			scan.mark(mark.Reason)
		}
	}
	return r.storeJudged(ctx, count, changed)
}

// storeJudged stores new scans with their passes, and the changed marks of earlier scans.
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
	for _, scan := range r.scans {
		conflicts[scan.ID] = scan.Conflict
		if scan.Conflict {
			conflicting = append(conflicting, scan.ID)
		}
		delete(changed, scan.ID)
	}
	if err := r.tx.MarkConflicts(ctx, r.gate.device.ID, conflicting); err != nil {
		return nil, err
	}
	return conflicts, r.tx.UpdateMarks(ctx, r.seller, changed, r.now)
}

// keptOut reports whether the device may not scan at the event. Its scans are kept and marked, but don't count
// (GATE-6).
func (q *Question) keptOut() bool {
	outcome, _, _ := eventIsAssigned(q)
	return outcome == Failed
}

// mark sets the reason and the conflict flag. A scan at an event that is not assigned to the device is always in
// conflict.
func (s *Scan) mark(reason Reason) {
	approved := s.Result == Approved
	s.settle(reason, approved)
	s.Conflict = approved != (reason == "") || reason == EventNotAssigned
}

// codes holds tickets by barcode and by id.
type codes struct{ byBarcode, byID map[string]*ticket.Ticket }

// of returns the ticket of a scan: by ticketId if known, otherwise by code. While the device was offline, the ticket
// may have got another code, and its old code may belong to another ticket now.
func (c codes) of(item offline) *ticket.Ticket {
	if item.TicketID != nil {
		if found, ok := c.byID[*item.TicketID]; ok {
			return found
		}
	}
	return c.byBarcode[item.Barcode]
}

func (r *recording) tickets(ctx context.Context, list []offline) (codes, error) {
	barcodes, ids := make([]string, 0, len(list)), []string{}
	for _, item := range list {
		barcodes = append(barcodes, item.Barcode)
		if item.TicketID != nil {
			ids = append(ids, *item.TicketID)
		}
	}
	found, err := r.tx.TicketsByCode(ctx, r.seller, findable(barcodes), ids)
	tickets := codes{map[string]*ticket.Ticket{}, map[string]*ticket.Ticket{}}
	for i := range found {
		tickets.byBarcode[found[i].Barcode], tickets.byID[found[i].ID] = &found[i].Ticket, &found[i].Ticket
	}
	return tickets, err
}

// counting holds the places of an upload, and what the upload adds to them.
type counting struct {
	passes map[Place][]Pass // earlier ones and added ones
	judged map[Place][]Judged
	known  map[Place]int // number of earlier ones in judged
	before map[Place][]Pass
	added  map[Place][]Pass
}

// openPlaces locks all places of an upload in one order, and reads their passes and judged scans.
func (r *recording) openPlaces(ctx context.Context, at Question, list []offline, tickets codes) (counting, error) {
	count := counting{
		passes: map[Place][]Pass{}, judged: map[Place][]Judged{}, known: map[Place]int{}, added: map[Place][]Pass{},
	}
	met := map[Place]bool{}
	var places []Place
	for _, item := range list {
		found := tickets.of(item)
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

// add adds a scan to its place, and reports whether a later one was counted there before the upload.
func (c *counting) add(place Place, judged Judged) bool {
	judged.Late = isLate(c.before[place], judged.At)
	c.judged[place] = append(c.judged[place], judged)
	if judged.Approved {
		c.passes[place] = append(c.passes[place], judged.Pass)
		c.added[place] = append(c.added[place], judged.Pass)
	}
	return judged.Late
}

// derive derives the marks of all judged scans at the places, and returns the changed ones by scan id. It always
// includes the marks of new scans.
func (c *counting) derive() map[string]Mark {
	changed := map[string]Mark{}
	for place, judged := range c.judged {
		for _, mark := range derive(c.passes[place], judged) {
			changed[mark.ScanID] = mark
		}
		for _, item := range judged[c.known[place]:] {
			changed[item.ScanID] = Mark{item.ScanID, item.Reason, item.Conflict()}
		}
	}
	return changed
}

// fresh returns the judged scans that the upload adds.
func (c *counting) fresh() map[Place][]Judged {
	fresh := make(map[Place][]Judged, len(c.judged))
	for place, judged := range c.judged {
		fresh[place] = judged[c.known[place]:]
	}
	return fresh
}

// histories returns the new histories of places with added passes.
func (c *counting) histories() map[Place]History {
	histories := make(map[Place]History, len(c.added))
	for place := range c.added {
		histories[place] = Count(c.passes[place])
	}
	return histories
}
