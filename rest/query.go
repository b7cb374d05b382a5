package rest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ticketgate/domain"
	"ticketgate/domain/texts"
)

// listQuery reads the query of a list: unknown and repeated parameters are refused (decisions 3.1).
type listQuery struct {
	values   url.Values
	problems domain.Problems
}

func readListQuery(r *http.Request, allowed ...string) *listQuery {
	q := readQuery(r, allowed...)
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !slices.Contains(allowed, name) {
			q.problems.Add(name, "is not known; "+parametersOf(allowed))
		}
	}
	return q
}

// readQuery reads the query of what is no list. Unknown parameters are ignored there: shops and proxies add their own
// (BODY-21).
func readQuery(r *http.Request, known ...string) *listQuery {
	q := &listQuery{}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		q.problems.Add("", "The query string is not valid")
	}
	q.values = values
	for _, name := range known {
		switch {
		case len(values[name]) > 1:
			q.problems.Add(name, "must not be repeated")
		case slices.ContainsFunc(values[name], isNoText):
			q.problems.Add(name, "must be valid UTF-8 without the NUL character")
		}
	}
	return q
}

func isNoText(value string) bool { return !utf8.ValidString(value) || strings.ContainsRune(value, 0) }

// parametersOf says which parameters a path has.
func parametersOf(allowed []string) string {
	switch len(allowed) {
	case 0:
		return "this path has no parameters"
	case 1:
		return "the only parameter is " + allowed[0]
	}
	return "the parameters are " + strings.Join(allowed, ", ")
}

// text returns a filter; an empty one is no filter (decisions 3.4).
func (q *listQuery) text(name string) string { return q.values.Get(name) }

// plusHint says why a space is where a plus sign was meant: in a query string, a plus sign that is not encoded is a space.
const plusHint = "In a query string, write + as %2B."

// email returns a filter for an email address. No address contains a space (TEXT-3).
func (q *listQuery) email(name string) string {
	text := q.text(name)
	if strings.ContainsFunc(text, texts.IsSpace) {
		q.problems.AddHint(name, "must be an email address, which contains no spaces; write + as %2B", plusHint)
	}
	return text
}

// boolean reads true or false; an empty value is false.
func (q *listQuery) boolean(name string) bool {
	switch q.text(name) {
	case "true":
		return true
	case "", "false":
	default:
		q.problems.Add(name, "must be true or false")
	}
	return false
}

// integer reads a decimal integer in its plain spelling: no sign but minus, no leading zeros, no exponent.
func (q *listQuery) integer(name string) *int {
	if !q.values.Has(name) {
		return nil
	}
	text := q.values.Get(name)
	number, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(number) != text {
		q.problems.Add(name, "must be an integer")
		return nil
	}
	return &number
}

// page returns the page that top and skip ask for, or everything that is wrong with the query. What is wrong with the filter
// alone is told by the operation, to those who may call it.
func (q *listQuery) page(filter any) (domain.Page, error) {
	page, err := domain.TopSkip(q.integer("top"), q.integer("skip"))
	q.problems.Under("", err)
	if q.problems.Any() {
		q.problems.Filter("", filter)
	}
	return page, q.problems.Err()
}
