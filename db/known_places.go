package db

import (
	"context"
	"time"

	"ticketgate/domain/secrets"
)

// KnownPlaces finds those of the places that are known.
func (t tenantTx) KnownPlaces(ctx context.Context, places []secrets.Digest) (map[secrets.Digest]bool, error) {
	type placeRow struct {
		Place []byte `bun:"place"`
	}
	digests := make([][]byte, len(places))
	for i := range places {
		digests[i] = places[i][:]
	}
	found, err := rows[placeRow](ctx, t.store, t, "SELECT place FROM known_places WHERE place = ANY($1)", digests)
	if err != nil {
		return nil, err
	}
	known := make(map[secrets.Digest]bool, len(found))
	for _, r := range found {
		known[secrets.Digest(r.Place)] = true
	}
	return known, nil
}

// KnowPlace makes a place known, or notes that it was used.
func (t tenantTx) KnowPlace(ctx context.Context, place secrets.Digest, now time.Time) error {
	_, err := exec(ctx, t, `INSERT INTO known_places (place, last_used_at) VALUES ($1, $2)
		ON CONFLICT (place) DO UPDATE SET last_used_at = EXCLUDED.last_used_at`, place[:], now)
	return err
}

// ForgetPlaces removes the places that were not used since a time.
func (t tenantTx) ForgetPlaces(ctx context.Context, before time.Time) error {
	_, err := exec(ctx, t, "DELETE FROM known_places WHERE last_used_at < $1", before)
	return err
}
