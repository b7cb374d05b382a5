package apikey_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// calls authenticates a key on a process, checks the operations, and counts the call with the status.
func (w *fixture) calls(on *db.Store, secret string, status int, operations ...domain.Operation) {
	w.T.Helper()
	call := domain.Call{Key: &domain.KeyCall{}}
	ctx := domain.WithCall(context.Background(), call)
	actor, err := w.authenticator(on).Authenticate(ctx, apikey.Credentials{Bearer: []string{"Bearer " + secret}})
	if err != nil {
		w.T.Fatal(err)
	}
	ctx = domain.WithActor(ctx, actor)
	for _, operation := range operations {
		_ = domain.MayCall(ctx, operation) // as both APIs do before the operation itself
		_, _ = domain.Authorize(ctx, operation)
	}
	on.Credentials().NoteKeyCall(call.Key, status, w.now)
}

func TestUsage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	key := w.create(developer(s1), apikey.NewKey{Permissions: optional.Some([]domain.Permission{"scans:list"})})
	yesterday, today := w.now.AddDate(0, 0, -1), w.now
	used := func(id string) apikey.Usage {
		t.Helper()
		usage, err := w.keys.Usage(developer(s1), id)
		if err != nil {
			t.Fatal(err)
		}
		return usage
	}
	written := func(call func(on *db.Store)) { // a process stores its counts when it stops, at the latest
		on := w.Process()
		on.Credentials().Start(context.Background())
		call(on)
		on.Credentials().Stop(context.Background())
	}

	t.Run("a new key has none", func(t *testing.T) {
		if usage := used(key.ID); usage.ID != key.ID || len(usage.Calls)+len(usage.Used)+len(usage.Refused) != 0 {
			t.Errorf("%+v", usage)
		}
	})

	t.Run("adds up the counts of several processes", func(t *testing.T) {
		for range 2 {
			written(func(on *db.Store) {
				w.now = yesterday
				w.calls(on, key.Secret, 200, domain.ListScans)
				w.now = today
				w.calls(on, key.Secret, 200, domain.ListScans, domain.ListScans)
				w.calls(on, key.Secret, 200, domain.GetAPIKeyInfo)
				w.calls(on, key.Secret, 403, domain.ListEvents)
			})
		}
		usage := used(key.ID)
		midnight := today.Truncate(24 * time.Hour)
		want := fmt.Sprint([]apikey.DayCalls{
			{Day: moment.New(midnight.AddDate(0, 0, -1)), Status: 200, Calls: 2},
			{Day: moment.New(midnight), Status: 200, Calls: 4},
			{Day: moment.New(midnight), Status: 403, Calls: 2},
		})
		if got := fmt.Sprint(usage.Calls); got != want {
			t.Errorf("calls %s, want %s", got, want)
		}
		last := moment.New(today)
		if got, want := fmt.Sprint(usage.Used), fmt.Sprint([]apikey.NeededPermission{{Permission: "scans:list", Calls: 4, LastAt: last}}); got != want {
			t.Errorf("used %s, want %s", got, want)
		}
		if got, want := fmt.Sprint(usage.Refused), fmt.Sprint([]apikey.NeededPermission{{Permission: "events:list", Calls: 2, LastAt: last}}); got != want {
			t.Errorf("refused %s, want %s", got, want)
		}
	})

	t.Run("counts calls of an organization key, which need no permission", func(t *testing.T) {
		own := w.create(user(s1, o1, atOrg(o1, domain.Admin)), apikey.NewKey{OrgID: new(o1)})
		written(func(on *db.Store) { w.calls(on, own.Secret, 200, domain.ListEvents) })
		usage, err := w.keys.Usage(user(s1, o1, atOrg(o1, domain.Admin)), own.ID)
		if err != nil || len(usage.Calls) != 1 || usage.Calls[0].Calls != 1 || len(usage.Used) != 0 {
			t.Errorf("%+v, %v", usage, err)
		}
	})

	t.Run("hides other owners' keys", func(t *testing.T) {
		_, err := w.keys.Usage(developer(s3), key.ID)
		expect(t, err, domain.CodeNotFound, "")
		_, err = w.keys.Usage(user(s1, o1, at(s1, domain.Manager)), key.ID)
		expect(t, err, domain.CodeForbidden, "")
	})

	t.Run("drops old days but keeps permissions", func(t *testing.T) {
		if err := w.Store.PurgeKeyCalls(context.Background(), today); err != nil {
			t.Fatal(err)
		}
		usage := used(key.ID)
		if len(usage.Calls) != 2 || !usage.Calls[0].Day.Equal(today.Truncate(24*time.Hour)) || len(usage.Used) != 1 {
			t.Errorf("%+v", usage)
		}
		w.now = today.AddDate(0, 0, apikey.UsageDays)
		if usage := used(key.ID); len(usage.Calls) != 0 || len(usage.Refused) != 1 {
			t.Errorf("after %d days: %+v", apikey.UsageDays, usage)
		}
		w.now = today
	})
}

func TestCallsWithoutAKeyAreNotCounted(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	credentials := w.Store.Credentials()
	credentials.Start(context.Background())
	credentials.NoteKeyCall(&domain.KeyCall{}, 200, w.now)
	credentials.Stop(context.Background())
	if n := w.Count("SELECT count(*) FROM api_key_calls"); n != 0 {
		t.Errorf("got %d rows, want none", n)
	}
}
