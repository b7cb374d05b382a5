package layers

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var mentionedPath = regexp.MustCompile("`([a-z]+/[\\w./-]+)`")

// TestContributingListsEveryPackage checks that each path in CONTRIBUTING.md exists, and that each package is listed
// there.
func TestContributingListsEveryPackage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range mentionedPath.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat("../../../" + named[1]); err != nil {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", named[1])
		}
	}
	for folder := range packages(t) {
		if !strings.Contains(string(text), "`"+folder+"`") {
			t.Errorf("CONTRIBUTING.md does not name %s", folder)
		}
	}
}

// packages returns the folders of the tree that contain Go code other than tests.
func packages(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS("../../.."), ".", func(file string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "testdata" || len(name) > 1 && name[0] == '.'):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			found[path.Dir(file)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
