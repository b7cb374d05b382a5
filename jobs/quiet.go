package jobs

import (
	"context"
	"log/slog"
)

// quiet passes on what needs somebody's attention: River tells its counts every few seconds.
type quiet struct{ slog.Handler }

// Enabled lets warnings and errors through.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && q.Handler.Enabled(ctx, level)
}

// WithAttrs keeps what is added as quiet.
func (q quiet) WithAttrs(attributes []slog.Attr) slog.Handler {
	return quiet{q.Handler.WithAttrs(attributes)}
}

// WithGroup keeps what is grouped as quiet.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }
