package graph

import (
	"context"
	"errors"
	"slices"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/audit"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/search"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
	"ticketgate/graph/relay"
)

// Resolver resolves the root fields, each with one call of a domain operation.
type Resolver struct {
	Organizations   tenant.Organizations
	Sellers         tenant.Sellers
	Members         tenant.Members
	Invitations     tenant.Invitations
	Sessions        tenant.Sessions
	Users           tenant.Users
	Keys            apikey.Keys
	Webhooks        webhook.Webhooks
	Deliveries      webhook.Deliveries
	Events          webhook.Events
	AuditEntries    audit.Log
	Tickets         ticket.Tickets
	Transactions    sale.Transactions
	Checkouts       sale.Checkouts
	Invoices        sale.Invoices
	PurchaseIntents sale.PurchaseIntents
	CatalogEvents   catalog.Events
	TicketTypes     catalog.TicketTypes
	ScanZones       catalog.ScanZones
	Customers       catalog.Customers
	AccessLists     access.Lists
	AccessEntries   access.Entries
	Lookups         access.Lookups
	EntryImports    access.Imports
	ScanGroups      scan.Groups
	Devices         scan.Devices
	AtGate          scan.AtGate
	Scans           scan.Scans
	Feed            scan.Feed
	Search          search.Search
}

// ptr returns a pointer to the value, which gqlgen expects for nullable objects.
func ptr[T any](value T, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	return &value, nil
}

// ok returns the result of an operation without a return value.
func ok(err error) (bool, error) { return err == nil, err }

// connect returns a list with a filter as a connection.
func connect[F, T any](
	ctx context.Context, first *int, after *string, order domain.ListOrder, filter *F,
	list func(context.Context, F, domain.Page) (domain.List[T], error), id func(T) string,
) (relay.Connection[T], error) {
	return connectAt(ctx, first, after, order, filter, list, func(item T) domain.Cursor { return domain.Cursor{ID: id(item)} })
}

// connectAt is connect for a list in any order, whose items provide their position.
func connectAt[F, T any](
	ctx context.Context, first *int, after *string, order domain.ListOrder, filter *F,
	list func(context.Context, F, domain.Page) (domain.List[T], error), position func(T) domain.Cursor,
) (relay.Connection[T], error) {
	wanted, page, err := pageOf[F, T](first, after, order, filter)
	if err != nil {
		return relay.Connection[T]{}, err
	}
	found, err := list(ctx, wanted, page)
	noteRead(ctx, &level{objects: found.Items})
	return relay.ConnectAt(found, inArgument(filter, err), position)
}

// pageOf reads the arguments of a list. It reports all invalid arguments in one error.
func pageOf[F, T any](first *int, after *string, order domain.ListOrder, filter *F) (f F, page domain.Page, err error) {
	if filter != nil {
		f = *filter
	}
	page, err = domain.FirstAfter(relay.ListOf[T](), first, after, order)
	if err != nil {
		var errs domain.FieldErrors
		errs.Under("", err)
		errs.Filter(argumentOf(f), f)
		err = errs.Err()
	}
	return f, page, err
}

// argumentOf returns the name of the argument that filters a list.
func argumentOf(filter any) string {
	if _, is := filter.(tenant.Place); is {
		return "place"
	}
	return "filter"
}

// inArgument prefixes the paths of errors in a filter with the argument that holds it. Errors of the cursor stay
// unchanged. The filter may be nil.
func inArgument[F any](filter *F, err error) error {
	if filter == nil {
		return err
	}
	refused, ok := errors.AsType[*domain.Error](err)
	isOfCursor := func(field domain.FieldError) bool { return field.Path == "after" }
	if !ok || refused.Code != domain.CodeValidationFailed || slices.ContainsFunc(refused.Fields, isOfCursor) {
		return err
	}
	var errs domain.FieldErrors
	errs.Under(argumentOf(*filter), refused)
	return errs.Err()
}

// connectAll is connect for a list without a filter.
func connectAll[T any](
	ctx context.Context, first *int, after *string, order domain.ListOrder,
	list func(context.Context, domain.Page) (domain.List[T], error), id func(T) string,
) (relay.Connection[T], error) {
	unfiltered := func(ctx context.Context, _ struct{}, page domain.Page) (domain.List[T], error) {
		return list(ctx, page)
	}
	return connect(ctx, first, after, order, nil, unfiltered, id)
}
