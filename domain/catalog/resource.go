package catalog

import (
	"cmp"
	"context"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Operations is what can be done with a seller's catalogue.
type Operations struct {
	Events      Events
	TicketTypes TicketTypes
	ScanZones   ScanZones
	Customers   Customers
}

// New returns what can be done with the records that the store has.
func New(store Store, seller SellerOf, now func() time.Time) Operations {
	on := base{store, seller, now}
	return Operations{eventsOn(on), ticketTypesOn(on), scanZonesOn(on), customersOn(on)}
}

type base struct {
	store  Store
	seller SellerOf
	now    func() time.Time
}

// resource is what can be done with a seller's records of one type, T, by the inputs N and C. What differs between the types
// is in its functions, and in the methods of the record and its inputs. Who may call is in the table of domain/operation.go.
type resource[T any, P record[T, C], N newRecord[T, C], C change, F domain.Filter] struct {
	base
	// object names a record in the audit log, which has no entries of records without.
	object                            string
	create, get, list, update, delete domain.Operation

	one  func(context.Context, ids.Seller, string) (T, error)
	many func(context.Context, ids.Seller, []string) (map[string]T, error)
	page func(context.Context, ids.Seller, F, domain.Page) (domain.List[T], error)

	insert, replace func(Tx, context.Context, T) error
	remove          func(Tx, context.Context, ids.Seller, string) error
	// prepare locks what a new record concerns besides itself.
	prepare func(ctx context.Context, tx Tx, made *T) (follow[T], error)
	// lock locks a record that exists, and what its change concerns besides itself. The change is nil before a removal.
	lock func(ctx context.Context, tx Tx, seller ids.Seller, id string, change *C) (T, follow[T], error)
}

// follow does what follows from a change within its transaction: it publishes it. Before is nil for a new record, after for
// one that was removed.
type follow[T any] func(before, after *T) error

// record is a record of the catalogue that changes of type C change.
type record[T, C any] interface {
	*T
	// common returns where the record has the fields that all records have.
	common() common
	// apply puts the change into the record and notes everything that the record alone shows to be wrong with it.
	apply(change C, problems *domain.Problems)
	// checkOthers notes what only other records show to be wrong. Before is the record's state so far, nil if it is new.
	checkOthers(ctx context.Context, from placeReader, before *T, problems *domain.Problems) error
}

// newRecord is the input of a record's creation.
type newRecord[T, C any] interface {
	// names returns the seller and the _id that the input names, if any.
	names() (ids.Seller, *string)
	// record returns a record with what no change can change, and notes what is wrong with that.
	record(problems *domain.Problems) T
	// change returns the rest as a change of that record, so that one function checks both.
	change() C
}

// change is the input of a record's change.
type change interface {
	// expects returns the seller that the input names and the updatedAt that the caller last saw, if any.
	expects() (ids.Seller, *moment.DateTime)
}

// common points to the fields that all records have.
type common struct {
	id                   *string
	seller               *ids.Seller
	createdAt, updatedAt *moment.DateTime
}

// Create makes a record and publishes its creation.
func (s resource[T, P, N, C, F]) Create(ctx context.Context, input N) (T, error) {
	var made T
	seller, given := input.names()
	actor, err := domain.AuthorizeSeller(ctx, s.create, seller, s.seller)
	if err != nil {
		return made, err
	}
	var problems domain.Problems
	made = asked[T, P](input, actor.SellerID, s.now(), &problems)
	if err := cmp.Or(
		checkUnused(ctx, s.one, actor.SellerID, given, &problems),
		P(&made).checkOthers(ctx, s.store, nil, &problems),
		problems.Err(),
	); err != nil {
		return made, err
	}
	err = s.store.InTx(ctx, func(tx Tx) error {
		follow, err := s.prepare(ctx, tx, &made)
		if err != nil {
			return err
		}
		if err := s.insert(tx, ctx, made); err != nil {
			return err
		}
		return s.changed(ctx, tx, s.create, nil, &made, follow)
	})
	return made, err
}

// asked returns the record that an input asks for, and notes what the input alone shows to be wrong.
func asked[T any, P record[T, C], N newRecord[T, C], C change](
	input N, seller ids.Seller, now time.Time, problems *domain.Problems,
) T {
	_, given := input.names()
	id := newID(problems, given, now)
	made := input.record(problems)
	fields := P(&made).common()
	*fields.id, *fields.seller = id, seller
	*fields.createdAt, *fields.updatedAt = moment.New(now), moment.New(now)
	P(&made).apply(input.change(), problems)
	return made
}

// List returns the seller's records that match, oldest first.
func (s resource[T, P, N, C, F]) List(ctx context.Context, filter F, page domain.Page) (domain.List[T], error) {
	return domain.ReadPage(ctx, s.list, s.page, filter, page)
}

// Get returns one record.
func (s resource[T, P, N, C, F]) Get(ctx context.Context, id string) (T, error) {
	return domain.Read(ctx, s.get, s.one, id)
}

// ByID returns those of the seller's records that the ids name, in one query (GRAPH-1).
func (s resource[T, P, N, C, F]) ByID(ctx context.Context, ids []string) (map[string]T, error) {
	return domain.Read(ctx, s.get, s.many, ids)
}

// Update changes a record and publishes the change. One that changes nothing writes and publishes nothing.
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

// with returns the record after a change, or everything that is wrong with the change.
func (s resource[T, P, N, C, F]) with(ctx context.Context, from placeReader, before T, input C) (T, error) {
	var problems domain.Problems
	after := before
	P(&after).apply(input, &problems)
	err := cmp.Or(P(&after).checkOthers(ctx, from, &before, &problems), problems.Err())
	return after, err
}

// removed removes a record, publishes that and returns it.
func (s resource[T, P, N, C, F]) removed(ctx context.Context, id string, expected *moment.DateTime) (T, error) {
	return s.records(nil).Delete(ctx, s.delete, id, expected)
}

// records are the records for one change, which is nil for a removal.
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

// changed audits a change that was written, and does what follows from it.
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

// whole is a record as the audit log shows it.
func whole[T any](record, _ *T) any { return record }
