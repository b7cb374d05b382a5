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
	for i := range FailuresAMinute / 2 {
		if wait := budget.wait(unknown, now); wait != 0 {
			t.Fatalf("after %d failures: %v", i, wait)
		}
		budget.fail(known, now) // counted under its address
		budget.fail(unknown, now)
	}
	if wait := budget.wait(unknown, now); wait <= 0 {
		t.Errorf("after %d failures: %v", FailuresAMinute/2, wait)
	}
	if wait := budget.wait(known, now); wait != 0 {
		t.Errorf("a caller with an address: %v", wait)
	}
	if wait := budget.wait(unknown, now.Add(2*time.Minute/FailuresAMinute)); wait != 0 {
		t.Errorf("one interval later: %v", wait)
	}
	failed := FailuresAMinute / 2
	for at := now; at.Before(now.Add(time.Minute)); at = at.Add(10 * time.Millisecond) {
		if budget.wait(unknown, at) == 0 {
			budget.fail(unknown, at)
			failed++
		}
	}
	if failed > FailuresAMinute {
		t.Errorf("%d failures in a minute", failed)
	}
	var none *FailureBudget
	none.fail(unknown, now)
	if wait := none.wait(unknown, now); wait != 0 {
		t.Errorf("with a nil budget: %v", wait)
	}
}
