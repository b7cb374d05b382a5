package access

import (
	"context"
	"errors"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
	"ticketgate/domain/ticket"
)

// remoteBudget is the time in which all remote lists must respond to a lookup (ACCESS-5).
const remoteBudget = 3 * time.Second

// remoteRetryAfter is how long a device should wait before it retries after a remote list failed.
const remoteRetryAfter = 2 * time.Second

// Listeners calls the listeners of remote lists.
type Listeners interface {
	// Ask makes one signed POST and returns the holder, see ReadHolder. known is false if the listener does not know
	// the code. Every other result is an error: a failing listener must neither open a gate nor turn people away. Ask
	// returns when the context ends, and at once if too many calls to the listener are running.
	Ask(ctx context.Context, list List, body []byte) (holder Holder, known bool, err error)
}

// Holder is the holder of a code, as a remote list names it. Only some fields are set.
type Holder struct {
	CustomerID string
	Email      string
	TicketID   string
}

// body returns the request body for a remote list, which is signed if the list has a key.
func (q Question) body(listID string) []byte {
	return ecmajson.NewObject([]ecmajson.Field{
		{Name: "externalCode", Value: ecmajson.NewString(q.ExternalCode)},
		{Name: "eventId", Value: ecmajson.NewString(q.EventID)},
		{Name: "listId", Value: ecmajson.NewString(listID)},
		{Name: "sellerId", Value: ecmajson.NewString(string(q.SellerID))},
	}).Print()
}

// remoteAnswer is the result of the call to one list.
type remoteAnswer struct {
	holder Holder
	known  bool
	err    error
}

// askAll calls all remote lists at once. The first one whose holder has a VALID ticket decides. Otherwise, the oldest
// ticket of all responses is returned (ACCESS-4). Without a ticket, the code is known if a list contains it. If none
// does and a list does not respond, the error is LIST_UNAVAILABLE (ACCESS-5).
func (s Lookups) askAll(ctx context.Context, lists []List, q Question) (GateTicket, error) {
	var verdict Found
	var created time.Time // creation of the verdict's ticket
	reason := false
	asking, cancel := context.WithTimeout(ctx, remoteBudget)
	defer cancel()
	answers := s.ask(asking, lists, q)
	for range lists {
		answer := next(asking, answers)
		switch {
		case answer.err != nil:
			reason = true
		case answer.known:
			found, err := s.Store.TicketOfHolder(ctx, q, answer.holder)
			if err != nil {
				return GateTicket{}, err
			}
			verdict.Known = true
			if found.Ticket == nil {
				continue
			}
			record, err := found.Ticket.Ticket()
			if err != nil || record.Status == ticket.Valid && !record.ExpiredAt(q.At) {
				return found.ticket(err)
			}
			if verdict.Ticket == nil || record.CreatedAt.Before(created) {
				verdict.Ticket, created = found.Ticket, record.CreatedAt.Time
			}
		}
	}
	if reason && !verdict.Known {
		return GateTicket{}, listUnavailable()
	}
	return verdict.ticket(nil)
}

// ask starts the calls. The channel has room for all responses, so that no call blocks if the reader has left.
func (s Lookups) ask(ctx context.Context, lists []List, q Question) <-chan remoteAnswer {
	answers := make(chan remoteAnswer, len(lists))
	for _, list := range lists {
		go func() {
			holder, known, err := s.Listeners.Ask(ctx, list, q.body(list.ID))
			answers <- remoteAnswer{holder, known, err}
		}()
	}
	return answers
}

// next returns the next response, or an error if the time is over.
func next(ctx context.Context, answers <-chan remoteAnswer) remoteAnswer {
	select {
	case answer := <-answers:
		return answer
	case <-ctx.Done():
		return remoteAnswer{err: ctx.Err()}
	}
}

// ReadHolder parses the response of a listener. It ignores unknown fields. Null and an empty text mean no value.
func ReadHolder(body []byte) (Holder, error) {
	value, err := ecmajson.Parse(body, ecmajson.Limits{})
	if err != nil || value.Kind() != ecmajson.Object {
		return Holder{}, errors.New("the response is not a JSON object")
	}
	var holder Holder
	var errs domain.FieldErrors
	for _, part := range [...]struct {
		name string
		into *string
	}{{"customerId", &holder.CustomerID}, {"email", &holder.Email}, {"ticketId", &holder.TicketID}} {
		field, _ := value.Field(part.name)
		*part.into = field.Text()
		if field.Kind() != ecmajson.Null && field.Kind() != ecmajson.String {
			errs.Add(part.name, "must be a string")
		}
	}
	holder.check(&errs)
	return holder, errs.Err()
}

// check adds an error for each value that can't identify a holder.
func (h Holder) check(errs *domain.FieldErrors) {
	if h == (Holder{}) {
		errs.Add("", "the response names no holder")
	}
	if h.CustomerID != "" {
		errs.Reference("customerId", h.CustomerID)
	}
	if h.TicketID != "" {
		errs.Reference("ticketId", h.TicketID)
	}
	if h.Email != "" && !texts.ValidEmail(h.Email) {
		errs.Add("email", "must be an email address such as name@example.com")
	}
}

// listUnavailable returns the error for a device if a list does not respond, since a rejection might be wrong. The
// cause is logged with the call.
func listUnavailable() error {
	refused := domain.NewError(domain.CodeListUnavailable, "A remote access list is unavailable. Try again")
	refused.RetryAfter = remoteRetryAfter
	return refused
}
