package systemtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// StartHAProxy starts HAProxy with the configuration in docs/scaling.md that contains a text. changes are pairs of
// texts to replace in it, each of which must occur. It returns the log once HAProxy listens at address.
func StartHAProxy(t *testing.T, containing, address string, changes ...string) *Log {
	t.Helper()
	program := NeedsProgram("haproxy")(t)[0]
	page, err := os.ReadFile("../../../docs/scaling.md")
	Must(t, err)
	config := ""
	for i, part := range strings.Split(string(page), "```haproxy\n") {
		if shown, _, _ := strings.Cut(part, "```\n"); i > 0 && strings.Contains(shown, containing) {
			config = shown
		}
	}
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(config, changes[i]) {
			t.Fatalf("docs/scaling.md has no configuration of HAProxy with %q and %q", containing, changes[i])
		}
		config = strings.ReplaceAll(config, changes[i], changes[i+1])
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	Must(t, os.WriteFile(file, []byte(config), 0o600))
	_, log := Background(t, program, "-db", "-f", file)
	Eventually(t, "HAProxy listens", func() bool { return listens(t, address) })
	return log
}
