package db

import "context"

// Together executes texts that have the same argument.
func (s *Store) Together(ctx context.Context, texts []string, argument any) error {
	statements := make([]statement, len(texts))
	for i, text := range texts {
		statements[i] = statement{text, []any{argument}}
	}
	return s.together(ctx, statements)
}
