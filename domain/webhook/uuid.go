package webhook

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"regexp"
	"time"
)

// NewID returns an id for an event or a delivery: a UUID of version 7 (RFC 9562). Its first 48 bits are the
// milliseconds, the next 12 the fraction of the millisecond. Rows created in sequence are therefore stored next to each
// other, and the date in an id determines the partition of its row.
func NewID(now time.Time) string {
	var raw [16]byte
	_, _ = rand.Read(raw[8:]) // never fails: crypto/rand ends the program instead
	const version, fraction = 7 << 12, 1 << 12
	part := uint64(now.Nanosecond()%int(time.Millisecond)) * fraction / uint64(time.Millisecond) //nolint:gosec // never negative
	binary.BigEndian.PutUint64(raw[:8], uint64(now.UnixMilli())<<16|version|part)
	raw[8] = raw[8]&0x3f | 0x80 // the variant of RFC 9562

	text := hex.EncodeToString(raw[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

var numberPattern = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// isNumber reports whether a text can be the number of an attempt.
func isNumber(text string) bool { return numberPattern.MatchString(text) }

var idPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// isID reports whether text has the format of an event's or delivery's id. Other texts have no record, so no query is
// needed.
func isID(text string) bool { return idPattern.MatchString(text) }
