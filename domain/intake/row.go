package intake

import (
	"fmt"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Most is how many records one import may hold: they are written in one database transaction, which others may have to wait
// for.
const Most = 10_000

// Row is one record of an import that has passed the check.
type Row struct {
	Path     string
	ID       string
	Document ecmajson.Value
}

// Text returns a text of the record, or "" if it has none.
func (r Row) Text(field string) string {
	value, _ := r.Document.Member(field)
	return value.Text()
}

// IDs returns the _ids of rows.
func IDs(rows []Row) []string {
	ids := make([]string, len(rows))
	for n, row := range rows {
		ids[n] = row.ID
	}
	return ids
}

// OlderThan reports whether the record is older than a stored one, as far as it says when it was changed (IMPORT-4).
func (r Row) OlderThan(stored moment.DateTime) bool {
	at, err := moment.Parse(r.Text("updatedAt"))
	return err == nil && at.Before(stored.Time)
}

// Rules are what the records of an import are held to.
type Rules struct {
	Seller ids.Seller
	// Field is the field of the input that holds the records.
	Field string
	// Read returns a record in normal form, and notes what is wrong with it.
	Read func(path string, record ecmajson.Value) ecmajson.Value
	// Complete returns a record in normal form with what is computed from it, and notes what is wrong with that.
	Complete func(path string, record ecmajson.Value) ecmajson.Value
}

// Check returns the records in normal form, and notes what is wrong with them. They are of use only if nothing is.
func (r Rules) Check(faults *domain.Problems, records []ecmajson.Value) []Row {
	if len(records) > Most {
		faults.Add(r.Field, fmt.Sprintf("must be at most %d at once, not %d", Most, len(records)))
		return nil
	}
	rows := make([]Row, 0, len(records))
	ids := Unique{}
	for n, record := range records {
		if faults.Full() {
			break
		}
		path := domain.IndexPath(r.Field, n)
		checked := r.Read(path, record)
		id := ids.Check(faults, path, checked, "_id")
		if of, ok := checked.Member("sellerId"); ok && of.Kind() == ecmajson.String && of.Text() != string(r.Seller) {
			faults.Add(domain.JoinPath(path, "sellerId"), "must be the seller that the import is for")
		}
		rows = append(rows, Row{path, id, r.Complete(path, checked)})
	}
	return rows
}

// Unique holds the texts of a field so far, each with the path of the record that has it.
type Unique map[string]string

// Check notes a text that an earlier record has, and returns it. One that is missing or wrong is noted already.
func (u Unique) Check(faults *domain.Problems, path string, record ecmajson.Value, field string) string {
	value, _ := record.Member(field)
	text := value.Text()
	if text == "" {
		return ""
	}
	if earlier, ok := u[text]; ok {
		faults.Add(domain.JoinPath(path, field), "is also that of "+earlier)
	} else {
		u[text] = path
	}
	return text
}
