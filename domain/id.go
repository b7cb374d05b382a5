package domain

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
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
	seconds, rest := idParts(moment, tail)
	return fmt.Sprintf("%08x%016x", seconds, rest)
}

// NewIDs sets aside count consecutive identifiers for rows that a database makes in one statement. The first is the
// two numbers in hexadecimal, eight and sixteen digits; the others count the second number up.
func NewIDs(now time.Time, count int) (seconds uint32, first uint64) {
	var random [8]byte
	_, _ = rand.Read(random[:])
	tail := binary.BigEndian.Uint64(random[:]) & (idRandomMask >> 1) // its half leaves room to count
	idState.Lock()
	defer idState.Unlock()
	moment := max(uint64(now.UnixMilli()), idState.last+1)
	idState.last, idState.tail = moment, tail+uint64(count)
	return idParts(moment, tail)
}

func idParts(moment, tail uint64) (seconds uint32, rest uint64) {
	return uint32(moment / 1000), (moment%1000)<<idRandomBits | tail
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

// MarshalGQL writes the id, and null when there is none.
func (id SellerID) MarshalGQL(w io.Writer) { marshalID(w, string(id)) }

// UnmarshalGQL reads a GraphQL ID.
func (id *SellerID) UnmarshalGQL(v any) error { return unmarshalID(v, (*string)(id)) }

// MarshalGQL writes the id, and null when there is none.
func (id OrgID) MarshalGQL(w io.Writer) { marshalID(w, string(id)) }

// UnmarshalGQL reads a GraphQL ID.
func (id *OrgID) UnmarshalGQL(v any) error { return unmarshalID(v, (*string)(id)) }

func marshalID(w io.Writer, id string) {
	if id == "" {
		_, _ = io.WriteString(w, "null")
		return
	}
	_, _ = io.WriteString(w, strconv.Quote(id)) // ids are letters and digits
}

func unmarshalID(v any, into *string) error {
	switch v := v.(type) {
	case nil: // no value (decisions 1.3); where one is required, GraphQL itself has refused it
		*into = ""
	case string:
		*into = v
	case json.Number:
		*into = v.String()
	case int64:
		*into = strconv.FormatInt(v, 10)
	default:
		return errors.New("must be an id")
	}
	return nil
}
