package rest

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/moment"
)

// tagged is the response to a GET of one record, with the entity tag of its state.
type tagged struct {
	body any
	tag  string
}

// withETag returns a GET endpoint of one record whose response has an ETag, for the If-Match of a change. The tag is
// the record's updatedAt, which differs after each change (BODY-2). It reveals no secret of the response.
func withETag(get endpoint) endpoint {
	return func(r *http.Request) (any, error) {
		body, err := get(r)
		if err != nil {
			return nil, err
		}
		//nolint:forcetypeassert,errcheck,revive // every record has the field
		updatedAt := reflect.Indirect(reflect.ValueOf(body)).FieldByName("UpdatedAt").Interface().(moment.DateTime)
		return tagged{body, `"` + updatedAt.String() + `"`}, nil
	}
}

// withIfMatch returns a context with the precondition of the If-Match header.
func withIfMatch(ctx context.Context, header http.Header) (context.Context, error) {
	sent := header.Values("If-Match")
	if len(sent) == 0 {
		return ctx, nil
	}
	required, ok := readIfMatch(strings.Join(sent, ","))
	if !ok {
		return nil, domain.NewError(domain.CodeInvalidRequest,
			`If-Match must be * or the ETag of a GET in quotes, such as "2026-11-27T20:37:00.120Z"; several are separated by commas`)
	}
	call := domain.CallOf(ctx)
	call.IfMatch = &required
	return domain.WithCall(ctx, call), nil
}

// readIfMatch parses `*` or a list of entity tags (RFC 9110, 13.1.1). It drops weak tags: If-Match compares strongly,
// so they match no state.
func readIfMatch(text string) (domain.Precondition, bool) {
	text = strings.Trim(text, " \t")
	if text == "*" {
		return domain.Precondition{Any: true}, true
	}
	var required domain.Precondition
	read := false
	for text = strings.TrimLeft(text, ", \t"); text != ""; text = strings.TrimLeft(text, ", \t") {
		opaque, weak := strings.CutPrefix(text, "W/")
		tag, rest, ok := quotedTag(opaque)
		rest = strings.TrimLeft(rest, " \t")
		if !ok || (rest != "" && rest[0] != ',') {
			return domain.Precondition{}, false
		}
		if !weak {
			required.Tags = append(required.Tags, tag)
		}
		text, read = rest, true
	}
	return required, read
}

// quotedTag splits a quoted tag off the start of a text.
func quotedTag(text string) (tag, rest string, ok bool) {
	quoted, ok := strings.CutPrefix(text, `"`)
	if !ok {
		return "", "", false
	}
	tag, rest, ok = strings.Cut(quoted, `"`)
	for _, c := range []byte(tag) {
		ok = ok && c > ' ' && c != 0x7F
	}
	return tag, rest, ok
}
