package share_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// queue starts calls that record their names when they get a slot and hold it until their hold is closed.
type queue struct {
	t      *testing.T
	shares *share.Shares

	mu  sync.Mutex
	got []string
}

func (q *queue) note(name string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.got = append(q.got, name)
}

func (q *queue) call(ctx context.Context, seller string, name string) (giveBack func()) {
	q.t.Helper()
	end := make(chan struct{})
	go func() {
		back, err := q.shares.Take(ctx, payer(seller))
		if err != nil {
			q.note(name + ": " + string(domain.AsError(err).Code))
			return
		}
		q.note(name)
		<-end
		back()
	}()
	synctest.Wait()
	return func() { close(end); synctest.Wait() }
}

// payer parses a seller, or an organization and one of its sellers: "o/a".
func payer(text string) share.Payer {
	organization, seller, found := strings.Cut(text, "/")
	if !found {
		return share.Payer{Seller: ids.Seller(text)}
	}
	return share.Payer{Seller: ids.Seller(seller), Organization: ids.Org(organization)}
}

func (q *queue) expect(names ...string) {
	q.t.Helper()
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Equal(q.got, names) {
		q.t.Errorf("got %q, want %q", q.got, names)
	}
}

func start(t *testing.T, total, perSeller int) *queue {
	return &queue{t: t, shares: share.New(share.Bounds{Total: total, PerSeller: perSeller, Wait: 20 * time.Second})}
}

func TestShares(t *testing.T) {
	t.Run("leave a slot to a seller while another holds its maximum", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := start(t, 4, 2)
			item := q.call(t.Context(), "a", "a1")
			two := q.call(t.Context(), "a", "a2")
			three := q.call(t.Context(), "a", "a3")
			four := q.call(t.Context(), "b", "b1")
			q.expect("a1", "a2", "b1")
			item()
			q.expect("a1", "a2", "b1", "a3")
			two()
			three()
			four()
		})
	})
	t.Run("serve sellers in turn, and a seller's calls in order", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := start(t, 1, 1)
			end := q.call(t.Context(), "a", "a0")
			var ends []func()
			for _, name := range []string{"a1", "a2", "a3", "b1", "b2", "c1"} {
				ends = append(ends, q.call(t.Context(), name[:1], name))
			}
			end()
			for _, at := range []int{0, 3, 5, 1, 4, 2} { // in the order of their slots
				ends[at]()
			}
			q.expect("a0", "a1", "b1", "c1", "a2", "b2", "a3")
		})
	})
	t.Run("leave a slot to an organization while the sellers of another ask for all", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := start(t, 4, 2) // an organization gets three
			var ends []func()
			for _, seller := range []string{"o/a", "o/b", "o/c", "o/d", "p/e", "o/f"} {
				ends = append(ends, q.call(t.Context(), seller, seller))
			}
			q.expect("o/a", "o/b", "o/c", "p/e")
			ends[4]() // the other organization's slot stays free
			q.expect("o/a", "o/b", "o/c", "p/e")
			ends[0]()
			q.expect("o/a", "o/b", "o/c", "p/e", "o/d")
			for _, at := range []int{1, 2, 3, 5} {
				ends[at]()
			}
			q.expect("o/a", "o/b", "o/c", "p/e", "o/d", "o/f")
		})
	})
	t.Run("serve organizations in turn, and the sellers of each", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := start(t, 2, 1) // an organization gets one of the two
			var ends []func()
			names := []string{"x", "o/a", "o/b", "o/c", "o/d", "p/e", "p/f", "y", "p/e"}
			for _, name := range names {
				ends = append(ends, q.call(t.Context(), name, name))
			}
			q.expect("x", "o/a")
			ends[0]()
			q.expect("x", "o/a", "p/e")
			for _, at := range []int{1, 5, 2, 7, 6, 3, 8, 4} { // in the order of their slots
				ends[at]()
			}
			q.expect("x", "o/a", "p/e", "o/b", "y", "p/f", "o/c", "p/e", "o/d")
		})
	})
	t.Run("refuse a call after the maximum wait and serve the others", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := start(t, 1, 1)
			end := q.call(t.Context(), "a", "a0")
			defer q.call(t.Context(), "a", "a1")()
			time.Sleep(10 * time.Second) //nolint:forbidigo // the bubble has its own clock
			later := q.call(t.Context(), "a", "a2")
			time.Sleep(11 * time.Second) //nolint:forbidigo // the bubble has its own clock
			q.expect("a0", "a1: RATE_LIMITED")
			end()
			q.expect("a0", "a1: RATE_LIMITED", "a2")
			later()
		})
	})
	t.Run("drop a call whose caller has gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			q := start(t, 1, 1)
			end := q.call(t.Context(), "a", "a0")
			ctx, cancel := context.WithCancel(t.Context())
			defer q.call(ctx, "b", "b1")()
			later := q.call(t.Context(), "c", "c1")
			cancel()
			end()
			later()
			if _, err := q.shares.Take(ctx, payer("b")); err != nil {
				t.Errorf("a slot is free, but the call got %v", err)
			}
			q.expect("a0", "b1: INTERNAL", "c1")
		})
	})
}

func TestARefusedCallGetsRetryAfter(t *testing.T) {
	t.Parallel()
	shares := share.New(share.Bounds{Total: 1, PerSeller: 1})
	back, err := shares.Take(t.Context(), payer("a"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = shares.Take(t.Context(), payer("a"))
	if refused, ok := errors.AsType[*domain.Error](err); !ok || refused.Code != domain.CodeRateLimited || refused.RetryAfter <= 0 {
		t.Errorf("got %v", err)
	}
	back()
	if _, err := shares.Take(t.Context(), payer("a")); err != nil {
		t.Errorf("the returned slot is not free: %v", err)
	}
}

func TestPayerOfACall(t *testing.T) {
	t.Parallel()
	const others = "callers of no seller"
	for name, row := range map[string]struct {
		actor domain.Actor
		want  share.Payer
	}{
		"a key":                     {domain.Actor{Kind: domain.APIKeyActor, ID: "k", SellerID: "s", OrgID: "o"}, share.Payer{Seller: "s", Organization: "o"}},
		"a user at a seller":        {domain.Actor{Kind: domain.UserActor, ID: "u", SellerID: "s", OrgID: "o"}, share.Payer{Seller: "s", Organization: "o"}},
		"an organization's key":     {domain.Actor{Kind: domain.OrganizationKeyActor, ID: "k", OrgID: "o"}, share.Payer{Seller: "organization o", Organization: "o"}},
		"a user at no seller":       {domain.Actor{Kind: domain.UserActor, ID: "u"}, share.Payer{Seller: "caller u", Organization: others}},
		"no credential":             {domain.Actor{}, share.Payer{Seller: "caller ", Organization: others}},
		"the platform":              {domain.Actor{Kind: domain.SystemActor, ID: domain.SystemID}, share.Payer{Seller: "caller system"}},
		"the platform for a seller": {domain.Actor{Kind: domain.SystemActor, SellerID: "s", OrgID: "o"}, share.Payer{Seller: "s", Organization: "o"}},
	} {
		if got := share.PayerOf(&row.actor); got != row.want {
			t.Errorf("%s: got %+v, want %+v", name, got, row.want)
		}
	}
}
