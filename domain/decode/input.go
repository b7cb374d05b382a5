package decode

import (
	"errors"
	"io"
	"reflect"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// wrongType is the fault of a value that its type in the GraphQL schema does not accept.
const wrongType = "does not fit its type"

// Misfit returns the message for a value that its type has refused. It shows the message of err only if it is meant for
// callers.
func Misfit(err error) string {
	if known, ok := errors.AsType[moment.MisfitError](err); ok {
		return string(known)
	}
	return wrongType
}

// Input decodes a value coerced by gqlgen into what into points to. It implements UnmarshalGQL for inputs and returns
// their faults as one *domain.Error: INVALID_REQUEST if all of them are values that don't fit their types, otherwise
// VALIDATION_FAILED. Fields are named by json tags. A graphql tag names a field that REST does not have, or excludes it
// from GraphQL with a hyphen. Null leaves into unchanged.
func Input(value, into any) error {
	if value == nil {
		return nil
	}
	d := decoder[variable]{faults: new(domain.FieldErrors), coerced: true}
	d.parts("", coerced{value}, variable{of: reflect.ValueOf(into).Elem(), coerced: true})
	err := d.faults.Err()
	if err == nil || d.ruled {
		return err
	}
	misfit := domain.AsError(err)
	misfit.Code = domain.CodeInvalidRequest
	return misfit
}

// isMisfit reports whether err, an error of Input, names only values that don't fit their types.
func isMisfit(err *domain.Error) bool {
	return err.Code == domain.CodeInvalidRequest && len(err.Fields) > 0
}

// NoOutput writes null. It implements the MarshalGQL that gqlgen requires of each type with an UnmarshalGQL. Inputs are
// never returned.
func NoOutput(w io.Writer) { _, _ = io.WriteString(w, "null") }
