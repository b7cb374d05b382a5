package scan

import (
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// recording records scans in one transaction.
type recording struct {
	tx     Tx
	seller ids.Seller
	gate   place
	now    moment.DateTime

	scans  []Scan
	traces []string // of the scans, or nil if all have the transaction's
	passes map[Place][]Pass
}

// atGate decides and records one scan at the current time. It locks the place before it decides, so that each of
// several concurrent scans, on any process, sees the result of those before it.
func (r *recording) atGate(ctx context.Context, input Attempt) (Answer, error) {
	found, err := r.ticket(ctx, input.Barcode)
	if err != nil {
		return Answer{}, err
	}
	q := r.question(input, found)
	if err := r.locate(ctx, &q); err != nil {
		return Answer{}, err
	}
	scan := r.scan(q, input.Barcode)
	if q.History, err = r.lock(ctx, scan); err != nil {
		return Answer{}, err
	}
	done := decide(q, scan, r.now)
	if done.passed != nil {
		r.passes = map[Place][]Pass{done.place: {*done.passed}}
		if err := r.tx.UpdatePlaces(ctx, r.seller, map[Place]History{done.place: done.after}); err != nil {
			return Answer{}, err
		}
	}
	r.scans = append(r.scans, done.scan)
	if err := r.store(ctx); err != nil {
		return Answer{}, err
	}
	answer, err := done.answer(r.gate, found)
	if err == nil && answer.Ticket != nil {
		answer.InsideZones, err = r.tx.OtherZones(ctx, r.seller, done.place)
	}
	return answer, err
}

// question returns the question of a scan, without the event and the history.
func (r *recording) question(input Attempt, found *ticket.Record) Question {
	q := Question{
		Device: r.gate.device, Config: r.gate.config(), EventID: input.EventID, Direction: input.Direction, At: r.now,
	}
	if found != nil {
		q.Ticket = &found.Ticket
		if q.EventID == "" {
			q.EventID = found.EventID
		}
	}
	return q
}

// decided is a decided scan at the gate with its effects.
type decided struct {
	scan   Scan
	reason Reason
	window *Window
	place  Place
	passed *Pass   // nil if it doesn't count
	after  History // of the place
}

// decide decides a scan at the gate.
func decide(q Question, scan Scan, now moment.DateTime) decided {
	decision := Decide(q)
	scan.Time = after(q.History.Last, now)
	scan.settle(decision.Reason, decision.Approved())
	done := decided{scan: scan, reason: decision.Reason, window: decision.Window(), after: q.History}
	place, known := scan.place()
	if done.place = place; known && decision.Approved() {
		done.passed = &Pass{scan.ID, scan.Time, q.Direction}
		done.after = q.History.Then(*done.passed)
	}
	return done
}

// answer returns the response to the caller, without the other zones.
func (d *decided) answer(gate place, found *ticket.Record) (Answer, error) {
	answer := Answer{
		Access: accessOf(d.reason), Reason: d.scan.Reason, ScanID: d.scan.ID, Time: d.scan.Time, Window: d.window,
	}
	var err error
	if answer.Ticket, err = gate.shown(found, d.reason); err == nil && answer.Ticket != nil {
		answer.FirstCheckinAt = d.after.FirstCheckin
	}
	return answer, err
}

// after returns the time of a scan at the gate. It is later than the last pass at the place, so that times have the
// order of the decisions. The clocks of two processes may differ, and two scans may fall into one millisecond.
func after(last *moment.DateTime, now moment.DateTime) moment.DateTime {
	if last == nil || now.After(last.Time) {
		return now
	}
	return moment.New(last.Add(time.Millisecond))
}

// ticket returns the ticket with a code, or nil.
func (r *recording) ticket(ctx context.Context, barcode string) (*ticket.Record, error) {
	found, err := r.tx.TicketsByCode(ctx, r.seller, findable([]string{barcode}), nil)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// locate sets the question's event and the events above it, if the event exists.
func (r *recording) locate(ctx context.Context, q *Question) (err error) {
	if q.EventID != "" {
		q.Event, q.Above, err = r.tx.EventAndAbove(ctx, r.seller, q.EventID)
	}
	return err
}

// scan returns the log entry of a scan, without the decision.
func (r *recording) scan(q Question, barcode string) Scan {
	scan := Scan{Published: Published{
		ID: ids.New(r.now.Time), SellerID: r.seller, Time: q.At, Barcode: texts.Truncate(barcode, maxBarcode),
		EventID: texts.Shown(q.EventID),
		Type:    q.Direction.scanType(), CreatedAt: r.now, UpdatedAt: r.now,
	}}
	if t := q.Ticket; t != nil {
		scan.TicketID, scan.TicketTypeID, scan.TicketName = &t.ID, &t.TicketTypeID, &t.TicketName
		scan.Name = holder(t)
	}
	if q.Event != nil {
		scan.ParentEventID = q.Event.ParentEventID
		if scan.ParentEventID == nil {
			scan.ParentEventID = q.Event.RootEventID
		}
	}
	if device := r.gate.device; device != nil {
		scan.DeviceID, scan.DeviceName = &device.ID, &device.Name
	}
	if group := r.gate.group; group != nil {
		scan.ScanGroupID = &group.ID
	}
	scan.ScanZoneID = texts.Shown(r.gate.zoneID())
	return scan
}

// holder returns the name of a ticket's holder, or nil.
func holder(t *ticket.Ticket) *string {
	if t.Name != nil && *t.Name != "" {
		return t.Name
	}
	name := ""
	for _, part := range []*string{t.Firstname, t.Lastname} {
		if part == nil || *part == "" {
			continue
		}
		if name != "" {
			name += " "
		}
		name += *part
	}
	return texts.Shown(name)
}

// settle sets the result and the reason of a scan.
func (s *Scan) settle(reason Reason, approved bool) {
	s.Result = Declined
	if approved {
		s.Result = Approved
	}
	if reason != "" {
		s.Reason = &reason
	}
}

// lock locks the scan's place until the transaction ends, and returns its history.
func (r *recording) lock(ctx context.Context, scan Scan) (History, error) {
	place, known := scan.place()
	if !known {
		return History{}, nil
	}
	histories, err := r.tx.LockPlaces(ctx, r.seller, []Place{place})
	return histories[place], err
}

// store stores the scans and passes, and publishes the scans.
func (r *recording) store(ctx context.Context) error {
	if err := r.tx.InsertScans(ctx, r.scans); err != nil {
		return err
	}
	if err := r.tx.InsertPasses(ctx, r.seller, r.passes); err != nil {
		return err
	}
	events := make([]domain.Event, len(r.scans))
	for i := range r.scans {
		var err error
		if events[i], err = r.scans[i].created(); err != nil {
			return err
		}
		if r.traces != nil {
			events[i].Trace = r.traces[i]
		}
	}
	_, err := r.tx.PublishAll(ctx, events)
	return err
}
