package tenant

import (
	"testing"
	"time"

	"ticketgate/domain"
)

func TestFailuresOfUnknownAddressesAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	unknown, known := domain.Call{Address: "127.0.0.1", SharedAddress: true}, domain.Call{Address: "192.0.2.1"}
	budget := NewFailureBudget()
	for i := range FailuresAMinute {
		if err := budget.check(unknown, now); err != nil {
			t.Fatalf("after %d failures: %v", i, err)
		}
		budget.fail(known, now) // counted by its address
		budget.fail(unknown, now)
	}
	if err := budget.check(unknown, now); !domain.HasCode(err, domain.CodeRateLimited) || domain.AsError(err).RetryAfter <= 0 {
		t.Errorf("after %d failures: %v", FailuresAMinute, err)
	}
	if err := budget.check(known, now); err != nil {
		t.Errorf("a caller with an address: %v", err)
	}
	if err := budget.check(unknown, now.Add(time.Minute/FailuresAMinute)); err != nil {
		t.Errorf("a moment later: %v", err)
	}
	var none *FailureBudget
	none.fail(unknown, now)
	if err := none.check(unknown, now); err != nil {
		t.Errorf("without a bound: %v", err)
	}
}
