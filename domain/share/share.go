// Package share divides what is scarce between sellers, such as database connections: a number of places in all, and of
// them a number for each seller and for the sellers of one organization together. Organizations that wait get a place in turn,
// and so do the sellers of each, the calls of one seller in the order in which they came (LIMIT-1, LIMIT-4).
package share

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
)

// Ordinary is the largest number of rows of an ordinary request. Work on more rows is long: it waits for its seller's share.
const Ordinary = 100

// Whole is the number of rows of work that goes through a whole list, whatever its length.
const Whole = math.MaxInt

// Bounds say how much there is of something, how much of it one seller gets, and how long a call waits for a place.
type Bounds struct {
	Total, PerSeller int
	Wait             time.Duration
}

// PerOrganization is how many places the sellers of one organization get together: an organization makes as many sellers as
// it likes, and another one must still find a place (LIMIT-4).
// Another seller of the same organization must find one as well: it is more than one seller gets.
func (b Bounds) PerOrganization() int { return max(b.PerSeller, b.Total*7/8) }

// Payer is whose share a call uses up. A call without an organization has the seller's bound alone.
type Payer struct {
	Seller       ids.Seller
	Organization ids.Org
}

// PayerOf returns whose share a call uses up: its seller's, or else that of its organization or user. Callers without a
// credential share one. Callers that act on no seller are bounded together like an organization: one that has sellers makes as
// many accounts as it likes.
func PayerOf(actor *domain.Actor) Payer {
	switch {
	case actor.SellerID != "":
		return Payer{Seller: actor.SellerID, Organization: actor.OrgID}
	case actor.OrgID != "":
		return Payer{Seller: "organization " + ids.Seller(actor.OrgID), Organization: actor.OrgID}
	case actor.Kind == domain.SystemActor:
		return Payer{Seller: "caller " + ids.Seller(actor.ID)}
	}
	return Payer{Seller: "caller " + ids.Seller(actor.ID), Organization: "callers of no seller"}
}

// retryAfter is when a caller that got no place may try again.
const retryAfter = 5 * time.Second

// Shares hands out places. All methods may be called concurrently.
type Shares struct {
	bounds Bounds

	mu     sync.Mutex
	taken  int
	held   map[ids.Seller]int
	heldBy map[ids.Org]int
	// queues has the calls that wait; a call's channel is closed when it gets its place.
	queues map[Payer][]chan struct{}
	// turns are the sellers in queues by organization; the first has waited longest for its turn, in each and of all.
	turns []organization
}

// organization is sellers that wait, and have their turn together. A seller without an organization is alone.
type organization []Payer

// has reports whether a seller waits with the others.
func (o organization) has(payer Payer) bool {
	return o[0] == payer || (payer.Organization != "" && o[0].Organization == payer.Organization)
}

// New returns shares of which all places are free.
func New(bounds Bounds) *Shares {
	return &Shares{
		bounds: bounds, held: map[ids.Seller]int{}, heldBy: map[ids.Org]int{}, queues: map[Payer][]chan struct{}{},
	}
}

// Take waits for a place and returns what gives it back, which is called once. It is RATE_LIMITED if the wait is over, and the
// context's error if that ends first. The installation's own work has an empty payer.
func (s *Shares) Take(ctx context.Context, payer Payer) (giveBack func(), err error) {
	giveBack = func() { s.giveBack(payer) }
	turn := s.takeOrWait(payer)
	if turn == nil {
		return giveBack, nil
	}
	wait := time.NewTimer(s.bounds.Wait)
	defer wait.Stop()
	select {
	case <-turn:
		return giveBack, nil
	case <-wait.C:
		err = Refused()
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !s.leave(payer, turn) { // its turn came just now
		giveBack()
	}
	return nil, err
}

// Refused is the error of a call for whose seller there was no place in time.
func Refused() *domain.Error {
	return &domain.Error{
		Code:       domain.CodeRateLimited,
		Message:    "Too much work is running; nothing of this request was done, please try again later",
		RetryAfter: retryAfter,
	}
}

// takeOrWait takes a free place and returns nil, or returns what is closed when the call gets one. A seller's place is never
// free while another call of the seller waits.
func (s *Shares) takeOrWait(payer Payer) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken < s.bounds.Total && s.mayHold(payer) {
		s.take(payer)
		return nil
	}
	if len(s.queues[payer]) == 0 {
		s.line(payer)
	}
	turn := make(chan struct{})
	s.queues[payer] = append(s.queues[payer], turn)
	return turn
}

// mayHold reports whether neither the seller nor its organization has all that it gets.
func (s *Shares) mayHold(payer Payer) bool {
	return s.held[payer.Seller] < s.bounds.PerSeller &&
		(payer.Organization == "" || s.heldBy[payer.Organization] < s.bounds.PerOrganization())
}

func (s *Shares) take(payer Payer) {
	s.taken++
	s.held[payer.Seller]++
	s.heldBy[payer.Organization]++
}

// giveBack frees a place, and gives it to the next seller in turn that may have it.
func (s *Shares) giveBack(payer Payer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.held[payer.Seller]--; s.held[payer.Seller] == 0 {
		delete(s.held, payer.Seller)
	}
	if s.heldBy[payer.Organization]--; s.heldBy[payer.Organization] == 0 {
		delete(s.heldBy, payer.Organization)
	}
	if served, waits := s.next(); waits {
		turn := s.queues[served][0]
		s.take(served)
		s.drop(served, 0)
		close(turn)
	}
}

// next finds the seller whose turn it is, and puts it behind the others of its organization, and that behind all others.
func (s *Shares) next() (served Payer, waits bool) {
	for at, of := range s.turns {
		seller := slices.IndexFunc(of, s.mayHold)
		if seller < 0 {
			continue
		}
		served = of[seller]
		of = append(slices.Delete(of, seller, seller+1), served)
		s.turns = append(slices.Delete(s.turns, at, at+1), of)
		return served, true
	}
	return Payer{}, false
}

// line puts a seller that begins to wait behind the others of its organization, or that behind all others.
func (s *Shares) line(payer Payer) {
	at := slices.IndexFunc(s.turns, func(of organization) bool { return of.has(payer) })
	if at < 0 {
		s.turns = append(s.turns, organization{payer})
		return
	}
	s.turns[at] = append(s.turns[at], payer)
}

// leave takes a call that gives up out of its queue, and reports whether it was still there.
func (s *Shares) leave(payer Payer, turn <-chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.queues[payer], func(waiting chan struct{}) bool { return waiting == turn })
	if at >= 0 {
		s.drop(payer, at)
	}
	return at >= 0
}

// drop removes a call from its queue, and a seller without calls from the turns.
func (s *Shares) drop(payer Payer, at int) {
	if s.queues[payer] = slices.Delete(s.queues[payer], at, at+1); len(s.queues[payer]) > 0 {
		return
	}
	delete(s.queues, payer)
	at = slices.IndexFunc(s.turns, func(of organization) bool { return of.has(payer) })
	if of := slices.DeleteFunc(s.turns[at], func(waiting Payer) bool { return waiting == payer }); len(of) > 0 {
		s.turns[at] = of
		return
	}
	s.turns = slices.Delete(s.turns, at, at+1)
}
