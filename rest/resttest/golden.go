package resttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Golden compares the status and body of the response with testdata/golden/<name>.json in the test's package. Fields
// keep their order, and values that differ between runs are replaced by placeholders.
func (a Answer) Golden(name string) Answer {
	a.t.Helper()
	got := a.shown()
	file := filepath.Join("testdata", "golden", name+".json")
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		write(a.t, file, got)
		return a
	}
	want, err := os.ReadFile(file) //nolint:gosec // the test itself names the file
	if err != nil {
		a.t.Fatalf("%v; UPDATE_GOLDEN=1 writes it", err)
	}
	if !bytes.Equal(got, want) {
		a.t.Errorf("%s (UPDATE_GOLDEN=1 accepts the response)\ngot:\n%s\nwant:\n%s", file, got, want)
	}
	return a
}

// shown returns the text of a golden file for the response.
func (a Answer) shown() []byte {
	a.t.Helper()
	text := fmt.Appendf(nil, `{"status":%d,"body":%s}`, a.Status, bytes.TrimSpace(a.Body))
	var indented bytes.Buffer
	if err := json.Indent(&indented, a.names.replace(text), "", "  "); err != nil {
		a.t.Fatalf("the body is not JSON: %v\n%.2000s", err, a.Body)
	}
	indented.WriteByte('\n')
	return indented.Bytes()
}

func write(tb testing.TB, file string, text []byte) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// varying matches values that differ between runs, longer forms before the forms that they contain. A name with a
// number is the same value throughout a test, so that a golden file shows which id is which. Times have no
// numbers, because two of them may or may not fall into the same millisecond.
var varying = regexp.MustCompile(`(?P<secret>\b(?:key|sess|dev)_[0-9a-f]{96}\b)` +
	`|(?P<hint>\b(?:key|sess|dev)_[0-9a-f]{3,4}…[0-9a-f]{4}\b)` +
	`|(?P<uuid>\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)` +
	`|(?P<instant>\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)` +
	`|(?P<id>\b[0-9a-f]{24}\b)` +
	`|(?P<request>\b[0-9a-f]{16}\b)` +
	`|(?P<address>\b127\.0\.0\.1:\d+\b)`)

var numbered = map[string]bool{"secret": true, "uuid": true, "id": true}

// placeholders maps values to their numbers.
type placeholders struct {
	numbers map[string]int
	counts  map[string]int
}

func newPlaceholders() *placeholders {
	return &placeholders{numbers: map[string]int{}, counts: map[string]int{}}
}

func (p *placeholders) replace(text []byte) []byte {
	var out []byte
	last := 0
	for _, match := range varying.FindAllSubmatchIndex(text, -1) {
		out = append(append(out, text[last:match[0]]...), p.name(text, match)...)
		last = match[1]
	}
	return append(out, text[last:]...)
}

// name returns the placeholder of a match.
func (p *placeholders) name(text []byte, match []int) string {
	kind := ""
	for group, name := range varying.SubexpNames() {
		if name != "" && match[2*group] >= 0 {
			kind = name
		}
	}
	if !numbered[kind] {
		return "<" + kind + ">"
	}
	value := string(text[match[0]:match[1]])
	if p.numbers[value] == 0 {
		p.counts[kind]++
		p.numbers[value] = p.counts[kind]
	}
	return fmt.Sprintf("<%s %d>", kind, p.numbers[value])
}
