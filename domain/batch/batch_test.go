package batch_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain/batch"
)

var errRefused = errors.New("refused")

// doubling doubles numbers, records its batches, and refuses batches that contain 13.
type doubling struct {
	mu      sync.Mutex
	batches [][]int
	hold    chan struct{} // each batch waits for a token
}

func (d *doubling) work(_ context.Context, calls []int) ([]int, error) {
	<-d.hold
	d.mu.Lock()
	defer d.mu.Unlock()
	d.batches = append(d.batches, slices.Clone(calls))
	answers := make([]int, len(calls))
	for i, n := range calls {
		if n == 13 {
			return nil, errRefused
		}
		answers[i] = 2 * n
	}
	return answers, nil
}

// answers holds the results of calls by their argument.
type answers struct {
	mu   sync.Mutex
	got  map[int]int
	errs map[int]error
}

// ask starts calls one after the other without waiting for their results.
func ask(ctx context.Context, g *batch.Group[int, int], numbers ...int) *answers {
	a := &answers{got: map[int]int{}, errs: map[int]error{}}
	for _, n := range numbers {
		go func() {
			out, err := g.Do(ctx, n)
			a.mu.Lock()
			defer a.mu.Unlock()
			a.got[n], a.errs[n] = out, err
		}()
		synctest.Wait()
	}
	return a
}

func TestCallsDuringABatchAreTheNextBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{Work: d.work, Max: 3, Timeout: time.Minute}
		a := ask(t.Context(), g, 1, 2, 3, 4, 5)
		close(d.hold)
		synctest.Wait()
		want := [][]int{{1}, {2, 3, 4}, {5}}
		if !slices.EqualFunc(d.batches, want, slices.Equal[[]int]) {
			t.Errorf("batches %v, want %v", d.batches, want)
		}
		for n := 1; n <= 5; n++ {
			if a.got[n] != 2*n || a.errs[n] != nil {
				t.Errorf("%d: %d, %v", n, a.got[n], a.errs[n])
			}
		}
	})
}

func TestBatchIsBoundedByWeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{Work: d.work, Max: 10, Weight: func(n int) int { return n }, Timeout: time.Minute}
		ask(t.Context(), g, 1, 4, 6, 3, 20, 2, 5)
		close(d.hold)
		synctest.Wait()
		want := [][]int{{1}, {4, 6}, {3}, {20}, {2, 5}}
		if !slices.EqualFunc(d.batches, want, slices.Equal[[]int]) {
			t.Errorf("batches %v, want %v", d.batches, want)
		}
	})
}

func TestAFailingCallDoesNotAffectOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{Work: d.work, Max: 10, Timeout: time.Minute}
		a := ask(t.Context(), g, 1, 2, 13, 4)
		close(d.hold)
		synctest.Wait()
		want := [][]int{{1}, {2, 13, 4}, {2}, {13}, {4}}
		if !slices.EqualFunc(d.batches, want, slices.Equal[[]int]) {
			t.Errorf("batches %v, want %v", d.batches, want)
		}
		if a.got[2] != 4 || a.got[4] != 8 || !errors.Is(a.errs[13], errRefused) || a.errs[2] != nil || a.errs[4] != nil {
			t.Errorf("results %v, errors %v", a.got, a.errs)
		}
	})
}

func TestABatchThatMayHaveSucceededIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{
			Work: d.work, Max: 10, Timeout: time.Minute, Undone: func(err error) bool { return !errors.Is(err, errRefused) },
		}
		a := ask(t.Context(), g, 1, 2, 13)
		close(d.hold)
		synctest.Wait()
		if len(d.batches) != 2 || !errors.Is(a.errs[2], errRefused) || !errors.Is(a.errs[13], errRefused) {
			t.Errorf("batches %v, errors %v", d.batches, a.errs)
		}
	})
}

func TestCanceledCallerDoesNotStopBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{Work: d.work, Max: 10, Timeout: time.Minute}
		impatient, cancel := context.WithCancel(t.Context())
		gone := ask(impatient, g, 1)
		waits := ask(t.Context(), g, 2)
		cancel()
		synctest.Wait()
		if !errors.Is(gone.errs[1], context.Canceled) {
			t.Errorf("the canceled caller got %v", gone.errs[1])
		}
		close(d.hold)
		synctest.Wait()
		if waits.got[2] != 4 || len(d.batches) != 2 {
			t.Errorf("got %v in %v", waits.got, d.batches)
		}
	})
}

func TestAFaultyBatchFunctionIsAnError(t *testing.T) {
	for name, work := range map[string]func(context.Context, []int) ([]int, error){
		"a panic":          func(context.Context, []int) ([]int, error) { panic("no") },
		"too many results": func(context.Context, []int) ([]int, error) { return []int{1, 2}, nil },
		"too few results":  func(context.Context, []int) ([]int, error) { return nil, nil },
		"timeout":          func(ctx context.Context, _ []int) ([]int, error) { <-ctx.Done(); return nil, ctx.Err() },
		"error":            func(context.Context, []int) ([]int, error) { return []int{1}, errRefused },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := &batch.Group[int, int]{Work: work, Max: 10, Timeout: time.Second}
				for range 2 { // the group keeps working afterwards
					if out, err := g.Do(t.Context(), 1); err == nil || out != 0 {
						t.Errorf("got %d, %v", out, err)
					}
				}
			})
		})
	}
}

func TestBatchesRunInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{Work: d.work, Max: 10, Timeout: time.Minute, Parallel: 2}
		a := ask(t.Context(), g, 1, 2, 3, 4)
		for range 3 {
			d.hold <- struct{}{}
			synctest.Wait()
		}
		if len(a.got) != 4 || len(d.batches) != 3 || !slices.Equal(d.batches[2], []int{3, 4}) {
			t.Errorf("results %v in batches %v, want two of one call and one of two", a.got, d.batches)
		}
	})
}

func TestWaitingCallsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &doubling{hold: make(chan struct{})}
		g := &batch.Group[int, int]{Work: d.work, Max: 4, Timeout: time.Minute, Whose: func(n int) batch.Whose {
			return batch.Whose{Within: fmt.Sprint(n / 100), Who: fmt.Sprint(n / 10)}
		}}
		a := ask(t.Context(), g, 1, 100, 101, 102, 110, 103, 200, 104, 210, 300)
		for range 4 {
			d.hold <- struct{}{}
			synctest.Wait()
		}
		want := [][]int{{1}, {100, 200, 300, 110}, {210, 101, 102, 103}, {104}}
		if len(a.got) != 10 || !slices.EqualFunc(d.batches, want, slices.Equal) {
			t.Errorf("batches %v, want %v", d.batches, want)
		}
	})
}
