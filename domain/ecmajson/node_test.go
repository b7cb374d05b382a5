package ecmajson

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCanonicalEqualsNode compares bytes with a real ECMAScript engine, as receivers of webhooks use it.
func TestCanonicalEqualsNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("node is required where CI is set")
		}
		t.Skip("node is not on the PATH; skipping the comparison with an ECMAScript engine")
	}
	documents := randomDocuments(4000)
	command := exec.CommandContext(t.Context(), node, "-e", `
		const lines = require("fs").readFileSync(0, "utf8").split("\n")
		process.stdout.write(lines.map(line => JSON.stringify(JSON.parse(line))).join("\n"))`)
	command.Stdin = strings.NewReader(strings.Join(documents, "\n"))
	var complaints bytes.Buffer
	command.Stderr = &complaints
	output, err := command.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, complaints.String())
	}
	printed := strings.Split(string(output), "\n")
	if len(printed) != len(documents) {
		t.Fatalf("node printed %d documents of %d", len(printed), len(documents))
	}
	for i, document := range documents {
		if got, err := Canonical([]byte(document)); err != nil || string(got) != printed[i] {
			t.Fatalf("document %d: %s\n got %s, %v\nnode %s", i, document, got, err, printed[i])
		}
	}
}

// randomDocuments returns the same documents in every run, so that a difference can be examined.
func randomDocuments(count int) []string {
	random := &randomJSON{rand.New(rand.NewPCG(7, 2))}
	documents := make([]string, count)
	for i := range documents {
		var text strings.Builder
		random.value(&text, 5)
		documents[i] = text.String()
	}
	return documents
}

// randomJSON writes single-line JSON texts that break no rule of this package.
type randomJSON struct{ *rand.Rand }

func (r *randomJSON) value(text *strings.Builder, depth int) {
	kind := r.IntN(8)
	if depth == 0 {
		kind = r.IntN(4)
	}
	r.space(text)
	switch kind {
	case 0:
		text.WriteString([]string{"null", "true", "false"}[r.IntN(3)])
	case 1, 2:
		text.WriteString(r.number())
	case 3:
		text.WriteString(r.quoted(r.characters()))
	case 4, 5:
		text.WriteString("[")
		r.children(text, func(int) { r.value(text, depth-1) })
		text.WriteString("]")
	default:
		text.WriteString("{")
		names := r.names()
		r.children(text, func(i int) {
			text.WriteString(r.quoted(names[i]) + ":")
			r.value(text, depth-1)
		})
		text.WriteString("}")
	}
	r.space(text)
}

const maxChildren = 7

func (r *randomJSON) children(text *strings.Builder, child func(int)) {
	for i := range r.IntN(maxChildren + 1) {
		if i > 0 {
			text.WriteString(",")
		}
		r.space(text)
		child(i)
	}
}

func (r *randomJSON) space(text *strings.Builder) {
	if r.IntN(6) == 0 {
		text.WriteString([]string{" ", "\t", "\r", "  "}[r.IntN(4)])
	}
}

// names returns distinct names in random order, many of them integer-like or nearly so.
func (r *randomJSON) names() []string {
	all := []string{
		"a", "b", "é", "__proto__", "constructor", "length", "", "01", "-1", "1.5", "1e3", "NaN", "0x1",
		"4294967293", "4294967294", "4294967295", "4294967296", "9007199254740993", "18446744073709551616", "🎫", "\u2028", `"`, "\\",
	}
	const indices = 12
	all = slices.Grow(all, indices)
	for range indices {
		all = append(all, strconv.Itoa(r.IntN(2<<r.IntN(30))))
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	names, seen := []string{}, map[string]bool{}
	for _, name := range all {
		if !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names
}

// number returns a double in one of many spellings, most of them not ECMAScript's.
func (r *randomJSON) number() string {
	edges := []string{
		"-0", "-0.0", "0e5", "1e21", "999999999999999900000", "123456789012345680000", "1e-7", "0.000001", "5e-324",
		"1.7976931348623157e308", "9007199254740991", "9007199254740992", "9007199254740994",
		"10.50", "1.0", "1E+2", "2.2250738585072014e-308",
	}
	f := math.Float64frombits(r.Uint64())
	for math.IsNaN(f) || math.IsInf(f, 0) {
		f = math.Float64frombits(r.Uint64())
	}
	switch r.IntN(6) {
	case 0:
		return edges[r.IntN(len(edges))]
	case 1:
		return strconv.FormatInt(r.Int64N(1<<53)>>r.IntN(53), 10)
	case 2:
		return fmt.Sprintf("-%d.%02d00", r.IntN(100_000), r.IntN(100))
	case 3:
		return strconv.FormatFloat(f, 'E', -1, 64)
	case 4:
		return fmt.Sprintf("%d%se%+d", r.IntN(1_000_000), strings.Repeat("0", r.IntN(30)), r.IntN(60)-30)
	}
	return strconv.FormatFloat(math.Ldexp(r.Float64(), r.IntN(160)-80), 'f', -1, 64)
}

func (r *randomJSON) characters() string {
	special := []rune("\"\\/\b\f\n\r\t\x01\x1f\x7f\u0080&<>'\u2028\u2029\uFEFF\uFFFE\uFFFD\uD7FF\uE000é\u65e5🎫𝄞\U0010FFFF")
	text := make([]rune, r.IntN(12))
	for i := range text {
		switch r.IntN(3) {
		case 0:
			text[i] = special[r.IntN(len(special))]
		case 1:
			text[i] = 1 + r.Int32N(0x7f)
		default:
			text[i] = 0x20 + r.Int32N(0x500)
		}
	}
	return string(text)
}

// quoted writes each character literally, if allowed, or as an escape.
func (r *randomJSON) quoted(s string) string {
	text := []byte{'"'}
	for _, c := range s {
		switch {
		case r.IntN(4) == 0 && c > 0xffff:
			text = fmt.Appendf(text, `\u%04x\u%04X`, 0xd7c0+c>>10, 0xdc00+c&0x3ff)
		case r.IntN(4) == 0 && c <= 0xffff:
			text = fmt.Appendf(text, `\u%04X`, c)
		case c == '/' && r.IntN(2) == 0:
			text = append(text, `\/`...)
		case c < ' ' || c == '"' || c == '\\':
			escaped := AppendString(nil, string(c))
			text = append(text, escaped[1:len(escaped)-1]...)
		default:
			text = append(text, string(c)...)
		}
	}
	return string(append(text, '"'))
}
