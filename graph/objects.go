package graph

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/vikstrous/dataloadgen"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/tenant"
	"ticketgate/graph/relay"
)

// mixed is a list of objects of several types that were read together.
type mixed []any

// among returns the objects of a level that have type P.
func among[P any](objects any) []P {
	switch objects := objects.(type) {
	case []P:
		return objects
	case mixed:
		var found []P
		for _, item := range objects {
			if object, ok := item.(P); ok {
				found = append(found, object)
			}
		}
		return found
	}
	return nil
}

// byKey returns the errors by key if only some objects were refused.
func byKey(err error) error {
	if refused, ok := errors.AsType[domain.RefusalsError](err); ok {
		return dataloadgen.MappedFetchError[string](refused)
	}
	return err
}

// object identifies an object of one of several types.
type object struct{ kind, id string }

const kindSeparator = ":"

// key returns the object's key for a loader.
func (o object) key() string {
	if o.id == "" {
		return ""
	}
	return o.kind + kindSeparator + o.id
}

// fromKeys decodes keys that are objects.
func fromKeys(_ context.Context, keys []string) (map[string]object, error) {
	named := make(map[string]object, len(keys))
	for _, key := range keys {
		kind, id, _ := strings.Cut(key, kindSeparator)
		named[key] = object{kind, id}
	}
	return named, nil
}

// reader reads the objects of one type by their ids.
type reader func(ctx context.Context, ids []string) (map[string]any, error)

// readerOf returns a reader that uses the read of a typed edge.
func readerOf[T any](read func(context.Context, []string) (map[string]T, error)) reader {
	return func(ctx context.Context, ids []string) (map[string]any, error) {
		found, err := read(ctx, ids)
		objects := make(map[string]any, len(found))
		for id, item := range found {
			objects[id] = item
		}
		return objects, err
	}
}

// toAny follows an edge to an object of one of several types, with one statement per type. The keys of the parents
// identify the objects. Kinds without a reader have no objects.
func toAny[P, I any](
	ctx context.Context, parent *P, key func(*P) string,
	name func(context.Context, []string) (map[string]object, error), readers map[string]reader,
) (I, error) {
	return follow(ctx, parent, key,
		func(ctx context.Context, keys []string) (map[string]I, error) {
			named, err := name(ctx, keys)
			if err != nil {
				return nil, err
			}
			found, refused := map[string]I{}, domain.RefusalsError{}
			for kind, keys := range keysByKind(named) {
				if read, known := readers[kind]; known {
					readKind(ctx, read, keys, found, refused)
				}
			}
			return found, refused.Err()
		},
		func(found map[string]I) any {
			objects := make(mixed, 0, len(found))
			for _, item := range found {
				objects = append(objects, item)
			}
			return objects
		})
}

// keysByKind groups keys by kind and id.
func keysByKind(named map[string]object) map[string]map[string]string {
	kinds := map[string]map[string]string{}
	for key, item := range named {
		if kinds[item.kind] == nil {
			kinds[item.kind] = map[string]string{}
		}
		kinds[item.kind][key] = item.id
	}
	return kinds
}

// readKind reads the objects of one type and records the object or the error for each key.
func readKind[I any](
	ctx context.Context, read reader, keys map[string]string, found map[string]I, refused domain.RefusalsError,
) {
	objects, err := read(ctx, slices.Compact(slices.Sorted(maps.Values(keys))))
	ofSome, some := errors.AsType[domain.RefusalsError](err)
	for key, id := range keys {
		item, ok := objects[id].(I)
		switch {
		case some && ofSome[id] != nil:
			refused[key] = ofSome[id]
		case err != nil && !some:
			refused[key] = err
		case ok && objects[id] != nil:
			found[key] = item
		}
	}
}

// actors returns readers for users, keys and devices, by their kinds in the audit log and in createdBy.
func (r *Resolver) actors() map[string]reader {
	keys := readerOf(r.Keys.ByID)
	return map[string]reader{
		"USER": readerOf(r.Users.ByID), "API_KEY": keys, "ORGANIZATION_KEY": keys, "DEVICE": readerOf(r.Devices.ByID),
	}
}

// records returns readers for the records that events are about, by the field of the event's data that holds the record.
func (r *Resolver) records() map[string]reader {
	return map[string]reader{
		"transaction": readerOf(r.Transactions.ByID), "ticket": readerOf(r.Tickets.ByID), "checkout": readerOf(r.Checkouts.ByID),
		"purchaseIntent": readerOf(r.PurchaseIntents.ByID), "customer": readerOf(r.Customers.ByID),
		"event": readerOf(r.CatalogEvents.ByID), "scan": readerOf(r.Scans.ByID),
	}
}

// changed returns readers for the records that audit log entries are about, by their kinds in the log.
func (r *Resolver) changed() map[string]reader {
	readers := r.records()
	maps.Copy(readers, map[string]reader{
		"accessList": readerOf(r.AccessLists.ByID), "accessUser": readerOf(r.Devices.ByID), "apiKey": readerOf(r.Keys.ByID),
		"invoice": readerOf(r.Invoices.ByID), "scanGroup": readerOf(r.ScanGroups.ByID), "scanZone": readerOf(r.ScanZones.ByID),
		"ticketType": readerOf(r.TicketTypes.ByID), "webhook": readerOf(r.Webhooks.ByID),
		"seller": readerOf(func(ctx context.Context, named []string) (map[string]tenant.Seller, error) {
			// All entries of a log belong to one seller.
			seller, err := r.Sellers.Get(ctx, ids.Seller(named[0]))
			return map[string]tenant.Seller{named[0]: seller}, err
		}),
	})
	return readers
}

// nodes returns the lookups by id, by type name in the schema. Each lookup is an operation with its own permissions
// (GRAPH-7).
func (r *Resolver) nodes() map[relay.NodeType]func(context.Context, string) (relay.Node, error) {
	return map[relay.NodeType]func(context.Context, string) (relay.Node, error){
		"AccessList":     nodeOf(r.AccessLists.Get),
		"AccessUser":     nodeOf(r.Devices.Get),
		"ApiKey":         nodeOf(r.Keys.Get),
		"Checkout":       nodeOf(r.Checkouts.Get),
		"Customer":       nodeOf(r.Customers.Get),
		"Event":          nodeOf(r.CatalogEvents.Get),
		"Invoice":        nodeOf(r.Invoices.Get),
		"PurchaseIntent": nodeOf(r.PurchaseIntents.Get),
		"Scan":           nodeOf(r.Scans.Get),
		"ScanGroup":      nodeOf(r.ScanGroups.Get),
		"ScanZone":       nodeOf(r.ScanZones.Get),
		"Seller": nodeOf(func(ctx context.Context, id string) (tenant.Seller, error) {
			return r.Sellers.Get(ctx, ids.Seller(id))
		}),
		"Ticket":      nodeOf(r.Tickets.Get),
		"TicketType":  nodeOf(r.TicketTypes.Get),
		"Transaction": nodeOf(r.Transactions.Get),
		"Webhook":     nodeOf(r.Webhooks.Get),
	}
}

// nodeOf converts the lookup of one type to a lookup of nodes.
func nodeOf[T any](get func(context.Context, string) (T, error)) func(context.Context, string) (relay.Node, error) {
	return func(ctx context.Context, id string) (relay.Node, error) {
		found, err := get(ctx, id)
		if err != nil {
			return nil, err
		}
		return found, nil
	}
}

// objectsOf returns the records that the events of deliveries are about.
func (r *Resolver) objectsOf(ctx context.Context, deliveries []string) (map[string]object, error) {
	found, err := r.Deliveries.Objects(ctx, deliveries)
	named := make(map[string]object, len(found))
	for id, item := range found {
		named[id] = object{item.Resource(), item.ID}
	}
	return named, err
}

// valueOf dereferences an optional argument, or returns the zero value.
func valueOf[T any](given *T) (value T) {
	if given != nil {
		value = *given
	}
	return value
}

// notedAll records the objects of a list without pages, see noteRead.
func notedAll[T any](ctx context.Context, items []T, err error) ([]T, error) {
	noteRead(ctx, &level{objects: items})
	return items, err
}
