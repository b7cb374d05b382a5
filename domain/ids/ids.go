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

// Seller names a seller. It is a type of its own so that no store method can be handed another id as tenant.
type Seller string

// Org names an organization.
type Org string

const (
	randomBits = 54
	randomMask = 1<<randomBits - 1
)

// state makes identifiers of one process strictly ascending.
var state struct {
	sync.Mutex
	last uint64 // Unix milliseconds
	tail uint64
}

// New makes an identifier: 24 lower-case hexadecimal characters of 32 bits of seconds, 10 bits of
// milliseconds and 54 random bits, ascending within a process (decisions 1.1).
func New(now time.Time) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the program instead
	moment, tail := next(uint64(now.UnixMilli()), binary.BigEndian.Uint64(random[:])&randomMask)
	seconds, rest := parts(moment, tail)
	return fmt.Sprintf("%08x%016x", seconds, rest)
}

// Reserve sets aside count consecutive identifiers for rows that a database makes in one statement. The first is the
// two numbers in hexadecimal, eight and sixteen digits; the others count the second number up.
func Reserve(now time.Time, count int) (seconds uint32, first uint64) {
	var random [8]byte
	_, _ = rand.Read(random[:])
	tail := binary.BigEndian.Uint64(random[:]) & (randomMask >> 1) // its half leaves room to count
	state.Lock()
	defer state.Unlock()
	moment := max(uint64(now.UnixMilli()), state.last+1)
	state.last, state.tail = moment, tail+uint64(count)
	return parts(moment, tail)
}

func parts(moment, tail uint64) (seconds uint32, rest uint64) {
	return uint32(moment / 1000), (moment%1000)<<randomBits | tail
}

// next keeps the sequence ascending when the clock stands still or steps back.
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

// MarshalGQL writes the id, and null when there is none.
func (id Seller) MarshalGQL(w io.Writer) { _, _ = w.Write(id.Append(nil)) }

// Append appends the id to JSON, and null when there is none.
func (id Seller) Append(dst []byte) []byte { return appendID(dst, string(id)) }

// UnmarshalGQL reads a GraphQL ID.
func (id *Seller) UnmarshalGQL(v any) error { return unmarshal(v, (*string)(id)) }

// MarshalGQL writes the id, and null when there is none.
func (id Org) MarshalGQL(w io.Writer) { _, _ = w.Write(id.Append(nil)) }

// Append appends the id to JSON, and null when there is none.
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
