//go:build full

package operations

import (
	"os"
	"os/exec"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestEverythingWorksThroughAPooler runs both APIs, sales, gates and deliveries through PgBouncer, with processes that
// are killed, paused and replaced.
func TestEverythingWorksThroughAPooler(t *testing.T) {
	systemtest.NeedsProgram("pgbouncer")(t)
	for _, row := range [][]string{
		{"../apis"},
		{"../sales"},
		{"../gate"},
		{"../webhooks", "-run", "Deploy|PausedProcess|TakeOver|Clicks|EachStepLosesNothing$"},
	} {
		tests := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1", "-vet=off", "-tags=netgo"}, row...)...)
		tests.Env = append(os.Environ(), systemtest.Pooled+"=yes")
		if report, err := tests.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", row[0], err, report)
		}
	}
}
