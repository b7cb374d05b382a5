package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// accessListRow is a row of access_lists. URL is set for remote lists only. The signing key is stored encrypted, see
// accessListKeyRow.
type accessListRow struct {
	bun.BaseModel `bun:"table:access_lists,alias:l"`

	ID            string          `bun:"id,pk"`
	SellerID      ids.Seller      `bun:"seller_id"`
	Type          access.ListType `bun:"type"`
	Name          string          `bun:"name"`
	NameFolded    string          `bun:"name_folded"`
	URL           string          `bun:"url,nullzero"`
	SealedHMACKey []byte          `bun:"sealed_hmac_key"`
	CreatedAt     time.Time       `bun:"created_at"`
	UpdatedAt     time.Time       `bun:"updated_at"`
}

const accessListName = "Access list"

var accessLists = &source[accessListRow]{}

// accessStore implements access.Store.
type accessStore struct{ *Store }

// Access returns the store of package access.
func (s *Store) Access() access.Store { return accessStore{s} }

// accessTx implements access.Tx. It is a separate type because other areas have methods with the same names.
type accessTx struct{ *Tx }

// InTx runs f in a transaction, see transact.
func (s accessStore) InTx(ctx context.Context, f func(access.Tx) error) error {
	return s.transact(ctx, func(tx *Tx) error { return f(accessTx{tx}) })
}

// InLongTx is like InTx, for work on many rows, see transactLong.
func (s accessStore) InLongTx(
	ctx context.Context, seller ids.Seller, rows int, f func(context.Context, access.Tx) error,
) error {
	return s.transactLong(ctx, seller, rows, func(ctx context.Context, tx *Tx) error {
		// The server has no statistics for rows that were just staged for an import. It would expect a single row, and
		// choose nested loops over all of them.
		if _, err := exec(ctx, tx, "SET LOCAL enable_nestloop = off"); err != nil {
			return err
		}
		return f(ctx, accessTx{tx})
	})
}

// List reads one access list of a seller.
func (s accessStore) List(ctx context.Context, seller ids.Seller, id string) (access.List, error) {
	return accessList(ctx, s.Store, s.sql, seller, id, "")
}

// List reads an access list within the transaction.
func (tx accessTx) List(ctx context.Context, seller ids.Seller, id string) (access.List, error) {
	return accessList(ctx, tx.store, tx, seller, id, "")
}

// ListForUpdate reads a list and locks its row. NO KEY allows the insertion of entries that refer to it.
func (tx accessTx) ListForUpdate(ctx context.Context, seller ids.Seller, id string) (access.List, error) {
	return accessList(ctx, tx.store, tx, seller, id, "NO KEY UPDATE")
}

// accessList reads one list, locked if lock is not empty.
func accessList(ctx context.Context, s *Store, on conn, seller ids.Seller, id, lock string) (access.List, error) {
	return readOne(ctx, s, on, accessLists.of(seller).withID(id).forUpdate(lock), accessListName, s.accessList)
}

// ListsByID returns a seller's access lists by id.
func (s accessStore) ListsByID(ctx context.Context, seller ids.Seller, ids []string) (map[string]access.List, error) {
	found, err := accessLists.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, s.accessList, func(list access.List) string { return list.ID })
}

// Lists lists a seller's access lists, oldest first.
func (s accessStore) Lists(
	ctx context.Context, seller ids.Seller, filter access.ListFilter, page domain.Page,
) (domain.List[access.List], error) {
	q := accessLists.of(seller).
		whereIf(filter.Name != "", "l.name_folded LIKE $", contains(texts.Fold(filter.Name)))
	return listing[accessListRow, access.List]{query: q, id: "l.id", item: s.accessList}.page(ctx, s.Store, page)
}

// ListSizes returns the number of entries of each list, or MostCounted + 1 for lists with more than MostCounted.
func (s accessStore) ListSizes(ctx context.Context, seller ids.Seller, ids []string) (map[string]int, error) {
	type size struct {
		ID      string
		Entries int
	}
	counted, err := rows[size](ctx, s.Store, s.sql, `SELECT l.id, least(`+keptCount{entriesTable, "l.id"}.total()+`, $3) AS entries
		FROM access_lists l WHERE l.seller_id = $1 AND l.id = ANY ($2)`, string(seller), ids, access.MaxCounted+1)
	sizes := make(map[string]int, len(counted))
	for _, item := range counted {
		sizes[item.ID] = item.Entries
	}
	return sizes, err
}

// InsertList stores a new list.
func (tx accessTx) InsertList(ctx context.Context, list access.List) error {
	return tx.insert(ctx, tx.store.accessListRow(list))
}

// UpdateList writes all columns of an existing list.
func (tx accessTx) UpdateList(ctx context.Context, list access.List) error {
	return tx.update(ctx, accessListName, tx.store.accessListRow(list))
}

// DeleteList deletes a list with its entries and imports.
func (tx accessTx) DeleteList(ctx context.Context, seller ids.Seller, id string) error {
	return accessLists.of(seller).withID(id).deleteOne(ctx, tx.store, tx, accessListName)
}

// accessListKeyRow returns the name under which a list's signing key is sealed.
func accessListKeyRow(listID string) string { return "access_lists.hmac_key:" + listID }

func (s *Store) accessListRow(list access.List) *accessListRow {
	created := &accessListRow{
		ID: list.ID, SellerID: list.SellerID, Type: list.Type, Name: list.Name, NameFolded: texts.Fold(list.Name),
		CreatedAt: list.CreatedAt.Time, UpdatedAt: list.UpdatedAt.Time,
	}
	if list.HTTP != nil {
		created.URL = list.HTTP.URL
		if list.HTTP.HMACKey != "" {
			created.SealedHMACKey = s.sealer.Seal(accessListKeyRow(list.ID), []byte(list.HTTP.HMACKey))
		}
	}
	return created
}

func (s *Store) accessList(r accessListRow) (access.List, error) {
	list := access.List{
		ID: r.ID, Type: r.Type, SellerID: r.SellerID, Name: r.Name,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}
	if r.Type != access.Remote {
		return list, nil
	}
	list.HTTP = &access.Listener{URL: r.URL}
	if len(r.SealedHMACKey) > 0 {
		key, err := s.sealer.Open(accessListKeyRow(r.ID), r.SealedHMACKey)
		if err != nil {
			return access.List{}, err
		}
		list.HTTP.HMACKey = string(key)
	}
	return list, nil
}
