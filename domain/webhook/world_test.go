package webhook_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/optional"
	"ticketgate/domain/share"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

const (
	seller  ids.Seller = "111111111111111111111111"
	other   ids.Seller = "222222222222222222222222"
	without ids.Seller = "333333333333333333333333" // the webhooks feature
	org     ids.Org    = "444444444444444444444444"
)

// world is an empty installation with three sellers.
type world struct {
	t          *testing.T
	database   *dbtest.Database
	store      *db.Store
	sql        *sql.DB
	webhooks   webhook.Webhooks
	deliveries webhook.Deliveries
	events     webhook.Events
}

func newWorld(t *testing.T) *world {
	t.Helper()
	database := dbtest.New(t)
	queue := jobs.NewQueue()
	store, err := db.Open(db.Config{
		URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now, Enqueue: queue.Enqueue,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	plain, err := sql.Open("pgx", database.ApplicationURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close() })
	w := &world{
		t: t, database: database, store: store, sql: plain,
		webhooks: webhook.Webhooks{
			Store: store.Webhooks(), Now: time.Now, Policy: listenerurl.Policy{}, Checks: share.New(webhook.CheckBounds),
		},
		deliveries: webhook.Deliveries{Store: store.Webhooks(), Now: time.Now},
	}
	w.events = webhook.Events{Store: store.Webhooks(), Seller: w.seller}
	w.exec(`INSERT INTO organizations VALUES ($1, 'O', now())`, string(org))
	for id, on := range map[ids.Seller]bool{seller: true, other: true, without: false} {
		w.exec(`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ($1, $2, 'S', 'FR', $3, false, now(), now())`, string(id), string(org), on)
	}
	return w
}

func (w *world) exec(statement string, args ...any) {
	w.t.Helper()
	if _, err := w.sql.ExecContext(w.t.Context(), statement, args...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) count(query string, args ...any) (n int) {
	w.t.Helper()
	if err := w.sql.QueryRowContext(w.t.Context(), query, args...).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// seller finds the sellers of this world.
func (w *world) seller(ctx context.Context, id ids.Seller) (found ids.Org, features domain.Features, err error) {
	err = w.sql.QueryRowContext(ctx, "SELECT organization_id, webhooks FROM sellers WHERE id = $1", string(id)).
		Scan(&found, &features.Webhooks)
	if err != nil {
		err = domain.NotFound("Seller")
	}
	return found, features, err
}

// as is a call by a key of the seller with these permissions.
func (w *world) as(of ids.Seller, permissions ...domain.Permission) context.Context {
	return domain.WithActor(w.t.Context(), &domain.Actor{
		Kind: domain.APIKeyActor, ID: "key", SellerID: of, OrgID: org,
		Permissions: domain.NewPermissionSet(permissions), FullSellerAccess: len(permissions) == 0,
		Features: domain.Features{Webhooks: of != without},
	})
}

func (w *world) platform() context.Context {
	return domain.WithActor(w.t.Context(), &domain.Actor{Kind: domain.SystemActor})
}

// wants is a webhook of the seller for one type.
func (w *world) wants(of ids.Seller, kind domain.EventType) webhook.Webhook {
	w.t.Helper()
	made, err := w.webhooks.Create(w.as(of), webhook.NewWebhook{
		Name: "Hook", URL: "https://example.com/hook?token=abc",
		Events: optional.Some(webhook.Selection{kind: true}), HMACKey: optional.Some("secret key"),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}
