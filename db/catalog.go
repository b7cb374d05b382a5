package db

import (
	"context"

	"ticketgate/domain/catalog"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
)

// catalogReader implements catalog.Reader, on the pool or in a transaction.
type catalogReader struct {
	*Store
	on conn
}

// CatalogReader returns the catalog for other areas.
func (s *Store) CatalogReader() catalog.Reader { return catalogReader{s, s.sql} }

// catalogStore implements catalog.Store.
type catalogStore struct {
	catalogReader
	transactor[catalog.Tx]
}

// Catalog returns the store of package catalog.
func (s *Store) Catalog() catalog.Store {
	return catalogStore{catalogReader{s, s.sql}, transactor[catalog.Tx]{s, func(tx *Tx) catalog.Tx { return tx.catalog() }}}
}

// catalogTx implements catalog.Tx.
type catalogTx struct {
	*Tx
	catalogReader
}

func (tx *Tx) catalog() catalogTx { return catalogTx{tx, catalogReader{tx.store, tx}} }

// recordByID reads one row of a seller, and locks it if lock is not empty.
func recordByID[R, T any](
	ctx context.Context, r catalogReader, from *source[R], what string, item func(R) (T, error),
	seller ids.Seller, id, lock string,
) (T, error) {
	return readOne(ctx, r.Store, r.on, from.of(seller).withID(id).forUpdate(lock), what, item)
}

// recordsByID reads rows of a seller by id in one query.
func recordsByID[R, T any](
	ctx context.Context, r catalogReader, from *source[R], item func(R) (T, error), id func(T) string,
	seller ids.Seller, ids []string,
) (map[string]T, error) {
	found, err := from.of(seller).withIDs(ids).counted(ctx, r.Store, r.on)
	return byID(found, err, item, id)
}

// metaColumn returns meta in exactly the form that callers see, or nil if there is none.
func metaColumn(meta ecmajson.Value) *string {
	if meta.Kind() == ecmajson.Null {
		return nil
	}
	text := string(meta.Print())
	return &text
}

func metaOf(column *string) (ecmajson.Value, error) {
	if column == nil {
		return ecmajson.Value{}, nil
	}
	return ecmajson.Parse([]byte(*column), ecmajson.Limits{})
}
