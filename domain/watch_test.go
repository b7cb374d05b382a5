package domain_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain"
)

// looks returns its marks one after the other and repeats the last one.
type looks struct {
	marks  []string
	errs   map[int]error
	count  int
	actors []string
}

func (l *looks) look(ctx context.Context) (string, error) {
	l.count++
	l.actors = append(l.actors, domain.ActorOf(ctx).ID)
	return l.marks[min(l.count, len(l.marks))-1], l.errs[l.count]
}

func TestWatchSendsEachNewMarkOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := &looks{marks: []string{"a", "a", "b", "b", "c"}}
		marks, err := domain.Watch(ctx, l.look)
		if err != nil {
			t.Fatal(err)
		}
		started := time.Now()
		for i, want := range []string{"a", "b", "c"} {
			if got := <-marks; got != want {
				t.Fatalf("mark %d is %q, want %q", i, got, want)
			}
		}
		if passed := time.Since(started); passed != 4*time.Second || l.count != 5 {
			t.Errorf("looked %d times in %s", l.count, passed)
		}
		cancel()
		if _, more := <-marks; more {
			t.Error("got a mark after the end")
		}
	})
}

func TestWatchEndsWhenTheCallerLosesAccess(t *testing.T) {
	refused := domain.Unauthenticated("The session has ended")
	t.Run("before the first mark", func(t *testing.T) {
		l := &looks{marks: []string{""}, errs: map[int]error{1: refused}}
		if _, err := domain.Watch(t.Context(), l.look); !errors.Is(err, refused) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("after a database outage", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			away := domain.Unavailable(errors.New("gone"))
			l := &looks{marks: []string{"a", "", "b", ""}, errs: map[int]error{2: away, 4: refused}}
			marks, err := domain.Watch(t.Context(), l.look)
			if first, second := <-marks, <-marks; err != nil || first != "a" || second != "b" {
				t.Errorf("marks %q and %q, %v", first, second, err)
			}
			if mark, more := <-marks; more {
				t.Errorf("then %q", mark)
			}
		})
	})
	t.Run("when the credential expires", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			l := &looks{marks: []string{"a", "b", "c"}}
			asked := 0
			ctx := domain.WithCall(t.Context(), domain.Call{Again: func(context.Context) (*domain.Actor, error) {
				if asked++; asked == 2 {
					return nil, domain.Unavailable(errors.New("gone"))
				}
				if asked == 4 {
					return nil, refused
				}
				return &domain.Actor{ID: "later"}, nil
			}})
			marks, err := domain.Watch(domain.WithActor(ctx, &domain.Actor{ID: "first"}), l.look)
			var got []string
			for mark := range marks {
				got = append(got, mark)
			}
			if err != nil || len(got) != 3 || l.actors[0] != "first" || l.actors[1] != "later" || len(l.actors) != 3 {
				t.Errorf("marks %v seen by %v, %v", got, l.actors, err)
			}
		})
	})
}
