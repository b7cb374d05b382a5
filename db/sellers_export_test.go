package db

import (
	"context"
	"database/sql"

	"ticketgate/domain/ids"
)

// SellerBetween reads a seller, and calls between after the first statement.
func (s *Store) SellerBetween(ctx context.Context, id ids.Seller, between func()) error {
	_, err := s.seller(ctx, &interrupted{s.sql, between}, id, "")
	return err
}

// interrupted calls between after the first statement.
type interrupted struct {
	conn

	between func()
}

func (i *interrupted) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	found, err := i.conn.QueryContext(ctx, query, args...)
	if i.between != nil {
		i.between()
		i.between = nil
	}
	return found, err
}
