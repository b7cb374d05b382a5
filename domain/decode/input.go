package decode

import (
	"errors"
	"io"
	"reflect"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// wrongType says of a value that its type in the GraphQL schema does not take it.
const wrongType = "does not fit its type"

// Misfit returns what a type takes, after it has refused a value; its own words are shown if they are meant for callers.
func Misfit(err error) string {
	if known, ok := errors.AsType[moment.MisfitError](err); ok {
		return string(known)
	}
	return wrongType
}

// Input fills what into points to from a value that gqlgen has coerced. It is the UnmarshalGQL of an input of GraphQL, whose
// faults it returns as one *domain.Error: INVALID_REQUEST if all of them are values that do not fit their types, else
// VALIDATION_FAILED. Fields are those of the json tags; a graphql tag names one that REST does not have, or says with a hyphen
// that GraphQL does not have it. Null is no input, where the schema takes it.
func Input(value, into any) error {
	if value == nil {
		return nil
	}
	d := decoder[variable]{faults: new(domain.Problems), coerced: true}
	d.parts("", coerced{value}, variable{of: reflect.ValueOf(into).Elem(), coerced: true})
	err := d.faults.Err()
	if err == nil || d.ruled {
		return err
	}
	misfit := domain.AsError(err)
	misfit.Code = domain.CodeInvalidRequest
	return misfit
}

// isMisfit reports whether an error of Input names nothing but values that do not fit their types.
func isMisfit(err *domain.Error) bool {
	return err.Code == domain.CodeInvalidRequest && len(err.Fields) > 0
}

// NoOutput writes null. It is the MarshalGQL that gqlgen demands of each type with an UnmarshalGQL; no input is returned.
func NoOutput(w io.Writer) { _, _ = io.WriteString(w, "null") }
