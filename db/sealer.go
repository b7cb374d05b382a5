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

// Sealer encrypts the few secrets that must be used or shown again, with AES-256-GCM. Each ciphertext is bound to its
// row: if it is copied to another row, it can't be opened.
type Sealer struct{ keys []sealingKey }

type sealingKey struct {
	id   [4]byte // the first bytes of the key's SHA-256; a ciphertext starts with them
	aead cipher.AEAD
}

// SealingKeyLength is the length of a secret key in bytes.
const SealingKeyLength = 32

// NewSealer returns a sealer that encrypts with the first key. It decrypts with all keys, so that keys can be rotated.
func NewSealer(keys ...[]byte) (*Sealer, error) {
	if len(keys) == 0 {
		return nil, errors.New("no secret key")
	}
	sealer := &Sealer{}
	for _, key := range keys {
		if len(key) != SealingKeyLength {
			return nil, fmt.Errorf("a secret key must be %d bytes, not %d", SealingKeyLength, len(key))
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

// Seal encrypts a secret for a row. It returns the key's id, the nonce and the ciphertext.
func (s *Sealer) Seal(row string, secret []byte) []byte {
	key := s.keys[0]
	sealed := make([]byte, len(key.id)+key.aead.NonceSize(), len(key.id)+key.aead.NonceSize()+len(secret)+key.aead.Overhead())
	copy(sealed, key.id[:])
	nonce := sealed[len(key.id):]
	_, _ = rand.Read(nonce) // never fails: crypto/rand ends the program instead
	return key.aead.Seal(sealed, nonce, secret, []byte(row))
}

// Open decrypts a secret that was sealed for the same row. If the key is missing, it returns UNAVAILABLE: during a
// rotation, another process may have it.
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
	return nil, domain.Unavailable(fmt.Errorf("secret of %s was encrypted with a key that is not in TICKETGATE_SECRET_KEY", row))
}

// Holds reports whether the secret was sealed with one of the keys.
func (s *Sealer) Holds(sealed []byte) bool {
	for _, key := range s.keys {
		if len(sealed) >= len(key.id) && [4]byte(sealed[:4]) == key.id {
			return true
		}
	}
	return false
}
