package db

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"

	"ticketgate/domain"
)

// Sealer encrypts the few secrets that must be shown or used again: AES-256-GCM, each bound to its row, so that
// a ciphertext moved to another row does not open (decisions 4.2).
type Sealer struct{ keys []sealingKey }

type sealingKey struct {
	id   [4]byte // the first bytes of the key's SHA-256: says which key opens what
	aead cipher.AEAD
}

// SealingKeyLength is the length of a secret key in bytes.
const SealingKeyLength = 32

// NewSealer takes the secret keys: the first encrypts, the others only decrypt, so that keys can be changed.
func NewSealer(keys ...[]byte) (*Sealer, error) {
	if len(keys) == 0 {
		return nil, errors.New("no secret key")
	}
	sealer := &Sealer{}
	for _, key := range keys {
		if len(key) != SealingKeyLength {
			return nil, fmt.Errorf("a secret key has %d bytes, not %d", len(key), SealingKeyLength)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, err
		}
		digest := sha256.Sum256(key)
		sealer.keys = append(sealer.keys, sealingKey{id: [4]byte(digest[:4]), aead: aead})
	}
	return sealer, nil
}

// Seal encrypts a secret for the row that will hold it: key id, nonce, ciphertext.
func (s *Sealer) Seal(row string, secret []byte) []byte {
	key := s.keys[0]
	sealed := make([]byte, len(key.id)+key.aead.NonceSize(), len(key.id)+key.aead.NonceSize()+len(secret)+key.aead.Overhead())
	copy(sealed, key.id[:])
	nonce := sealed[len(key.id):]
	_, _ = rand.Read(nonce) // never fails: crypto/rand ends the program instead
	return key.aead.Seal(sealed, nonce, secret, []byte(row))
}

// Open decrypts what Seal made for the same row. While secret keys are rotated, another process may hold the key that this one
// lacks: it is unavailable here.
func (s *Sealer) Open(row string, sealed []byte) ([]byte, error) {
	for _, key := range s.keys {
		start := len(key.id) + key.aead.NonceSize()
		if len(sealed) < start || [4]byte(sealed[:4]) != key.id {
			continue
		}
		secret, err := key.aead.Open(nil, sealed[len(key.id):start], sealed[start:], []byte(row))
		if err != nil {
			return nil, fmt.Errorf("secret of %s: %w", row, err)
		}
		return secret, nil
	}
	return nil, domain.Unavailable(fmt.Errorf("secret of %s was sealed with a key that TICKETGATE_SECRET_KEY does not hold", row))
}

// Holds tells whether one of the keys is the one that sealed this.
func (s *Sealer) Holds(sealed []byte) bool {
	for _, key := range s.keys {
		if len(sealed) >= len(key.id) && [4]byte(sealed[:4]) == key.id {
			return true
		}
	}
	return false
}
