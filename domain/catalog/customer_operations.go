package catalog

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Customers implements the operations on a seller's customers. Changes publish customer.created and customer.updated.
// They are not audited, because audit entries are never removed and must not contain personal data.
type Customers struct {
	resource[Customer, *Customer, NewCustomer, CustomerChange, CustomerFilter]
}

func customersOn(on base) Customers {
	return Customers{resource[Customer, *Customer, NewCustomer, CustomerChange, CustomerFilter]{
		base: on, create: domain.CreateCustomer, get: domain.GetCustomer, list: domain.ListCustomers, update: domain.UpdateCustomer,
		one: on.store.Customer, many: on.store.CustomersByID, page: on.store.Customers,
		insert: Tx.InsertCustomer, replace: Tx.UpdateCustomer,
		prepare: func(ctx context.Context, tx Tx, _ *Customer) (follow[Customer], error) {
			return publishCustomer(ctx, tx), nil
		},
		lock: func(ctx context.Context, tx Tx, seller ids.Seller, id string, _ *CustomerChange) (Customer, follow[Customer], error) {
			found, err := tx.CustomerForUpdate(ctx, seller, id)
			return found, publishCustomer(ctx, tx), err
		},
	}}
}

func (c *Customer) common() common { return common{&c.ID, &c.SellerID, &c.CreatedAt, &c.UpdatedAt} }

func (n NewCustomer) names() (ids.Seller, *string) { return n.SellerID, n.ID }

func (NewCustomer) record(*domain.FieldErrors) Customer { return Customer{} }

func (c CustomerChange) expects() (ids.Seller, *moment.DateTime) {
	return c.SellerID, c.ExpectedUpdatedAt
}

// checkOthers does nothing: customers do not refer to other records.
func (*Customer) checkOthers(context.Context, placeReader, *Customer, *domain.FieldErrors) error {
	return nil
}

// The events that changes of customers publish.
const (
	customerCreated domain.EventType = "customer.created"
	customerUpdated domain.EventType = "customer.updated"
)

func publishCustomer(ctx context.Context, tx Tx) follow[Customer] {
	return func(before, after *Customer) error {
		kind := customerUpdated
		if before == nil {
			kind = customerCreated
		}
		shown := publishedCustomer{Customer: after, PrimaryEmail: after.Email, Name: after.PersonName()}
		return publish(ctx, tx, after.SellerID, kind, "customer", shown)
	}
}

// publishedCustomer is a customer in events, with the fields that programs written for other platforms read
// (WEBHOOK-21).
type publishedCustomer struct {
	*Customer

	PrimaryEmail *string `json:"primaryEmail,omitempty"`
	Name         *string `json:"name,omitempty"`
}
