package jobs

import (
	"context"
	"log/slog"
)

// quiet is a log handler that drops everything below warnings, such as the statistics that River logs every few
// seconds.
type quiet struct{ slog.Handler }

// Enabled reports whether the level is a warning or above.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// WithAttrs returns a quiet handler with the attributes.
func (q quiet) WithAttrs(attributes []slog.Attr) slog.Handler {
	return quiet{q.Handler.WithAttrs(attributes)}
}

// WithGroup returns a quiet handler with the group.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
