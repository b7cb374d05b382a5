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

// listQuery reads the query of a list and collects its faults. Unknown and repeated parameters are refused (BODY-21).
type listQuery struct {
	values url.Values
	errs   domain.FieldErrors
}

func readListQuery(r *http.Request, allowed ...string) *listQuery {
	q := readQuery(r, allowed...)
	for _, name := range slices.Sorted(maps.Keys(q.values)) {
		if !slices.Contains(allowed, name) {
			q.errs.AddHint(name, "is not a known parameter", parametersOf(allowed))
		}
	}
	return q
}

// readQuery reads the query of a request that is not a list. Unknown parameters are ignored there, because shops and
// proxies add their own (BODY-21).
func readQuery(r *http.Request, known ...string) *listQuery {
	q := &listQuery{}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		q.errs.Add("", "The query string is not valid")
	}
	q.values = values
	for _, name := range known {
		switch {
		case len(values[name]) > 1:
			q.errs.Add(name, "must not be repeated")
		case slices.ContainsFunc(values[name], isNoText):
			q.errs.Add(name, "must be valid UTF-8 without the NUL character")
		}
	}
	return q
}

func isNoText(value string) bool { return !utf8.ValidString(value) || strings.ContainsRune(value, 0) }

// parametersOf returns the hint that lists the parameters of a path.
func parametersOf(allowed []string) string {
	switch len(allowed) {
	case 0:
		return "This path has no parameters"
	case 1:
		return "The only parameter is " + allowed[0]
	}
	return "The parameters are " + strings.Join(allowed, ", ")
}

// text returns a text parameter. Empty means no filter.
func (q *listQuery) text(name string) string { return q.values.Get(name) }

// plusHint explains a space where a plus sign was meant: an unencoded plus sign in a query string is a space.
const plusHint = "In a query string, write + as %2B"

// email returns an email parameter, which must not contain a space (TEXT-3).
func (q *listQuery) email(name string) string {
	text := q.text(name)
	if strings.ContainsFunc(text, texts.IsSpace) {
		q.errs.AddHint(name, "must be an email address such as name@example.com; write + as %2B", plusHint)
	}
	return text
}

// boolean returns the value of a parameter that is `true` or `false`. Empty means false.
func (q *listQuery) boolean(name string) bool {
	switch q.text(name) {
	case "true":
		return true
	case "", "false":
	default:
		q.errs.Add(name, "must be true or false")
	}
	return false
}

// integer returns a decimal integer in its plain spelling: no plus sign, leading zeros or exponent.
func (q *listQuery) integer(name string) *int {
	if !q.values.Has(name) {
		return nil
	}
	text := q.values.Get(name)
	number, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(number) != text {
		q.errs.Add(name, "must be an integer")
		return nil
	}
	return &number
}

// page returns the page of top and skip, or all faults of the query. If only the filter has faults, the operation
// reports them, after it has authorized the caller.
func (q *listQuery) page(filter any) (domain.Page, error) {
	page, err := domain.TopSkip(q.integer("top"), q.integer("skip"))
	q.errs.Under("", err)
	if q.errs.Any() {
		q.errs.Filter("", filter)
	}
	return page, q.errs.Err()
}
