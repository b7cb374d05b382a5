package layers

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

const internalsFolder = "../../../docs/internals/"

// TestInternalsNameExistingTests checks every test name in docs/internals.
func TestInternalsNameExistingTests(t *testing.T) {
	t.Parallel()
	tests := declaredTests(t)
	pages, err := filepath.Glob(internalsFolder + "*.md")
	systemtest.Must(t, err)
	named := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		systemtest.Must(t, err)
		for _, name := range regexp.MustCompile(`\bTest[A-Z]\w+`).FindAll(text, -1) {
			named++
			if !tests[string(name)] {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
	}
	if named < 100 {
		t.Errorf("docs/internals names only %d tests", named)
	}
}

// TestWebhookFailuresHaveTests checks that the table of failures is complete, and that each row names a test or a measurement.
func TestWebhookFailuresHaveTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(internalsFolder + "webhook-failures.md")
	systemtest.Must(t, err)
	rows := regexp.MustCompile(`(?m)^\| W\d+: .*$`).FindAll(text, -1)
	if len(rows) != 25 {
		t.Errorf("the table has only %d rows", len(rows))
	}
	for _, row := range rows {
		if !regexp.MustCompile("Test|measured|nothing to test|tests of W").Match(row) {
			t.Errorf("no test: %s", row)
		}
	}
}

// declaredTests returns the names of all tests in the repository.
func declaredTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, code := range sources(t, "_test.go") {
		for _, found := range declared.FindAllSubmatch(code, -1) {
			tests[string(found[1])] = true
		}
	}
	return tests
}

// sources returns the files of the repository with one of the endings, by their paths. Folders of packages and of tools are left out.
func sources(t *testing.T, endings ...string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	systemtest.Must(t, fs.WalkDir(os.DirFS("../../.."), ".", func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (name == "node_modules" || strings.HasPrefix(name, ".")):
			return fs.SkipDir
		case entry.IsDir() || !slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) }):
			return nil
		}
		found[path], err = os.ReadFile("../../../" + path)
		return err
	}))
	return found
}
