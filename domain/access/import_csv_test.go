package access

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"ticketgate/domain/code"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/optional"
)

// readSource reads a whole source and returns one line per row: its line number, and its content or fault.
func readSource(source Source) (string, error) {
	var text []string
	for {
		row, err := source.Next()
		if errors.Is(err, io.EOF) {
			return strings.Join(text, " / "), nil
		}
		if err != nil {
			return strings.Join(text, " / "), err
		}
		if row.Fault != "" {
			text = append(text, strings.TrimSpace(fmt.Sprintf("%d! %s %s", row.Line, row.Fault, row.Entry.ExternalCode)))
			continue
		}
		said := fmt.Sprintf("%d %q", row.Line, row.Entry.ExternalCode)
		if row.Entry.Email.Set {
			said += fmt.Sprintf(" email %q", row.Entry.Email.Or("null"))
		}
		if row.Entry.Meta.Set {
			said += " meta " + string(row.Entry.Meta.Or(ecmajson.Value{}).Append(nil))
		}
		text = append(text, said)
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ file, want string }{
		"has only codes without a header":     {"A\nB\n", `1 "A" / 2 "B"`},
		"may lack the last line break":        {"A\nB", `1 "A" / 2 "B"`},
		"has no rows if empty":                {"", ""},
		"has no rows if it is only a mark":    {"\xef\xbb\xbf", ""},
		"has no rows if it is only a header":  {"externalCode\n", ""},
		"keeps spaces and zeros in codes":     {" 007 \n", `1 " 007 "`},
		"accepts columns in any case, order":  {"E-mail,EXTERNAL_CODE\nx,A\n", `2 "A" email "x"`},
		"has semicolons":                      {"externalCode;email\nA,1;x\n", `2 "A,1" email "x"`},
		"has tabs":                            {"externalCode\temail\nA;1\tx\n", `2 "A;1" email "x"`},
		"has vertical bars":                   {"externalCode|email\nA;1|x\n", `2 "A;1" email "x"`},
		"has lines that end in CR only":       {"\xef\xbb\xbfexternalCode,email\rA,x\r\r\"B\n1\",y\r", `2 "A" email "x" / 4 "B\n1" email "y"`},
		"has codes and trailing separators":   {"A1,,\nB2,\nC3,,,\n", `1 "A1" / 2 "B2" / 3 "C3"`},
		"has unnamed columns":                 {"externalCode,email,,\nA1,x,,\nB2,y\nC3,z,\"\", \t\n", `2 "A1" email "x" / 3 "B2" email "y" / 4 "C3" email "z"`},
		"has an unnamed column in the middle": {"externalCode; ;;email;\nA1;;\u00a0;x;;;\n", `2 "A1" email "x"`},
		"has surplus empty cells":             {"externalCode\temail\nA1\tx\t\t \n", `2 "A1" email "x"`},
		"has surplus empty cells after CR":    {"\xef\xbb\xbfexternalCode,email,\rA1,x,\r", `2 "A1" email "x"`},
		"has a column named code":             {"Code,,E-Mail\nA1,,x\n", `2 "A1" email "x"`},
		"has text in an unnamed column": {
			"externalCode,email,,\nA1,x,y,\nB2,x\n", `2! has "y" in column 3, which has no name; name the column, or empty the cell A1 / 3 "B2" email "x"`,
		},
		"has text in an unnamed column and a code that may have moved": {
			"firstname,externalCode,\nDoe, John,A1\n", `2! has "A1" in column 3, which has no name; name the column, or empty the cell`,
		},
		"has a surplus cell": {
			"A1\nB2,,x,\n", `1 "A1" / 2! must have at most 1 cell, not 3; put a cell that contains the separator in quotation marks`,
		},
		"keeps a brace after a header":          {"externalCode\n{A}\n", `2 "{A}"`},
		"quotes the comma":                      {"externalCode,email\n\"A,\"\"1\"\"\",x\n", `2 "A,\"1\"" email "x"`},
		"does not count quoted commas":          {"\"a;b;c;d\"\n", `1 "a;b;c;d"`},
		"has a cell of several lines":           {"externalCode,email\n\"A\r\n1\",x\nB,y\n", `2 "A\n1" email "x" / 4 "B" email "y"`},
		"keeps a quotation mark inside":         {"externalCode,email\nA\"1,x\n", `2 "A\"1" email "x"`},
		"skips blank lines":                     {"\n\r\nexternalCode,email\n\n,\nA,x\n\n", `6 "A" email "x"`},
		"accepts a short row":                   {"externalCode,email\nA\n", `2 "A" email ""`},
		"counts a long row as bad":              {"externalCode,email\nA,x,y,\n", "2! must have at most 2 cells, not 3; put a cell that contains the separator in quotation marks A"},
		"counts text after a quotation as bad":  {"externalCode,email\n\"A\"1,x\nB,y\n", `2! has text after a closing quotation mark / 3 "B" email "y"`},
		"counts invalid UTF-8 as bad":           {"externalCode,meta.x\nA,\xe9\nB,\x00\n", "2! must be valid UTF-8 without the NUL character A / 3! must be valid UTF-8 without the NUL character B"},
		"gathers meta":                          {"externalCode,meta.b,Meta.A\nA,1,\nB,,\nC,1,2\n", `2 "A" meta {"b":"1","A":null} / 3 "B" meta {"b":null,"A":null} / 4 "C" meta {"b":"1","A":"2"}`},
		"keeps the code before a bad quotation": {"externalCode,firstname\nA,\"Anna \"Ann\" Z\"\n", "2! has text after a closing quotation mark A"},
		"guesses no code that has moved":        {"firstname,externalCode\nDoe, Jr,A\n", "2! must have at most 2 cells, not 3; put a cell that contains the separator in quotation marks"},
		"guesses no code that was cut":          {"A\nB,1\n", `1 "A" / 2! must have at most 1 cell, not 2; put a cell that contains the separator in quotation marks`},
		"leaves out missing columns":            {"externalCode\nA\n", `2 "A"`},
		"takes an unknown header as a code":     {"externalKode\n", `1 "externalKode"`},
		"names its separator":                   {"\xef\xbb\xbfsep=;\r\nexternalCode;meta.a,b;email\nA;1,2,3;x\n", `3 "A" email "x" meta {"a,b":"1,2,3"}`},
		"names it in quotation marks":           {"\"SEP=\t\"\nexternalCode\temail\nA\tx\n", `3 "A" email "x"`},
		"names an unusual separator":            {"sep=|\nexternalCode|email\nA|x\n", `3 "A" email "x"`},
		"names it for codes only":               {"sep=;\nA\nB\n", `2 "A" / 3 "B"`},
		"may start with a blank line":           {"\nexternalCode;email\nA,1;x\n", `3 "A,1" email "x"`},
		"has a mark before the quotation marks": {"\xef\xbb\xbf\"externalCode\";\"email\"\nA;x\n", `2 "A" email "x"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := readSource(CSV(strings.NewReader(test.file))); err != nil || got != test.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
			}
		})
	}
}

func TestUnreadableCSV(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a,b\nc,d\n":                       "The first line must name the columns",
		"externalCode,mail\n":              "column 2 is named \"mail\", which is not one of externalCode, customerId",
		"externalCode,email,E-Mail\n":      "column 3 is named \"E-Mail\", as is another column",
		"{\"externalCode\":\"A\"}\n":       "Line 1 starts with { like JSON",
		"\n[\"A\",\n\"B\"]\n":              "Line 2 starts with [ like JSON",
		"A|1\nB|2\n":                       "The first line must name the columns",
		"A\nB\rC\n":                        "Line 2: some lines end in CR and others in LF",
		"A\rB\nC\n":                        "Line 2: some lines end in CR and others in LF",
		"email\na@b.de\n":                  "The first line must name the columns",
		"E-Mail\na@b.de\n":                 "The first line must name the columns",
		"meta.seat\n1\n":                   "The first line must name the columns",
		"externalCode,email\n\"A,x\nB,y\n": "Line 2: a record has more than 65536 bytes, or a quotation mark is never closed",
		"externalCode\n\"" + strings.Repeat("x\n", 40_000): "Line 2: a record has more than",
		"A\n" + strings.Repeat("x", 70_000):                "Line 2: a record has more than",
		"\xff\xfeA\x00":                                    "The file is UTF-16",
		"\"externalCode\"x,email\n":                        "Line 1 has text after a closing quotation mark",
	} {
		if _, err := readSource(CSV(strings.NewReader(file))); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.30q: got %v, want %s", file, err, want)
		}
	}
}

func TestNDJSON(t *testing.T) {
	t.Parallel()
	const file = "\xef\xbb\xbf" + `{"externalCode":" A ","email":null,"_id":"x","meta":{"b":1.50}}` + "\n\n" +
		`{"externalCode":1}` + "\n" + `{"externalCode":"B","mail":"x"}` + "\n" + `["A"]` + "\n" + `{"externalCode":"C"` + "\r\n" +
		`{"externalCode":"D","externalCode":"E"}` + "\n" + `{}` + "\n" + `{"externalCode":"F","firstname":5}` + "\n" +
		`{"externalCode":"G","meta":{"a":9007199254740993}}` + "\n" + `{"ExternalCode":"H","meta":{"a":1e400}}`
	got, err := readSource(NDJSON(strings.NewReader(file)))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(got, " / ")
	for i, want := range []string{
		`1 " A " email "null" meta {"b":1.5}`, "3! externalCode must be a string, not a number", "4! mail is not a known field",
		"5! must be a JSON object", "6! is not valid JSON", "7! is not valid JSON", `8 ""`, "9! firstname must be a string",
		"10! is not valid JSON: meta.a", "11! is not valid JSON: meta.a",
	} {
		if !strings.HasPrefix(rows[i], want) {
			t.Errorf("got %s, want %s", rows[i], want)
		}
	}
	for i, code := range map[int]string{2: "B", 5: "", 7: "F", 8: "G", 9: ""} {
		if row := rows[i]; code != "" && !strings.HasSuffix(row, " "+code) || code == "" && len(row)-strings.LastIndexByte(row, ' ') == 2 {
			t.Errorf("got %s, want it to end with code %q", row, code)
		}
	}
}

// In NDJSON it is certain where the next object starts, so a line that is too long affects no other.
func TestOverlongNDJSONLineIsInvalidRow(t *testing.T) {
	t.Parallel()
	long := `{"externalCode":"` + strings.Repeat("x", 200_000) + `"}`
	const fault = "! must be at most 65536 bytes"
	for file, want := range map[string]string{
		long + "\n" + `{"externalCode":"B"}` + "\n" + long + "\n\n" + `{"externalCode":"C"}`: "1" + fault + ` / 2 "B" / 3` + fault + ` / 5 "C"`,
		`{"externalCode":"A"}` + "\r" + long + "\r" + `{"externalCode":"C"}` + "\r":          `1 "A" / 2` + fault + ` / 3 "C"`,
		`{"externalCode":"A"}` + "\n" + long:                                                 `1 "A" / 2` + fault,
	} {
		if got, err := readSource(NDJSON(strings.NewReader(file))); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestSuspiciousCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"08A1B2C3": "is a random UID that changes on every read", "08:a1:b2:c3": "is a random UID that changes on every read",
		"08A1B2C3D4E5F6": "", "18A1B2C3": "", "0812345": "", "1,23E+12": "looks like a number that a spreadsheet has shortened",
		"A ": "has leading or trailing blanks", "A": "", "A 1": "", "Ä-1/é": "",
		"\ufeffA": "has an invisible character, U+FEFF", "A\u200bB": "has an invisible character, U+200B",
		"A\x1a": "has an invisible character, U+001A", "A\u00a01": "has an invisible character, U+00A0",
	} {
		if got := suspicion(code); got != want {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
}

// An invisible code comes from a line that was meant to be blank, or from the end-of-file character of DOS.
func TestBlankCodeIsInvalidRow(t *testing.T) {
	t.Parallel()
	for text, bad := range map[string]bool{
		"   ": true, "\t": true, "\u00a0": true, "\ufeff": true, "\u200b \u200b": true, "\x1a": true, "A": false, "\x1aA": false,
	} {
		row := Row{Line: 1, Entry: NewEntry{ExternalCode: text}}.staged(AsRead, code.Refuse)
		if got := row.Bad == "externalCode must contain at least one visible character"; got != bad {
			t.Errorf("%q: Bad is %q", text, row.Bad)
		}
	}
}

func TestPresetsConvertCodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		preset     Preset
		code, want string
	}{
		{AsRead, " aB ", " aB "},
		{Upper, "ab-é", "AB-É"},
		{Reversed, "c4:3f:36:32", "32363fc4"},
		{Reversed, "04A2B3C4D5E6F7", "F7E6D5C4B3A204"},
		{Reversed, "c43", ""},
		{Reversed, "zz", ""},
		{Reversed, "", ""},
		{PaddedReversed, "C43F3632", "8804000032363FC4"},
		{PaddedReversed, "04A2B3C4D5E6F7", ""},
	} {
		got, fault := test.preset.apply(test.code)
		if got != test.want || (fault == "") != (test.want != "") {
			t.Errorf("%s of %q: got %q, %q", test.preset, test.code, got, fault)
		}
	}
}

func TestCommitRefuses(t *testing.T) {
	t.Parallel()
	yes := optional.Some(true)
	for name, test := range map[string]struct {
		mode    ImportMode
		counts  Counts
		present int
		commit  Commit
		want    string
	}{
		"a valid import":                      {Add, Counts{New: 5, Same: 1, Duplicate: 3, Warnings: 5}, 1, Commit{}, ""},
		"one bad row":                         {Add, Counts{Bad: 1}, 0, Commit{}, "1 row is invalid"},
		"a bad row to skip":                   {Add, Counts{Bad: 2}, 0, Commit{SkipBad: yes}, ""},
		"conflicts":                           {Add, Counts{Conflict: 2}, 2, Commit{}, "2 rows are in conflict"},
		"a conflict to skip":                  {Add, Counts{Conflict: 2}, 2, Commit{OnConflict: optional.Some(SkipConflicts)}, ""},
		"a conflict of a full set":            {FullSet, Counts{Conflict: 2}, 2, Commit{}, ""},
		"a conflict of a full set to fail on": {FullSet, Counts{Conflict: 2}, 2, Commit{OnConflict: optional.Some(FailOnConflict)}, "2 rows"},
		"removals of a fifth":                 {FullSet, Counts{Removed: 20}, 100, Commit{}, ""},
		"removals of more":                    {FullSet, Counts{Removed: 21}, 100, Commit{}, "This would remove 21 of 100 entries, more than 20 %"},
		"a removal with a limit of 0":         {FullSet, Counts{Removed: 1}, 100, Commit{MaxRemoveShare: optional.Some(0.0)}, "This would remove 1"},
		"confirmed removals":                  {FullSet, Counts{Removed: 100}, 100, Commit{ConfirmRemovals: yes}, ""},
	} {
		err := test.commit.refuse(test.mode, test.counts, Effects{Present: test.present})
		if (err == nil) != (test.want == "") || (err != nil && !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
