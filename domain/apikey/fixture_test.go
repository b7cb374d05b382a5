package apikey_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // reads and prepares rows past the store

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/ids"
	"ticketgate/domain/secrets"
)

// Organization o1 has the sellers s1 and s2, o2 has s3.
var (
	o1 = ids.Org("0000000000000000000000a1")
	o2 = ids.Org("0000000000000000000000a2")
	s1 = ids.Seller("0000000000000000000000b1")
	s2 = ids.Seller("0000000000000000000000b2")
	s3 = ids.Seller("0000000000000000000000b3")
)

// fixture is an installation with these sellers and a stopped clock.
type fixture struct {
	*dbtest.Installation

	keys apikey.Keys
	now  time.Time
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{now: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)}
	w.Installation = dbtest.Empty(t, w.clock)
	for id, name := range map[ids.Org]string{o1: "One", o2: "Two"} {
		w.AddOrganization(id, name)
	}
	for id, org := range map[ids.Seller]ids.Org{s1: o1, s2: o1, s3: o2} {
		w.AddSeller(id, org, "Seller")
	}
	w.keys = w.keysOf(w.Store)
	return w
}

func (w *fixture) clock() time.Time { return w.now }

func (w *fixture) keysOf(store *db.Store) apikey.Keys {
	return apikey.Keys{Store: store.APIKeys(), Now: w.clock}
}

func (w *fixture) authenticator(store *db.Store) *apikey.Authenticator {
	return &apikey.Authenticator{
		Store: store.Credentials(), Now: w.clock, SessionIdle: 30 * time.Minute,
		SystemTokens: []secrets.Digest{secrets.DigestOf(systemToken), secrets.DigestOf(oldSystemToken)},
	}
}

const (
	systemToken    = "the-platform-itself-and-nobody-else"
	oldSystemToken = "what-the-platform-was-before-it-rotated"
)

// fill gives a seller a number of unusable keys.
func (w *fixture) fill(seller ids.Seller, count int) {
	w.Exec(`INSERT INTO api_keys (id, seller_id, name, hint, version, active, is_default, full_seller_access, permissions,
			created_by_type, created_by_id, created_at, updated_at)
		SELECT lpad(to_hex(n), 24, '0'), $1, 'k', 'h', 1, n % 2 = 0, NOT true, false, '{}', 'SYSTEM', 'system', $3, $3
		FROM generate_series(1, $2) n`, string(seller), count, w.now)
}

// user returns the context of a dashboard user who acts on a seller.
func user(seller ids.Seller, org ids.Org, memberships ...domain.Membership) context.Context {
	return domain.WithActor(context.Background(), &domain.Actor{
		Kind: domain.UserActor, ID: "u1", SellerID: seller, OrgID: org, Memberships: memberships,
	})
}

func at(seller ids.Seller, role domain.Role) domain.Membership {
	return domain.Membership{SellerID: seller, Role: role}
}

func atOrg(org ids.Org, role domain.Role) domain.Membership {
	return domain.Membership{OrgID: org, Role: role}
}

// developer returns the context of a user with role DEVELOPER at one seller.
func developer(seller ids.Seller) context.Context {
	org := o1
	if seller == s3 {
		org = o2
	}
	return user(seller, org, at(seller, domain.Developer))
}

func system(seller ids.Seller) context.Context {
	return domain.WithActor(context.Background(), &domain.Actor{Kind: domain.SystemActor, SellerID: seller})
}

// calling returns the context of a caller with a secret.
func (w *fixture) calling(secret, seller string) (context.Context, error) {
	actor, err := w.authenticator(w.Store).Authenticate(context.Background(),
		apikey.Credentials{Bearer: []string{"Bearer " + secret}, SellerHeader: seller})
	return domain.WithActor(context.Background(), actor), err
}

func (w *fixture) create(ctx context.Context, input apikey.NewKey) apikey.Key {
	w.T.Helper()
	if input.Name == "" {
		input.Name = "Gate"
	}
	key, err := w.keys.Create(ctx, input)
	if err != nil {
		w.T.Fatal(err)
	}
	return key
}

// login opens a session for a user with memberships and returns its secret.
func (w *fixture) login(memberships ...domain.Membership) string {
	w.T.Helper()
	id := ids.New(time.Now())
	w.Exec(`INSERT INTO users VALUES ($1, $1, $1, 'U', 'h', now(), now())`, id)
	for i, m := range memberships {
		w.Exec(`INSERT INTO memberships VALUES ($1, $2, NULLIF($3, ''), NULLIF($4, ''), $5, $6)`, ids.New(time.Now()), id,
			string(m.SellerID), string(m.OrgID), int(m.Role), w.now.Add(time.Duration(i)*time.Second))
	}
	secret := secrets.New(secrets.Session)
	digest := secrets.DigestOf(secret)
	w.Exec(`INSERT INTO sessions VALUES ($1, $2, $1, $3, $3, $4, '', '')`, id, digest[:], w.now, w.now.Add(12*time.Hour))
	return secret
}

func expect(t testing.TB, err error, code domain.Code, message string) {
	t.Helper()
	if !domain.HasCode(err, code) || (message != "" && err.Error() != message) {
		t.Errorf("got %s, want %s %q", describe(err), code, message)
	}
}

func describe(err error) string {
	if err == nil {
		return "no error"
	}
	return fmt.Sprintf("%s %q", domain.AsError(err).Code, err)
}
