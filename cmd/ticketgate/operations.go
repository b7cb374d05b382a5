package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/domain"
	"ticketgate/graph"
)

// settled reads the settings and creates the log. Warnings are logged at once.
func (s *shell) settled(ctx context.Context) (*program.Config, *slog.Logger, error) {
	config, warnings, err := program.Load(s.environment)
	if err != nil {
		for _, warning := range warnings { // likely the cause of the error
			warn(s.stderr, warning)
		}
		return nil, nil, err
	}
	log := program.NewLog(config, s.stderr)
	slog.SetDefault(log) // for the few places that get no logger
	for _, warning := range warnings {
		log.WarnContext(ctx, warning) //nolint:sloglint // the text names the setting
	}
	return config, log, nil
}

// withOperations runs a command's operations on the configured database, whether or not `serve` is running.
func (s *shell) withOperations(ctx context.Context, act func(context.Context, *graph.Resolver) error) error {
	config, log, err := s.settled(ctx)
	if err != nil {
		return err
	}
	return program.WithOperations(ctx, config, log, act)
}

// explained returns the text of an error for an operator, including causes that API callers don't see.
func explained(err error) string {
	var known *domain.Error
	if !errors.As(err, &known) {
		return err.Error()
	}
	parts := []string{err.Error()}
	if cause := known.Unwrap(); cause != nil {
		parts = append(parts, cause.Error())
	}
	for _, field := range known.Fields {
		if field.Hint != "" {
			parts = append(parts, field.Hint)
		}
	}
	return strings.Join(parts, ": ")
}
