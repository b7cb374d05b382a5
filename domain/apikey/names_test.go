package apikey_test

import (
	"context"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/audit"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// A caller who may not list a member does not learn the member's email address from the audit log or from keys.
func TestOnlyListableNamesAreShown(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for id, email := range map[string]string{"u1": "me@example.com", "u2": "ada@example.com", "u3": "org@example.com", "u4": "gone@example.com"} {
		w.Exec(`INSERT INTO users (id, email, email_folded, name, password_hash, created_at, updated_at)
			VALUES ($1, $2, $2, 'Name', '', now(), now())`, id, email)
	}
	w.Exec("INSERT INTO memberships VALUES ('m2', 'u2', $1, NULL, 4, now()), ('m4', 'u4', $2, NULL, 4, now())", string(s1), string(s3))
	w.Exec("INSERT INTO memberships VALUES ('m3', 'u3', NULL, $1, 4, now())", string(o1))
	as := func(id string) context.Context {
		return domain.WithActor(context.Background(), &domain.Actor{
			Kind: domain.UserActor, ID: id, SellerID: s1, OrgID: o1, Memberships: []domain.Membership{at(s1, domain.Admin)},
		})
	}
	for _, id := range []string{"u1", "u2", "u3", "u4"} {
		w.create(as(id), apikey.NewKey{Name: id})
	}
	w.create(system(s1), apikey.NewKey{Name: "the platform's"})
	platform := domain.WithActor(context.Background(), &domain.Actor{Kind: domain.SystemActor, SellerID: s1, OrgID: o1})
	for name, c := range map[string]struct {
		caller context.Context //nolint:containedctx // the caller is part of the case
		want   [5]string
		log    bool
	}{
		"a developer": {developer(s1), [5]string{"me@example.com"}, false},
		"an administrator": {
			user(s1, o1, at(s1, domain.Admin)), [5]string{"me@example.com", "ada@example.com"}, true,
		},
		"an administrator of the organization": {
			user(s1, o1, atOrg(o1, domain.Admin)), [5]string{"me@example.com", "ada@example.com", "org@example.com"}, true,
		},
		"the platform": {platform, [5]string{"", "ada@example.com", "org@example.com"}, true},
	} {
		keys, err := w.keys.List(c.caller, nil)
		if err != nil || len(keys) != len(c.want) {
			t.Fatalf("%s: %d keys, %v", name, len(keys), err)
		}
		for i, key := range keys {
			item, err := w.keys.Get(c.caller, key.ID)
			if err != nil || text(key.CreatorName) != c.want[i] || text(item.CreatorName) != c.want[i] {
				t.Errorf("%s: key created by %s: name %q in the list, %q alone, want %q, %v",
					name, key.Name, text(key.CreatorName), text(item.CreatorName), c.want[i], err)
			}
		}
		if !c.log {
			continue
		}
		log, err := audit.Log{Store: w.Store.Audit()}.List(c.caller, audit.Filter{}, domain.Page{Limit: 10})
		if err != nil || len(log.Items) != len(c.want) {
			t.Fatalf("%s: %d entries, %v", name, len(log.Items), err)
		}
		for i, entry := range log.Items {
			if text(entry.ActorName) != c.want[i] {
				t.Errorf("%s: entry by %s %q, want %q", name, entry.ActorID, text(entry.ActorName), c.want[i])
			}
		}
	}
}

// Keys and devices are shown with their current names, and only at their own seller.
func TestKeysAndDevicesAreNamedInTheLog(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	own, other := w.create(system(s1), apikey.NewKey{Name: "Own"}), w.create(system(s3), apikey.NewKey{Name: "Other"})
	w.Exec(`INSERT INTO audit_entries (id, at, seller_id, actor_kind, actor_id, action, object, object_id, before, after, address, request_id)
		SELECT kind, now(), $1, kind, actor, 'a', 'o', 'x', 'null', 'null', '', ''
		FROM (VALUES ('API_KEY', $2), ('ORGANIZATION_KEY', $3), ('DEVICE', 'gone')) v (kind, actor)`, string(s1), own.ID, other.ID)
	log, err := audit.Log{Store: w.Store.Audit()}.List(system(s1), audit.Filter{Action: "a"}, domain.Page{Limit: 10})
	if err != nil || len(log.Items) != 3 {
		t.Fatal(len(log.Items), err)
	}
	both := audit.Filter{ActionIn: []string{"a", "b"}, ObjectIn: []string{"o"}, Action: "a"}
	for want, filter := range map[int]audit.Filter{3: both, 0: {ActionIn: []string{"b"}}, 4: {ActionIn: []string{"a", "createApiKey"}}} {
		found, err := audit.Log{Store: w.Store.Audit()}.List(system(s1), filter, domain.Page{Limit: 10})
		if err != nil || len(found.Items) != want {
			t.Errorf("%+v: %d entries, want %d, %v", filter, len(found.Items), want, err)
		}
	}
	past, ahead := moment.New(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)), moment.New(time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC))
	for want, filter := range map[int]audit.Filter{
		0: {ActionIn: []string{"a"}, AtFrom: &ahead}, 3: {Action: "a", AtFrom: &past, AtUntil: &ahead}, 4: {AtUntil: &ahead, From: &past},
	} {
		found, err := audit.Log{Store: w.Store.Audit()}.List(system(s1), filter, domain.Page{Limit: 10})
		if err != nil || len(found.Items) != want {
			t.Errorf("%+v: %d entries, want %d, %v", filter, len(found.Items), want, err)
		}
	}
	for i, want := range []string{"Own", "", ""} {
		if text(log.Items[i].ActorName) != want {
			t.Errorf("actor %s has name %q, want %q", log.Items[i].ActorType, text(log.Items[i].ActorName), want)
		}
	}
}

func TestKeysAreFoundByTheirTimes(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	soon, later := moment.New(w.now.Add(time.Hour)), moment.New(w.now.Add(2*time.Hour))
	w.create(system(s1), apikey.NewKey{Name: "soon", ExpiresAt: optional.Some(soon)})
	used := w.create(system(s1), apikey.NewKey{Name: "later", ExpiresAt: optional.Some(later)})
	w.create(system(s1), apikey.NewKey{Name: "never"})
	w.Exec("INSERT INTO api_key_uses (api_key_id, last_used_at) VALUES ($1, $2)", used.ID, w.now)
	now, next := moment.New(w.now), moment.New(w.now.Add(time.Millisecond))
	for want, filter := range map[string]apikey.Filter{
		"soon ":             {ExpiresUntil: &later},
		"later ":            {ExpiresFrom: &later},
		"soon later ":       {ExpiresFrom: &soon},
		"soon never ":       {UnusedSince: &now},
		"soon later never ": {UnusedSince: &next},
	} {
		found, err := w.keys.Find(system(s1), nil, filter, domain.Page{Limit: 10})
		got := ""
		for _, key := range found.Items {
			got += key.Name + " "
		}
		if err != nil || got != want {
			t.Errorf("%+v: %q, want %q, %v", filter, got, want, err)
		}
	}
}

func text(name *string) string {
	if name == nil {
		return ""
	}
	return *name
}
