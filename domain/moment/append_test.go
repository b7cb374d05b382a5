package moment_test

import (
	"testing"
	"time"

	"ticketgate/domain/moment"
)

func TestDateTimesAreAppendedAsTheLayoutSays(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{
		{},
		time.UnixMilli(0), time.UnixMilli(-1), time.UnixMilli(1_767_323_045_006), time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
		time.Date(476, 9, 4, 7, 8, 9, 10e6, time.UTC), time.Date(2026, 10, 25, 2, 30, 0, 0, time.FixedZone("", 7200)),
		time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		want := at.UTC().Format(`"2006-01-02T15:04:05.000Z"`)
		if got := string(moment.DateTime{Time: at}.Append(nil)); got != want {
			t.Errorf("%s is written as %s, want %s", at, got, want)
		}
	}
}
