package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// Simulation is a scan that is only thought of.
type Simulation struct {
	// Barcode or TicketID say which ticket.
	Barcode  *string `graphql:"barcode"`
	TicketID *string `graphql:"ticketId"`
	// DeviceID or ScanGroupID say whose rules hold.
	DeviceID    *string `graphql:"deviceId"`
	ScanGroupID *string `graphql:"scanGroupId"`
	// EventID is where it wants in; absent is the ticket's own event.
	EventID   *string          `graphql:"eventId"`
	Direction *Direction       `graphql:"direction"` // IN when absent
	Time      *moment.DateTime `graphql:"time"`      // now when absent
	// History is what the ticket did; absent is what it really did. What is later than Time does not count.
	History []AssumedPass `graphql:"history"`
}

// AssumedPass is a scan that a simulation takes for made.
type AssumedPass struct {
	Direction Direction       `graphql:"direction"`
	Time      moment.DateTime `graphql:"time"`
}

// Simulated is what a scan would be answered, and why.
type Simulated struct {
	Access Access
	// Reason is nil when the ticket would pass.
	Reason *Reason
	// Ticket is whole, whatever the device would get to see of it: a person asks. Nil: no ticket has the code. Who is shown
	// it is for SimulatedTicket to say.
	Ticket *ticket.Record
	// EventID and Time are what the question was about once the defaults were filled in.
	EventID *string
	Time    moment.DateTime
	// Window is the span of time that the scan lies outside of, for reasons that are about time.
	Window *Window
	// Checkins and Inside are the history that was held against it: see History.
	Checkins int
	Inside   int
	// Rules are what was checked, one by one.
	Rules []Rule
}

// check refuses what a scan and an upload refuse.
func (s Simulation) check() error {
	var problems domain.Problems
	switch {
	case s.Barcode == nil && s.TicketID == nil:
		problems.Add("barcode", "is required, or else ticketId")
	case s.Barcode != nil && s.TicketID != nil:
		problems.Add("ticketId", "must be left out where barcode says which ticket it is")
	}
	if s.Barcode != nil {
		checkCode(&problems, *s.Barcode)
	}
	if s.TicketID != nil {
		problems.Reference("ticketId", *s.TicketID)
	}
	if texts.Of(s.EventID) != "" {
		problems.Reference("eventId", *s.EventID)
	}
	problems.Text("deviceId", texts.Of(s.DeviceID))
	problems.Text("scanGroupId", texts.Of(s.ScanGroupID))
	problems.Count("history", len(s.History), maxNamed)
	return problems.Err()
}

// Simulate says what a scan would be answered, rule by rule, and changes nothing: scans:list, or a session with VIEWER.
func (s Scans) Simulate(ctx context.Context, input Simulation) (Simulated, error) {
	actor, err := domain.Authorize(ctx, domain.SimulateScan)
	if err != nil {
		return Simulated{}, err
	}
	if err := input.check(); err != nil {
		return Simulated{}, err
	}
	gate, err := s.gate(ctx, actor, texts.Of(input.DeviceID), texts.Of(input.ScanGroupID))
	if err != nil {
		return Simulated{}, err
	}
	q := Question{
		Device: gate.device, Config: gate.config(), EventID: texts.Of(input.EventID), Direction: In,
		At: moment.New(s.Now()),
	}
	if input.Direction != nil {
		q.Direction = *input.Direction
	}
	if input.Time != nil {
		q.At = *input.Time
	}
	var simulated Simulated
	err = s.Store.InTx(ctx, func(tx Tx) error {
		run := recording{tx: tx, seller: actor.SellerID, gate: gate, now: q.At}
		simulated, err = run.simulate(ctx, q, input)
		return err
	})
	return simulated, err
}

func (r *recording) simulate(ctx context.Context, q Question, input Simulation) (Simulated, error) {
	found, err := r.tx.TicketsByCode(ctx, r.seller, findable(list(input.Barcode)), list(input.TicketID))
	if err != nil {
		return Simulated{}, err
	}
	simulated := Simulated{Time: q.At}
	if len(found) > 0 {
		simulated.Ticket, q.Ticket = &found[0], &found[0].Ticket
		if q.EventID == "" {
			q.EventID = q.Ticket.EventID
		}
	}
	if err := r.locate(ctx, &q); err != nil {
		return Simulated{}, err
	}
	if q.History, err = r.assumed(ctx, q, input); err != nil {
		return Simulated{}, err
	}
	decision := Decide(q)
	simulated.Access, simulated.Window, simulated.Rules = accessOf(decision.Reason), decision.Window(), decision.Rules
	if decision.Reason != "" {
		simulated.Reason = &decision.Reason
	}
	simulated.EventID = texts.Shown(q.EventID)
	simulated.Checkins, simulated.Inside = q.History.Checkins, q.History.Inside
	return simulated, nil
}

// assumed is the history that a simulation is about.
func (r *recording) assumed(ctx context.Context, q Question, input Simulation) (History, error) {
	if input.History != nil {
		passes := make([]Pass, len(input.History))
		for i, pass := range input.History {
			passes[i] = Pass{At: pass.Time, Direction: pass.Direction}
		}
		return until(passes, q.At), nil
	}
	if q.Ticket == nil {
		return History{}, nil
	}
	here := Place{q.Ticket.ID, q.EventID, r.gate.zoneID()}
	if input.Time == nil { // all that happened, also by a clock that is a little ahead of this one
		return r.tx.History(ctx, r.seller, here)
	}
	passes, err := r.tx.Passes(ctx, r.seller, []Place{here})
	return until(passes[here], q.At), err
}

// list is a text that may be absent as a list.
func list(sent *string) []string {
	if sent == nil {
		return nil
	}
	return []string{*sent}
}
