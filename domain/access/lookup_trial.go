package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Verdict is how a lookup ends, in a word.
type Verdict string

// The verdicts. The last three are the codes of the errors that a device gets.
const (
	TicketFound      Verdict = "FOUND"
	CodeUnknown      Verdict = "UNKNOWN_CODE"
	NoTicketForEvent Verdict = "NO_TICKET_FOR_EVENT"
	ListUnavailable  Verdict = "LIST_UNAVAILABLE"
)

// mostSpellings is how many entries a trial shows.
const mostSpellings = 20

// Trial is what a device would get for a code, and what a person needs to know to see why.
type Trial struct {
	Verdict Verdict
	Message string
	// The ticket that a device would get: which one it is, and not whose. Nothing for a key that may not list tickets.
	TicketID     *string
	TicketStatus *ticket.Status
	// Entries have exactly the code, DifferInCase the same letters in another case, which does not match.
	Entries      []Entry
	DifferInCase []Entry
}

// Test says what a device would get for a code at an event, from one list or from all: accessLists:list, or a session
// with VIEWER. Remote lists are asked as a device's lookup asks them; nothing is written down.
func (s Lookups) Test(ctx context.Context, externalCode, eventID string, listID *string) (Trial, error) {
	actor, err := domain.Authorize(ctx, domain.TestAccessCode)
	if err != nil {
		return Trial{}, err
	}
	question := Question{SellerID: actor.SellerID, ExternalCode: externalCode, EventID: eventID, At: moment.New(s.Now())}
	if err := question.check(); err != nil {
		return Trial{}, err
	}
	if listID != nil && *listID != "" {
		if _, err := s.Store.List(ctx, actor.SellerID, *listID); err != nil {
			return Trial{}, err
		}
		question.ListID = *listID
	}
	trial, err := tried(s.find(ctx, question))
	if !domain.May(ctx, domain.GetTicket) {
		trial.TicketID, trial.TicketStatus = nil, nil
	}
	if err != nil || !question.possible() {
		return trial, err
	}
	spellings, err := s.Store.Spellings(ctx, question, mostSpellings)
	trial.sort(spellings, externalCode)
	return trial, err
}

// tried is what a lookup returned, as a verdict.
func tried(found GateTicket, err error) (Trial, error) {
	switch {
	case err == nil:
		return Trial{
			Verdict: TicketFound, Message: "A device gets this ticket",
			TicketID: &found.Ticket.ID, TicketStatus: &found.Ticket.Status,
		}, nil
	case domain.HasCode(err, domain.CodeUnknownCode):
		return Trial{Verdict: CodeUnknown, Message: err.Error()}, nil
	case domain.HasCode(err, domain.CodeNoTicketForEvent):
		return Trial{Verdict: NoTicketForEvent, Message: err.Error()}, nil
	case domain.HasCode(err, domain.CodeListUnavailable):
		return Trial{Verdict: ListUnavailable, Message: err.Error()}, nil
	}
	return Trial{}, err
}

// sort parts the entries that match from those that nearly do, and says so where nothing matches.
func (t *Trial) sort(spellings []Entry, externalCode string) {
	for _, entry := range spellings {
		if entry.ExternalCode == externalCode {
			t.Entries = append(t.Entries, entry)
		} else {
			t.DifferInCase = append(t.DifferInCase, entry)
		}
	}
	if t.Verdict == CodeUnknown && len(t.DifferInCase) > 0 {
		t.Message = "No access list knows this code, but one that differs only by case"
	}
}
