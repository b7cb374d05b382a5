package tenant

import (
	"testing"

	"ticketgate/domain"
)

func TestEmail(t *testing.T) {
	t.Parallel()
	var errs domain.FieldErrors
	if got := email(&errs, " ada@example.com\n"); got != "ada@example.com" || errs.Any() {
		t.Errorf("got %q, %v", got, errs.Err())
	}
	if email(&errs, "ada"); !errs.Any() {
		t.Error("a word is accepted as an email address")
	}
}
