package intake

import (
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
)

// Max is the maximum number of records per import. They are written in one database transaction, which may block
// others.
const Max = 10_000

// Row is a valid record of an import.
type Row struct {
	Path     string
	ID       string
	Document ecmajson.Value
}

// Text returns a text field of the record, or "" if it has none.
func (r Row) Text(field string) string {
	value, _ := r.Document.Field(field)
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

// OlderThan reports whether the record has an updatedAt before that of the stored one (IMPORT-4).
func (r Row) OlderThan(stored moment.DateTime) bool {
	at, err := moment.Parse(r.Text("updatedAt"))
	return err == nil && at.Before(stored.Time)
}

// Rules validate the records of an import.
type Rules struct {
	Seller ids.Seller
	// Field is the field of the input that holds the records.
	Field string
	// Read returns a record in normal form and adds its faults.
	Read func(path string, record ecmajson.Value) ecmajson.Value
	// Complete adds computed fields to a record in normal form, and adds the faults that they reveal.
	Complete func(path string, record ecmajson.Value) ecmajson.Value
}

// Check returns the records in normal form and adds their faults. The result is valid only if there are none.
func (r Rules) Check(faults *domain.FieldErrors, records []ecmajson.Value) []Row {
	if !faults.Count(r.Field, len(records), Max) {
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
		if of, ok := checked.Field("sellerId"); ok && of.Kind() == ecmajson.String && of.Text() != string(r.Seller) {
			faults.Add(domain.JoinPath(path, "sellerId"), "must be the seller of the import")
		}
		rows = append(rows, Row{path, id, r.Complete(path, checked)})
	}
	return rows
}

// Unique maps the texts of a field to the path of the record that has it.
type Unique map[string]string

// Check returns the text of a field, and adds a fault if an earlier record has the same text. A missing or invalid text
// has a fault already.
func (u Unique) Check(faults *domain.FieldErrors, path string, record ecmajson.Value, field string) string {
	value, _ := record.Field(field)
	text := value.Text()
	if text == "" {
		return ""
	}
	if earlier, ok := u[text]; ok {
		faults.Add(domain.JoinPath(path, field), "is the same as in "+earlier)
	} else {
		u[text] = path
	}
	return text
}
