package program

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"ticketgate/db"
	"ticketgate/domain"
)

// positions signs replication positions that browsers keep. The first key signs, and all keys verify. A position is not
// secret. Without a signature, a forged position could make a replica serve older data than the browser has already
// seen.
type positions struct {
	store *db.Store
	keys  [][]byte
}

func newPositions(store *db.Store, secrets [][]byte) *positions {
	p := &positions{store: store}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte("positions of changes"))
		p.keys = append(p.keys, mac.Sum(nil))
	}
	return p
}

const positionLength = 8

// Current returns the current position, signed. All changes that are committed now are before it.
func (p *positions) Current(ctx context.Context) (string, error) {
	at, err := p.store.Position(ctx)
	if err != nil {
		return "", err
	}
	text := binary.BigEndian.AppendUint64(nil, uint64(at))
	return base64.RawURLEncoding.EncodeToString(append(text, positionMAC(p.keys[0], text)...)), nil
}

// Read returns a position that Current signed, and whether the signature is valid.
func (p *positions) Read(text string) (domain.Position, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != positionLength+sha256.Size {
		return 0, false
	}
	for _, key := range p.keys {
		if hmac.Equal(raw[positionLength:], positionMAC(key, raw[:positionLength])) {
			return domain.Position(binary.BigEndian.Uint64(raw)), true
		}
	}
	return 0, false
}

func positionMAC(key, position []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(position)
	return mac.Sum(nil)
}
