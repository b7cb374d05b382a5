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

// settled loads the settings and creates the log. Used are those of program.Required that the command uses. Warnings about
// settings are logged.
func (s *shell) settled(ctx context.Context, used ...string) (*program.Config, *slog.Logger, error) {
	config, warnings, err := program.LoadFor(s.environment, used)
	if err != nil {
		for _, warning := range warnings { // a likely cause of the error
			warn(s.stderr, warning)
		}
		return nil, nil, err
	}
	log := program.NewLog(config, s.stderr)
	slog.SetDefault(log) // for the few places without a logger
	for _, warning := range warnings {
		log.WarnContext(ctx, warning) //nolint:sloglint // the text names the setting
	}
	return config, log, nil
}

// withOperations calls act with the operations on the configured database. A server may be running on it or not.
func (s *shell) withOperations(ctx context.Context, act func(context.Context, *graph.Resolver) error) error {
	config, log, err := s.settled(ctx, program.SettingDatabaseURL, program.SettingOwnerURL, program.SettingSecretKey)
	if err != nil {
		return err
	}
	return program.WithOperations(ctx, config, log, act)
}

// explained returns the text of an error for operators. It includes causes that callers of the API don't see.
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
