package db

import (
	"slices"
	"strings"
	"time"

	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// filter is a condition that a caller of a list can request.
type filter struct {
	// condition is the SQL of the filter. Each $ is replaced by the placeholder of the next argument.
	condition string
	// kind is the SQL type of the first argument. The argument is NULL if the filter is not used.
	kind string
	args []any
	used bool
	// key means that the condition restricts the column that orders the list. It is true for all rows if its arguments
	// are NULL.
	key bool
	// parts replace a filter with two bounds if no index can be used.
	parts []filter
}

// filteredBy adds the conditions of a list's filters. A separate text for every combination of filters would exceed the
// number of statements that a connection keeps prepared. So at most one filter has a condition of its own: the first
// used one of leading, which all have an index. The others share one condition, whose text does not depend on which of
// them are used (SQL-2).
//
// The shared condition is wrapped in a CASE, since the planner can't know how many rows each part selects. It would
// multiply its estimates to almost none, and sort a whole table instead of reading it in the list's order.
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

// each returns the filter or, if it has any, its parts. If the filter is not used, they have no arguments.
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

// others returns the filters of a list that are not in leading.
func others(leading []filter, all ...filter) []filter {
	return slices.DeleteFunc(all, func(f filter) bool {
		return slices.ContainsFunc(leading, func(l filter) bool {
			return slices.ContainsFunc(append(l.parts, l), func(led filter) bool { return led.condition == f.condition })
		})
	})
}

// unused returns the filter without its arguments.
func (f filter) unused() filter {
	f.args, f.used, f.parts = make([]any, len(f.args)), false, slices.Clone(f.parts)
	for i := range f.parts {
		f.parts[i] = f.parts[i].unused()
	}
	return f
}

// equals returns a filter for the value of a column. It is unused if value is empty.
func equals[T ~string](column string, value T) filter {
	return filter{condition: column + " = $", kind: "text", args: []any{string(value)}, used: value != ""}
}

// withEmail returns a filter for an email address, ignoring case. It is unused if email is empty.
func withEmail(column, email string) filter {
	return filter{condition: column + " = $", kind: "text", args: []any{texts.FoldEmail(email)}, used: email != ""}
}

// oneOf returns a filter for several values of a column. It is unused if values is empty.
func oneOf[T ~string](column string, values []T) filter {
	return filter{condition: column + " = ANY($)", kind: "text[]", args: []any{plain(values)}, used: len(values) > 0}
}

// holding returns a filter for a substring of a folded column. It is unused if text is empty.
func holding(column, text string) filter {
	return filter{condition: column + " LIKE $", kind: "text", args: []any{contains(texts.Fold(text))}, used: text != ""}
}

// whether returns a filter for the value of a boolean expression. It is unused if value is nil.
func whether(condition string, value *bool) filter {
	return filter{condition: condition + " = $", kind: "boolean", args: []any{value}, used: value != nil}
}

// at returns a filter that compares with a time, such as "t.updated_at >= $". It is unused if when is nil.
func at(condition string, when *moment.DateTime) filter {
	return filter{condition: condition, kind: "timestamptz", args: []any{instant(when)}, used: when != nil}
}

// between returns a filter for a time span that includes from and excludes until. It can be a leading filter if an
// index is sorted by the column.
func between(column string, from, until *moment.DateTime) filter {
	return filter{
		condition: spanOf(column, "timestamptz", "-infinity", "infinity"), args: []any{instant(from), instant(until)},
		used:  from != nil || until != nil,
		parts: []filter{at(column+" >= $", from), at(column+" < $", until)},
	}
}

// spanOf returns a condition with both bounds, each of which may be NULL. From two separate comparisons the planner
// would expect one row in two hundred.
func spanOf(column, kind, least, greatest string) string {
	return column + " >= coalesce($::" + kind + ", '" + least + "') AND " +
		"(" + column + ", 0) < (coalesce($::" + kind + ", '" + greatest + "'), 0)"
}

// onKey returns the filter for use on the column that orders the list, which is never NULL. Its condition is always
// part of the text, and uses the list's index.
func (f filter) onKey() filter {
	f.key, f.parts = true, nil
	return f
}

// latest returns the later of two lower bounds that a filter has under two names.
func latest(a, b *moment.DateTime) *moment.DateTime {
	if a == nil || (b != nil && b.After(a.Time)) {
		return b
	}
	return a
}

// earliest returns the earlier of two upper bounds that a filter has under two names.
func earliest(a, b *moment.DateTime) *moment.DateTime {
	if a == nil || (b != nil && b.Before(a.Time)) {
		return b
	}
	return a
}

// bound returns a filter that compares with a converted time, such as the smallest id of that time.
func bound(condition, kind string, when *moment.DateTime, convert func(time.Time) string) filter {
	if when == nil {
		return filter{condition: condition, kind: kind, args: []any{nil}}
	}
	return filter{condition: condition, kind: kind, args: []any{convert(when.Time)}, used: true}
}
