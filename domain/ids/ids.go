package ids

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

// Seller is the id of a seller. It has its own type so that a store method can't be called with another id as the
// tenant.
type Seller string

// Org is the id of an organization.
type Org string

const (
	randomBits = 54
	randomMask = 1<<randomBits - 1
)

// state makes the ids of a process strictly ascending.
var state struct {
	sync.Mutex
	last uint64 // Unix milliseconds
	tail uint64
}

// New returns a new id: 24 lower-case hexadecimal characters, made of 32 bits of seconds, 10 bits of milliseconds and
// 54 random bits. Ids ascend within a process (VALUE-1).
func New(now time.Time) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	moment, tail := next(uint64(now.UnixMilli()), binary.BigEndian.Uint64(random[:])&randomMask)
	seconds, rest := parts(moment, tail)
	return fmt.Sprintf("%08x%016x", seconds, rest)
}

// Reserve reserves count consecutive ids for rows that the database inserts in one statement. An id is the two numbers
// in hexadecimal with eight and sixteen digits. The following ids increment the second number.
func Reserve(now time.Time, count int) (seconds uint32, first uint64) {
	var random [8]byte
	_, _ = rand.Read(random[:])
	tail := binary.BigEndian.Uint64(random[:]) & (randomMask >> 1) // half of the range leaves room to count
	state.Lock()
	defer state.Unlock()
	moment := max(uint64(now.UnixMilli()), state.last+1)
	state.last, state.tail = moment, tail+uint64(count)
	return parts(moment, tail)
}

func parts(moment, tail uint64) (seconds uint32, rest uint64) {
	return uint32(moment / 1000), (moment%1000)<<randomBits | tail
}

// next keeps the ids ascending when the clock does not advance or is set back.
func next(moment, tail uint64) (uint64, uint64) {
	state.Lock()
	defer state.Unlock()
	if moment <= state.last {
		moment, tail = state.last, state.tail+1
		if tail > randomMask {
			moment, tail = moment+1, 0
		}
	}
	state.last, state.tail = moment, tail
	return moment, tail
}

// MarshalGQL writes the id, or null if it is empty.
func (id Seller) MarshalGQL(w io.Writer) { _, _ = w.Write(id.Append(nil)) }

// Append appends the id to JSON, or null if it is empty.
func (id Seller) Append(dst []byte) []byte { return appendID(dst, string(id)) }

// UnmarshalGQL reads a GraphQL ID.
func (id *Seller) UnmarshalGQL(v any) error { return unmarshal(v, (*string)(id)) }

// MarshalGQL writes the id, or null if it is empty.
func (id Org) MarshalGQL(w io.Writer) { _, _ = w.Write(id.Append(nil)) }

// Append appends the id to JSON, or null if it is empty.
func (id Org) Append(dst []byte) []byte { return appendID(dst, string(id)) }

// UnmarshalGQL reads a GraphQL ID.
func (id *Org) UnmarshalGQL(v any) error { return unmarshal(v, (*string)(id)) }

func appendID(dst []byte, id string) []byte {
	if id == "" {
		return append(dst, "null"...)
	}
	return strconv.AppendQuote(dst, id) // ids are letters and digits
}

func unmarshal(v any, into *string) error {
	switch v := v.(type) {
	case nil: // null is the empty id (VALUE-4); GraphQL refuses null for a required one
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
