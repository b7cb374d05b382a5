package access

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

// Verdict is the result of a lookup.
type Verdict string

// The verdicts. The last three are the error codes that a device gets.
const (
	TicketFound      Verdict = "FOUND"
	CodeUnknown      Verdict = "UNKNOWN_CODE"
	NoTicketForEvent Verdict = "NO_TICKET_FOR_EVENT"
	ListUnavailable  Verdict = "LIST_UNAVAILABLE"
)

// maxSpellings is the maximum number of entries in a trial.
const maxSpellings = 20

// Trial is the result that a device would get for a code, with its explanation.
type Trial struct {
	Verdict Verdict
	Message string
	// TicketID and TicketStatus describe the ticket that a device would get, without its holder. They are nil for a key
	// that may not list tickets.
	TicketID     *string
	TicketStatus *ticket.Status
	// Entries have exactly the code. DifferInCase differ from it only in case and don't match.
	Entries      []Entry
	DifferInCase []Entry
}

// Test returns the result that a device would get for a code at an event, from one list or from all. It calls remote
// lists like a lookup, but records nothing. It requires accessLists:list, or a session with role VIEWER.
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
	spellings, err := s.Store.Spellings(ctx, question, maxSpellings)
	trial.sort(spellings, externalCode)
	return trial, err
}

// tried returns the result of a lookup as a verdict.
func tried(found GateTicket, err error) (Trial, error) {
	switch {
	case err == nil:
		record, err := found.Ticket()
		return Trial{
			Verdict: TicketFound, Message: "A device would get this ticket", TicketID: &record.ID, TicketStatus: &record.Status,
		}, err
	case domain.HasCode(err, domain.CodeUnknownCode):
		return Trial{Verdict: CodeUnknown, Message: err.Error()}, nil
	case domain.HasCode(err, domain.CodeNoTicketForEvent):
		return Trial{Verdict: NoTicketForEvent, Message: err.Error()}, nil
	case domain.HasCode(err, domain.CodeListUnavailable):
		return Trial{Verdict: ListUnavailable, Message: err.Error()}, nil
	}
	return Trial{}, err
}

// sort separates exact matches from near ones, and adjusts the message if only near ones exist.
func (t *Trial) sort(spellings []Entry, externalCode string) {
	for _, entry := range spellings {
		if entry.ExternalCode == externalCode {
			t.Entries = append(t.Entries, entry)
		} else {
			t.DifferInCase = append(t.DifferInCase, entry)
		}
	}
	if t.Verdict == CodeUnknown && len(t.DifferInCase) > 0 {
		t.Message = "No access list contains this code, but one code differs only by case"
	}
}
