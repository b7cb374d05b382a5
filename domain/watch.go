package domain

import (
	"context"
	"time"
)

// watchEvery is the polling interval of a watch.
const watchEvery = time.Second

// Watch sends the current mark of a watched thing, then each new mark, until the context ends or the caller loses the
// right. look authorizes the caller and returns a mark that differs whenever the watched thing does, at the cost of one
// index lookup. Because Watch polls, it sees the changes of every process, and changes cost nothing extra.
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

// lookAgain authenticates the caller again and calls look. It returns "" while the database is unavailable, because an
// outage must not end the watch. The call was counted in the key's usage when it started, so it isn't counted again
// (ASK-1).
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
