package edge

import (
	"net/http"
	"testing"
	"time"

	"ticketgate/domain"
)

func TestEveryCodeHasAStatus(t *testing.T) {
	for _, code := range domain.Codes() {
		if statusOf[code] == 0 {
			t.Errorf("%s has no status", code)
		}
	}
	if len(statusOf) != len(domain.Codes()) {
		t.Errorf("%d statuses for %d codes", len(statusOf), len(domain.Codes()))
	}
}

func TestRetryAfterIsRoundedUp(t *testing.T) {
	for wait, want := range map[time.Duration]string{0: "", 1: "1", time.Second: "1", 1500 * time.Millisecond: "2", time.Minute: "60"} {
		header := http.Header{}
		SetRetryAfter(header, &domain.Error{RetryAfter: wait})
		if got := header.Get("Retry-After"); got != want {
			t.Errorf("%s: %q, want %q", wait, got, want)
		}
	}
}
