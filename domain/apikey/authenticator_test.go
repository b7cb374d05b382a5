package apikey_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/secrets"
)

func TestRotation(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	expiry := moment.New(w.now.Add(36 * time.Hour))
	key := w.create(developer(s1), apikey.NewKey{ExpiresAt: optional.Some(expiry)})
	rotate := func(overlap int) apikey.Key {
		rotated, err := w.keys.Rotate(developer(s1), apikey.Rotation{ID: key.ID, OverlapSeconds: optional.Some(overlap)})
		if err != nil {
			t.Fatal(err)
		}
		return rotated
	}
	second := rotate(24 * 3600)
	if second.Version != 2 || second.Secret == key.Secret || second.Hint == key.Hint || *second.ExpiresAt != expiry {
		t.Errorf("rotated: %+v", second)
	}
	w.works(key.Secret, second.Secret)
	third := rotate(2 * 24 * 3600) // until the key's own expiry
	w.now = w.now.Add(24*time.Hour - time.Microsecond)
	w.works(key.Secret, second.Secret, third.Secret)
	w.now = w.now.Add(time.Microsecond)
	w.fails(key.Secret)
	w.works(second.Secret, third.Secret)
	if _, err := w.keys.Update(developer(s1), key.ID, apikey.Change{ExpiresAt: optional.Null[apikey.Expiry]()}); err != nil {
		t.Fatal(err)
	}
	w.now = expiry.Time
	w.fails(second.Secret) // the first rotation's deadline still applies
	w.works(third.Secret)
	fourth := rotate(0)
	w.fails(third.Secret)
	w.works(fourth.Secret)
	if left := w.Count("SELECT count(*) FROM api_key_secrets"); left != 1 {
		t.Errorf("%d digests are stored, want 1", left)
	}
	if _, err := w.keys.Update(developer(s1), key.ID, apikey.Change{
		ExpiresAt: optional.Some(apikey.Expiry{DateTime: moment.New(w.now)}),
	}); err != nil {
		t.Fatal(err)
	}
	w.fails(fourth.Secret)
	_, err := w.keys.Rotate(developer(s1), apikey.Rotation{ID: key.ID})
	expect(t, err, domain.CodeValidationFailed, "The key has expired. Change or clear its expiresAt before you rotate it")
}

func (w *fixture) works(secrets ...string) {
	w.T.Helper()
	for i, secret := range secrets {
		if _, err := w.calling(secret, ""); err != nil {
			w.T.Errorf("secret %d: %v", i, err)
		}
	}
}

func (w *fixture) fails(secrets ...string) {
	w.T.Helper()
	for _, secret := range secrets {
		_, err := w.calling(secret, "")
		expect(w.T, err, domain.CodeUnauthenticated, domain.BadKeyMessage)
	}
}

// The clock alone ends a key (KEY-1), and all invalid keys are rejected alike (KEY-2).
func TestInvalidKeysAreRefusedTheSame(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Store.Credentials().Start(context.Background())
	t.Cleanup(func() { w.Store.Credentials().Stop(context.Background()) })
	expiry := moment.New(w.now.Add(time.Hour))
	expiring := w.create(developer(s1), apikey.NewKey{ExpiresAt: optional.Some(expiry)})
	inactive := w.create(developer(s1), apikey.NewKey{})
	w.works(expiring.Secret, inactive.Secret)
	if _, err := w.keys.Update(developer(s1), inactive.ID, apikey.Change{Active: optional.Some(false)}); err != nil {
		t.Fatal(err)
	}
	w.fails(inactive.Secret, secrets.New(secrets.APIKey))
	w.now = expiry.Add(-time.Microsecond)
	w.works(expiring.Secret)
	w.now = expiry.Time
	w.fails(expiring.Secret)
	if _, err := w.keys.Update(developer(s1), inactive.ID, apikey.Change{Active: optional.Some(true)}); err != nil {
		t.Fatal(err)
	}
	w.works(inactive.Secret)
}

func TestActorOfCredential(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Exec("UPDATE sellers SET siren = true, webhooks = false WHERE id = $1", string(s2))
	seller := w.create(developer(s1), apikey.NewKey{Permissions: optional.Some([]domain.Permission{"events:list"})})
	full := w.create(developer(s3), apikey.NewKey{FullSellerAccess: optional.Some(true)})
	org := w.create(user("", "", atOrg(o1, domain.Admin)), apikey.NewKey{OrgID: new(o1)})
	session := w.login(at(s3, domain.Viewer), atOrg(o1, domain.Manager))
	device, noSession := secrets.New(secrets.Device), secrets.New(secrets.Session)
	webhooks, siren := domain.Features{Webhooks: true}, domain.Features{SIREN: true}
	for name, c := range map[string]struct {
		secret, header string
		kind           domain.ActorKind
		seller         ids.Seller
		org            ids.Org
		features       domain.Features
		refused        domain.Code
	}{
		"a seller key":                         {seller.Secret, "", domain.APIKeyActor, s1, o1, webhooks, ""},
		"a seller key for its own seller":      {seller.Secret, string(s1), domain.APIKeyActor, s1, o1, webhooks, ""},
		"a seller key for another seller":      {seller.Secret, string(s3), 0, "", "", domain.Features{}, "NOT_FOUND"},
		"a seller key for a sibling seller":    {seller.Secret, string(s2), 0, "", "", domain.Features{}, "NOT_FOUND"},
		"a seller key for an unknown seller":   {seller.Secret, "unknown", 0, "", "", domain.Features{}, "NOT_FOUND"},
		"an organization key":                  {org.Secret, "", domain.OrganizationKeyActor, "", o1, domain.Features{}, ""},
		"an organization key for a seller":     {org.Secret, string(s2), domain.OrganizationKeyActor, s2, o1, siren, ""},
		"an organization key, foreign seller":  {org.Secret, string(s3), 0, "", "", domain.Features{}, "NOT_FOUND"},
		"the platform":                         {systemToken, "", domain.SystemActor, "", "", domain.Features{}, ""},
		"the platform with its previous token": {oldSystemToken, string(s2), domain.SystemActor, s2, o1, siren, ""},
		"the platform for an unknown seller":   {systemToken, "unknown", 0, "", "", domain.Features{}, "NOT_FOUND"},
		"the platform for an impossible id":    {systemToken, "a\x00", 0, "", "", domain.Features{}, "NOT_FOUND"},
		"a session without a seller":           {session, "", domain.UserActor, s3, o2, webhooks, ""},
		"a session for a chosen seller":        {session, string(s2), domain.UserActor, s2, o1, siren, ""},
		"a session for an unknown seller":      {session, "unknown", 0, "", "", domain.Features{}, "NOT_FOUND"},
		"a system token with a suffix":         {systemToken + "x", "", 0, "", "", domain.Features{}, "UNAUTHENTICATED"},
		"a device token as bearer":             {device, "", 0, "", "", domain.Features{}, "UNAUTHENTICATED"},
		"an unknown session":                   {noSession, "", 0, "", "", domain.Features{}, "UNAUTHENTICATED"},
	} {
		ctx, err := w.calling(c.secret, c.header)
		check(t, name, err, c.refused)
		actor := domain.ActorOf(ctx)
		if err == nil && (actor.Kind != c.kind || actor.SellerID != c.seller || actor.OrgID != c.org || actor.Features != c.features) {
			t.Errorf("%s: %+v", name, actor)
		}
	}
	ctx, _ := w.calling(seller.Secret, "")
	actor := domain.ActorOf(ctx)
	if actor.ID != seller.ID || !actor.Permissions.Has("events:list") || actor.Permissions.Has("events:create") {
		t.Errorf("wrong permissions: %+v", actor)
	}
	ctx, _ = w.calling(full.Secret, "")
	if !domain.ActorOf(ctx).FullSellerAccess {
		t.Error("full access was lost")
	}
}

func TestCredentialsInHeadersAndCookies(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	session, key := w.login(at(s1, domain.Viewer)), w.create(developer(s1), apikey.NewKey{})
	authenticator := w.authenticator(w.Store)
	bearer, bad := []string{"Bearer " + key.Secret}, []string{"Bearer x"}
	device := secrets.New(secrets.Device)
	for name, c := range map[string]struct {
		sent apikey.Credentials
		kind domain.ActorKind
		code domain.Code
	}{
		"no credential":                   {apikey.Credentials{}, domain.Nobody, ""},
		"only a seller":                   {apikey.Credentials{SellerHeader: "unknown"}, domain.Nobody, ""},
		"a session cookie":                {apikey.Credentials{SessionCookie: session}, domain.UserActor, ""},
		"a key in the cookie":             {apikey.Credentials{SessionCookie: key.Secret}, 0, "UNAUTHENTICATED"},
		"a key and a cookie":              {apikey.Credentials{Bearer: bearer, SessionCookie: session}, domain.APIKeyActor, ""},
		"a bad key and a cookie":          {apikey.Credentials{Bearer: bad, SessionCookie: session}, 0, "UNAUTHENTICATED"},
		"two keys":                        {apikey.Credentials{Bearer: append(bearer, bearer...)}, 0, "UNAUTHENTICATED"},
		"an empty header":                 {apikey.Credentials{Bearer: []string{""}, SessionCookie: session}, 0, "UNAUTHENTICATED"},
		"an unknown device and a session": {apikey.Credentials{DeviceTokens: []string{device}, SessionCookie: session}, 0, "UNAUTHENTICATED"},
	} {
		actor, err := authenticator.Authenticate(context.Background(), c.sent)
		check(t, name, err, c.code)
		if err == nil && actor.Kind != c.kind {
			t.Errorf("%s: %+v", name, actor)
		}
	}
}

func TestSessionExpires(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	idle, used := w.login(at(s1, domain.Viewer)), w.login(at(s1, domain.Viewer))
	w.works(idle, used)
	w.now = w.now.Add(29 * time.Minute)
	w.works(used)
	w.Exec("UPDATE sessions SET last_used_at = $1 WHERE digest = $2", w.now, digestOf(used))
	w.now = w.now.Add(time.Minute)
	w.fails(idle)
	w.works(used)
	w.Exec("UPDATE sessions SET last_used_at = $1", w.now.Add(12*time.Hour))
	w.now = w.now.Add(11*time.Hour + 30*time.Minute - time.Microsecond)
	w.works(used)
	w.now = w.now.Add(time.Microsecond)
	w.fails(used)
}

func digestOf(secret string) []byte {
	digest := secrets.DigestOf(secret)
	return digest[:]
}

// A mistyped secret is rejected without a query, even if the database is down. A well-formed one is then UNAVAILABLE,
// not rejected (KEY-2).
func TestAuthenticateWithoutDatabase(t *testing.T) {
	t.Parallel()
	store, err := db.Open(db.Config{URL: "postgres://nobody@127.0.0.1:1/none?connect_timeout=1", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	authenticator := &apikey.Authenticator{Store: store.Credentials(), Now: time.Now}
	call := func(secret string) error {
		_, err := authenticator.Authenticate(t.Context(), apikey.Credentials{Bearer: []string{"Bearer " + secret}})
		return err
	}
	secret := secrets.New(secrets.APIKey)
	for i := range secret {
		for _, other := range "0aZ_" {
			if mistyped := secret[:i] + string(other) + secret[i+1:]; mistyped != secret {
				expect(t, call(mistyped), domain.CodeUnauthenticated, domain.BadKeyMessage)
			}
		}
	}
	for _, odd := range []string{"key_", strings.ToUpper(secret), secret + "0", secret[1:], "sess_" + secret[4:]} {
		expect(t, call(odd), domain.CodeUnauthenticated, domain.BadKeyMessage)
	}
	for _, right := range []string{secret, secrets.New(secrets.Session)} {
		expect(t, call(right), domain.CodeUnavailable, "")
	}
}
