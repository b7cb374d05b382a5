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

// recording is scans on their way into the log, in one transaction.
type recording struct {
	tx     Tx
	seller ids.Seller
	gate   place
	now    moment.DateTime

	scans  []Scan
	traces []string // of the scans; nil where all are the transaction's
	passes map[Place][]Pass
}

// atGate decides one scan that is made right now. The place is locked before the decision: of several at the same
// instant each sees what the others before it did, on whatever process.
func (r *recording) atGate(ctx context.Context, input Attempt) (Answer, error) {
	found, err := r.ticket(ctx, input.Barcode)
	if err != nil {
		return Answer{}, err
	}
	q := r.question(input, found)
	if err := r.locate(ctx, &q); err != nil {
		return Answer{}, err
	}
	made := r.scan(q, input.Barcode)
	if q.History, err = r.lock(ctx, made); err != nil {
		return Answer{}, err
	}
	done := decide(q, made, r.now)
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

// question is what a decision depends on, but for the event and the history.
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

// decided is a scan at the gate with what follows from it.
type decided struct {
	scan   Scan
	reason Reason
	window *Window
	place  Place
	passed *Pass   // nil if it counts for nothing
	after  History // of the place
}

// decide says how a scan went.
func decide(q Question, made Scan, now moment.DateTime) decided {
	decision := Decide(q)
	made.Time = after(q.History.Last, now)
	made.settle(decision.Reason, decision.Approved())
	done := decided{scan: made, reason: decision.Reason, window: decision.Window(), after: q.History}
	place, known := made.place()
	if done.place = place; known && decision.Approved() {
		done.passed = &Pass{made.ID, made.Time, q.Direction}
		done.after = q.History.Then(*done.passed)
	}
	return done
}

// answer is what the caller gets to know, but for the other zones.
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

// after is the time of a scan at the gate: later than whatever the place has seen, so that the order of decisions is
// that of times, also where two processes' clocks differ or two scans fall into one millisecond.
func after(last *moment.DateTime, now moment.DateTime) moment.DateTime {
	if last == nil || now.After(last.Time) {
		return now
	}
	return moment.New(last.Add(time.Millisecond))
}

// ticket finds the ticket that has a code; there may be none.
func (r *recording) ticket(ctx context.Context, barcode string) (*ticket.Record, error) {
	found, err := r.tx.TicketsByCode(ctx, r.seller, findable([]string{barcode}), nil)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// locate fills in what the question's event is and what it stands below; there may be no such event.
func (r *recording) locate(ctx context.Context, q *Question) (err error) {
	if q.EventID != "" {
		q.Event, q.Above, err = r.tx.EventAndAbove(ctx, r.seller, q.EventID)
	}
	return err
}

// scan is a row of the log, but for what the decision says.
func (r *recording) scan(q Question, barcode string) Scan {
	made := Scan{Published: Published{
		ID: ids.New(r.now.Time), SellerID: r.seller, Time: q.At, Barcode: texts.Truncate(barcode, maxBarcode),
		EventID: texts.Shown(q.EventID),
		Type:    q.Direction.scanType(), CreatedAt: r.now, UpdatedAt: r.now,
	}}
	if t := q.Ticket; t != nil {
		made.TicketID, made.TicketTypeID, made.TicketName = &t.ID, &t.TicketTypeID, &t.TicketName
		made.Name = holder(t)
	}
	if q.Event != nil {
		made.ParentEventID = q.Event.ParentEventID
		if made.ParentEventID == nil {
			made.ParentEventID = q.Event.RootEventID
		}
	}
	if device := r.gate.device; device != nil {
		made.DeviceID, made.DeviceName = &device.ID, &device.Name
	}
	if group := r.gate.group; group != nil {
		made.ScanGroupID = &group.ID
	}
	made.ScanZoneID = texts.Shown(r.gate.zoneID())
	return made
}

// holder is the name of a ticket's holder as far as the ticket says it.
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

// settle notes how a scan went.
func (s *Scan) settle(reason Reason, approved bool) {
	s.Result = Declined
	if approved {
		s.Result = Approved
	}
	if reason != "" {
		s.Reason = &reason
	}
}

// lock keeps others from scanning the ticket here until the transaction ends, and returns what it did so far.
func (r *recording) lock(ctx context.Context, made Scan) (History, error) {
	place, known := made.place()
	if !known {
		return History{}, nil
	}
	histories, err := r.tx.LockPlaces(ctx, r.seller, []Place{place})
	return histories[place], err
}

// store writes the scans and what counts of them, and publishes them.
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
