package access

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// remoteBudget is the time that all remote lists together have for a code (decisions 5.5).
const remoteBudget = 3 * time.Second

// remoteRetryAfter is when a device may ask again after a remote list failed.
const remoteRetryAfter = 2 * time.Second

// Listeners makes the calls to the listeners of remote lists.
type Listeners interface {
	// Ask makes one signed POST. known is false when the listener says that it does not know the code; otherwise answer
	// is its whole body. Everything but these two is an error. It returns when the context ends, and at once when too
	// many calls to the listener are under way.
	Ask(ctx context.Context, list List, body []byte) (answer []byte, known bool, err error)
}

// Holder is whom a remote list names for a code: the members that are not empty.
type Holder struct {
	CustomerID string
	Email      string
	TicketID   string
}

// body is what a remote list is sent: these bytes, signed where it has a key.
func (q Question) body(listID string) []byte {
	return ecmajson.NewObject([]ecmajson.Member{
		{Name: "externalCode", Value: ecmajson.NewString(q.ExternalCode)},
		{Name: "eventId", Value: ecmajson.NewString(q.EventID)},
		{Name: "listId", Value: ecmajson.NewString(listID)},
		{Name: "sellerId", Value: ecmajson.NewString(string(q.SellerID))},
	}).Append(nil)
}

// remoteAnswer is how the call to one list ended.
type remoteAnswer struct {
	listID string
	body   []byte
	known  bool
	err    error
}

// askAll asks remote lists all at once. The first one whose holder has a ticket settles it; without a ticket, a list
// that knows the code does, then one that can't be asked, and only then is the code unknown (decisions 5.5).
func (s Lookups) askAll(ctx context.Context, lists []List, q Question) (GateTicket, error) {
	var verdict Found
	var trouble error
	asking, cancel := context.WithTimeout(ctx, remoteBudget)
	defer cancel()
	answers := s.ask(asking, lists, q)
	for range lists {
		holder, known, err := next(asking, answers).read()
		switch {
		case err != nil:
			trouble = err
		case known:
			found, err := s.Store.TicketOfHolder(ctx, q, holder)
			if err != nil || found.Ticket != nil {
				return found.ticket(err)
			}
			verdict.Known = true
		}
	}
	if trouble != nil && !verdict.Known {
		return GateTicket{}, listUnavailable(trouble)
	}
	return verdict.ticket(nil)
}

// ask starts the calls. The channel has room for every answer, so that none of them waits for a reader who has gone.
func (s Lookups) ask(ctx context.Context, lists []List, q Question) <-chan remoteAnswer {
	answers := make(chan remoteAnswer, len(lists))
	for _, list := range lists {
		go func() {
			body, known, err := s.Listeners.Ask(ctx, list, q.body(list.ID))
			answers <- remoteAnswer{list.ID, body, known, err}
		}()
	}
	return answers
}

// next is the next answer, or that there will be none in time.
func next(ctx context.Context, answers <-chan remoteAnswer) remoteAnswer {
	select {
	case answer := <-answers:
		return answer
	case <-ctx.Done():
		return remoteAnswer{err: ctx.Err()}
	}
}

// read is the holder that an answer names. An answer that makes no sense is a list that is not there: a listener in
// trouble must neither open a gate nor turn anybody away.
func (a remoteAnswer) read() (holder Holder, known bool, err error) {
	if a.err == nil && a.known {
		holder, a.err = readHolder(a.body)
	}
	if a.err != nil {
		return Holder{}, false, fmt.Errorf("access list %s: %w", a.listID, a.err)
	}
	return holder, a.known, nil
}

// readHolder reads what a listener says of a code. Members that are not ours are passed over; null and an empty text are
// no value.
func readHolder(body []byte) (Holder, error) {
	value, err := ecmajson.Parse(body, ecmajson.Limits{})
	if err != nil || value.Kind() != ecmajson.Object {
		return Holder{}, errors.New("its answer is not one JSON object")
	}
	var holder Holder
	var problems domain.Problems
	for _, part := range [...]struct {
		name string
		into *string
	}{{"customerId", &holder.CustomerID}, {"email", &holder.Email}, {"ticketId", &holder.TicketID}} {
		member, _ := value.Member(part.name)
		*part.into = member.Text()
		if member.Kind() != ecmajson.Null && member.Kind() != ecmajson.String {
			problems.Add(part.name, "is no text")
		}
	}
	holder.check(&problems)
	return holder, problems.Err()
}

// check notes what can't be the name of anybody.
func (h Holder) check(problems *domain.Problems) {
	if h == (Holder{}) {
		problems.Add("", "its answer names no holder")
	}
	if h.CustomerID != "" {
		problems.Reference("customerId", h.CustomerID)
	}
	if h.TicketID != "" {
		problems.Reference("ticketId", h.TicketID)
	}
	if h.Email != "" && !domain.ValidEmail(h.Email) {
		problems.Add("email", "is no e-mail address")
	}
}

// errListUnavailable marks the refusal for a test of a code: there it is an answer, where a database away is none.
var errListUnavailable = errors.New("a remote access list is not available")

// listUnavailable is what a device gets instead of a refusal that might be false.
func listUnavailable(cause error) error {
	refused := domain.Unavailable(errors.Join(errListUnavailable, cause))
	refused.Message, refused.RetryAfter = "An access list could not be asked; please try again", remoteRetryAfter
	return refused
}

func isListUnavailable(err error) bool { return errors.Is(err, errListUnavailable) }
