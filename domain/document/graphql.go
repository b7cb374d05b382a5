package document

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ticketgate/domain/moment"
)

// GraphQLName returns the GraphQL spelling of an enumeration value: characters that GraphQL names can't contain, such
// as a hyphen, a dot or a slash, become underscores. REST and webhooks use the original spelling.
func GraphQLName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

// MarshalName writes an enumeration value in its GraphQL spelling. It implements MarshalGQL for its type.
func MarshalName(w io.Writer, name string) {
	_, _ = io.WriteString(w, strconv.Quote(GraphQLName(name)))
}

// UnmarshalName returns the value with a GraphQL spelling. It implements UnmarshalGQL for its type. Null is the empty
// value (VALUE-4).
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

// NoneOf returns the error for a value that is not in an enumeration. It names the valid values, up to twenty.
func NoneOf(names []string) moment.MisfitError {
	const most = 20
	if more := len(names) - most; more > 0 {
		return moment.MisfitError(fmt.Sprintf("must be one of %s and %d more", strings.Join(names[:most], ", "), more))
	}
	return moment.MisfitError("must be one of " + strings.Join(names, ", "))
}
