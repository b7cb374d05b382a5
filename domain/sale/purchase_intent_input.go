package sale

import (
	"context"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// NewPurchaseIntent is the input of createPurchaseIntent. It has no prices: they come from the ticket types (SALE-5).
type NewPurchaseIntent struct {
	Buyer

	// SellerID is required from callers that act for several sellers.
	SellerID ids.Seller `json:"sellerId,omitempty"`
	EventID  string     `json:"eventId"`
	// Either Items or Tickets is required (BODY-22).
	Items   []WantedItem `json:"items,omitempty"`
	Tickets []WantedItem `json:"tickets,omitempty" graphql:"-"`

	// Identification is the raw value. Parts that the seller does not ask for are not even validated (IDENT-3).
	Identification ecmajson.Value `json:"identification,omitzero"`

	// ExpiresAt must be in the future. If nil, the purchase intent never expires.
	ExpiresAt *moment.DateTime `json:"expiresAt"`
}

// PurchaseIntentChange is the input of updatePurchaseIntent. A field that is not set keeps its value and null clears it,
// except for the items, which can't be cleared.
type PurchaseIntentChange struct {
	BuyerChange

	SellerID ids.Seller `json:"sellerId"`
	// Items replaces all items. If they are the same in the same order, they keep their prices.
	Items optional.Value[[]WantedItem] `json:"items"`

	Identification optional.Value[ecmajson.Value]  `json:"identification"`
	ExpiresAt      optional.Value[moment.DateTime] `json:"expiresAt"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw. If the stored one differs, the update fails with CONFLICT
	// (BODY-2). REST uses If-Match instead.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// surroundings holds the data for validating a purchase intent.
type surroundings struct {
	catalog catalog.Reader
	rules   identification.Seller
	now     time.Time
}

// created returns the purchase intent for the input, or an error that names everything wrong with the input. Errors of the
// identification rule come first because clients display their message (IDENT-8).
func (n NewPurchaseIntent) created(ctx context.Context, by *domain.Actor, in surroundings) (PurchaseIntent, error) {
	var errs domain.FieldErrors
	now := moment.New(in.now)
	purchaseIntent := PurchaseIntent{
		ID: ids.New(in.now), SellerID: by.SellerID, Status: IntentCreated, CreatedBy: by.Creator(), CreatedAt: now, UpdatedAt: now,
	}
	order, err := wantedIn(n.EventID, n.Items, n.Tickets, &errs).priced(ctx, in.catalog, by.SellerID, in.now)
	if err != nil {
		return PurchaseIntent{}, err
	}
	purchaseIntent.Order = order
	purchaseIntent.apply(n.change(), &errs)
	purchaseIntent.expire(optional.FromPointer(n.ExpiresAt), &errs, in.now)
	kept, refused := purchaseIntent.identified(in.rules, n.Identification, purchaseIntent.Total())
	purchaseIntent.Identification = kept
	return purchaseIntent, withFields(refused, errs.Err())
}

// with returns the purchase intent after a change, or an error that names everything wrong with the change. The changed buyer
// must satisfy the identification rule. If the change has no documents, the stored ones are used.
func (p PurchaseIntent) with(ctx context.Context, change PurchaseIntentChange, in surroundings) (PurchaseIntent, error) {
	if err := p.mayChange(in.now); err != nil {
		return PurchaseIntent{}, err
	}
	var errs domain.FieldErrors
	if err := p.order(ctx, change.Items, &errs, in); err != nil {
		return PurchaseIntent{}, err
	}
	p.apply(change.BuyerChange, &errs)
	p.expire(change.ExpiresAt, &errs, in.now)
	sent := change.Identification.Or(ecmajson.Value{})
	if !change.Identification.Set {
		sent = documentsOf(p.Identification)
	}
	kept, refused := p.identified(in.rules, sent, p.Total())
	if change.Identification.Set || len(kept) > 0 { // stored documents stay if the feature was turned off
		p.Identification = kept
	}
	return p, withFields(refused, errs.Err())
}

// order replaces the items. An approved purchase intent keeps the items that were approved.
func (p *PurchaseIntent) order(
	ctx context.Context, sent optional.Value[[]WantedItem], errs *domain.FieldErrors, in surroundings,
) error {
	errs.NotNull(itemsPath, sent.IsNull())
	items := sent.Or(wantedOf(p.Items))
	if slices.Equal(items, wantedOf(p.Items)) {
		return nil
	}
	if p.Status == IntentApproved {
		return domain.InvalidState("The items of an APPROVED purchase intent cannot be changed")
	}
	order, err := wanted{p.EventID, items, itemsPath, errs}.priced(ctx, in.catalog, p.SellerID, in.now)
	if err == nil && !errs.Any() {
		p.Order = order
	}
	return err
}

func wantedOf(items []OrderItem) []WantedItem {
	list := make([]WantedItem, len(items))
	for i, item := range items {
		list[i] = WantedItem{item.TicketTypeID, item.Amount}
	}
	return list
}

// expire sets or clears the expiry.
func (p *PurchaseIntent) expire(at optional.Value[moment.DateTime], errs *domain.FieldErrors, now time.Time) {
	p.ExpiresAt = at.ApplyPointer(p.ExpiresAt)
	if at.Set && p.expired(now) {
		errs.Add("expiresAt", "must be in the future")
	}
}

// PurchaseIntentFilter narrows a list of purchase intents. A zero field does not filter.
type PurchaseIntentFilter struct {
	Status     PurchaseIntentStatus   `graphql:"status"`
	StatusIn   []PurchaseIntentStatus `graphql:"statusIn"`
	EventID    string                 `graphql:"eventId"`
	CustomerID string                 `graphql:"customerId"`
	// Email matches exactly, ignoring case.
	Email string `graphql:"email"`
	// Text matches a part of the names, company, email address or _id, ignoring case.
	Text string `graphql:"text"`
	// CreatedFrom is inclusive, CreatedUntil exclusive.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	// ExpiresFrom is inclusive, ExpiresUntil exclusive.
	ExpiresFrom  *moment.DateTime `graphql:"expiresFrom"`
	ExpiresUntil *moment.DateTime `graphql:"expiresUntil"`
}

// Check returns all validation errors of the filter's fields.
func (f PurchaseIntentFilter) Check() error {
	var errs domain.FieldErrors
	for _, text := range [...]struct{ path, text string }{
		{"eventId", f.EventID}, {"customerId", f.CustomerID}, {"email", f.Email}, {"text", f.Text},
	} {
		errs.Text(text.path, text.text)
	}
	errs.Values("statusIn", len(f.StatusIn))
	return errs.Err()
}
