package access

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"ticketgate/domain/code"
	"ticketgate/domain/moment"
)

// Row is a row of a file. If Fault is not empty, the row is bad, and Entry has only the code, if it could be read.
type Row struct {
	Line  int
	Entry NewEntry
	// MergesMeta reports whether Entry.Meta holds only the fields to change. Null removes a field.
	MergesMeta bool
	// UpdatedAt is the updatedAt of the entry in the file, or nil.
	UpdatedAt *moment.DateTime
	Fault     string
}

// Source returns the rows of a file, then io.EOF. Any other error ends the import.
type Source interface {
	Next() (Row, error)
}

// File opens the rows of a file from the start. An import reads them twice: completely before it stores anything, and
// again to stage them.
type File func() (Source, error)

// count reads the whole file and returns its number of rows, or why it can't be read.
func (f File) count() (rows int, err error) {
	source, err := f()
	if err != nil {
		return 0, err
	}
	for {
		switch _, err := source.Next(); {
		case errors.Is(err, io.EOF):
			return rows, nil
		case err != nil:
			return 0, err
		}
		rows++
	}
}

// StagedRow is a row that is ready to be committed, or bad.
type StagedRow struct {
	Line       int
	Entry      NewEntry
	MergesMeta bool
	UpdatedAt  *moment.DateTime
	Bad        string
	Warning    string
	// Trimmed reports whether blanks were removed from the code.
	Trimmed bool
	// Damaged reports whether the code of a bad row is not the original one. The row may refer to any entry.
	Damaged bool
}

// staged reads the row's code, applies the preset, and checks the entry. A bad row keeps its code, so that its entry
// does not count as missing from a full set.
func (r Row) staged(preset Preset, how code.Handling) StagedRow {
	reading := code.Read(r.Entry.ExternalCode, how)
	staged := StagedRow{
		Line: r.Line, MergesMeta: r.MergesMeta, UpdatedAt: r.UpdatedAt, Bad: r.Fault,
		Trimmed: reading.Trimmed, Damaged: reading.Fault != "",
	}
	if staged.Damaged {
		staged.Entry = codeAlone(r.Entry.ExternalCode)
		if staged.Bad == "" {
			staged.Bad = joinHint("externalCode "+reading.Fault, reading.Hint)
		}
		return staged
	}
	result, fault := preset.apply(reading.Text)
	if fault == "" && how != code.Keep && isBlank(result) {
		fault = "must contain at least one visible character"
	}
	if staged.Bad == "" && fault != "" {
		staged.Bad = "externalCode " + fault
		return staged
	}
	if r.Fault != "" {
		staged.Entry = codeAlone(result)
		return staged
	}
	staged.Warning = cmp.Or(reading.Note, suspicion(reading.Text))
	r.Entry.ExternalCode = result
	checked, err := r.Entry.checked()
	if err != nil {
		staged.Bad, staged.Warning = err.Error(), ""
		checked = codeAlone(result)
	}
	staged.Entry = checked
	return staged
}

// joinHint appends a hint to a fault.
func joinHint(fault, hint string) string {
	if hint == "" {
		return fault
	}
	return fault + "; " + hint
}

// codeAlone returns an entry with only the code, for a bad row. It is empty if the code is invalid.
func codeAlone(code string) NewEntry {
	if !validCode(code) {
		return NewEntry{}
	}
	return NewEntry{ExternalCode: code}
}

func validCode(code string) bool {
	return code != "" && utf8.ValidString(code) && !strings.ContainsRune(code, 0) && utf8.RuneCountInString(code) <= MaxCodeLength
}
