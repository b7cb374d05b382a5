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

// mixed are objects of several types that were read together.
type mixed []any

// among returns those of a level's objects that are of one type.
func among[P any](objects any) []P {
	switch objects := objects.(type) {
	case []P:
		return objects
	case mixed:
		var found []P
		for _, one := range objects {
			if object, ok := one.(P); ok {
				found = append(found, object)
			}
		}
		return found
	}
	return nil
}

// byKey lets each object have its own error where some were refused.
func byKey(err error) error {
	if refused, ok := errors.AsType[domain.RefusalsError](err); ok {
		return dataloadgen.MappedFetchError[string](refused)
	}
	return err
}

// object names an object of one of several types.
type object struct{ kind, id string }

const kindSeparator = ":"

// key is the object as a key of a loader.
func (o object) key() string {
	if o.id == "" {
		return ""
	}
	return o.kind + kindSeparator + o.id
}

// fromKeys reads keys that are objects.
func fromKeys(_ context.Context, keys []string) (map[string]object, error) {
	named := make(map[string]object, len(keys))
	for _, key := range keys {
		kind, id, _ := strings.Cut(key, kindSeparator)
		named[key] = object{kind, id}
	}
	return named, nil
}

// reader reads the objects of one type that the ids name.
type reader func(ctx context.Context, ids []string) (map[string]any, error)

// readerOf returns a reader of what an edge to one is read by.
func readerOf[T any](read func(context.Context, []string) (map[string]T, error)) reader {
	return func(ctx context.Context, ids []string) (map[string]any, error) {
		found, err := read(ctx, ids)
		objects := make(map[string]any, len(found))
		for id, one := range found {
			objects[id] = one
		}
		return objects, err
	}
}

// toAny follows an edge to an object of one of several types, in one statement for each type. The objects are named by keys of the
// parents. Kinds without a reader have no objects.
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
			for _, one := range found {
				objects = append(objects, one)
			}
			return objects
		})
}

// keysByKind returns for each kind which keys name which ids.
func keysByKind(named map[string]object) map[string]map[string]string {
	kinds := map[string]map[string]string{}
	for key, one := range named {
		if kinds[one.kind] == nil {
			kinds[one.kind] = map[string]string{}
		}
		kinds[one.kind][key] = one.id
	}
	return kinds
}

// readKind reads the objects of one type and notes what was found, or refused, for each key.
func readKind[I any](
	ctx context.Context, read reader, keys map[string]string, found map[string]I, refused domain.RefusalsError,
) {
	objects, err := read(ctx, slices.Compact(slices.Sorted(maps.Values(keys))))
	ofSome, some := errors.AsType[domain.RefusalsError](err)
	for key, id := range keys {
		one, ok := objects[id].(I)
		switch {
		case some && ofSome[id] != nil:
			refused[key] = ofSome[id]
		case err != nil && !some:
			refused[key] = err
		case ok && objects[id] != nil:
			found[key] = one
		}
	}
}

// actors reads users, keys and devices by the names that the audit log and createdBy have for their kinds.
func (r *Resolver) actors() map[string]reader {
	keys := readerOf(r.Keys.ByID)
	return map[string]reader{
		"USER": readerOf(r.Users.ByID), "API_KEY": keys, "ORGANIZATION_KEY": keys, "DEVICE": readerOf(r.Devices.ByID),
	}
}

// records reads the records that events are about, by the member of the events' data that holds them.
func (r *Resolver) records() map[string]reader {
	return map[string]reader{
		"transaction": readerOf(r.Transactions.ByID), "ticket": readerOf(r.Tickets.ByID), "checkout": readerOf(r.Checkouts.ByID),
		"purchaseIntent": readerOf(r.PurchaseIntents.ByID), "customer": readerOf(r.Customers.ByID),
		"event": readerOf(r.CatalogEvents.ByID), "scan": readerOf(r.Scans.ByID),
	}
}

// changed reads the records that entries of the audit log are about, by the names that the log has for their kinds.
func (r *Resolver) changed() map[string]reader {
	readers := r.records()
	maps.Copy(readers, map[string]reader{
		"accessList": readerOf(r.AccessLists.ByID), "accessUser": readerOf(r.Devices.ByID), "apiKey": readerOf(r.Keys.ByID),
		"invoice": readerOf(r.Invoices.ByID), "scanGroup": readerOf(r.ScanGroups.ByID), "scanZone": readerOf(r.ScanZones.ByID),
		"ticketType": readerOf(r.TicketTypes.ByID), "webhook": readerOf(r.Webhooks.ByID),
		"seller": readerOf(func(ctx context.Context, named []string) (map[string]tenant.Seller, error) {
			// A log has the changes of one seller.
			seller, err := r.Sellers.Get(ctx, ids.Seller(named[0]))
			return map[string]tenant.Seller{named[0]: seller}, err
		}),
	})
	return readers
}

// nodes looks up the objects that have an id, by their types in the schema. Each lookup is an operation with rights of its own.
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

// nodeOf returns a lookup of one type as one of any type.
func nodeOf[T any](get func(context.Context, string) (T, error)) func(context.Context, string) (relay.Node, error) {
	return func(ctx context.Context, id string) (relay.Node, error) {
		found, err := get(ctx, id)
		if err != nil {
			return nil, err
		}
		return found, nil
	}
}

// objectsOf names the records that the events of deliveries are about.
func (r *Resolver) objectsOf(ctx context.Context, deliveries []string) (map[string]object, error) {
	found, err := r.Deliveries.Objects(ctx, deliveries)
	named := make(map[string]object, len(found))
	for id, one := range found {
		named[id] = object{one.Resource(), one.ID}
	}
	return named, err
}

// valueOf is an optional argument, zero if it was not given.
func valueOf[T any](given *T) (value T) {
	if given != nil {
		value = *given
	}
	return value
}

// notedAll notes a list without pages.
func notedAll[T any](ctx context.Context, items []T, err error) ([]T, error) {
	noteRead(ctx, &level{objects: items})
	return items, err
}
