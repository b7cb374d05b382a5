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

// Webhooks is what can be done with a seller's webhooks. All of it needs the seller's webhooks feature
// (decisions 4.5).
type Webhooks struct {
	Store Store
	Now   func() time.Time
	// Policy is which listener URLs may be configured (decisions 7.8).
	Policy listenerurl.Policy
	// Checks bounds the signatures that are checked at a time, see CheckBounds.
	Checks *share.Shares
}

// CheckBounds are those of Webhooks.Checks: a check of 1 MiB takes a second of a processor, and a document may ask for thirty
// (LIMIT-24).
var CheckBounds = share.Bounds{Total: 2, PerSeller: 1, Wait: 5 * time.Second}

// MaxWebhooks is how many webhooks a seller may have: each event makes a delivery for every webhook that selects it.
const MaxWebhooks = 500

// Create makes a webhook: webhooks:create, or a session with DEVELOPER.
func (s Webhooks) Create(ctx context.Context, input NewWebhook) (Webhook, error) {
	actor, err := domain.Authorize(ctx, domain.CreateWebhook)
	if err != nil {
		return Webhook{}, err
	}
	now := s.Now()
	made, err := Webhook{
		ID: ids.New(now), SellerID: actor.SellerID, Enabled: true, Events: NewSelection(nil), CreatedBy: actor.Creator(),
		CreatedAt: moment.New(now), UpdatedAt: moment.New(now),
	}.with(input.change(), s.Policy)
	if err != nil {
		return Webhook{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		count, err := tx.LockWebhooks(ctx, made.SellerID)
		if err != nil {
			return err
		}
		if count >= MaxWebhooks {
			return domain.NewError(domain.CodeConflict, fmt.Sprintf(
				"This seller already has %d webhooks, the most it may have. Change or delete an existing one", MaxWebhooks))
		}
		if err := tx.CreateWebhook(ctx, made); err != nil {
			return err
		}
		tx.Answer(made)
		return auditedWebhook(ctx, tx, domain.CreateWebhook, nil, &made)
	})
	return made, err
}

// CheckSignature says whether a signature is right and, where it is not, why: webhooks:list, or a session with
// DEVELOPER. It sends and stores nothing. Checks of a seller are made one at a time (LIMIT-24).
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

// List returns the seller's webhooks, oldest first: webhooks:list, or a session with DEVELOPER.
func (s Webhooks) List(ctx context.Context, page domain.Page) (domain.List[Webhook], error) {
	return domain.Read(ctx, domain.ListWebhooks, s.Store.Webhooks, page)
}

// Get returns one webhook: webhooks:list, or a session with DEVELOPER.
func (s Webhooks) Get(ctx context.Context, id string) (Webhook, error) {
	return domain.Read(ctx, domain.GetWebhook, s.Store.Webhook, id)
}

// Update changes a webhook; URL and key hold from the next attempt on, also of deliveries made before
// (decisions 7.3). Webhooks:update, or a session with DEVELOPER. A change that changes nothing writes nothing.
func (s Webhooks) Update(ctx context.Context, id string, input Change) (Webhook, error) {
	updated, err := s.records().Update(ctx, domain.UpdateWebhook, id, input.ExpectedUpdatedAt, func(_ Tx, w Webhook) (Webhook, error) {
		return w.with(input, s.Policy)
	})
	return withKeyFor(ctx, updated, input.HMACKey.Set), err
}

// Delete removes a webhook and returns it; its pending deliveries are canceled. Webhooks:update, or a session with DEVELOPER.
func (s Webhooks) Delete(ctx context.Context, id string, expected *moment.DateTime) (Webhook, error) {
	deleted, err := s.records().Delete(ctx, domain.DeleteWebhook, id, expected)
	if err != nil {
		return Webhook{}, err
	}
	s.endDeliveries(ctx, Deleted{ID: id, SellerID: deleted.SellerID})
	return withKeyFor(ctx, deleted, false), nil
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

// withKeyFor leaves the signing key out for a caller who may not list webhooks and did not send it: a right to
// change is no right to read (decisions 7.1).
func withKeyFor(ctx context.Context, w Webhook, sent bool) Webhook {
	if !sent && !domain.May(ctx, domain.ListWebhooks) {
		w.HMACKey = ""
	}
	return w
}

func (w *Webhook) auditEntry(action domain.Operation) domain.Change {
	return domain.Change{SellerID: w.SellerID, Action: action, Object: "webhook", ObjectID: w.ID}
}
