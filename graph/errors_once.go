package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxErrors is the maximum number of errors in a response. A document with errors everywhere must not cause a response
// of megabytes.
const maxErrors = 20

// fewErrors reduces the errors of a response to one per field and at most maxErrors. All errors have already been
// presented and logged.
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

// noteOmitted sets the number of omitted errors in the extensions of a response, unless it is 0.
func noteOmitted(response *graphql.Response, omitted int) {
	if omitted <= 0 {
		return
	}
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions["omittedErrors"] = omitted
}

// oncePerField keeps the first object's error for each field and sets the number of errors in its extensions (GRAPH-2).
func oncePerField(failed gqlerror.List) gqlerror.List {
	type kind struct {
		field, message string
		code           any
	}
	var kept gqlerror.List
	var counts []int
	known := map[kind]int{}
	for _, item := range failed {
		of := kind{fieldOf(item.Path), item.Message, item.Extensions["code"]}
		at, repeated := known[of]
		if !repeated {
			known[of] = len(kept)
			kept, counts = append(kept, item), append(counts, 1)
			continue
		}
		counts[at]++
		if before(item.Path, kept[at].Path) {
			kept[at] = item
		}
	}
	for i, item := range kept {
		if counts[i] > 1 {
			item.Extensions["count"] = counts[i]
		}
	}
	return kept
}

// fieldOf returns a path without its list indexes, which identifies the field.
func fieldOf(path ast.Path) string {
	var names []string
	for _, element := range path {
		if name, ok := element.(ast.PathName); ok {
			names = append(names, string(name))
		}
	}
	return strings.Join(names, ".")
}

// before reports whether a path leads through earlier objects than another path of the same field.
func before(path, other ast.Path) bool {
	return slices.CompareFunc(path, other, func(mine, others ast.PathElement) int {
		at, _ := mine.(ast.PathIndex)
		otherAt, _ := others.(ast.PathIndex)
		return cmp.Compare(at, otherAt)
	}) < 0
}
