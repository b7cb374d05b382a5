package db

import (
	"slices"
	"strings"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// filter is a condition that the caller of a list may ask for.
type filter struct {
	// condition is what rows then meet. Each $ in it stands for the next argument.
	condition string
	// kind is the type of the first argument, which is NULL while the filter is not used.
	kind string
	args []any
	used bool
	// key says that the condition bounds what the list is ordered by, and holds for all rows if its arguments are NULL.
	key bool
	// parts are what a filter with two bounds is where an index does not find its rows.
	parts []filter
}

// filteredBy adds the conditions of a list's filters. Every set of filters would be a text of its own, more than a connection keeps
// prepared. So at most one filter has its own condition: the first used one of leading, for which there is an index. All others
// share one condition, which has the same text whichever of them are used (SQL-2).
//
// The shared condition is inside of a CASE: the server, which can't know how many rows each part selects, would take all of them
// together to select hardly any, and would sort a whole table where it can walk along the order of the list.
func (q *query[R]) filteredBy(leading []filter, rest ...filter) *query[R] {
	all := slices.Concat(leading, rest)
	if !slices.ContainsFunc(all, func(f filter) bool { return f.used }) {
		return q
	}
	if first := slices.IndexFunc(leading, func(f filter) bool { return f.used }); first >= 0 {
		q.where(leading[first].condition, leading[first].args...)
		all[first] = leading[first].unused()
	}
	var shared []string
	args := []any{true}
	for _, f := range all {
		if f.key {
			q.where(f.condition, f.args...)
			continue
		}
		for _, part := range f.each() {
			shared = append(shared, "($^::"+part.kind+" IS NULL OR "+part.condition+")")
			args = append(args, part.args...)
		}
	}
	return q.where("CASE WHEN $::boolean THEN "+strings.Join(shared, " AND ")+" END", args...)
}

// each is the filter or its parts, without the arguments of what is not used.
func (f filter) each() []filter {
	if !f.used {
		f = f.unused()
	}
	if len(f.parts) == 0 {
		return []filter{f}
	}
	parts := slices.Clone(f.parts)
	for i, part := range parts {
		if !part.used {
			parts[i] = part.unused()
		}
	}
	return parts
}

// others are the filters of a list but those that lead.
func others(leading []filter, all ...filter) []filter {
	return slices.DeleteFunc(all, func(f filter) bool {
		return slices.ContainsFunc(leading, func(l filter) bool {
			return slices.ContainsFunc(append(l.parts, l), func(led filter) bool { return led.condition == f.condition })
		})
	})
}

// unused is the filter without its arguments.
func (f filter) unused() filter {
	f.args, f.used, f.parts = make([]any, len(f.args)), false, slices.Clone(f.parts)
	for i := range f.parts {
		f.parts[i] = f.parts[i].unused()
	}
	return f
}

// equals is a filter for one value of a column; the empty one is none.
func equals[T ~string](column string, value T) filter {
	return filter{condition: column + " = $", kind: "text", args: []any{string(value)}, used: value != ""}
}

// withEmail is a filter for an email address, whatever its case.
func withEmail(column, email string) filter {
	return filter{condition: column + " = $", kind: "text", args: []any{texts.FoldEmail(email)}, used: email != ""}
}

// oneOf is a filter for several values of a column, of which a row has one; none are no filter.
func oneOf[T ~string](column string, values []T) filter {
	return filter{condition: column + " = ANY($)", kind: "text[]", args: []any{plain(values)}, used: len(values) > 0}
}

// holding is a filter for a text that a folded column contains.
func holding(column, text string) filter {
	return filter{condition: column + " LIKE $", kind: "text", args: []any{contains(texts.Fold(text))}, used: text != ""}
}

// whether is a filter for a condition that holds or does not.
func whether(condition string, value *bool) filter {
	return filter{condition: condition + " = $", kind: "boolean", args: []any{value}, used: value != nil}
}

// at is a filter that compares with a time: "t.updated_at >= $".
func at(condition string, when *moment.DateTime) filter {
	return filter{condition: condition, kind: "timestamptz", args: []any{instant(when)}, used: when != nil}
}

// between is a filter for a span of time, with its beginning and without its end. It leads where an index is sorted by the column.
func between(column string, from, until *moment.DateTime) filter {
	return filter{
		condition: spanOf(column, "timestamptz", "-infinity", "infinity"), args: []any{instant(from), instant(until)},
		used:  from != nil || until != nil,
		parts: []filter{at(column+" >= $", from), at(column+" < $", until)},
	}
}

// spanOf is a condition that has both bounds, whichever are given. As two comparisons of one column they would be taken to select one
// row in two hundred.
func spanOf(column, kind, least, greatest string) string {
	return column + " >= coalesce($::" + kind + ", '" + least + "') AND " +
		"(" + column + ", 0) < (coalesce($::" + kind + ", '" + greatest + "'), 0)"
}

// onKey says that a span bounds the order of the list, in which no row is NULL: it is always there, and used by the same index.
func (f filter) onKey() filter {
	f.key, f.parts = true, nil
	return f
}

// latest is the later of two times that a filter has under two names.
func latest(a, b *moment.DateTime) *moment.DateTime {
	if a == nil || (b != nil && b.After(a.Time)) {
		return b
	}
	return a
}

// earliest is the earlier of two times that a filter has under two names.
func earliest(a, b *moment.DateTime) *moment.DateTime {
	if a == nil || (b != nil && b.Before(a.Time)) {
		return b
	}
	return a
}

// bound is a filter that compares with what a time is converted to, such as the least id of that time.
func bound(condition, kind string, when *moment.DateTime, convert func(time.Time) string) filter {
	if when == nil {
		return filter{condition: condition, kind: kind, args: []any{nil}}
	}
	return filter{condition: condition, kind: kind, args: []any{convert(when.Time)}, used: true}
}
