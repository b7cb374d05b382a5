package ids_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"ticketgate/domain/ids"
)

func TestNew(t *testing.T) {
	now := time.Date(2026, 11, 27, 20, 37, 0, 120_000_000, time.UTC)
	t.Run("starts with seconds and milliseconds", func(t *testing.T) {
		raw, err := hex.DecodeString(ids.New(now.Add(time.Hour)))
		if err != nil || len(raw) != 12 {
			t.Fatalf("%x, %v", raw, err)
		}
		seconds := int64(raw[0])<<24 | int64(raw[1])<<16 | int64(raw[2])<<8 | int64(raw[3])
		if want := now.Add(time.Hour).Unix(); seconds != want {
			t.Errorf("seconds %d, want %d", seconds, want)
		}
		if millisecond := int(raw[4])<<2 | int(raw[5])>>6; millisecond != 120 {
			t.Errorf("millisecond %d, want 120", millisecond)
		}
	})
	t.Run("ascends when the clock stops or is set back", func(t *testing.T) {
		last := ""
		for i := range 10_000 {
			id := ids.New(now.Add(-time.Duration(i%7) * time.Hour))
			if id <= last {
				t.Fatalf("%s after %s", id, last)
			}
			last = id
		}
	})
	t.Run("is lower-case hexadecimal", func(t *testing.T) {
		if id := ids.New(now); strings.ToLower(id) != id || len(id) != 24 {
			t.Errorf("%q", id)
		}
	})
}

func TestReserve(t *testing.T) {
	now := time.Date(2026, 11, 27, 20, 37, 0, 0, time.UTC)
	before := ids.New(now)
	seconds, first := ids.Reserve(now, 1000)
	after := ids.New(now)
	begin, end := fmt.Sprintf("%08x%016x", seconds, first), fmt.Sprintf("%08x%016x", seconds, first+999)
	if before >= begin || begin >= end || end >= after {
		t.Errorf("%s, %s to %s, %s do not ascend", before, begin, end, after)
	}
}
