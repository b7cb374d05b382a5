package csv_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"ticketgate/domain/csv"
	"ticketgate/domain/domaintest"
)

// textCase is a text with the line and cells of each of its records, or the reason for refusing it.
type textCase struct {
	Name, Text string
	Records    [][]any
	Refused    string
}

func textCases(t *testing.T) (cases []textCase) {
	t.Helper()
	file, err := os.ReadFile("testdata/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &cases); err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	return cases
}

func TestATextIsSplitIntoRecords(t *testing.T) {
	t.Parallel()
	for _, item := range textCases(t) {
		records, err := recordsOf(item.Text)
		if (err != nil) != (item.Refused != "") || (err != nil && err.Error() != item.Refused) {
			t.Errorf("%s: got %v, want %q", item.Name, err, item.Refused)
		}
		if err == nil {
			domaintest.Equal(t, item.Name, records, append([][]any{}, item.Records...))
		}
	}
}

// The search for the end of a cell stops at the maximum length of a record.
func TestOpenQuotationMarkIsFoundAtOnce(t *testing.T) {
	t.Parallel()
	const want = "Line 2: a record has more than 65536 bytes, or a quotation mark is never closed"
	if _, err := recordsOf("a\n\"b\n" + strings.Repeat("code,Ada\n", 100_000)); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Wherever a text is divided, its parts yield the records, lines and faults of the whole.
func TestATextInPartsIsReadLikeTheWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", csv.MaxRecordBytes/2)
	cases := append(textCases(t),
		textCase{Name: "a fault", Text: "a,b\n\"c\"d,e\r\nf,\xff\ng,h\n\n"},
		textCase{Name: "UTF-16", Text: "\xff\xfea\x00"},
		textCase{Name: "a long line", Text: "a\n" + long + long + "\nb"},
		textCase{Name: "a long first line", Text: long + long + "\nb"},
		textCase{Name: "a long line at the end of a part", Text: long + long[1:] + "\r\nb"},
		textCase{Name: "a record of the maximum length", Text: "a\n\"" + long + "\n" + long[4:] + "\"\nb"},
		textCase{Name: "a long record", Text: "a\n\"" + long + "\n" + long + "\"\nb"},
	)
	for _, item := range cases {
		want, refused := readParts(item.Text)
		for _, first := range cutsOf(item.Text) {
			check(t, item.Name, want, refused, item.Text[:first], item.Text[first:])
			for _, second := range cutsOf(item.Text) {
				if second >= first && len(item.Text) < 1000 {
					check(t, item.Name, want, refused, item.Text[:first], item.Text[first:second], item.Text[second:])
				}
			}
		}
	}
}

// The unread rest of a part is bounded: blank lines are consumed, including those before the first record.
func TestBlankLinesAreConsumed(t *testing.T) {
	t.Parallel()
	blank := strings.Repeat("\r\n", 2*csv.MaxRecordBytes)
	records, err := readParts(blank, "a;b\r\n"+blank, "c")
	if err != nil {
		t.Fatal(err)
	}
	domaintest.Equal(t, "records", records, [][]any{{float64(1 + 2*csv.MaxRecordBytes), "a", "b"}, {float64(2 + 4*csv.MaxRecordBytes), "c"}})
}

// cutsOf returns the positions at which a text is divided: all of a short text, and those near the ends of a long text
// and its lines.
func cutsOf(text string) (cuts []int) {
	const near = 3
	for at := range len(text) + 1 {
		around := text[max(0, at-near):min(len(text), at+near)]
		if len(text) < 1000 || at < near || len(text)-at < near || strings.ContainsAny(around, "\r\n") {
			cuts = append(cuts, at)
		}
	}
	return cuts
}

func check(t *testing.T, name string, want [][]any, refused error, parts ...string) {
	t.Helper()
	records, err := readParts(parts...)
	if fmt.Sprint(err) != fmt.Sprint(refused) || !reflect.DeepEqual(records, want) {
		t.Errorf("%s, cut to %.80q: got %.200q, %v; want %.200q, %v", name, parts, records, err, want, refused)
	}
}

// readParts reads a text in parts. The unread rest of a part is prepended to the next one.
func readParts(parts ...string) (records [][]any, err error) {
	var (
		at   csv.Place
		rest string
	)
	for i, part := range parts {
		text := rest + part
		reader := csv.NewPart(strings.NewReader(text), at, i+1 < len(parts))
		more, err := readAll(reader)
		records = append(records, more...)
		if err != nil {
			return records, err
		}
		at, rest = reader.Place(), text[reader.Consumed():]
		if longest := 3 * csv.MaxRecordBytes; len(rest) > longest {
			return records, fmt.Errorf("%d bytes are left", len(rest))
		}
	}
	return records, nil
}

// recordsOf returns the line and the cells of each record, in the form of decoded JSON.
func recordsOf(text string) ([][]any, error) { return readAll(csv.NewReader(strings.NewReader(text))) }

func readAll(reader *csv.Reader) ([][]any, error) {
	records := [][]any{}
	for {
		next, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		record := []any{float64(next.Line)}
		for _, cell := range next.Cells {
			record = append(record, cell)
		}
		if next.Fault != "" {
			record = append(record, next.Fault)
		}
		records = append(records, record)
	}
}
