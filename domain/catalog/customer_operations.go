package catalog

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
)

// Customers is what can be done with a seller's customers. The audit log, which nothing is ever removed from, does not
// hold what is known of them.
type Customers struct {
	Store  Store
	Seller SellerOf
	Now    func() time.Time
}

// The event types that a change of a customer publishes (spec 6.1).
const (
	customerCreated domain.EventType = "customer.created"
	customerUpdated domain.EventType = "customer.updated"
)

// Create makes a customer and publishes customer.created: customers:create, or a session with MANAGER.
func (s Customers) Create(ctx context.Context, input NewCustomer) (Customer, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.CreateCustomer, input.SellerID, s.Seller)
	if err != nil {
		return Customer{}, err
	}
	var problems domain.Problems
	now := s.Now()
	made := Customer{
		ID: newID(&problems, input.ID, now), SellerID: actor.SellerID,
		CreatedAt: domain.NewDateTime(now), UpdatedAt: domain.NewDateTime(now),
	}
	made.apply(input.change(), &problems)
	if err := cmp.Or(checkUnused(ctx, s.Store.Customer, actor.SellerID, input.ID, &problems), problems.Err()); err != nil {
		return Customer{}, err
	}
	err = s.Store.InTx(ctx, func(tx Tx) error {
		if err := tx.InsertCustomer(ctx, made); err != nil {
			return err
		}
		return made.publish(ctx, tx, customerCreated)
	})
	return made, err
}

// List returns the seller's customers that match, oldest first: customers:list, or a session with VIEWER.
func (s Customers) List(ctx context.Context, filter CustomerFilter, page domain.Page) (domain.List[Customer], error) {
	actor, err := domain.Authorize(ctx, domain.ListCustomers)
	if err != nil {
		return domain.List[Customer]{}, err
	}
	if err := filter.Check(); err != nil {
		return domain.List[Customer]{}, err
	}
	return s.Store.Customers(ctx, actor.SellerID, filter, page)
}

// Get returns one customer: customers:list, or a session with VIEWER.
func (s Customers) Get(ctx context.Context, id string) (Customer, error) {
	actor, err := domain.Authorize(ctx, domain.GetCustomer)
	if err != nil {
		return Customer{}, err
	}
	return s.Store.Customer(ctx, actor.SellerID, id)
}

// Update changes a customer and publishes customer.updated: customers:update, or a session with MANAGER. A change that
// changes nothing writes and publishes nothing.
func (s Customers) Update(ctx context.Context, id string, input CustomerChange) (Customer, error) {
	actor, err := domain.AuthorizeSeller(ctx, domain.UpdateCustomer, input.SellerID, s.Seller)
	if err != nil {
		return Customer{}, err
	}
	before, err := s.Store.Customer(ctx, actor.SellerID, id)
	if err == nil {
		_, err = before.with(input)
	}
	if err != nil {
		return Customer{}, err
	}
	var after Customer
	err = s.Store.InTx(ctx, func(tx Tx) error {
		before, err := tx.CustomerForUpdate(ctx, actor.SellerID, id)
		if err == nil {
			err = domain.Unchanged(ctx, input.ExpectedUpdatedAt, before.UpdatedAt)
		}
		if err != nil {
			return err
		}
		if after, err = before.with(input); err != nil {
			return err
		}
		if unchanged, err := same(before, after); err != nil || unchanged {
			return err
		}
		after.UpdatedAt = domain.NextUpdate(s.Now(), before.UpdatedAt)
		if err := tx.UpdateCustomer(ctx, after); err != nil {
			return err
		}
		return after.publish(ctx, tx, customerUpdated)
	})
	return after, err
}

func (c *Customer) publish(ctx context.Context, tx Tx, kind domain.EventType) error {
	return publish(ctx, tx, c.SellerID, kind, "customer", publishedCustomer{Customer: c, PrimaryEmail: c.Email, Name: c.PersonName()})
}

// publishedCustomer is a customer as webhooks show it, with the fields that programs written for other platforms read
// (WEBHOOK-21).
type publishedCustomer struct {
	*Customer

	PrimaryEmail *string `json:"primaryEmail,omitempty"`
	Name         *string `json:"name,omitempty"`
}

// with returns the customer after a change, or everything that is wrong with the change.
func (c Customer) with(change CustomerChange) (Customer, error) {
	var problems domain.Problems
	c.apply(change, &problems)
	return c, problems.Err()
}
