package jobs

import (
	"context"
	"log/slog"
)

// quiet drops everything below warnings. River logs its statistics every few seconds.
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
