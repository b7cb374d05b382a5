package domain

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"sync"
	"time"
)

// SellerID names a seller. It is a type of its own so that no store method can be handed another id as tenant.
type SellerID string

// OrgID names an organization.
type OrgID string

const (
	idRandomBits = 54
	idRandomMask = 1<<idRandomBits - 1
)

// idState makes identifiers of one process strictly ascending.
var idState struct {
	sync.Mutex
	last uint64 // Unix milliseconds
	tail uint64
}

// NewID makes an identifier: 24 lower-case hexadecimal characters of 32 bits of seconds, 10 bits of
// milliseconds and 54 random bits, ascending within a process (decisions 1.1).
func NewID(now time.Time) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	moment, tail := nextID(uint64(now.UnixMilli()), binary.BigEndian.Uint64(random[:])&idRandomMask)

	var raw [12]byte
	binary.BigEndian.PutUint32(raw[:4], uint32(moment/1000))
	binary.BigEndian.PutUint64(raw[4:], (moment%1000)<<idRandomBits|tail)
	return hex.EncodeToString(raw[:])
}

// nextID keeps the sequence ascending when the clock stands still or steps back.
func nextID(moment, tail uint64) (uint64, uint64) {
	idState.Lock()
	defer idState.Unlock()
	if moment <= idState.last {
		moment, tail = idState.last, idState.tail+1
		if tail > idRandomMask {
			moment, tail = moment+1, 0
		}
	}
	idState.last, idState.tail = moment, tail
	return moment, tail
}
