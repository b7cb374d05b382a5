package program

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/secrets"
)

// noOneKnown is an authenticator that knows no credential. It waits until it is told to continue.
type noOneKnown struct {
	mutex     sync.Mutex
	now, most int
	entered   chan struct{}
	goOn      chan struct{}
}

// Authenticate records how many calls run at the same time.
func (c *noOneKnown) Authenticate(context.Context, apikey.Credentials) (*domain.Actor, error) {
	c.enter(1)
	defer c.enter(-1)
	c.entered <- struct{}{}
	<-c.goOn
	return nil, domain.Unauthenticated("")
}

func (c *noOneKnown) enter(by int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now += by
	c.most = max(c.most, c.now)
}

func TestGuessesAreLookedUpOneAtATime(t *testing.T) {
	t.Parallel()
	inner := &noOneKnown{entered: make(chan struct{}, 100), goOn: make(chan struct{})}
	bound := newGuesses(inner, &Config{})
	bound.failed = &limiter{rate: rate.Every(time.Hour), burst: 1, newer: map[string]*rate.Limiter{}}
	for n := range 2 {
		systemtest.Must(t, bound.failed.take(fmt.Sprintf("192.0.2.%d", n), time.Now()))
	}
	var calls sync.WaitGroup
	for n := range 10 {
		ctx := domain.WithCall(t.Context(), domain.Call{Address: fmt.Sprintf("192.0.2.%d", n%2)})
		sent := apikey.Credentials{Bearer: []string{"Bearer " + secrets.New(secrets.APIKey)}}
		calls.Go(func() {
			if _, err := bound.Authenticate(ctx, sent); !domain.HasCode(err, domain.CodeRateLimited) {
				t.Errorf("got %v", err)
			}
		})
	}
	for range 10 {
		<-inner.entered
		inner.goOn <- struct{}{}
	}
	calls.Wait()
	if inner.most > 2 {
		t.Errorf("%d look-ups ran at the same time for two addresses", inner.most)
	}
}
