package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/webhook"
)

type webhookRow struct {
	bun.BaseModel `bun:"table:webhooks,alias:w"`

	ID            string             `bun:"id,pk"`
	SellerID      ids.Seller         `bun:"seller_id"`
	Name          string             `bun:"name"`
	URL           string             `bun:"url"`
	Enabled       bool               `bun:"enabled"`
	EventTypes    []domain.EventType `bun:"event_types,array"`
	SealedHMACKey []byte             `bun:"sealed_hmac_key"`
	CreatedByType domain.CreatorType `bun:"created_by_type"`
	CreatedByID   string             `bun:"created_by_id"`
	CreatedAt     time.Time          `bun:"created_at"`
	UpdatedAt     time.Time          `bun:"updated_at"`
}

const webhookName = "Webhook"

var webhooks = &source[webhookRow]{}

// webhookStore implements webhook.Store.
type webhookStore struct {
	*Store
	transactor[webhook.Tx]
}

// Webhooks returns the store of package webhook.
func (s *Store) Webhooks() webhook.Store {
	return webhookStore{s, transactor[webhook.Tx]{s, func(tx *Tx) webhook.Tx { return tx }}}
}

// Webhook reads one webhook of a seller.
func (s webhookStore) Webhook(ctx context.Context, seller ids.Seller, id string) (webhook.Webhook, error) {
	return readOne(ctx, s.Store, s.sql, webhooks.of(seller).withID(id), webhookName, s.webhook)
}

// Webhooks lists a seller's webhooks, oldest first.
func (s webhookStore) Webhooks(
	ctx context.Context, seller ids.Seller, page domain.Page,
) (domain.List[webhook.Webhook], error) {
	return listing[webhookRow, webhook.Webhook]{query: webhooks.of(seller), id: "w.id", item: s.webhook}.page(ctx, s.Store, page)
}

// WebhooksByID returns a seller's webhooks by id.
func (s webhookStore) WebhooksByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]webhook.Webhook, error) {
	found, err := webhooks.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, s.webhook, func(w webhook.Webhook) string { return w.ID })
}

// WebhookForUpdate reads a webhook and locks its row.
func (tx *Tx) WebhookForUpdate(ctx context.Context, seller ids.Seller, id string) (webhook.Webhook, error) {
	return readOne(ctx, tx.store, tx, webhooks.of(seller).withID(id).forUpdate("UPDATE"), webhookName, tx.store.webhook)
}

// LockWebhooks locks the seller, so that no other webhook is created, and counts its webhooks.
func (tx *Tx) LockWebhooks(ctx context.Context, seller ids.Seller) (int, error) {
	if _, err := sellers.all().withID(string(seller)).forUpdate("NO KEY UPDATE").row(ctx, tx.store, tx, "Seller"); err != nil {
		return 0, err
	}
	// A separate statement sees rows that were committed while the previous one waited for the lock.
	return webhooks.of(seller).count(ctx, tx.store, tx)
}

// CreateWebhook stores a new webhook.
func (tx *Tx) CreateWebhook(ctx context.Context, w webhook.Webhook) error {
	return tx.insert(ctx, tx.store.webhookRow(w))
}

// UpdateWebhook writes all columns of an existing webhook.
func (tx *Tx) UpdateWebhook(ctx context.Context, w webhook.Webhook) error {
	return tx.update(ctx, webhookName, tx.store.webhookRow(w))
}

// DeleteWebhook deletes a webhook. Its deliveries are kept for their usual retention.
func (tx *Tx) DeleteWebhook(ctx context.Context, seller ids.Seller, id string) error {
	if err := webhooks.of(seller).withID(id).deleteOne(ctx, tx.store, tx, webhookName); err != nil {
		return err
	}
	return tx.noteDeleted(ctx, seller, id)
}

// webhookKeyRow returns the name under which a webhook's signing key is sealed.
func webhookKeyRow(webhookID string) string { return "webhooks.hmac_key:" + webhookID }

func (s *Store) webhookRow(w webhook.Webhook) *webhookRow {
	created := &webhookRow{
		ID: w.ID, SellerID: w.SellerID, Name: w.Name, URL: w.URL, Enabled: w.Enabled, EventTypes: w.Events.Types(),
		CreatedByType: w.CreatedBy.Type, CreatedByID: w.CreatedBy.ID,
		CreatedAt: w.CreatedAt.Time, UpdatedAt: w.UpdatedAt.Time,
	}
	if w.HMACKey != "" {
		created.SealedHMACKey = s.sealer.Seal(webhookKeyRow(w.ID), []byte(w.HMACKey))
	}
	return created
}

func (s *Store) webhook(r webhookRow) (webhook.Webhook, error) {
	key, err := s.openKey(r.ID, r.SealedHMACKey)
	if err != nil {
		return webhook.Webhook{}, err
	}
	return webhook.Webhook{
		ID: r.ID, SellerID: r.SellerID, Name: r.Name, URL: r.URL, Enabled: r.Enabled,
		Events: webhook.NewSelection(r.EventTypes), HMACKey: string(key),
		CreatedBy: domain.Creator{Type: r.CreatedByType, ID: r.CreatedByID},
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}, nil
}

// openKey decrypts a webhook's signing key. It returns nil if there is none.
func (s *Store) openKey(webhookID string, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	return s.sealer.Open(webhookKeyRow(webhookID), sealed)
}
