package layers

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var mentionedPath = regexp.MustCompile("`([a-z]+/[\\w./-]+)`")

// TestTheMapIsTrue follows each path that CONTRIBUTING.md names, and looks for each package of domain there.
func TestTheMapIsTrue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range mentionedPath.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat("../../../" + named[1]); err != nil {
			t.Errorf("CONTRIBUTING.md names %s, which is not there", named[1])
		}
	}
	inside, err := os.ReadDir("../../../domain")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range inside {
		if name := "domain/" + one.Name(); one.IsDir() && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("CONTRIBUTING.md does not name %s", name)
		}
	}
}
