package access

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// csv is the source of a file of comma-separated values (RFC 4180, and what spreadsheets make of it: semicolons,
// tabs and vertical bars, a byte order mark, blank lines, a line that names the separator).
type csv struct {
	lines   *lines
	comma   byte
	columns []column
	first   []string // of a file without header, read before it was known to be one
}

// column says where a cell goes: to a member of the entry, or of its meta.
type column struct {
	member string
	meta   string
}

// CSV yields the rows of a CSV file. Its first line names the columns; without one, each line is a code.
func CSV(in io.Reader) Source { return &csv{lines: newLines(in)} }

// Next yields the next row that is not blank.
func (c *csv) Next() (Row, error) {
	if c.columns == nil {
		if err := c.readHeader(); err != nil {
			return Row{}, err
		}
	}
	if cells := c.first; cells != nil {
		c.first = nil
		return c.row(cells, c.lines.number, ""), nil
	}
	cells, line, fault, err := c.record()
	if err != nil {
		return Row{}, err
	}
	return c.row(cells, line, fault), nil
}

// record reads the cells of the next record that is not blank, and the line on which it begins. Quoted cells may go on
// over several lines.
func (c *csv) record() (cells []string, line int, fault string, err error) {
	for {
		text, err := c.lines.next()
		line = c.lines.number
		if errors.Is(err, errLongLine) {
			err = tooLong(line)
		}
		if err != nil {
			return nil, 0, "", err
		}
		if c.comma == 0 {
			if err := looksLikeJSON(text, line); err != nil {
				return nil, 0, "", err
			}
			if !c.separates(text) {
				continue
			}
		}
		cells, fault, err := c.cells(text, line)
		if err != nil {
			return nil, 0, "", err
		}
		fault = cmp.Or(faultOf(cells), fault)
		if fault != "" || strings.Join(cells, "") != "" {
			return cells, line, fault, nil
		}
	}
}

// faultOf says what is wrong with the text of a record.
func faultOf(cells []string) string {
	switch whole := strings.Join(cells, ""); {
	case !utf8.ValidString(whole) || strings.ContainsRune(whole, 0):
		return "must be valid UTF-8 without the NUL character"
	case len(whole) > maxRecordBytes:
		return fmt.Sprintf("has more than %d bytes", maxRecordBytes)
	}
	return ""
}

// cells takes a record apart that begins on a line; a quoted cell that is open there goes on over those that follow.
func (c *csv) cells(text []byte, line int) (cells []string, fault string, err error) {
	whole := string(text)
	cells, open, fault := split(whole, c.comma)
	for open {
		more, err := c.lines.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errLongLine) || len(whole)+len(more) > maxRecordBytes {
			return nil, "", tooLong(line)
		}
		if err != nil {
			return nil, "", err
		}
		whole += "\n" + string(more)
		if bytes.IndexByte(more, '"') >= 0 { // else it is still open
			cells, open, fault = split(whole, c.comma)
		}
	}
	return cells, fault, nil
}

// looksLikeJSON refuses a file of another format by its first line: each of its lines would become a code. A file that
// names its columns can have such codes.
func looksLikeJSON(text []byte, line int) error {
	begin := bytes.TrimSpace(text)
	if len(begin) == 0 || (begin[0] != '{' && begin[0] != '[') {
		return nil
	}
	return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf("Line %d begins with %c as JSON does, and the file was sent as CSV; "+
		"send one JSON object a line as application/x-ndjson, or put a line externalCode before such codes", line, begin[0]))
}

// separates finds out what separates cells by the first line that tells, and whether that line is a record: an empty one tells
// nothing, and one that names the separator is none.
func (c *csv) separates(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	var named bool
	if c.comma, named = namedComma(text); named {
		return false
	}
	c.comma = commaOf(text)
	return true
}

// split takes a record apart. Open tells that a quoted cell is not closed yet.
func split(record string, comma byte) (cells []string, open bool, fault string) {
	for {
		var cell string
		if quoted, ok := strings.CutPrefix(record, `"`); ok {
			end := closing(quoted)
			if end < 0 {
				return cells, true, ""
			}
			cell, record = strings.ReplaceAll(quoted[:end], `""`, `"`), quoted[end+1:]
			if record != "" && record[0] != comma {
				return cells, false, "has text after a closing quotation mark"
			}
		} else {
			end := strings.IndexByte(record, comma)
			if end < 0 {
				end = len(record)
			}
			cell, record = record[:end], record[end:]
		}
		cells = append(cells, cell)
		if record == "" {
			return cells, false, ""
		}
		record = record[1:]
	}
}

// closing finds the quotation mark that ends a quoted cell: one that is not doubled.
func closing(quoted string) int {
	for at := 0; at < len(quoted); at++ {
		if quoted[at] != '"' {
			continue
		}
		if at+1 == len(quoted) || quoted[at+1] != '"' {
			return at
		}
		at++
	}
	return -1
}

// namedComma reads a first line such as sep=; with which a spreadsheet says what separates the cells of its file.
func namedComma(line []byte) (comma byte, named bool) {
	const word = "sep="
	line = bytes.Trim(line, `"`)
	if len(line) != len(word)+1 || !bytes.EqualFold(line[:len(word)], []byte(word)) {
		return 0, false
	}
	return line[len(word)], true
}

// commaOf finds what separates the cells of the first line: what stands most often outside quotation marks.
func commaOf(line []byte) byte {
	counts, quoted := map[byte]int{}, false
	for _, char := range line {
		if char == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[char]++
		}
	}
	best := byte(',')
	for _, comma := range []byte{';', '\t', '|'} {
		if counts[comma] > counts[best] {
			best = comma
		}
	}
	return best
}

// readHeader reads the first record. One that names the column of the code is a header.
func (c *csv) readHeader() error {
	cells, line, fault, err := c.record()
	if err != nil {
		return err
	}
	if fault != "" {
		return domain.NewError(domain.CodeInvalidRequest, fmt.Sprintf("Line %d %s", line, fault))
	}
	columns, problems := columnsOf(cells)
	if len(cells) > maxColumns {
		return problems.Err()
	}
	if holdCodes(columns) {
		c.columns = columns
		return problems.Err()
	}
	if cells = withoutBlankEnd(cells, 1); len(cells) > 1 || columns[0] != (column{}) {
		return domain.NewError(domain.CodeInvalidRequest,
			"The first line must name the columns, externalCode among them; only a file of nothing but codes needs no header")
	}
	c.columns, c.first = []column{{member: "externalCode"}}, cells
	return nil
}

// holdCodes reports whether one of the columns holds codes.
func holdCodes(columns []column) bool { return slices.Contains(columns, column{member: codeMember}) }

// withoutBlankEnd returns the cells without the blank ones behind the first ones: spreadsheets end a record with a separator
// for each column that was ever used.
func withoutBlankEnd(cells []string, first int) []string {
	for len(cells) > first && domain.Trim(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return cells
}

const codeMember = "externalCode"

var entryMembers = []string{"externalCode", "customerId", "firstname", "lastname", "email", "phone"}

// longestShown is how much of a wrong name is repeated to its sender.
const longestShown = 64

// maxColumns is how many columns a file has.
const maxColumns = 1000

// columnsOf reads a header: names in any case, with or without spaces, underscores and hyphens; meta.x is a member x of
// meta. A column without a name is none, and its cells must be empty (IMPORT-2).
func columnsOf(cells []string) ([]column, *domain.Problems) {
	columns, problems, seen := make([]column, len(cells)), &domain.Problems{}, map[column]bool{}
	if !problems.Count("columns", len(cells), maxColumns) {
		return columns, problems
	}
	for i, cell := range cells {
		name := domain.Trim(cell)
		switch known := columnOf(name); {
		case name == "":
		case known == column{}:
			problems.Unknown(fmt.Sprintf("column %d", i+1), fmt.Sprintf("is named %q, which is none of %s and meta.…",
				domain.Shorten(name, longestShown), strings.Join(entryMembers, ", ")),
				name, entryMembers, "name it meta.x to keep it in meta")
		case seen[known]:
			problems.Add(fmt.Sprintf("column %d", i+1), fmt.Sprintf("is named %q, as another one is", domain.Shorten(name, longestShown)))
		default:
			columns[i], seen[known] = known, true
		}
	}
	return columns, problems
}

func columnOf(name string) column {
	if len(name) > 5 && strings.EqualFold(name[:5], "meta.") {
		return column{meta: name[5:]}
	}
	plain := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(name)
	if strings.EqualFold(plain, "code") { // as the dashboard calls it
		return column{member: codeMember}
	}
	for _, member := range entryMembers {
		if strings.EqualFold(plain, member) {
			return column{member: member}
		}
	}
	return column{}
}

// row makes an entry of the cells. A missing or empty cell is no value.
func (c *csv) row(cells []string, line int, fault string) Row {
	cells = withoutBlankEnd(cells, len(c.columns))
	row := Row{Line: line, Fault: cmp.Or(c.surplus(cells), fault)}
	if row.Fault != "" {
		row.Entry.ExternalCode = c.codeIn(cells)
		return row
	}
	var meta []ecmajson.Member
	for i, column := range c.columns {
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		switch {
		case column.member != "":
			row.Entry.put(column.member, domain.Some(cell))
			continue
		case column.meta == "":
			continue
		}
		member := ecmajson.Member{Name: column.meta}
		if cell != "" {
			member.Value = ecmajson.NewString(cell)
		}
		meta = append(meta, member)
	}
	if meta != nil {
		row.Entry.Meta, row.MergesMeta = domain.Some(ecmajson.NewObject(meta)), true
	}
	return row
}

// surplus says which cell of a record belongs to no column; it is empty if there is none.
func (c *csv) surplus(cells []string) string {
	if len(cells) > len(c.columns) {
		columns := fmt.Sprintf("there are %d columns", len(c.columns))
		if len(c.columns) == 1 {
			columns = "there is 1 column"
		}
		return fmt.Sprintf("has %d cells, and %s; put a cell that contains the separator in quotation marks", len(cells), columns)
	}
	for i, cell := range cells {
		if c.columns[i] == (column{}) && domain.Trim(cell) != "" {
			return fmt.Sprintf("has %q in column %d, which has no name; name the column, or empty the cell",
				domain.Shorten(cell, longestShown), i+1)
		}
	}
	return ""
}

// codeIn is the code of a bad record. Cells before one that is badly quoted are right. Where there are more cells than
// columns with a name, only the first of several can be taken to be in its place.
func (c *csv) codeIn(cells []string) string {
	at := slices.Index(c.columns, column{member: codeMember})
	named := len(slices.DeleteFunc(slices.Clone(c.columns), func(one column) bool { return one == column{} }))
	if at >= len(cells) || (c.surplus(cells) != "" && (at > 0 || named == 1)) {
		return ""
	}
	return cells[at]
}

// put sets a member by its name.
func (n *NewEntry) put(member string, value domain.Optional[string]) {
	switch member {
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
