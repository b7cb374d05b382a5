package db_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
)

func TestCheckSealed(t *testing.T) {
	database := dbtest.New(t)
	other := []byte("fedcba9876543210fedcba9876543210")
	check := func(keys ...[]byte) error {
		t.Helper()
		sealer, err := db.NewSealer(keys...)
		if err != nil {
			t.Fatal(err)
		}
		store, err := db.Open(db.Config{URL: database.ApplicationURL, Sealer: sealer, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		return store.CheckSealed(t.Context())
	}
	if err := check(other); err != nil {
		t.Fatalf("nothing is sealed yet: %v", err)
	}
	sealed := database.Sealer.Seal("webhook w1", []byte("key"))
	for _, statement := range []string{
		`INSERT INTO organizations VALUES ('o1', 'O', now())`,
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ('s1', 'o1', 'S', 'FR', true, false, now(), now())`,
	} {
		if _, err := open(t, database.OwnerURL).ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	const webhook = `INSERT INTO webhooks VALUES ('w1', 's1', 'W', 'https://example.com', true, '{}', $1, 'USER', 'u', now(), now())`
	if _, err := open(t, database.OwnerURL).ExecContext(t.Context(), webhook, sealed); err != nil {
		t.Fatal(err)
	}
	if err := check(other); err == nil || !strings.Contains(err.Error(), "webhook w1") {
		t.Errorf("another key: %v", err)
	}
	for name, keys := range map[string][][]byte{"the key": {dbtest.SecretKey}, "the key after another one": {other, dbtest.SecretKey}} {
		if err := check(keys...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// During a rotation of secret keys another process may have the key. The error must not blame the request.
func TestASecretOfAnotherProcessIsUnavailable(t *testing.T) {
	sealer, err := db.NewSealer([]byte("0123456789abcdef0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := db.NewSealer([]byte("fedcba9876543210fedcba9876543210"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Open("webhook w1", sealer.Seal("webhook w1", []byte("key")))
	if cause := errors.Unwrap(err); !domain.HasCode(err, domain.CodeUnavailable) || cause == nil || !strings.Contains(cause.Error(), "webhook w1") {
		t.Errorf("opened with another key: %v, because of %v", err, errors.Unwrap(err))
	}
}
