package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/errcode"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/scan"
	"ticketgate/graph/edge"
)

// maxMessage bounds a message in bytes, because gqlparser may quote the whole query.
const maxMessage = 400

// presenter converts errors for callers, with code, message, details and request id as in REST.
type presenter struct{ log *slog.Logger }

// present converts one error. It is called once for each error of a response, which makes it the only place that logs.
func (p presenter) present(ctx context.Context, err error) *gqlerror.Error {
	shown := &gqlerror.Error{Path: graphql.GetPath(ctx)}
	known := p.known(ctx, err)
	if located, ok := errors.AsType[*gqlerror.Error](err); ok {
		shown.Path, shown.Locations = pathOf(located), located.Locations
		if fault, ok := errors.AsType[*domain.Error](err); ok && isInvalidArgument(ctx, located) && len(fault.Fields) > 0 {
			shown.Path = append(slices.Clip(shown.Path), stepsOf(fault.Fields[0].Path)...)
		}
	}
	p.logHidden(ctx, known, shown.Path)
	shown.Message = shorten(known.Message)
	shown.Extensions = extensionsOf(ctx, known)
	return shown
}

// known returns our own error, or converts an error of gqlgen or gqlparser. All others become INTERNAL.
func (p presenter) known(ctx context.Context, err error) *domain.Error {
	if ours, ok := errors.AsType[*domain.Error](err); ok {
		return placed(ctx, err, ours)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return domain.Unavailable(err)
	}
	if located, ok := errors.AsType[*gqlerror.Error](err); ok {
		switch {
		case isInvalidDocument(located):
			return invalidDocument(located)
		case isInvalidArgument(ctx, located):
			return invalidArgument(ctx, located)
		}
	}
	return domain.Internal(err)
}

// isInvalidDocument reports whether the parser or the validator refused the document. gqlgen marks such errors.
func isInvalidDocument(err *gqlerror.Error) bool {
	code := err.Extensions["code"]
	return code == errcode.ParseFailed || code == errcode.ValidationFailed
}

// pathOf returns the path of an error. The path of a variable is spelled as in the body: `variables.input.name`.
func pathOf(err *gqlerror.Error) ast.Path {
	if !isInvalidDocument(err) || len(err.Path) == 0 || err.Path[0] != ast.PathName("variable") {
		return err.Path
	}
	return append(ast.Path{ast.PathName("variables")}, err.Path[1:]...)
}

// invalidDocument keeps gqlparser's message, except for Go terms from failed conversions.
func invalidDocument(err *gqlerror.Error) *domain.Error {
	if len(err.Path) == 0 {
		return domain.NewError(domain.CodeInvalidRequest, err.Message)
	}
	message := err.Message
	if err.Err != nil || strings.HasPrefix(message, "cannot use ") {
		message = decode.Misfit(nil)
	}
	return misspelt(pathOf(err), message)
}

// misspelt returns the error for a value that the schema doesn't accept.
func misspelt(path ast.Path, message string) *domain.Error {
	refused := domain.Invalid(path.String(), message)
	refused.Code = domain.CodeInvalidRequest
	return refused
}

// isInvalidArgument reports whether a scalar or an enum refused a value. The path of such an error continues below the
// field that takes the argument. A resolver's error ends at the field.
func isInvalidArgument(ctx context.Context, err *gqlerror.Error) bool {
	field := graphql.GetFieldContext(ctx)
	return field != nil && len(err.Path) > len(field.Path())
}

// bodies are the arguments that correspond to the body in REST. In both APIs, paths start inside them.
var bodies = []ast.PathElement{ast.PathName("input"), ast.PathName("scans")}

// invalidArgument returns the error for a value that a scalar refused, with REST's path, and with the scalar's own
// message if it is one of ours.
func invalidArgument(ctx context.Context, err *gqlerror.Error) *domain.Error {
	inside := insideOf(ctx, err)
	var words interface{ ForCallers() string }
	if !errors.As(err.Err, &words) {
		return misspelt(inside, decode.Misfit(err.Err))
	}
	return domain.Invalid(inside.String(), words.ForCallers())
}

// insideOf returns the path of an invalid argument, relative to the field or to the body.
func insideOf(ctx context.Context, err *gqlerror.Error) ast.Path {
	inside := err.Path[len(graphql.GetFieldContext(ctx).Path()):]
	if slices.Contains(bodies, inside[0]) {
		inside = inside[1:]
	}
	return inside
}

// placed returns one of our errors with the paths of its fields relative to the body. An input that decodes itself
// reports paths relative to itself, and may be only a part of the body.
func placed(ctx context.Context, err error, ours *domain.Error) *domain.Error {
	located, ok := errors.AsType[*gqlerror.Error](err)
	if !ok || len(ours.Fields) == 0 || !isInvalidArgument(ctx, located) {
		return ours
	}
	inside := insideOf(ctx, located)
	if len(inside) == 0 {
		return ours
	}
	if every := ofEveryElement(ctx, located); every != nil {
		return every
	}
	var faults domain.FieldErrors
	faults.Under(inside.String(), ours)
	moved := domain.AsError(faults.Err())
	moved.Code = ours.Code
	return moved
}

// ofEveryElement returns the errors of all elements of a body that is a list, with paths relative to the list. It
// returns nil for other bodies. gqlgen stops at the first refused element.
func ofEveryElement(ctx context.Context, err *gqlerror.Error) *domain.Error {
	field := graphql.GetFieldContext(ctx)
	argument := err.Path[len(field.Path())]
	if argument != ast.PathName("scans") {
		return nil
	}
	sent := field.Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	refused := decode.Input(sent["scans"], new([]scan.Uploaded))
	if refused == nil {
		return nil
	}
	return domain.AsError(refused)
}

// stepsOf splits the path of an input field into steps, such as `rows[2].email`, up to the first part that is neither a
// field nor an element.
func stepsOf(path string) (steps ast.Path) {
	names, _, _ := strings.Cut(path, `["`)
	for part := range strings.SplitSeq(strings.ReplaceAll(names, "[", ".["), ".") {
		if index, err := strconv.Atoi(strings.Trim(part, "[]")); err == nil {
			steps = append(steps, ast.PathIndex(index))
		} else if part != "" {
			steps = append(steps, ast.PathName(part))
		}
	}
	return steps
}

// logHidden logs the details that the caller is not shown, with the request's id.
func (p presenter) logHidden(ctx context.Context, known *domain.Error, path ast.Path) {
	cause := known.Unwrap()
	if cause == nil {
		return
	}
	level := slog.LevelError
	if known.Code != domain.CodeInternal {
		level = slog.LevelWarn
	}
	p.log.Log(ctx, level, "graphql error",
		"code", string(known.Code), "request_id", domain.CallOf(ctx).RequestID, "path", path.String(), "cause", cause.Error())
}

// extensionsOf returns the machine-readable part of an error.
func extensionsOf(ctx context.Context, known *domain.Error) map[string]any {
	extensions := map[string]any{"code": string(known.Code)}
	if id := domain.CallOf(ctx).RequestID; id != "" {
		extensions["requestId"] = id
	}
	if len(known.Fields) > 0 {
		extensions["details"] = known.Fields
	}
	if known.RetryAfter > 0 {
		extensions["retryAfter"] = edge.Seconds(known.RetryAfter)
	}
	if known.Cluster != "" {
		extensions["cluster"] = known.Cluster
	}
	return extensions
}

// shorten truncates a message that quotes too much.
func shorten(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	cut := maxMessage
	for !utf8.RuneStart(message[cut]) {
		cut--
	}
	return message[:cut] + "…"
}

// recovered converts a panic to an internal error whose cause contains the stack.
func recovered(_ context.Context, value any) error {
	return domain.Internal(fmt.Errorf("panic: %v\n%s", value, debug.Stack()))
}
