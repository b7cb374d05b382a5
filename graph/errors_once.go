package graph

import (
	"cmp"
	"slices"
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
	var counts []int
	known := map[kind]int{}
	for _, one := range failed {
		of := kind{fieldOf(one.Path), one.Message, one.Extensions["code"]}
		at, repeated := known[of]
		if !repeated {
			known[of] = len(kept)
			kept, counts = append(kept, one), append(counts, 1)
			continue
		}
		counts[at]++
		if before(one.Path, kept[at].Path) {
			kept[at] = one
		}
	}
	for i, one := range kept {
		if counts[i] > 1 {
			one.Extensions["count"] = counts[i]
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
	return slices.CompareFunc(path, other, func(mine, others ast.PathElement) int {
		at, _ := mine.(ast.PathIndex)
		otherAt, _ := others.(ast.PathIndex)
		return cmp.Compare(at, otherAt)
	}) < 0
}
