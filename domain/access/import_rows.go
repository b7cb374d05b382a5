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

// Row is one row as a file has it. Fault says why it is none; its entry then has the code alone, where that can be read.
type Row struct {
	Line  int
	Entry NewEntry
	// MergesMeta says that the entry's meta holds only the members to change, null for one that shall go.
	MergesMeta bool
	// UpdatedAt is when the entry was changed, if the file says so.
	UpdatedAt *moment.DateTime
	Fault     string
}

// Source yields the rows of a file, io.EOF after the last. Any other error ends the import.
type Source interface {
	Next() (Row, error)
}

// File returns the rows of a file from its beginning. An import reads them twice: to their end before anything is stored, and
// again to stage them.
type File func() (Source, error)

// count reads the file to its end and returns how many rows it has, or why it can't be read.
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

// StagedRow is a row as it waits to be committed: an entry's members, or what is wrong.
type StagedRow struct {
	Line       int
	Entry      NewEntry
	MergesMeta bool
	UpdatedAt  *moment.DateTime
	Bad        string
	Warning    string
	// Trimmed reports that blanks were removed from the code.
	Trimmed bool
	// Damaged reports that the code of a bad row is not what it was: the row may be about any entry.
	Damaged bool
}

// staged reads the row's code, puts the preset's into its place and checks the row as an entry is checked. A bad row keeps its
// code: the entry that it is about is not missing from a full set.
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
		fault = "must have a character that can be seen"
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

// joinHint puts a hint behind a fault.
func joinHint(fault, hint string) string {
	if hint == "" {
		return fault
	}
	return fault + "; " + hint
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
