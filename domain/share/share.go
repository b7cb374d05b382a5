// Package share divides what is scarce between sellers, such as database connections: a number of places in all, and of
// them a number for each seller. Sellers who wait get a place in turn, the calls of one seller in the order in which they
// came (LIMIT-1).
package share

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"ticketgate/domain"
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

// retryAfter is when a caller that got no place may try again.
const retryAfter = 5 * time.Second

// Shares hands out places. All methods may be called concurrently.
type Shares struct {
	bounds Bounds

	mu    sync.Mutex
	taken int
	held  map[domain.SellerID]int
	// queues has the calls that wait; a call's channel is closed when it gets its place.
	queues map[domain.SellerID][]chan struct{}
	// turns are the sellers in queues; the first has waited longest for its turn.
	turns []domain.SellerID
}

// New returns shares of which all places are free.
func New(bounds Bounds) *Shares {
	return &Shares{bounds: bounds, held: map[domain.SellerID]int{}, queues: map[domain.SellerID][]chan struct{}{}}
}

// Take waits for a place and returns what gives it back, which is called once. It is RATE_LIMITED if the wait is over, and the context's error
// if that ends first. The installation's own work has an empty seller.
func (s *Shares) Take(ctx context.Context, seller domain.SellerID) (giveBack func(), err error) {
	giveBack = func() { s.giveBack(seller) }
	turn := s.takeOrWait(seller)
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
	if !s.leave(seller, turn) { // its turn came just now
		giveBack()
	}
	return nil, err
}

// Refused is the error of a call for whose seller there was no place in time.
func Refused() *domain.Error {
	return &domain.Error{
		Code:       domain.CodeRateLimited,
		Message:    "Too much work of this seller is running; nothing of this request was done, please try again later",
		RetryAfter: retryAfter,
	}
}

// takeOrWait takes a free place and returns nil, or returns what is closed when the call gets one. A seller's place is never
// free while another call of the seller waits.
func (s *Shares) takeOrWait(seller domain.SellerID) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken < s.bounds.Total && s.held[seller] < s.bounds.PerSeller {
		s.take(seller)
		return nil
	}
	if len(s.queues[seller]) == 0 {
		s.turns = append(s.turns, seller)
	}
	turn := make(chan struct{})
	s.queues[seller] = append(s.queues[seller], turn)
	return turn
}

func (s *Shares) take(seller domain.SellerID) {
	s.taken++
	s.held[seller]++
}

// giveBack frees a place, and gives it to the next seller in turn that may have it.
func (s *Shares) giveBack(seller domain.SellerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.held[seller]--; s.held[seller] == 0 {
		delete(s.held, seller)
	}
	next := slices.IndexFunc(s.turns, func(waiting domain.SellerID) bool { return s.held[waiting] < s.bounds.PerSeller })
	if next < 0 {
		return
	}
	served := s.turns[next]
	turn := s.queues[served][0]
	s.take(served)
	s.drop(served, 0)
	if len(s.queues[served]) > 0 { // behind all others
		s.turns = append(slices.Delete(s.turns, next, next+1), served)
	}
	close(turn)
}

// leave takes a call that gives up out of its queue, and reports whether it was still there.
func (s *Shares) leave(seller domain.SellerID, turn <-chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.queues[seller], func(waiting chan struct{}) bool { return waiting == turn })
	if at >= 0 {
		s.drop(seller, at)
	}
	return at >= 0
}

// drop removes a call from its queue, and a seller without calls from the turns.
func (s *Shares) drop(seller domain.SellerID, at int) {
	if s.queues[seller] = slices.Delete(s.queues[seller], at, at+1); len(s.queues[seller]) > 0 {
		return
	}
	delete(s.queues, seller)
	s.turns = slices.DeleteFunc(s.turns, func(waiting domain.SellerID) bool { return waiting == seller })
}
