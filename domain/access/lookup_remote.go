package access

import (
	"context"
	"errors"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

// remoteBudget is the time that all remote lists together have for a code (decisions 5.5).
const remoteBudget = 3 * time.Second

// remoteRetryAfter is when a device may ask again after a remote list failed.
const remoteRetryAfter = 2 * time.Second

// Listeners makes the calls to the listeners of remote lists.
type Listeners interface {
	// Ask makes one signed POST and returns whom the listener names, see ReadHolder. known is false when it says that it
	// does not know the code. Everything but these two is an error: a listener in trouble must neither open a gate nor
	// turn anybody away. Ask returns when the context ends, and at once when too many calls to the listener are under way.
	Ask(ctx context.Context, list List, body []byte) (holder Holder, known bool, err error)
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
	}).Print()
}

// remoteAnswer is how the call to one list ended.
type remoteAnswer struct {
	holder Holder
	known  bool
	err    error
}

// askAll asks remote lists all at once. The first one whose holder has a VALID ticket settles it. Any other ticket waits for the
// lists that are left, and the oldest of these is taken (decisions 5.3). Without a ticket, a list that knows the code settles
// it, then one that can't be asked, and only then is the code unknown (decisions 5.5).
func (s Lookups) askAll(ctx context.Context, lists []List, q Question) (GateTicket, error) {
	var verdict Found
	trouble := false
	asking, cancel := context.WithTimeout(ctx, remoteBudget)
	defer cancel()
	answers := s.ask(asking, lists, q)
	for range lists {
		answer := next(asking, answers)
		switch {
		case answer.err != nil:
			trouble = true
		case answer.known:
			found, err := s.Store.TicketOfHolder(ctx, q, answer.holder)
			if err != nil || found.isValidAt(q.At) {
				return found.ticket(err)
			}
			verdict = verdict.or(found)
		}
	}
	if trouble && !verdict.Known {
		return GateTicket{}, listUnavailable()
	}
	return verdict.ticket(nil)
}

// ask starts the calls. The channel has room for every answer, so that none of them waits for a reader who has gone.
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

// next is the next answer, or that there will be none in time.
func next(ctx context.Context, answers <-chan remoteAnswer) remoteAnswer {
	select {
	case answer := <-answers:
		return answer
	case <-ctx.Done():
		return remoteAnswer{err: ctx.Err()}
	}
}

// ReadHolder reads what a listener says of a code. Members that are not ours are passed over; null and an empty text are
// no value.
func ReadHolder(body []byte) (Holder, error) {
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
	if h.Email != "" && !texts.ValidEmail(h.Email) {
		problems.Add("email", "is no e-mail address")
	}
}

// listUnavailable is what a device gets instead of a refusal that might be false. What went wrong is in the log of the
// calls.
func listUnavailable() error {
	refused := domain.NewError(domain.CodeListUnavailable, "An access list could not be asked; please try again")
	refused.RetryAfter = remoteRetryAfter
	return refused
}
