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

// ndjson is the source of a file with one JSON object a line.
type ndjson struct{ lines *csv.Lines }

// NDJSON yields the rows of newline-delimited JSON. Each object has the members of an entry; those that can only be read
// are passed over, so that what was exported can come back.
func NDJSON(in io.Reader) Source { return ndjson{lines: csv.NewLines(in)} }

// Next yields the next row that is not blank.
func (s ndjson) Next() (Row, error) {
	for {
		text, err := s.lines.Next()
		if errors.Is(err, csv.ErrLongLine) { // where the next object begins is certain, unlike in CSV
			return Row{Line: s.lines.Number(), Fault: fmt.Sprintf("has more than %d bytes", csv.MaxRecordBytes)}, s.lines.Skip()
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

var readOnlyMembers = []string{"_id", "listId", "sellerId", "createdAt", updatedAt}

// entryOf reads an object as the body of one entry is read. A row without a code is bad for a reason of its own.
func entryOf(object ecmajson.Value) (NewEntry, string) {
	var entry NewEntry
	var problems domain.Problems
	for _, member := range object.Members() {
		switch name, kind := member.Name, member.Value.Kind(); {
		case name == updatedAt:
			checkUpdatedAt(&problems, member.Value)
		case slices.Contains(readOnlyMembers, name):
		case name == "externalCode" && kind == ecmajson.Null:
			problems.Add(name, "must be a string, not null")
		case !decode.Field(&problems, name, member.Value, &entry):
			problems.Add(name, "is not known; the members are "+strings.Join(entryMembers, ", ")+" and meta")
		}
	}
	if err := problems.Err(); err != nil {
		return NewEntry{ExternalCode: entry.ExternalCode}, err.Error()
	}
	return entry, ""
}

const updatedAt = "updatedAt"

// checkUpdatedAt refuses what is no date-time; null and an empty text are none.
func checkUpdatedAt(problems *domain.Problems, value ecmajson.Value) {
	switch kind, text := value.Kind(), value.Text(); {
	case kind == ecmajson.Null || kind == ecmajson.String && text == "":
	case kind != ecmajson.String:
		problems.Add(updatedAt, "must be a date-time such as 2026-11-29T18:00:00Z, not "+kind.InWords())
	default:
		if _, err := moment.Parse(text); err != nil {
			problems.Add(updatedAt, err.Error())
		}
	}
}

// updatedAtOf returns when the entry was changed, if the object says so.
func updatedAtOf(object ecmajson.Value) *moment.DateTime {
	value, _ := object.Member(updatedAt)
	at, err := moment.Parse(value.Text())
	if err != nil {
		return nil
	}
	return &at
}

// codeBeside is the code of a row that is JSON and breaks our rules elsewhere, such as a number in its meta that would
// lose digits. It is empty where the code itself is at fault.
func codeBeside(text []byte, err error) string {
	problems, _ := errors.AsType[ecmajson.Problems](err)
	for _, problem := range problems {
		if strings.EqualFold(problem.Path, "externalCode") {
			return ""
		}
	}
	var row map[string]json.RawMessage // a struct would take the name in any case
	var code string
	if json.Unmarshal(text, &row) != nil || json.Unmarshal(row["externalCode"], &code) != nil {
		return ""
	}
	return code
}
