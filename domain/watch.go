package domain

import (
	"context"
	"time"
)

// watchEvery is how often a watch looks.
const watchEvery = time.Second

// Watch tells the mark of something at once and then each new one, until the context ends or the caller may not look any
// more. Look authorizes and returns a text that differs whenever what is watched does, at the cost of a look-up in an index:
// every process sees what any other has changed, and no change pays for those who watch.
func Watch(ctx context.Context, look func(context.Context) (string, error)) (<-chan string, error) {
	mark, err := look(ctx)
	if err != nil {
		return nil, err
	}
	marks := make(chan string, 1)
	marks <- mark
	go func() {
		defer close(marks)
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			next, err := lookAgain(ctx, look)
			if err != nil {
				return
			}
			if next == "" || next == mark {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case marks <- next:
				mark = next
			}
		}
	}()
	return marks, nil
}

// lookAgain looks as whoever the credential stands for by now. There is no mark while the database can't be asked: that
// passes, and ends no watch. For the key's usage the call was counted when it started (ASK-1).
func lookAgain(ctx context.Context, look func(context.Context) (string, error)) (string, error) {
	call := CallOf(ctx)
	if call.Again != nil {
		actor, err := call.Again(ctx)
		if HasCode(err, CodeUnavailable) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		call.Key, call.Read = nil, nil
		ctx = WithActor(WithCall(ctx, call), actor)
	}
	mark, err := look(ctx)
	if HasCode(err, CodeUnavailable) {
		return "", nil
	}
	return mark, err
}
