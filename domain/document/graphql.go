package document

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain/moment"
)

// GraphQLName is how GraphQL spells a value of an enumeration: what its names can't hold, such as a hyphen, a dot or a
// slash, becomes an underscore. REST and webhooks always have the specification's spelling.
func GraphQLName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

// MarshalName writes a value of an enumeration in GraphQL's spelling, for the MarshalGQL of its type.
func MarshalName(w io.Writer, name string) {
	_, _ = io.WriteString(w, strconv.Quote(GraphQLName(name)))
}

// UnmarshalName finds the value that GraphQL's spelling stands for, for the UnmarshalGQL of its type. Null, where the schema
// allows it, is no value (decisions 1.3).
func UnmarshalName(from any, names []string) (string, error) {
	if from == nil {
		return "", nil
	}
	text, ok := from.(string)
	if ok {
		if i := slices.IndexFunc(names, func(name string) bool { return GraphQLName(name) == text }); i >= 0 {
			return names[i], nil
		}
	}
	spelled := make([]string, len(names))
	for i, name := range names {
		spelled[i] = GraphQLName(name)
	}
	return "", NoneOf(spelled)
}

// NoneOf says of a value that it is none of an enumeration's, and names these, of a long one the first.
func NoneOf(names []string) moment.MisfitError {
	const most = 20
	if more := len(names) - most; more > 0 {
		return moment.MisfitError(fmt.Sprintf("must be one of %s and %d more", strings.Join(names[:most], ", "), more))
	}
	return moment.MisfitError("must be one of " + strings.Join(names, ", "))
}
