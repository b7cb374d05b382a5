package access

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/csv"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// csvFile is the source of a CSV file.
type csvFile struct {
	reader  *csv.Reader
	columns []column
	first   []string // first record of a file without a header
}

// column is the target of a cell: a field of the entry, a field of its meta, or none. The zero column has no name, and
// its cells must be empty.
type column struct {
	member  string
	meta    string
	leftOut bool
}

// CSV returns the rows of a CSV file. Its first line names the columns. Without column names, each line is a code.
func CSV(in io.Reader) Source {
	reader := csv.NewReader(in)
	reader.First = looksLikeJSON
	return &csvFile{reader: reader}
}

// Next returns the next row that is not blank.
func (c *csvFile) Next() (Row, error) {
	if c.columns == nil {
		if err := c.readHeader(); err != nil {
			return Row{}, err
		}
	}
	if cells := c.first; cells != nil {
		c.first = nil
		return c.row(csv.Record{Cells: cells, Line: c.reader.Line()}), nil
	}
	record, err := c.reader.Next()
	if err != nil {
		return Row{}, fileError(err)
	}
	return c.row(record), nil
}

// fileError returns the error for a file that can't be read.
func fileError(err error) error {
	if wrong, ok := errors.AsType[csv.Error](err); ok {
		return domain.NewError(domain.CodeInvalidRequest, wrong.Error())
	}
	return err
}

// looksLikeJSON rejects a JSON file by its first line, since each of its lines would become a code. A file with column
// names may contain such codes.
func looksLikeJSON(text []byte, line int) error {
	begin := bytes.TrimSpace(text)
	if len(begin) == 0 || (begin[0] != '{' && begin[0] != '[') {
		return nil
	}
	return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf("Line %d starts with %c like JSON, but the file was sent as CSV. "+
		"Send one JSON object per line as application/x-ndjson, or put a line externalCode before such codes", line, begin[0]))
}

// readHeader reads the first record. It is a header if it names the column of codes.
func (c *csvFile) readHeader() error {
	record, err := c.reader.Next()
	if err != nil {
		return fileError(err)
	}
	if err := faultOf(record); err != nil {
		return err
	}
	cells := record.Cells
	columns, errs := columnsOf(pointersTo(cells), columnOfFile)
	if len(cells) > maxColumns {
		return errs.Err()
	}
	if holdCodes(columns) {
		c.columns = columns
		return errs.Err()
	}
	if cells = withoutBlankEnd(cells, 1); len(cells) > 1 || columns[0] != (column{}) {
		return domain.NewError(domain.CodeInvalidRequest,
			"The first line must name the columns, including externalCode. Only a file without other columns can omit this line")
	}
	c.columns, c.first = []column{{member: "externalCode"}}, cells
	return nil
}

// faultOf returns the error for a record without which the file can't be read.
func faultOf(record csv.Record) error {
	if record.Fault == "" {
		return nil
	}
	return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf("Line %d %s", record.Line, record.Fault))
}

// pointersTo returns a pointer to each of the texts.
func pointersTo(all []string) []*string {
	pointers := make([]*string, len(all))
	for i := range all {
		pointers[i] = &all[i]
	}
	return pointers
}

// holdCodes reports whether one of the columns holds codes.
func holdCodes(columns []column) bool { return slices.Contains(columns, column{member: codeField}) }

// withoutBlankEnd removes blank cells after the first ones. Spreadsheets end a record with a separator for each column
// that was ever used.
func withoutBlankEnd(cells []string, first int) []string {
	for len(cells) > first && texts.Trim(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

const codeField = "externalCode"

var entryFields = []string{"externalCode", "customerId", "firstname", "lastname", "email", "phone"}

// maxShown is how much of a wrong name an error repeats.
const maxShown = 64

// maxColumns is the maximum number of columns in a file.
const maxColumns = 1000

// columnsOf reads a header. Names are case-insensitive, and may contain spaces, underscores and hyphens; meta.x is the
// field x of meta. The cells of a column without a name must be empty (IMPORT-2). A nil name leaves the column out.
// Errors have the paths of their columns.
func columnsOf(names []*string, path func(i int) string) ([]column, *domain.FieldErrors) {
	columns, errs, seen := make([]column, len(names)), &domain.FieldErrors{}, map[column]bool{}
	if !errs.Count("columns", len(names), maxColumns) {
		return columns, errs
	}
	for i, cell := range names {
		if cell == nil {
			columns[i].leftOut = true
			continue
		}
		name := texts.Trim(*cell)
		switch known := columnOf(name); {
		case name == "":
		case known == column{}:
			errs.Unknown(path(i), fmt.Sprintf("is named %q, which is not one of %s and meta.…",
				texts.Shorten(name, maxShown), strings.Join(entryFields, ", ")),
				name, entryFields, "Name it meta.x to keep it in meta")
		case seen[known]:
			errs.Add(path(i), fmt.Sprintf("is named %q, as is another column", texts.Shorten(name, maxShown)))
		default:
			columns[i], seen[known] = known, true
		}
	}
	return columns, errs
}

// columnOfFile and columnOfInput return the path of a column, in a file and in an input.
func columnOfFile(i int) string { return fmt.Sprintf("column %d", i+1) }

func columnOfInput(i int) string { return domain.IndexPath("columns", i) }

func columnOf(name string) column {
	if len(name) > 5 && strings.EqualFold(name[:5], "meta.") {
		return column{meta: name[5:]}
	}
	plain := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(name)
	if strings.EqualFold(plain, "code") { // the dashboard's name for it
		return column{member: codeField}
	}
	for _, field := range entryFields {
		if strings.EqualFold(plain, field) {
			return column{member: field}
		}
	}
	return column{}
}

// row returns the row of a record. A missing or empty cell means no value.
func (c *csvFile) row(record csv.Record) Row {
	cells := withoutBlankEnd(record.Cells, len(c.columns))
	row := Row{Line: record.Line, Fault: cmp.Or(c.surplus(cells), record.Fault)}
	if row.Fault != "" {
		row.Entry.ExternalCode = c.codeIn(cells)
		return row
	}
	var meta []ecmajson.Field
	for i, column := range c.columns {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		switch {
		case column.member != "":
			row.Entry.put(column.member, optional.Some(cell))
			continue
		case column.meta == "":
			continue
		}
		field := ecmajson.Field{Name: column.meta}
		if cell != "" {
			field.Value = ecmajson.NewString(cell)
		}
		meta = append(meta, field)
	}
	if meta != nil {
		row.Entry.Meta, row.MergesMeta = optional.Some(ecmajson.NewObject(meta)), true
	}
	return row
}

// surplus returns the error for a cell that belongs to no column, or "".
func (c *csvFile) surplus(cells []string) string {
	if len(cells) > len(c.columns) {
		most := "1 cell"
		if len(c.columns) > 1 {
			most = fmt.Sprintf("%d cells", len(c.columns))
		}
		return fmt.Sprintf("must have at most %s, not %d; put a cell that contains the separator in quotation marks", most, len(cells))
	}
	for i, cell := range cells {
		if c.columns[i] == (column{}) && texts.Trim(cell) != "" {
			return fmt.Sprintf("has %q in column %d, which has no name; name the column, or empty the cell",
				texts.Shorten(cell, maxShown), i+1)
		}
	}
	return ""
}

// codeIn returns the code of a bad record. Cells before a badly quoted one are reliable. If there are more cells than
// columns, only the first of several named columns is.
func (c *csvFile) codeIn(cells []string) string {
	at := slices.Index(c.columns, column{member: codeField})
	named := len(slices.DeleteFunc(slices.Clone(c.columns), func(item column) bool { return item.member == "" && item.meta == "" }))
	if at >= len(cells) || (c.surplus(cells) != "" && (at > 0 || named == 1)) {
		return ""
	}
	return cells[at]
}

// put sets a field by its name.
func (n *NewEntry) put(field string, value optional.Value[string]) {
	switch field {
	case "externalCode":
		n.ExternalCode = value.Or("")
	case "customerId":
		n.CustomerID = value
	case "firstname":
		n.Firstname = value
	case "lastname":
		n.Lastname = value
	case "email":
		n.Email = value
	case "phone":
		n.Phone = value
	}
}
