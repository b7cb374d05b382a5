package access

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/csv"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// ndjson is the source of a file with one JSON object per line.
type ndjson struct{ lines *csv.Lines }

// NDJSON returns the rows of newline-delimited JSON. Each object has the fields of an entry. Read-only fields are
// ignored, so that an export can be imported.
func NDJSON(in io.Reader) Source { return ndjson{lines: csv.NewLines(in)} }

// Next returns the next row that is not blank.
func (s ndjson) Next() (Row, error) {
	for {
		text, err := s.lines.Next()
		if errors.Is(err, csv.ErrLongLine) { // unlike in CSV, it is certain where the next object starts
			return Row{Line: s.lines.Number(), Fault: fmt.Sprintf("must be at most %d bytes", csv.MaxRecordBytes)}, s.lines.Skip()
		}
		if err != nil {
			return Row{}, fileError(err)
		}
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		row := Row{Line: s.lines.Number()}
		value, err := ecmajson.Parse(text, ecmajson.Limits{})
		if err != nil {
			row.Fault = "is not valid JSON: " + err.Error()
			row.Entry.ExternalCode = codeBeside(text, err)
			return row, nil
		}
		if value.Kind() != ecmajson.Object {
			row.Fault = "must be a JSON object"
			return row, nil
		}
		row.Entry, row.Fault = entryOf(value)
		row.UpdatedAt = updatedAtOf(value)
		return row, nil
	}
}

var readOnlyFields = []string{"_id", "listId", "sellerId", "createdAt", updatedAt}

// entryOf decodes an object as the body of an entry. A missing code is reported later.
func entryOf(object ecmajson.Value) (NewEntry, string) {
	var entry NewEntry
	var errs domain.FieldErrors
	for _, field := range object.Fields() {
		switch name, kind := field.Name, field.Value.Kind(); {
		case name == updatedAt:
			checkUpdatedAt(&errs, field.Value)
		case slices.Contains(readOnlyFields, name):
		case name == "externalCode" && kind == ecmajson.Null:
			errs.Add(name, "must be a string, not null")
		case !decode.Field(&errs, name, field.Value, &entry):
			errs.Add(name, domain.UnknownField+". The fields are "+strings.Join(entryFields, ", ")+" and meta")
		}
	}
	if err := errs.Err(); err != nil {
		return NewEntry{ExternalCode: entry.ExternalCode}, err.Error()
	}
	return entry, ""
}

const updatedAt = "updatedAt"

// checkUpdatedAt adds an error for a value that is not a date-time. Null and an empty text mean no value.
func checkUpdatedAt(errs *domain.FieldErrors, value ecmajson.Value) {
	switch kind, text := value.Kind(), value.Text(); {
	case kind == ecmajson.Null || kind == ecmajson.String && text == "":
	case kind != ecmajson.String:
		errs.Add(updatedAt, "must be a date-time such as 2026-11-29T18:00:00Z, not "+kind.InWords())
	default:
		if _, err := moment.Parse(text); err != nil {
			errs.Add(updatedAt, err.Error())
		}
	}
}

// updatedAtOf returns the updatedAt of the entry, or nil.
func updatedAtOf(object ecmajson.Value) *moment.DateTime {
	value, _ := object.Field(updatedAt)
	at, err := moment.Parse(value.Text())
	if err != nil {
		return nil
	}
	return &at
}

// codeBeside returns the code of a row that is valid JSON but breaks a rule elsewhere, such as a number in meta that
// would lose digits. It returns "" if the code itself is invalid.
func codeBeside(text []byte, err error) string {
	problems, _ := errors.AsType[ecmajson.Problems](err)
	for _, problem := range problems {
		if strings.EqualFold(problem.Path, "externalCode") {
			return ""
		}
	}
	var row map[string]json.RawMessage // a struct would match the name case-insensitively
	var code string
	if json.Unmarshal(text, &row) != nil || json.Unmarshal(row["externalCode"], &code) != nil {
		return ""
	}
	return code
}
