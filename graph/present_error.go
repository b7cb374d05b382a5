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

// maxMessage bounds a message in bytes: gqlparser quotes what it doesn't understand, which may be the whole query.
const maxMessage = 400

// presenter decides what of an error a caller sees: code, message, details and request id as in REST (decisions 2.2).
type presenter struct{ log *slog.Logger }

// present is called once for each error of an answer, which makes it the one place that logs.
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

// known finds the error of ours, or makes one of what gqlgen and gqlparser have to say. Everything else is INTERNAL.
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

// isInvalidDocument tells what parser and validator refused: gqlgen marks it, and nobody else does.
func isInvalidDocument(err *gqlerror.Error) bool {
	code := err.Extensions["code"]
	return code == errcode.ParseFailed || code == errcode.ValidationFailed
}

// pathOf is where the error is. A variable's path is told as the body spells it: `variables.input.name`.
func pathOf(err *gqlerror.Error) ast.Path {
	if !isInvalidDocument(err) || len(err.Path) == 0 || err.Path[0] != ast.PathName("variable") {
		return err.Path
	}
	return append(ast.Path{ast.PathName("variables")}, err.Path[1:]...)
}

// invalidDocument keeps gqlparser's words, except those of Go that failed conversions put into them.
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

// misspelt refuses what the schema itself does not take.
func misspelt(path ast.Path, message string) *domain.Error {
	refused := domain.Invalid(path.String(), message)
	refused.Code = domain.CodeInvalidRequest
	return refused
}

// isInvalidArgument tells a value that a scalar or enum refused. Its path goes on behind the field that takes it, where
// that of a resolver's error ends.
func isInvalidArgument(ctx context.Context, err *gqlerror.Error) bool {
	field := graphql.GetFieldContext(ctx)
	return field != nil && len(err.Path) > len(field.Path())
}

// bodies are the arguments that are the body of REST: paths begin inside of them, in both doors.
var bodies = []ast.PathElement{ast.PathName("input"), ast.PathName("scans")}

// invalidArgument is a value that a scalar refused, with the path that REST has for it, and the words where it is one of ours.
func invalidArgument(ctx context.Context, err *gqlerror.Error) *domain.Error {
	inside := insideOf(ctx, err)
	var words interface{ ForCallers() string }
	if !errors.As(err.Err, &words) {
		return misspelt(inside, decode.Misfit(err.Err))
	}
	return domain.Invalid(inside.String(), words.ForCallers())
}

// insideOf is the path of an invalid argument from the field on, or from the body on.
func insideOf(ctx context.Context, err *gqlerror.Error) ast.Path {
	inside := err.Path[len(graphql.GetFieldContext(ctx).Path()):]
	if slices.Contains(bodies, inside[0]) {
		inside = inside[1:]
	}
	return inside
}

// placed returns an error of ours with the paths of its fields relative to the body. An input that decodes itself tells them
// relative to itself, and may be a part of the body.
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
	var faults domain.Problems
	faults.Under(inside.String(), ours)
	moved := domain.AsError(faults.Err())
	moved.Code = ours.Code
	return moved
}

// ofEveryElement returns what is wrong with all elements of a body that is a list, or nil if the body is none: gqlgen stops at the
// first element that is refused. Paths begin at the list.
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

// stepsOf takes the path of a field of an input apart, as far as it leads through fields and elements: `rows[2].email`.
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

// logHidden writes down, with the request's id, what the caller is not shown.
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

// extensionsOf holds what a program needs of an error (decisions 2.2).
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

// shorten cuts a message that quotes too much.
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

// recovered turns a panic into an internal error whose cause tells where it happened.
func recovered(_ context.Context, value any) error {
	return domain.Internal(fmt.Errorf("panic: %v\n%s", value, debug.Stack()))
}
