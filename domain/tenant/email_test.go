package tenant

import (
	"testing"

	"ticketgate/domain"
)

func TestEmail(t *testing.T) {
	t.Parallel()
	var problems domain.Problems
	if got := email(&problems, " ada@example.com\n"); got != "ada@example.com" || problems.Any() {
		t.Errorf("got %q, %v", got, problems.Err())
	}
	if email(&problems, "ada"); !problems.Any() {
		t.Error("a word is accepted as an email address")
	}
}
