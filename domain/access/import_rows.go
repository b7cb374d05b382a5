package access

import (
	"io"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
)

// Row is one row as a file has it. Fault says why it is none; its entry then has the code alone, where that can be read.
type Row struct {
	Line  int
	Entry NewEntry
	// MergesMeta says that the entry's meta holds only the members to change, null for one that shall go.
	MergesMeta bool
	Fault      string
}

// Source yields the rows of a file, io.EOF after the last. Any other error ends the import.
type Source interface {
	Next() (Row, error)
}

// StagedRow is a row as it waits to be committed: an entry's members, or what is wrong.
type StagedRow struct {
	Line       int
	Entry      NewEntry
	MergesMeta bool
	Bad        string
	Warning    string
}

// staged puts the preset's code into the row and checks it as an entry is checked. A bad row keeps its code: the entry
// that it speaks of is not missing from a full set.
func (r Row) staged(preset Preset) StagedRow {
	staged := StagedRow{Line: r.Line, MergesMeta: r.MergesMeta, Bad: r.Fault}
	code, fault := preset.apply(r.Entry.ExternalCode)
	if fault == "" && isBlank(code) {
		fault = "must have a character that can be seen"
	}
	if r.Fault != "" {
		staged.Entry = codeAlone(code)
		return staged
	}
	if fault != "" {
		staged.Bad = "externalCode " + fault
		return staged
	}
	staged.Warning = suspicion(r.Entry.ExternalCode)
	r.Entry.ExternalCode = code
	checked, err := r.Entry.checked()
	if err != nil {
		staged.Bad, staged.Warning = err.Error(), ""
		checked = codeAlone(code)
	}
	staged.Entry = checked
	return staged
}

// codeAlone is what is kept of a bad row; one that can't be a code is none.
func codeAlone(code string) NewEntry {
	if !validCode(code) {
		return NewEntry{}
	}
	return NewEntry{ExternalCode: code}
}

func validCode(code string) bool {
	return code != "" && utf8.ValidString(code) && !strings.ContainsRune(code, 0) && utf8.RuneCountInString(code) <= MaxCodeLength
}

// MaxInlineRows is how many rows an import may have that comes without a file.
const MaxInlineRows = 1000

// inline is the source of rows that came as they are.
type inline struct {
	rows   []NewEntry
	before int
	next   int
}

// Inline yields rows that a caller has sent one by one; their number stands for the line, counted on from those before.
func Inline(rows []NewEntry, before int) (Source, error) {
	var problems domain.Problems
	if len(rows) > MaxInlineRows {
		problems.Add("rows", "must be at most 1000; send the others with continueEntryImport, or a file to the REST API")
	}
	if before < 0 {
		problems.Add("after", "must be 0 or more")
	}
	return &inline{rows: rows, before: before}, problems.Err()
}

// Next yields the next row.
func (s *inline) Next() (Row, error) {
	if s.next == len(s.rows) {
		return Row{}, io.EOF
	}
	s.next++
	return Row{Line: s.before + s.next, Entry: s.rows[s.next-1]}, nil
}
