package program

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"ticketgate/domain"
)

func TestLimiter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC)

	t.Run("admits a burst and returns the wait for the next call", func(t *testing.T) {
		t.Parallel()
		limit := newLimiter(&Config{PublicRate: 2, PublicBurst: 3})
		for i := range 3 {
			if err := limit.take("a", now); err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		}
		var refused *domain.Error
		err := limit.take("a", now)
		if !errors.As(err, &refused) || refused.Code != domain.CodeRateLimited || refused.RetryAfter != 500*time.Millisecond {
			t.Errorf("the fourth: got %v", err)
		}
		if err := limit.take("a", now.Add(499*time.Millisecond)); err == nil {
			t.Error("a token was available too early")
		}
		if err := limit.take("a", now.Add(500*time.Millisecond)); err != nil {
			t.Errorf("after the wait: %v", err)
		}
		if err := limit.take("b", now); err != nil {
			t.Errorf("another caller: %v", err)
		}
	})

	t.Run("drops callers that stay away and keeps the others", func(t *testing.T) {
		t.Parallel()
		limit := newLimiter(&Config{PublicRate: 1, PublicBurst: 1})
		for i := range 2*limiterBound + 10 {
			_ = limit.take(strconv.Itoa(i), now)
			if i%1000 == 0 && limit.take("regular", now) == nil && i > 0 {
				t.Fatal("the regular caller's bucket was dropped")
			}
		}
		if known := len(limit.newer) + len(limit.older); known > 2*limiterBound {
			t.Errorf("%d callers are kept", known)
		}
		if err := limit.take("0", now); err != nil {
			t.Errorf("the first caller's bucket was not dropped: %v", err)
		}
	})
}

func TestSubjectOfACall(t *testing.T) {
	t.Parallel()
	nobody, user := &domain.Actor{}, &domain.Actor{Kind: domain.UserActor, ID: "u"}
	key, device := &domain.Actor{Kind: domain.APIKeyActor, ID: "k"}, &domain.Actor{Kind: domain.DeviceActor, ID: "d"}
	for _, row := range []struct {
		actor         *domain.Actor
		address, want string
	}{
		{nobody, "192.0.2.7", "address 192.0.2.7"},
		{user, "192.0.2.7", "address 192.0.2.7"},
		{key, "192.0.2.7", "actor k"},
		{device, "192.0.2.7", "actor d"},
		{nobody, "2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2::/64"},
		{nobody, "2001:db8:1:2:ffff::1", "address 2001:db8:1:2::/64"},
		{nobody, "2001:db8:1:3::1", "address 2001:db8:1:3::/64"},
		{nobody, "no address", ""},
		{nobody, "::ffff:192.0.2.7", "address 192.0.2.7"},
	} {
		if got := subjectOf(row.actor, domain.Call{Address: row.address}); got != row.want {
			t.Errorf("%v from %s: got %q, want %q", row.actor.Kind, row.address, got, row.want)
		}
	}
	shared := domain.Call{Address: "127.0.0.1", SharedAddress: true}
	if got := subjectOf(nobody, shared); got != "" {
		t.Errorf("callers behind an unknown proxy share the bucket %q", got)
	}
	if got := subjectOf(key, shared); got != "actor k" {
		t.Errorf("a key behind an unknown proxy has the bucket %q", got)
	}
}
