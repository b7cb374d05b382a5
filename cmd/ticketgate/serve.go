package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/domain"
)

// serveOptions are the flags of `serve` and `work`.
type serveOptions struct {
	noWorkers, demo bool
}

func (s *shell) serveCommand() *cobra.Command {
	var options serveOptions
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API and the dashboard, and deliver webhooks",
		Long: "Serves the API and the dashboard and delivers webhooks until SIGINT or SIGTERM; a second signal ends it at once.\n" +
			"Without TICKETGATE_DATABASE_URL it starts a private PostgreSQL in the data folder.\n\n" +
			"When ready, it prints one line on stdout: {\"url\": \"http://127.0.0.1:8080\"}. The log goes to stderr.",
		Example: "  ticketgate serve\n  TICKETGATE_LISTEN=127.0.0.1:0 ticketgate serve --demo\n  ticketgate serve --no-workers",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return s.operate(command.Context(), true, !options.noWorkers, options.demo)
		},
	}
	command.Flags().BoolVar(&options.noWorkers, "no-workers", false,
		"do not deliver webhooks; run another process with \"ticketgate work\"")
	command.Flags().BoolVar(&options.demo, "demo", false, "seed an empty installation and print the logins on stderr (not in prod)")
	return command
}

func (s *shell) workCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "work",
		Short: "Deliver webhooks without serving the API",
		Long: "Delivers webhooks and runs periodic jobs, for processes that serve with --no-workers on the same database.\n" +
			"On SIGINT or SIGTERM it finishes the attempts that are running.",
		Example: "  ticketgate work",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return s.operate(command.Context(), false, true, false)
		},
	}
}

// operate runs the program until ctx is done or the program can't continue.
func (s *shell) operate(ctx context.Context, serves, delivers, demo bool) error {
	started := time.Now()
	config, log, err := s.settled(ctx, program.Required...)
	if err != nil {
		return err
	}
	if demo && config.Prod {
		return usageError{errors.New("--demo is not available in mode prod: it prints logins")}
	}
	program.CollectLess(false)
	program.LimitMemory(ctx, config, log)
	running := &program.Program{Config: config, Log: log, Serves: serves, Delivers: delivers}
	if err := running.Run(ctx); err != nil {
		if ctx.Err() == nil {
			return err
		}
		log.InfoContext(ctx, "stopped while starting", "error", err)
		return nil
	}
	if demo {
		if err := s.seedDemo(ctx, running); err != nil {
			return errors.Join(err, running.Close())
		}
	}
	log.InfoContext(ctx, "ready", "version", program.Version, "mode", config.Mode(), "after", time.Since(started).Round(time.Millisecond))
	if serves {
		s.sayf("{\"url\": %q}\n", running.URL())
		adviseFirstUser(ctx, running)
	}
	select {
	case <-ctx.Done():
		log.InfoContext(ctx, "stopping")
		err = running.Close()
	case <-running.Failed():
		err = errors.Join(errors.New("the private PostgreSQL stopped unexpectedly"), running.Failure(), running.Close())
	}
	log.InfoContext(ctx, "stopped")
	return err
}

// adviseFirstUser logs the next step for an installation without an organization.
func adviseFirstUser(ctx context.Context, running *program.Program) {
	organizations := running.Operations().Organizations
	if existing, err := organizations.List(platform.Context(ctx), domain.Page{Limit: 1}); err == nil && len(existing.Items) == 0 {
		running.Log.InfoContext(ctx, "no organization exists yet; create one and its administrator with: "+
			"ticketgate user create EMAIL --new-organization NAME")
	}
}
