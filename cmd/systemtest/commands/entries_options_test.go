package commands

import (
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestOptionsOfTheImportCommand tests the options, and the outcome that only NDJSON has (IMPORT-1, IMPORT-4).
func TestOptionsOfTheImportCommand(t *testing.T) {
	t.Parallel()
	g := newGateList(t)
	const file = "externalCode\n1.23E+11\n A1\nB2\n"
	for _, step := range []struct {
		name, file, text, arguments string
		code                        int
		says, total                 string
	}{
		{"without an option", "a.csv", file, "--yes", systemtest.CodeRefused, "3 rows: 1 new, 0 unchanged, 0 in conflict, 2 invalid", "0"},
		{"trimmed", "a.csv", file, "--yes --skip-bad --trim-codes", 0, "1 invalid, 0 duplicate; 1 code trimmed", "2"},
		{"kept", "a.csv", file, "--yes --keep-suspicious", 0, "3 rows: 2 new, 1 unchanged, 0 in conflict, 0 invalid", "4"},
		{
			"outdated", "a.ndjson", `{"externalCode":"B2","email":"b@x.example","updatedAt":"2026-01-01T00:00:00Z"}`, "--yes", 0,
			"0 duplicate, 1 outdated", "4",
		},
	} {
		code, stdout, stderr := g.imports(step.file, step.text, strings.Fields(step.arguments)...)
		if code != step.code || !strings.Contains(stdout, step.says) || g.total() != step.total {
			t.Errorf("%s: exit code %d, %s entries\n%s%s", step.name, code, g.total(), stdout, stderr)
		}
	}
	if code, _, stderr := g.imports("a.csv", file, "--yes", "--trim-codes", "--keep-suspicious"); code == 0 || !strings.Contains(stderr, "can't be combined") {
		t.Errorf("both options: exit code %d, %s", code, stderr)
	}
}
