package layers

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// TestRulesAreCitedAndTested checks docs/internals/rules.md: ids are unique, each rule names its test and is cited, and comments and
// docs cite no id without a rule.
func TestRulesAreCitedAndTested(t *testing.T) {
	t.Parallel()
	const page = "docs/internals/rules.md"
	text, err := os.ReadFile("../../../" + page)
	systemtest.Must(t, err)
	rules, families := map[string]bool{}, map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (([A-Z]+)-\d+) \| .* \| ([^|]+) \|$`).FindAllStringSubmatch(string(text), -1) {
		if rules[row[1]] {
			t.Errorf("%s is the id of two rules", row[1])
		}
		rules[row[1]], families[row[2]] = true, true
		if !regexp.MustCompile(`\bTest[A-Z]|\.test\.ts|\.golangci\.yml`).MatchString(row[3]) {
			t.Errorf("%s names no test: %s", row[1], row[3])
		}
	}
	if len(rules) < 180 {
		t.Errorf("only %d rules were found", len(rules))
	}
	id := regexp.MustCompile(`\b(?:` + strings.Join(slices.Sorted(maps.Keys(families)), "|") + `)-\d+\b`)
	cited := map[string]bool{}
	for path, code := range sources(t, ".go", ".ts", ".tsx", ".sql", ".md") {
		if path == page {
			continue
		}
		for line := range strings.Lines(string(code)) {
			if _, comment, found := strings.Cut(line, "//"); found && !strings.HasSuffix(path, ".md") {
				line = comment
			} else if strings.HasSuffix(path, ".go") {
				continue
			}
			for _, item := range id.FindAllString(line, -1) {
				cited[item] = true
				if !rules[item] {
					t.Errorf("%s cites %s, which is not a rule", path, item)
				}
			}
		}
	}
	for rule := range rules {
		if !cited[rule] {
			t.Errorf("nothing cites %s", rule)
		}
	}
}

// fixedTexts are the messages that existing programs compare. They must not be reworded.
var fixedTexts = []string{
	`"API key not found or expired"`,
	`"Missing permission %q"`,
	`"Entry already in list"`,
	`"The Webhooks feature is not enabled for this seller"`,
	`"Missing required identification: "`,
	`"Address is required"`,
}

// TestFixedTextsAreKept looks for the messages in the code that sends them. The tests of each operation compare the responses.
func TestFixedTextsAreKept(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for path, text := range sources(t, ".go") {
		if !strings.HasSuffix(path, "_test.go") {
			code.Write(text)
		}
	}
	for _, text := range fixedTexts {
		if !strings.Contains(code.String(), text) {
			t.Errorf("no code sends %s", text)
		}
	}
}
