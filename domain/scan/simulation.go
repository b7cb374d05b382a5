package scan

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// Simulation is the input of simulateScan.
type Simulation struct {
	// Barcode or TicketID select the ticket.
	Barcode  *string `graphql:"barcode"`
	TicketID *string `graphql:"ticketId"`
	// DeviceID or ScanGroupID select the rules that apply.
	DeviceID    *string `graphql:"deviceId"`
	ScanGroupID *string `graphql:"scanGroupId"`
	// EventID is the event to enter or leave. If it is nil, the ticket's own event is used.
	EventID   *string          `graphql:"eventId"`
	Direction *Direction       `graphql:"direction"` // IN by default
	Time      *moment.DateTime `graphql:"time"`      // now by default
	// History replaces the ticket's real history if it is not nil. Passes later than Time don't count.
	History []AssumedPass `graphql:"history"`
}

// AssumedPass is a scan that a simulation assumes.
type AssumedPass struct {
	Direction Direction       `graphql:"direction"`
	Time      moment.DateTime `graphql:"time"`
}

// Simulated is the result of a simulated scan, with its reasons.
type Simulated struct {
	Access Access
	// Reason is nil if the ticket would be admitted.
	Reason *Reason
	// Ticket is complete, whatever the device would see of it, or nil if no ticket has the code. SimulatedTicket checks
	// the caller's permission to see it.
	Ticket *ticket.Record
	// EventID and Time are the values used, with defaults filled in.
	EventID *string
	Time    moment.DateTime
	// Window is the allowed time span, if the scan is outside it.
	Window *Window
	// Checkins and Inside are the history used: see History.
	Checkins int
	Inside   int
	// Rules are the results of all rules.
	Rules []Rule
}

// check returns the errors that a scan or an upload would have too.
func (s Simulation) check() error {
	var errs domain.FieldErrors
	switch {
	case s.Barcode == nil && s.TicketID == nil:
		errs.Add("barcode", "or ticketId is required")
	case s.Barcode != nil && s.TicketID != nil:
		errs.Add("ticketId", "must be omitted if barcode is given")
	}
	if s.Barcode != nil {
		checkCode(&errs, *s.Barcode)
	}
	if s.TicketID != nil {
		errs.Reference("ticketId", *s.TicketID)
	}
	if texts.Of(s.EventID) != "" {
		errs.Reference("eventId", *s.EventID)
	}
	errs.Text("deviceId", texts.Of(s.DeviceID))
	errs.Text("scanGroupId", texts.Of(s.ScanGroupID))
	errs.Count("history", len(s.History), maxNamed)
	return errs.Err()
}

// Simulate returns how a scan would be decided, rule by rule, and changes nothing. It requires scans:list, or a session
// with role VIEWER.
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

// assumed returns the history for a simulation.
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
	if input.Time == nil { // all passes, even by a clock that is slightly ahead of this one
		return r.tx.History(ctx, r.seller, here)
	}
	passes, err := r.tx.Passes(ctx, r.seller, []Place{here})
	return until(passes[here], q.At), err
}

// list returns an optional text as a list.
func list(sent *string) []string {
	if sent == nil {
		return nil
	}
	return []string{*sent}
}
