package webhook

import (
	"context"
	"fmt"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/moment"
	"ticketgate/domain/share"
	"ticketgate/domain/texts"
)

// Webhooks implements the operations on a seller's webhooks. All of them require the seller's webhooks feature
// (WEBHOOK-5).
type Webhooks struct {
	Store Store
	Now   func() time.Time
	// Policy decides which listener URLs are allowed (WEBHOOK-7).
	Policy listenerurl.Policy
	// Checks limits concurrent signature checks, see CheckBounds.
	Checks *share.Shares
}

// CheckBounds are the bounds of Webhooks.Checks. A check of 1 MiB takes a second of CPU time, and one GraphQL document
// may contain thirty (LIMIT-24).
var CheckBounds = share.Bounds{Total: 2, PerSeller: 1, Wait: 5 * time.Second}

// MaxWebhooks is the maximum number of webhooks per seller, since each event creates a delivery for every webhook that
// selects it (LIMIT-25).
const MaxWebhooks = 500

// Create creates a webhook. It requires webhooks:create, or a session with role DEVELOPER.
func (s Webhooks) Create(ctx context.Context, input NewWebhook) (Webhook, error) {
	actor, err := domain.Authorize(ctx, domain.CreateWebhook)
	if err != nil {
		return Webhook{}, err
	}
	now := s.Now()
	webhook, err := Webhook{
		ID: ids.New(now), SellerID: actor.SellerID, Enabled: true, Events: NewSelection(nil), CreatedBy: actor.Creator(),
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}.with(input.change(), s.Policy)
	if err != nil {
		return Webhook{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		count, err := tx.LockWebhooks(ctx, webhook.SellerID)
		if err != nil {
			return err
		}
		if count >= MaxWebhooks {
			return domain.NewError(domain.CodeConflict, fmt.Sprintf(
				"This seller already has %d webhooks, the maximum. Change or delete an existing one", MaxWebhooks))
		}
		if err := tx.CreateWebhook(ctx, webhook); err != nil {
			return err
		}
		tx.SetResponse(webhook)
		return auditedWebhook(ctx, tx, domain.CreateWebhook, nil, &webhook)
	})
	return webhook, err
}

// CheckSignature reports whether a signature is valid and, if not, why. It sends and stores nothing. A seller's checks
// run one at a time (LIMIT-24). It requires webhooks:list, or a session with role DEVELOPER.
func (s Webhooks) CheckSignature(ctx context.Context, call SignatureCheck) (SignatureVerdict, error) {
	actor, err := domain.Authorize(ctx, domain.CheckSignature)
	if err != nil {
		return SignatureVerdict{}, err
	}
	if err := call.check(); err != nil {
		return SignatureVerdict{}, err
	}
	key := texts.Of(call.HMACKey)
	if call.WebhookID != nil {
		found, err := s.Store.Webhook(ctx, actor.SellerID, *call.WebhookID)
		if domain.HasCode(err, domain.CodeNotFound) {
			err = domain.Invalid("webhookId", "does not exist")
		}
		if err != nil {
			return SignatureVerdict{}, err
		}
		key = found.HMACKey
	}
	giveBack, err := s.Checks.Take(ctx, share.Payer{Seller: actor.SellerID, Organization: actor.OrgID})
	if err != nil {
		return SignatureVerdict{}, err
	}
	defer giveBack()
	return CheckSignature(ctx, call.Body, call.Signature, key), ctx.Err()
}

// List returns the seller's webhooks, oldest first. It requires webhooks:list, or a session with role DEVELOPER.
func (s Webhooks) List(ctx context.Context, page domain.Page) (domain.List[Webhook], error) {
	return domain.Read(ctx, domain.ListWebhooks, s.Store.Webhooks, page)
}

// Get returns a webhook. It requires webhooks:list, or a session with role DEVELOPER.
func (s Webhooks) Get(ctx context.Context, id string) (Webhook, error) {
	return domain.Read(ctx, domain.GetWebhook, s.Store.Webhook, id)
}

// Update changes a webhook. The URL and key apply from the next attempt, also of earlier deliveries (WEBHOOK-1). An
// update without changes writes nothing. It requires webhooks:update, or a session with role DEVELOPER.
func (s Webhooks) Update(ctx context.Context, id string, input Change) (Webhook, error) {
	updated, err := s.records().Update(ctx, domain.UpdateWebhook, id, input.ExpectedUpdatedAt, func(_ Tx, w Webhook) (Webhook, error) {
		return w.with(input, s.Policy)
	})
	return redactKey(ctx, updated, input.HMACKey.Set), err
}

// Delete removes a webhook, cancels its pending deliveries (WEBHOOK-10), and returns it. It requires webhooks:update,
// or a session with role DEVELOPER.
func (s Webhooks) Delete(ctx context.Context, id string, expected *moment.DateTime) (Webhook, error) {
	deleted, err := s.records().Delete(ctx, domain.DeleteWebhook, id, expected)
	if err != nil {
		return Webhook{}, err
	}
	s.endDeliveries(ctx, Deleted{ID: id, SellerID: deleted.SellerID})
	return redactKey(ctx, deleted, false), nil
}

func (s Webhooks) records() domain.Records[Webhook, Tx] {
	return domain.Records[Webhook, Tx]{
		Now: s.Now, InTx: s.Store.InTx, Read: s.Store.Webhook,
		Lock: Tx.WebhookForUpdate, Replace: Tx.UpdateWebhook, Remove: Tx.DeleteWebhook,
		UpdatedAt: func(w *Webhook) *moment.DateTime { return &w.UpdatedAt },
		Same:      (*Webhook).same, Follow: auditedWebhook,
	}
}

var auditedWebhook = domain.Audited[Webhook, Tx]((*Webhook).auditEntry, func(w, before *Webhook) any { return w.audited(before) })

// redactKey removes the signing key for a caller who may not list webhooks, unless the call sent the key (WEBHOOK-2).
func redactKey(ctx context.Context, w Webhook, sent bool) Webhook {
	if !sent && !domain.May(ctx, domain.ListWebhooks) {
		w.HMACKey = ""
	}
	return w
}

func (w *Webhook) auditEntry(action domain.Operation) domain.Change {
	return domain.Change{SellerID: w.SellerID, Action: action, Object: "webhook", ObjectID: w.ID}
}
