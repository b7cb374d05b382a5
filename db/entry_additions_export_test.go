package db

import (
	"context"

	"ticketgate/domain/access"
)

// AddTogether adds entries as calls that arrive at the same time do. The callers of the ids in gone have given up.
func (s *Store) AddTogether(ctx context.Context, entries []access.Entry, gone ...string) ([]bool, error) {
	calls := make([]addition, len(entries))
	for i, entry := range entries {
		calls[i] = addition{row: accessEntryRowOf(entry)}
		for _, id := range gone {
			if id == entry.ID {
				left := make(chan struct{})
				close(left)
				calls[i].gone = left
			}
		}
	}
	return s.addTogether(ctx, calls)
}
