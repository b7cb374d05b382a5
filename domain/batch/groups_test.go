package batch_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"ticketgate/domain/batch"
)

// Calls of one key share batches and never wait for another key's.
func TestEachKeyHasItsOwnBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var created int
		held := map[int]*doubling{}
		groups := batch.Groups[int, int, int]{New: func() *batch.Group[int, int] {
			created++
			d := &doubling{hold: make(chan struct{})}
			held[created] = d
			return &batch.Group[int, int]{Work: d.work, Max: 10, Timeout: time.Minute}
		}}
		answers := make(chan int, 10)
		ask := func(key int, numbers ...int) {
			for _, n := range numbers {
				go func() {
					if out, err := groups.Do(context.WithoutCancel(t.Context()), key, n); err == nil {
						answers <- out
					}
				}()
				synctest.Wait()
			}
		}
		ask(1, 1, 2, 3)
		ask(2, 10)
		close(held[2].hold)
		synctest.Wait()
		if len(answers) != 1 || <-answers != 20 {
			t.Error("calls of one key waited for another key's")
		}
		close(held[1].hold)
		synctest.Wait()
		if want := [][]int{{1}, {2, 3}}; len(answers) != 3 || !slices.EqualFunc(held[1].batches, want, slices.Equal[[]int]) {
			t.Errorf("batches %v, want %v", held[1].batches, want)
		}
		ask(1, 4)
		if created != 3 {
			t.Errorf("%d groups were created, although unused ones are removed", created)
		}
		close(held[3].hold)
	})
}
