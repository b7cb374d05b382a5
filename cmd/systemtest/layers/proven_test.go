package layers

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// Every test that docs/proven.md names for a fault is there, and every fault of the table from W1 on has its row.
func TestWhatIsSaidToBeProvenHasItsTest(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/proven.md")
	systemtest.Must(t, err)
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	systemtest.Must(t, fs.WalkDir(os.DirFS("../../.."), ".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (name == "node_modules" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		code, err := os.ReadFile("../../../" + path)
		for _, found := range declared.FindAllSubmatch(code, -1) {
			tests[string(found[1])] = true
		}
		return err
	}))
	named := regexp.MustCompile("`(Test\\w+)`").FindAllSubmatch(text, -1)
	for _, name := range named {
		if !tests[string(name[1])] {
			t.Errorf("docs/proven.md names %s, which is no test", name[1])
		}
	}
	rows := regexp.MustCompile(`(?m)^\| W(\d+): `).FindAllSubmatch(text, -1)
	if len(rows) != 25 || len(named) < len(rows) {
		t.Errorf("the table has %d rows and %d tests", len(rows), len(named))
	}
}
