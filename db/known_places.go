package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/secrets"
)

// knownPlaceRow is a row of known_places: the digest of a place from which an account has signed in.
type knownPlaceRow struct {
	bun.BaseModel `bun:"table:known_places,alias:p"`

	Place      []byte    `bun:"place,pk"`
	LastUsedAt time.Time `bun:"last_used_at"`
}

var knownPlaces = &source[knownPlaceRow]{}

// KnownPlaces reports which of the given places are known.
func (t tenantTx) KnownPlaces(ctx context.Context, places []secrets.Digest) (map[secrets.Digest]bool, error) {
	digests := make([][]byte, len(places))
	for i := range places {
		digests[i] = places[i][:]
	}
	found, err := knownPlaces.where("p.place = ANY($)", digests).rows(ctx, t.store, t)
	if err != nil {
		return nil, err
	}
	known := make(map[secrets.Digest]bool, len(found))
	for _, r := range found {
		known[secrets.Digest(r.Place)] = true
	}
	return known, nil
}

// KnowPlace stores a place as known, or updates the time of its last use.
func (t tenantTx) KnowPlace(ctx context.Context, place secrets.Digest, now time.Time) error {
	_, err := insertOn(ctx, t.store, t, "CONFLICT (place) DO UPDATE SET last_used_at = excluded.last_used_at",
		&knownPlaceRow{Place: place[:], LastUsedAt: now})
	return err
}

// PurgePlaces deletes the places that were last used before the given time.
func (t tenantTx) PurgePlaces(ctx context.Context, before time.Time) error {
	_, err := knownPlaces.where("p.last_used_at < $", before).delete(ctx, t.store, t)
	return err
}
