package graph

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxErrors bounds the errors of one response: a document that is wrong all over must not earn megabytes (hardening F2).
const maxErrors = 20

// fewErrors keeps the errors of a response few: one for each field, and at most maxErrors. All were presented and logged.
func fewErrors(response *graphql.Response) *graphql.Response {
	if response == nil || len(response.Errors) == 0 {
		return response
	}
	response.Errors = oncePerField(response.Errors)
	omitted := max(0, len(response.Errors)-maxErrors)
	response.Errors = response.Errors[:len(response.Errors)-omitted]
	noteOmitted(response, omitted)
	return response
}

// noteOmitted says in the extensions of a response how many errors it leaves out, if any.
func noteOmitted(response *graphql.Response, omitted int) {
	if omitted <= 0 {
		return
	}
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions["omittedErrors"] = omitted
}

// oncePerField keeps one of the errors that a field had for many objects: that of the first of them. Its extensions say how many
// there were (GRAPH-2).
func oncePerField(failed gqlerror.List) gqlerror.List {
	type kind struct {
		field, message string
		code           any
	}
	var kept gqlerror.List
	known, counts := map[kind]int{}, map[*gqlerror.Error]int{}
	for _, one := range failed {
		of := kind{fieldOf(one.Path), one.Message, one.Extensions["code"]}
		at, repeated := known[of]
		switch {
		case !repeated:
			known[of] = len(kept)
			kept = append(kept, one)
			counts[one] = 1
		case before(one.Path, kept[at].Path):
			counts[one] = counts[kept[at]] + 1
			kept[at] = one
		default:
			counts[kept[at]]++
		}
	}
	for _, one := range kept {
		if counts[one] > 1 {
			one.Extensions["count"] = counts[one]
		}
	}
	return kept
}

// fieldOf names the field of a path, whichever objects of lists it goes through.
func fieldOf(path ast.Path) string {
	var names []string
	for _, element := range path {
		if name, ok := element.(ast.PathName); ok {
			names = append(names, string(name))
		}
	}
	return strings.Join(names, ".")
}

// before reports whether a path goes through earlier objects than another one of the same field.
func before(path, other ast.Path) bool {
	for i := range min(len(path), len(other)) {
		mine, isIndex := path[i].(ast.PathIndex)
		others, areIndexes := other[i].(ast.PathIndex)
		if isIndex && areIndexes && mine != others {
			return mine < others
		}
	}
	return len(path) < len(other)
}
