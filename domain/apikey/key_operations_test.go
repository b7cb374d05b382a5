package apikey_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

func TestCreateAndList(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	key := w.create(developer(s1), apikey.NewKey{
		Name: "  Gate  ", ExpiresAt: optional.Some(moment.New(w.now.Add(time.Hour))),
		Permissions: optional.Some([]domain.Permission{"scans:list", "scans:create", "scans:list"}),
	})
	encoded, err := json.Marshal(key)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"_id":"` + key.ID + `","name":"Gate","key":"` + key.Secret + `","createdAt":"2026-11-27T12:00:00.000Z",` +
		`"updatedAt":"2026-11-27T12:00:00.000Z","active":true,"sellerId":"` + string(s1) + `","createdBy":{"type":"USER","id":"u1"},` +
		`"expiresAt":"2026-11-27T13:00:00.000Z","version":1,"fullSellerAccess":false,"permissions":["scans:list","scans:create"],` +
		`"hint":"` + key.Secret[:8] + "…" + key.Secret[96:] + `"}`
	if string(encoded) != want {
		t.Errorf("created\n%s, want\n%s", encoded, want)
	}
	second := w.create(system(s1), apikey.NewKey{Name: "All", FullSellerAccess: optional.Some(true)})
	w.create(developer(s3), apikey.NewKey{})

	list, err := w.keys.List(developer(s1), nil)
	if err != nil || len(list) != 2 || list[0].ID != key.ID || list[1].ID != second.ID {
		t.Fatalf("listed %+v, %v", list, err)
	}
	shown, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{key.Secret, key.Secret[8:40], second.Secret} {
		if strings.Contains(string(shown), secret) {
			t.Errorf("the list contains a secret: %s", shown)
		}
	}
	if !strings.Contains(string(shown), `"expiresAt":null,"version":1,"fullSellerAccess":true,"permissions":[]`) {
		t.Errorf("the key without expiry is %s", shown)
	}
	if list[1].CreatedBy.Type != domain.CreatedBySystem {
		t.Errorf("created by %+v", list[1].CreatedBy)
	}
	got, err := w.keys.Get(developer(s1), key.ID)
	key.Secret = ""
	if err != nil || !sameJSON(t, got, key) {
		t.Errorf("get: %+v, %v", got, err)
	}
}

func sameJSON(t *testing.T, a, b any) bool {
	t.Helper()
	item, err1 := json.Marshal(a)
	two, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(item, two)
}

func TestAllFaultsOfANewKeyAreNamedTogether(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	_, err := w.keys.Create(developer(s1), apikey.NewKey{
		Name: " ", ExpiresAt: optional.Some(moment.New(w.now)),
		Permissions: optional.Some([]domain.Permission{"scans:list", "scans:*", "nothing"}),
	})
	fields := domain.AsError(err).Fields
	paths := make([]string, 0, len(fields))
	for _, field := range fields {
		paths = append(paths, field.Path)
	}
	if want := []string{"name", "expiresAt", "permissions[1]", "permissions[2]"}; !slices.Equal(paths, want) {
		t.Errorf("paths %v, want %v", paths, want)
	}
	_, err = w.keys.Create(user("", "", atOrg(o1, domain.Admin)), apikey.NewKey{
		Name: "n", OrgID: new(o1), Permissions: optional.Some([]domain.Permission{}), FullSellerAccess: optional.Some(true),
	})
	expect(t, err, domain.CodeValidationFailed, "permissions is allowed only for keys of a seller; "+
		"fullSellerAccess is allowed only for keys of a seller")
	if keys := w.Count("SELECT count(*) FROM api_keys"); keys != 0 {
		t.Errorf("%d keys were stored", keys)
	}
}

// Keys never manage keys, other owners' keys are not found, and roles decide for sessions (KEY-3).
func TestKeyPermissions(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	sellers := w.create(developer(s1), apikey.NewKey{FullSellerAccess: optional.Some(true)})
	others := w.create(developer(s3), apikey.NewKey{})
	admin := user(s1, o1, atOrg(o1, domain.Admin))
	orgs := w.create(admin, apikey.NewKey{OrgID: new(o1)})
	othersOrg := w.create(user("", "", atOrg(o2, domain.Admin)), apikey.NewKey{OrgID: new(o2)})
	bySecret := func(key apikey.Key) context.Context {
		ctx, err := w.calling(key.Secret, "")
		if err != nil {
			t.Fatal(err)
		}
		return ctx
	}
	const none, forbidden, unknown = domain.Code(""), domain.CodeForbidden, domain.CodeNotFound
	const unauthenticated, unnamed = domain.CodeUnauthenticated, domain.CodeInvalidRequest
	for _, c := range []struct {
		name                                string
		ctx                                 context.Context //nolint:containedctx // the caller is the test case
		own, foreign, org, foreignOrg, list domain.Code
	}{
		{"nobody", context.Background(), unauthenticated, unauthenticated, unauthenticated, unauthenticated, unauthenticated},
		{"a full access key", bySecret(sellers), forbidden, forbidden, forbidden, forbidden, forbidden},
		{"an organization key", bySecret(orgs), forbidden, forbidden, forbidden, forbidden, forbidden},
		{"a manager", user(s1, o1, at(s1, domain.Manager)), forbidden, forbidden, forbidden, forbidden, forbidden},
		{"a developer", developer(s1), none, unknown, unknown, unknown, none},
		{"a developer of the organization", user(s1, o1, atOrg(o1, domain.Developer)), none, unknown, unknown, unknown, none},
		{"an admin of the organization", admin, none, unknown, none, unknown, none},
		{
			"an admin of the organization without a seller", user("", "", atOrg(o1, domain.Admin)),
			forbidden, forbidden, none, forbidden, forbidden,
		},
		{
			"a viewer who administers another organization", user(s1, o1, at(s1, domain.Viewer), atOrg(o2, domain.Admin)),
			forbidden, forbidden, forbidden, none, forbidden,
		},
		{"the platform for a seller", system(s1), none, unknown, none, none, none},
		{"the platform without a seller", system(""), unnamed, unnamed, none, none, unnamed},
	} {
		for id, want := range map[string]domain.Code{sellers.ID: c.own, others.ID: c.foreign, orgs.ID: c.org, othersOrg.ID: c.foreignOrg} {
			_, err := w.keys.Get(c.ctx, id)
			check(t, c.name+" gets "+id, err, want)
			_, err = w.keys.Update(c.ctx, id, apikey.Change{Name: optional.Some("Gate")})
			check(t, c.name+" updates "+id, err, want)
		}
		_, err := w.keys.List(c.ctx, nil)
		check(t, c.name+" lists", err, c.list)
		_, err = w.keys.Rotate(c.ctx, apikey.Rotation{ID: others.ID})
		check(t, c.name+" rotates", err, c.foreign)
	}
	if ofOrg, err := w.keys.List(admin, &o1); err != nil || len(ofOrg) != 1 || ofOrg[0].ID != orgs.ID || ofOrg[0].Permissions != nil {
		t.Errorf("the organization's keys: %+v, %v", ofOrg, err)
	}
	_, err := w.keys.List(admin, &o2)
	expect(t, err, domain.CodeNotFound, "Organization not found")
	_, err = w.keys.Create(system(""), apikey.NewKey{Name: "n", OrgID: new(ids.Org("unknown"))})
	expect(t, err, domain.CodeNotFound, "Organization not found")
	for _, id := range []string{"", "a\x00b", "ab\xff", strings.Repeat("a", 65), "unknown"} {
		_, err := w.keys.Get(developer(s1), id)
		expect(t, err, domain.CodeNotFound, "API key not found")
	}
}

func check(t *testing.T, what string, err error, want domain.Code) {
	t.Helper()
	if (want == "" && err != nil) || (want != "" && !domain.HasCode(err, want)) {
		t.Errorf("%s: %s, want %q", what, describe(err), want)
	}
}

func TestInfoIsForEveryKey(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for name, key := range map[string]apikey.Key{
		"without permissions": w.create(developer(s1), apikey.NewKey{}),
		"with none":           w.create(developer(s1), apikey.NewKey{Permissions: optional.Some([]domain.Permission{})}),
		"an organization's":   w.create(user("", "", atOrg(o1, domain.Admin)), apikey.NewKey{OrgID: new(o1)}),
	} {
		ctx, err := w.calling(key.Secret, "")
		if err != nil {
			t.Fatal(err)
		}
		info, err := w.keys.Info(ctx)
		if err != nil || info.ID != key.ID || info.Secret != "" {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
		if key.SellerID == "" {
			continue
		}
		_, err = domain.Authorize(ctx, domain.ListWebhooks)
		expect(t, err, domain.CodeMissingPermission, `Missing permission "webhooks:list"`)
	}
	_, err := w.keys.Info(developer(s1))
	expect(t, err, domain.CodeForbidden, "")
	if all, err := w.keys.Permissions(context.Background()); err != nil || len(all) != 122 {
		t.Errorf("%d permissions, %v", len(all), err)
	}
}

func TestUpdateKeepsOmittedFields(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	expiry := moment.New(w.now.Add(time.Hour))
	key := w.create(developer(s1), apikey.NewKey{
		ExpiresAt: optional.Some(expiry), Permissions: optional.Some([]domain.Permission{"scans:list"}),
	})
	w.now = w.now.Add(time.Minute)
	update := func(change apikey.Change) apikey.Key {
		changed, err := w.keys.Update(developer(s1), key.ID, change)
		if err != nil {
			t.Fatal(err)
		}
		if stored, err := w.keys.Get(developer(s1), key.ID); err != nil || !sameJSON(t, stored, changed) {
			t.Errorf("stored %+v, returned %+v, %v", stored, changed, err)
		}
		return changed
	}
	if same := update(apikey.Change{Name: optional.Some("Gate"), Active: optional.Some(true)}); same.UpdatedAt != key.UpdatedAt {
		t.Error("an update without changes was written")
	}
	named := update(apikey.Change{Name: optional.Some("Door")})
	if named.ExpiresAt == nil || *named.ExpiresAt != expiry || !named.UpdatedAt.Equal(w.now) || !named.CreatedAt.Equal(key.CreatedAt.Time) {
		t.Errorf("after renaming: %+v", named)
	}
	if cleared := update(apikey.Change{ExpiresAt: optional.Null[apikey.Expiry]()}); cleared.ExpiresAt != nil {
		t.Errorf("expiresAt is %v, want none", cleared.ExpiresAt)
	}
	update(apikey.Change{FullSellerAccess: optional.Some(true)})
	if back := update(apikey.Change{FullSellerAccess: optional.Some(false)}); len(back.Permissions) != 0 || back.HasFullAccess() {
		t.Errorf("after removing full access: %+v", back)
	}
	entries := w.Count("SELECT count(*) FROM audit_entries WHERE object_id = $1", key.ID)
	if entries != 5 {
		t.Errorf("%d audit entries, want 5: the creation and four changes", entries)
	}
	var before, after string
	if err := w.SQL.QueryRowContext(t.Context(), `SELECT before::text, after::text FROM audit_entries
		WHERE action = 'updateApiKey' ORDER BY id LIMIT 1`).Scan(&before, &after); err != nil {
		t.Fatal(err)
	}
	if want := `{"name": "Door", "updatedAt": "2026-11-27T12:01:00.000Z"}`; after != want || !strings.Contains(before, `"name": "Gate"`) {
		t.Errorf("the audit log has %s → %s", before, after)
	}
	if hits := w.Count("SELECT count(*) FROM audit_entries WHERE after::text LIKE '%' || $1 || '%'", key.Secret); hits != 0 {
		t.Error("the audit log contains a secret")
	}
}

// KEY-8.
func TestLimitCountsEveryKey(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.fill(s1, 100)
	_, err := w.keys.Create(developer(s1), apikey.NewKey{Name: "n"})
	expect(t, err, domain.CodeAPIKeyLimitReached, "This seller already has 100 API keys, the maximum, "+
		"including inactive and expired ones. Change an existing key instead")
	w.create(developer(s2), apikey.NewKey{})
	if key, err := w.keys.Default(developer(s1), apikey.DefaultOf{SellerID: s1}); err != nil || key.Name != "Default" {
		t.Errorf("the default key: %+v, %v", key, err)
	}
}

func TestConcurrentCreationsStopAtTheLimit(t *testing.T) {
	t.Parallel()
	for _, existing := range []int{0, 50, 95, 99} {
		w := newFixture(t)
		w.fill(s1, existing)
		stores := []apikey.Keys{w.keys, w.keysOf(w.Process())}
		var done sync.WaitGroup
		failures := make(chan error, 200)
		for i := range 200 {
			done.Go(func() {
				if _, err := stores[i%2].Create(developer(s1), apikey.NewKey{Name: "n"}); err != nil {
					failures <- err
				}
			})
		}
		done.Wait()
		close(failures)
		refused := 0
		for err := range failures {
			expect(t, err, domain.CodeAPIKeyLimitReached, "")
			refused++
		}
		if keys := w.Count("SELECT count(*) FROM api_keys WHERE seller_id = $1", string(s1)); keys != 100 || refused != 100+existing {
			t.Errorf("starting with %d keys: %d keys, %d rejected", existing, keys, refused)
		}
	}
}

// KEY-6.
func TestASellerHasOneDefaultKey(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	stores := []apikey.Keys{w.keys, w.keysOf(w.Process())}
	secrets := make([]string, 20)
	var done sync.WaitGroup
	for i := range secrets {
		done.Go(func() {
			key, err := stores[i%2].Default(developer(s1), apikey.DefaultOf{SellerID: s1})
			if err != nil {
				t.Error(err)
			}
			secrets[i] = key.Secret
		})
	}
	done.Wait()
	slices.Sort(secrets)
	if len(slices.Compact(secrets)) != 1 || secrets[0] == "" {
		t.Fatal("the calls returned different secrets")
	}
	ctx, err := w.calling(secrets[0], "")
	if err != nil {
		t.Fatal(err)
	}
	actor := domain.ActorOf(ctx)
	if _, err := w.keys.Update(developer(s1), actor.ID, apikey.Change{Active: optional.Some(false)}); err != nil {
		t.Fatal(err)
	}
	again, err := w.keys.Default(developer(s1), apikey.DefaultOf{SellerID: s1})
	if err != nil || again.Secret != secrets[0] || again.Active || !again.HasFullAccess() || again.ExpiresAt != nil {
		t.Errorf("after deactivation: %+v, %v", again, err)
	}
	rotated, err := w.keys.Rotate(developer(s1), apikey.Rotation{ID: again.ID})
	if err != nil || rotated.Version != 2 {
		t.Fatal(err)
	}
	if latest, err := w.keys.Default(developer(s1), apikey.DefaultOf{SellerID: s1}); err != nil || latest.Secret != rotated.Secret {
		t.Errorf("after rotation: %v", err)
	}
	if rows := w.Count("SELECT count(*) FROM api_keys WHERE is_default"); rows != 1 {
		t.Errorf("got %d default keys, want 1", rows)
	}
	w.Exec("UPDATE api_keys SET seller_id = $1 WHERE is_default", string(s3))
	if _, err := w.keys.Default(developer(s3), apikey.DefaultOf{SellerID: s3}); err == nil {
		t.Error("a secret moved to another seller can still be decrypted")
	}
}

func TestOwnerOfADefaultKey(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	orgKey := w.create(user("", "", atOrg(o1, domain.Admin)), apikey.NewKey{OrgID: new(o1)})
	sellerKey := w.create(developer(s1), apikey.NewKey{FullSellerAccess: optional.Some(true)})
	of := func(secret, header string) context.Context {
		ctx, err := w.calling(secret, header)
		if err != nil {
			t.Fatal(err)
		}
		return ctx
	}
	for name, c := range map[string]struct {
		ctx    context.Context //nolint:containedctx // the caller is part of the case
		seller ids.Seller
		want   domain.Code
	}{
		"an organization key for its seller":          {of(orgKey.Secret, ""), s2, ""},
		"an organization key, foreign seller":         {of(orgKey.Secret, ""), s3, "NOT_FOUND"},
		"an organization key, unknown seller":         {of(orgKey.Secret, ""), "unknown", "NOT_FOUND"},
		"an organization key, impossible id":          {of(orgKey.Secret, ""), "a\x00", "NOT_FOUND"},
		"an organization key with two sellers":        {of(orgKey.Secret, string(s1)), s2, "VALIDATION_FAILED"},
		"an organization key without a seller":        {of(orgKey.Secret, ""), "", "INVALID_REQUEST"},
		"a seller key for its own seller":             {of(sellerKey.Secret, ""), s1, "FORBIDDEN"},
		"a developer for their other seller":          {user(s1, o1, at(s1, domain.Viewer), at(s2, domain.Developer)), s2, ""},
		"a developer for a seller they can only view": {user(s2, o1, at(s1, domain.Viewer), at(s2, domain.Developer)), s1, "FORBIDDEN"},
		"a developer, foreign seller":                 {developer(s1), s3, "NOT_FOUND"},
		"a developer without a seller":                {developer(s1), "", "VALIDATION_FAILED"},
		"the platform":                                {system(""), s3, ""},
		"the platform, unknown seller":                {system(""), "unknown", "NOT_FOUND"},
	} {
		key, err := w.keys.Default(c.ctx, apikey.DefaultOf{SellerID: c.seller})
		check(t, name, err, c.want)
		if err == nil && (key.SellerID != c.seller || key.Secret == "") {
			t.Errorf("%s: %+v", name, key)
		}
	}
}
