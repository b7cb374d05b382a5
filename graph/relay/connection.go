package relay

import (
	"context"
	"reflect"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/audit"
	"ticketgate/domain/catalog"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
)

// PageInfo is the position of a page in its list.
type PageInfo struct {
	HasNextPage bool
	// HasPreviousPage is always false, which the connection specification allows for forward-only pages.
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Edge is an item of a connection with its cursor.
type Edge[T any] struct {
	Cursor string
	Node   T
}

// Connection is a domain list in the format of Relay, Apollo and urql.
type Connection[T any] struct {
	list   domain.List[T]
	cursor func(T) domain.Cursor
}

// Connect wraps a list sorted by _id, or returns err.
func Connect[T any](list domain.List[T], err error, id func(T) string) (Connection[T], error) {
	return ConnectAt(list, err, func(item T) domain.Cursor { return domain.Cursor{ID: id(item)} })
}

// ConnectAt is Connect for a list in any order, whose items provide their position.
func ConnectAt[T any](list domain.List[T], err error, position func(T) domain.Cursor) (Connection[T], error) {
	return Connection[T]{list: list, cursor: position}, err
}

// Nodes returns the page's items.
func (c Connection[T]) Nodes() []T { return c.list.Items }

// Edges returns the page's items with their cursors.
func (c Connection[T]) Edges() []Edge[T] {
	edges := make([]Edge[T], len(c.list.Items))
	for i, item := range c.list.Items {
		edges[i] = Edge[T]{Cursor: c.cursorAt(i), Node: item}
	}
	return edges
}

// PageInfo returns the cursors of the page and whether more items follow.
func (c Connection[T]) PageInfo() PageInfo {
	info := PageInfo{HasNextPage: c.list.HasMore}
	if last := len(c.list.Items) - 1; last >= 0 {
		info.StartCursor, info.EndCursor = new(c.cursorAt(0)), new(c.cursorAt(last))
	}
	return info
}

func (c Connection[T]) cursorAt(i int) string { return c.cursor(c.list.Items[i]).Of(ListOf[T]()) }

// ListOf returns the name that identifies lists of T in cursors.
func ListOf[T any]() string { return reflect.TypeFor[T]().String() }

// TotalCount returns the number of all matching items. The executor calls it only if the query selects the field.
func (c Connection[T]) TotalCount(ctx context.Context) (int, error) { return c.list.Total(ctx) }

// The connections of the schema and their edges, with the names that the schema gives them.
//
//nolint:revive,staticcheck // one comment for all of them; the schema has its own initialisms
type (
	OrganizationConnection = Connection[tenant.Organization]
	OrganizationEdge       = Edge[tenant.Organization]
	SellerConnection       = Connection[tenant.Seller]
	SellerEdge             = Edge[tenant.Seller]
	MemberConnection       = Connection[tenant.Member]
	MemberEdge             = Edge[tenant.Member]
	InvitationConnection   = Connection[tenant.Invitation]
	InvitationEdge         = Edge[tenant.Invitation]

	WebhookConnection = Connection[webhook.Webhook]
	WebhookEdge       = Edge[webhook.Webhook]

	WebhookFiguresConnection = Connection[webhook.WebhookFigures]
	WebhookFiguresEdge       = Edge[webhook.WebhookFigures]

	DeliveryConnection = Connection[webhook.Delivery]
	DeliveryEdge       = Edge[webhook.Delivery]
	AttemptConnection  = Connection[webhook.Attempt]
	AttemptEdge        = Edge[webhook.Attempt]

	TicketConnection = Connection[ticket.Record]
	TicketEdge       = Edge[ticket.Record]

	TransactionConnection = Connection[sale.TransactionRecord]
	TransactionEdge       = Edge[sale.TransactionRecord]
	CheckoutConnection    = Connection[sale.Checkout]
	CheckoutEdge          = Edge[sale.Checkout]

	InvoiceConnection = Connection[sale.InvoiceRecord]
	InvoiceEdge       = Edge[sale.InvoiceRecord]

	PurchaseIntentConnection = Connection[sale.PurchaseIntent]
	PurchaseIntentEdge       = Edge[sale.PurchaseIntent]

	ApiKeyConnection = Connection[apikey.Key]
	ApiKeyEdge       = Edge[apikey.Key]

	AuditEntryConnection = Connection[audit.Entry]
	AuditEntryEdge       = Edge[audit.Entry]

	EventConnection      = Connection[catalog.Event]
	EventEdge            = Edge[catalog.Event]
	TicketTypeConnection = Connection[catalog.TicketType]
	TicketTypeEdge       = Edge[catalog.TicketType]
	ScanZoneConnection   = Connection[catalog.ScanZone]
	ScanZoneEdge         = Edge[catalog.ScanZone]
	CustomerConnection   = Connection[catalog.Customer]
	CustomerEdge         = Edge[catalog.Customer]

	AccessListConnection      = Connection[access.List]
	AccessListEdge            = Edge[access.List]
	AccessListEntryConnection = Connection[access.Entry]
	AccessListEntryEdge       = Edge[access.Entry]
	UnknownCodeConnection     = Connection[access.UnknownCode]
	UnknownCodeEdge           = Edge[access.UnknownCode]
	EntryImportConnection     = Connection[access.Import]
	EntryImportEdge           = Edge[access.Import]

	ScanGroupConnection  = Connection[scan.Group]
	ScanGroupEdge        = Edge[scan.Group]
	AccessUserConnection = Connection[scan.Device]
	AccessUserEdge       = Edge[scan.Device]
	ScanConnection       = Connection[scan.Scan]
	ScanEdge             = Edge[scan.Scan]
)
