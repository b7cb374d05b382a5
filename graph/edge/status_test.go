package edge

import (
	"net/http"
	"os"
	"strconv"
	"strings"
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

func TestDocumentationHasEveryCode(t *testing.T) {
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	for code, status := range statusOf {
		row := "| `" + string(code) + "` | " + strconv.Itoa(status) + " |"
		if code != domain.CodeAnsweredBefore && !strings.Contains(string(page), row) { // never shown
			t.Errorf("docs/errors.md lacks a row that starts with %s", row)
		}
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
