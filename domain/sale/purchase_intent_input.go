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

// NewPurchaseIntent is the input of createPurchaseIntent. What the items cost is never taken from it (decisions 8.4).
type NewPurchaseIntent struct {
	Buyer

	// SellerID is needed from callers that act for several sellers.
	SellerID ids.Seller `json:"sellerId,omitempty"`
	EventID  string     `json:"eventId"`
	// Items are required, as items or as tickets.
	Items   []WantedItem `json:"items,omitempty"`
	Tickets []WantedItem `json:"tickets,omitempty" graphql:"-"`

	// Identification is as it came: what the seller does not ask for is not even looked at (decisions 9.1).
	Identification ecmajson.Value `json:"identification,omitzero"`

	// ExpiresAt lies in the future; without one the purchase intent never expires.
	ExpiresAt *moment.DateTime `json:"expiresAt"`
}

// PurchaseIntentChange is the input of updatePurchaseIntent. An absent member keeps its value and null clears it
// (decisions 1.4), but for the items, which can't be cleared: an order has some.
type PurchaseIntentChange struct {
	BuyerChange

	SellerID ids.Seller `json:"sellerId"`
	// Items replace the old ones whole. The same ones in the same order keep their prices.
	Items optional.Value[[]WantedItem] `json:"items"`

	Identification optional.Value[ecmajson.Value]  `json:"identification"`
	ExpiresAt      optional.Value[moment.DateTime] `json:"expiresAt"`
	// ExpectedUpdatedAt is the updatedAt that the caller last saw: another one is CONFLICT. REST has If-Match for it.
	ExpectedUpdatedAt *moment.DateTime `json:"-" graphql:"expectedUpdatedAt"`
}

// surroundings are what a purchase intent is judged by.
type surroundings struct {
	catalog catalog.Reader
	rules   identification.Seller
	now     time.Time
}

// made is the purchase intent that the input asks for, or everything that is wrong with it. What the identification rule
// says comes first, since clients show its words (decisions 2.6).
func (n NewPurchaseIntent) made(ctx context.Context, by *domain.Actor, in surroundings) (PurchaseIntent, error) {
	var problems domain.Problems
	now := moment.New(in.now)
	made := PurchaseIntent{
		ID: ids.New(in.now), SellerID: by.SellerID, Status: IntentCreated, CreatedBy: by.Creator(), CreatedAt: now, UpdatedAt: now,
	}
	order, err := wantedIn(n.EventID, n.Items, n.Tickets, &problems).priced(ctx, in.catalog, by.SellerID, in.now)
	if err != nil {
		return PurchaseIntent{}, err
	}
	made.Order = order
	made.apply(n.change(), &problems)
	made.expire(optional.FromPointer(n.ExpiresAt), &problems, in.now)
	kept, refused := made.identified(in.rules, n.Identification, made.Total())
	made.Identification = kept
	return made, withFields(refused, problems.Err())
}

// with is the purchase intent after a change, or everything that is wrong with the change. The buyer as it becomes is held
// to the identification rule, with the documents that are there already where none are sent.
func (p PurchaseIntent) with(ctx context.Context, change PurchaseIntentChange, in surroundings) (PurchaseIntent, error) {
	if err := p.mayChange(in.now); err != nil {
		return PurchaseIntent{}, err
	}
	var problems domain.Problems
	if err := p.order(ctx, change.Items, &problems, in); err != nil {
		return PurchaseIntent{}, err
	}
	p.apply(change.BuyerChange, &problems)
	p.expire(change.ExpiresAt, &problems, in.now)
	sent := change.Identification.Or(ecmajson.Value{})
	if !change.Identification.Set {
		sent = documentsOf(p.Identification)
	}
	kept, refused := p.identified(in.rules, sent, p.Total())
	if change.Identification.Set || len(kept) > 0 { // what is there stays when the module is switched off
		p.Identification = kept
	}
	return p, withFields(refused, problems.Err())
}

// order replaces the items. Those of what is approved are what was approved.
func (p *PurchaseIntent) order(
	ctx context.Context, sent optional.Value[[]WantedItem], problems *domain.Problems, in surroundings,
) error {
	problems.NotNull(itemsPath, sent.IsNull())
	items := sent.Or(wantedOf(p.Items))
	if slices.Equal(items, wantedOf(p.Items)) {
		return nil
	}
	if p.Status == IntentApproved {
		return domain.InvalidState("The items of a purchase intent that is APPROVED can't change")
	}
	order, err := wanted{p.EventID, items, itemsPath, problems}.priced(ctx, in.catalog, p.SellerID, in.now)
	if err == nil && !problems.Any() {
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

// expire sets when the purchase intent expires, if it does.
func (p *PurchaseIntent) expire(at optional.Value[moment.DateTime], problems *domain.Problems, now time.Time) {
	p.ExpiresAt = at.ApplyPointer(p.ExpiresAt)
	if at.Set && p.expired(now) {
		problems.Add("expiresAt", "must lie in the future")
	}
}

// PurchaseIntentFilter narrows a list of purchase intents; a zero member is no filter (decisions 3.4).
type PurchaseIntentFilter struct {
	Status     PurchaseIntentStatus   `graphql:"status"`
	StatusIn   []PurchaseIntentStatus `graphql:"statusIn"` // one of these
	EventID    string                 `graphql:"eventId"`
	CustomerID string                 `graphql:"customerId"`
	// Email is exact without regard to case.
	Email string `graphql:"email"`
	// Text is contained in names, company, e-mail or _id, without regard to case.
	Text string `graphql:"text"`
	// CreatedFrom is included, CreatedUntil is not.
	CreatedFrom  *moment.DateTime `graphql:"createdFrom"`
	CreatedUntil *moment.DateTime `graphql:"createdUntil"`
	// ExpiresFrom is included, ExpiresUntil is not.
	ExpiresFrom  *moment.DateTime `graphql:"expiresFrom"`
	ExpiresUntil *moment.DateTime `graphql:"expiresUntil"`
}

// Check tells everything that is wrong with the filter, by its own members.
func (f PurchaseIntentFilter) Check() error {
	var problems domain.Problems
	for _, text := range [...]struct{ path, text string }{
		{"eventId", f.EventID}, {"customerId", f.CustomerID}, {"email", f.Email}, {"text", f.Text},
	} {
		problems.Text(text.path, text.text)
	}
	problems.Values("statusIn", len(f.StatusIn))
	return problems.Err()
}
