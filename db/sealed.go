package db

import (
	"context"
	"fmt"
)

// CheckSealed decrypts the newest sealed secret of each kind. Otherwise a program with wrong secret keys would start,
// and fail at the first use of a secret.
func (s *Store) CheckSealed(ctx context.Context) error {
	signed, err := webhooks.where("w.sealed_hmac_key IS NOT NULL").orderBy("w.id DESC").first(ctx, s, s.sql, 1)
	if err != nil {
		return err
	}
	for _, item := range signed {
		if err := s.holds("webhook", item.ID, item.SealedHMACKey); err != nil {
			return err
		}
	}
	shown, err := shownKeys.where("k.sealed_secret IS NOT NULL").orderBy("k.id DESC").first(ctx, s, s.sql, 1)
	if err != nil {
		return err
	}
	for _, item := range shown {
		if err := s.holds(keyName, item.ID, item.SealedSecret); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) holds(what, id string, sealed []byte) error {
	if s.sealer.Holds(sealed) {
		return nil
	}
	return fmt.Errorf("it does not contain the key that encrypted the secret of %s %s", what, id)
}
