package catalog

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Operations implements the operations on a seller's catalog.
type Operations struct {
	Events      Events
	TicketTypes TicketTypes
	ScanZones   ScanZones
	Customers   Customers
}

// New returns the operations on the records in store.
func New(store Store, seller SellerOf, now func() time.Time) Operations {
	on := base{store, seller, now}
	return Operations{eventsOn(on), ticketTypesOn(on), scanZonesOn(on), customersOn(on)}
}

type base struct {
	store  Store
	seller SellerOf
	now    func() time.Time
}

// resource implements the operations on a seller's records of type T with the inputs N and C. The differences between
// types are in its functions, and in the methods of the record and its inputs. domain/operation.go defines the
// permissions.
type resource[T any, P record[T, C], N newRecord[T, C], C change, F domain.Filter] struct {
	base
	// object is the object name in the audit log. If empty, changes are not audited.
	object                            string
	create, get, list, update, delete domain.Operation

	one  func(context.Context, ids.Seller, string) (T, error)
	many func(context.Context, ids.Seller, []string) (map[string]T, error)
	page func(context.Context, ids.Seller, F, domain.Page) (domain.List[T], error)

	insert, replace func(Tx, context.Context, T) error
	remove          func(Tx, context.Context, ids.Seller, string) error
	// prepare locks other records that the creation affects.
	prepare func(ctx context.Context, tx Tx, created *T) (follow[T], error)
	// lock locks an existing record and other records that the change affects. Change is nil for a deletion.
	lock func(ctx context.Context, tx Tx, seller ids.Seller, id string, change *C) (T, follow[T], error)
}

// follow completes a change within its transaction, by publishing it. Before is nil for a new record, after is nil for
// a deleted one.
type follow[T any] func(before, after *T) error

// record is a catalog record that changes of type C apply to.
type record[T, C any] interface {
	*T
	// common returns pointers to the fields that all records have.
	common() common
	// apply applies change to the record and adds the validation errors that do not depend on other records.
	apply(change C, errs *domain.FieldErrors)
	// checkOthers adds the validation errors that depend on other records. Before is the previous state, nil for a new
	// record.
	checkOthers(ctx context.Context, from placeReader, before *T, errs *domain.FieldErrors) error
}

// newRecord is the input of a creation.
type newRecord[T, C any] interface {
	// names returns the seller and the _id in the input. Both may be empty.
	names() (ids.Seller, *string)
	// record returns a record with the fields that can't be changed later, and adds their validation errors.
	record(errs *domain.FieldErrors) T
	// change returns the other fields as a change of that record, so that one function validates both.
	change() C
}

// change is the input of an update.
type change interface {
	// expects returns the seller in the input and the updatedAt that the caller last saw. Both may be empty.
	expects() (ids.Seller, *moment.DateTime)
}

// common points to the fields that all records have.
type common struct {
	id                   *string
	seller               *ids.Seller
	createdAt, updatedAt *moment.DateTime
}

// Create creates a record and publishes it.
func (s resource[T, P, N, C, F]) Create(ctx context.Context, input N) (T, error) {
	var created T
	seller, given := input.names()
	actor, err := domain.AuthorizeSeller(ctx, s.create, seller, s.seller)
	if err != nil {
		return created, err
	}
	var errs domain.FieldErrors
	created = asked[T, P](input, actor.SellerID, s.now(), &errs)
	if err := cmp.Or(
		checkUnused(ctx, s.one, actor.SellerID, given, &errs),
		P(&created).checkOthers(ctx, s.store, nil, &errs),
		errs.Err(),
	); err != nil {
		return created, err
	}
	err = s.store.InTx(ctx, func(tx Tx) error {
		follow, err := s.prepare(ctx, tx, &created)
		if err != nil {
			return err
		}
		if err := s.insert(tx, ctx, created); err != nil {
			return err
		}
		return s.changed(ctx, tx, s.create, nil, &created, follow)
	})
	return created, err
}

// asked returns the record that an input describes, and adds the validation errors that do not depend on other records.
func asked[T any, P record[T, C], N newRecord[T, C], C change](
	input N, seller ids.Seller, now time.Time, errs *domain.FieldErrors,
) T {
	_, given := input.names()
	id := newID(errs, given, now)
	created := input.record(errs)
	fields := P(&created).common()
	*fields.id, *fields.seller = id, seller
	*fields.createdAt, *fields.updatedAt = moment.New(now), moment.New(now)
	P(&created).apply(input.change(), errs)
	return created
}

// List returns a page of the seller's matching records, oldest first.
func (s resource[T, P, N, C, F]) List(ctx context.Context, filter F, page domain.Page) (domain.List[T], error) {
	return domain.ReadPage(ctx, s.list, s.page, filter, page)
}

// Get returns a record.
func (s resource[T, P, N, C, F]) Get(ctx context.Context, id string) (T, error) {
	return domain.Read(ctx, s.get, s.one, id)
}

// ByID returns the seller's records with the given ids, in one query (GRAPH-1).
func (s resource[T, P, N, C, F]) ByID(ctx context.Context, ids []string) (map[string]T, error) {
	return domain.Read(ctx, s.get, s.many, ids)
}

// Update changes a record and publishes it. A change without effect writes and publishes nothing (CATALOG-4).
func (s resource[T, P, N, C, F]) Update(ctx context.Context, id string, input C) (T, error) {
	seller, expected := input.expects()
	actor, err := domain.AuthorizeSeller(ctx, s.update, seller, s.seller)
	if err != nil {
		var none T
		return none, err
	}
	return s.records(&input).Change(ctx, s.update, actor.SellerID, id, expected, func(tx Tx, before T) (T, error) {
		if tx == nil {
			return s.with(ctx, s.store, before, input)
		}
		return s.with(ctx, tx, before, input)
	})
}

// with returns the changed record, or all errors of the change.
func (s resource[T, P, N, C, F]) with(ctx context.Context, from placeReader, before T, input C) (T, error) {
	var errs domain.FieldErrors
	after := before
	P(&after).apply(input, &errs)
	err := cmp.Or(P(&after).checkOthers(ctx, from, &before, &errs), errs.Err())
	return after, err
}

// removed deletes a record, publishes the deletion and returns the record.
func (s resource[T, P, N, C, F]) removed(ctx context.Context, id string, expected *moment.DateTime) (T, error) {
	return s.records(nil).Delete(ctx, s.delete, id, expected)
}

// records returns the record operations for a change. The change is nil for a deletion.
func (s resource[T, P, N, C, F]) records(change *C) domain.Records[T, Tx] {
	var follow follow[T]
	return domain.Records[T, Tx]{
		Now: s.now, InTx: s.store.InTx, Read: s.one, Replace: s.replace, Remove: s.remove,
		Lock: func(tx Tx, ctx context.Context, seller ids.Seller, id string) (found T, err error) {
			found, follow, err = s.lock(ctx, tx, seller, id, change)
			return found, err
		},
		UpdatedAt: func(record *T) *moment.DateTime { return P(record).common().updatedAt },
		Same:      func(before, after *T) bool { return same(before, after) },
		Follow: func(ctx context.Context, tx Tx, action domain.Operation, before, after *T) error {
			return s.changed(ctx, tx, action, before, after, follow)
		},
	}
}

// changed audits and publishes a change that was written.
func (s resource[T, P, N, C, F]) changed(
	ctx context.Context, tx Tx, action domain.Operation, before, after *T, follow follow[T],
) error {
	if s.object != "" {
		if err := domain.Audited[T, Tx](s.auditEntry, whole)(ctx, tx, action, before, after); err != nil {
			return err
		}
	}
	return follow(before, after)
}

func (s resource[T, P, N, C, F]) auditEntry(record *T, action domain.Operation) domain.Change {
	fields := P(record).common()
	return domain.Change{SellerID: *fields.seller, Action: action, Object: s.object, ObjectID: *fields.id}
}

// whole returns the complete record for the audit log.
func whole[T any](record, _ *T) any { return record }
