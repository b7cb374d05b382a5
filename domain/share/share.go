// Package share divides a scarce resource, such as database connections, fairly between sellers. It bounds the slots in
// total, per seller, and per organization for all its sellers together. Waiting organizations take turns, and so do the
// sellers of each. Calls of one seller are served in order of arrival (LIMIT-1, LIMIT-4).
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

// Ordinary is the maximum number of rows of an ordinary request. Work on more rows waits for its seller's share.
const Ordinary = 100

// Whole is the number of rows for work on a whole list of any length.
const Whole = math.MaxInt

// Bounds are the number of slots in total and per seller, and how long a call waits for one.
type Bounds struct {
	Total, PerSeller int
	Wait             time.Duration
}

// PerOrganization returns the number of slots that the sellers of one organization can hold together. An organization
// can create any number of sellers, and must leave a slot to other organizations (LIMIT-4). It is always at least
// PerSeller.
func (b Bounds) PerOrganization() int { return max(b.PerSeller, b.Total*7/8) }

// Payer is the owner of the share that a call counts in. Without an organization, only the seller's bound applies.
type Payer struct {
	Seller       ids.Seller
	Organization ids.Org
}

// PayerOf returns the owner of the share that a call counts in: its seller, otherwise its organization or user. Callers
// without a credential share one. Callers that act on no seller are bounded together like an organization, because an
// organization can create any number of accounts.
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

// retryAfter is the Retry-After of a refused caller.
const retryAfter = 5 * time.Second

// Shares hands out slots. It is safe for concurrent use.
type Shares struct {
	bounds Bounds

	mu     sync.Mutex
	taken  int
	held   map[ids.Seller]int
	heldBy map[ids.Org]int
	// queues holds the waiting calls. The channel of a call is closed when it gets its slot.
	queues map[Payer][]chan struct{}
	// turns holds the sellers in queues by organization. The first organization has waited longest for its turn, and so
	// has the first seller in each.
	turns []organization
}

// organization holds waiting sellers that share their turns. A seller without an organization is alone.
type organization []Payer

// has reports whether the seller belongs to the organization.
func (o organization) has(payer Payer) bool {
	return o[0] == payer || (payer.Organization != "" && o[0].Organization == payer.Organization)
}

// New returns Shares with all slots free.
func New(bounds Bounds) *Shares {
	return &Shares{
		bounds: bounds, held: map[ids.Seller]int{}, heldBy: map[ids.Org]int{}, queues: map[Payer][]chan struct{}{},
	}
}

// Take waits for a slot and returns the function that gives it back, which must be called once. It returns RATE_LIMITED
// after the maximum wait, or the context's error if that ends first. The installation's own work has an empty payer.
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
	if !s.leave(payer, turn) { // it got its turn just now
		giveBack()
	}
	return nil, err
}

// Refused returns the error for a call that got no slot in time.
func Refused() *domain.Error {
	return &domain.Error{
		Code:       domain.CodeRateLimited,
		Message:    "Too much work is running; the request was not started. Try again later",
		RetryAfter: retryAfter,
	}
}

// takeOrWait takes a free slot and returns nil, or returns a channel that is closed when the call gets one. A seller's
// slot is never free while another call of the seller waits.
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

// mayHold reports whether the seller and its organization are below their bounds.
func (s *Shares) mayHold(payer Payer) bool {
	return s.held[payer.Seller] < s.bounds.PerSeller &&
		(payer.Organization == "" || s.heldBy[payer.Organization] < s.bounds.PerOrganization())
}

func (s *Shares) take(payer Payer) {
	s.taken++
	s.held[payer.Seller]++
	s.heldBy[payer.Organization]++
}

// giveBack frees a slot and gives it to the next seller in turn that is below its bounds.
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

// next returns the seller whose turn it is. It moves the seller behind the others of its organization, and the
// organization behind all others.
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

// line adds a seller that starts to wait behind the others of its organization. A new organization goes behind all
// others.
func (s *Shares) line(payer Payer) {
	at := slices.IndexFunc(s.turns, func(of organization) bool { return of.has(payer) })
	if at < 0 {
		s.turns = append(s.turns, organization{payer})
		return
	}
	s.turns[at] = append(s.turns[at], payer)
}

// leave removes a call that gives up from its queue, and reports whether it was still there.
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
