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

// settled reads the settings and makes the log; warnings go there at once.
func (s *shell) settled(ctx context.Context) (*program.Config, *slog.Logger, error) {
	config, warnings, err := program.Load(s.environment)
	if err != nil {
		for _, warning := range warnings { // likely the reason
			warn(s.stderr, warning)
		}
		return nil, nil, err
	}
	log := program.NewLog(config, s.stderr)
	slog.SetDefault(log) // for the few places that are handed no log
	for _, warning := range warnings {
		log.WarnContext(ctx, warning) //nolint:sloglint // the text names the setting
	}
	return config, log, nil
}

// withOperations runs a command's operations on the database that the settings name, beside `serve` or without it.
func (s *shell) withOperations(ctx context.Context, act func(context.Context, *graph.Resolver) error) error {
	config, log, err := s.settled(ctx)
	if err != nil {
		return err
	}
	return program.WithOperations(ctx, config, log, act)
}

// explained is an error in words for the operator: what a caller of the API may not see is the point here.
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
