package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/domain"
)

// serveOptions are the flags of serve and work.
type serveOptions struct {
	noWorkers, demo bool
}

func (s *shell) serveCommand() *cobra.Command {
	var options serveOptions
	command := &cobra.Command{
		Use:   "serve",
		Short: "Serve the API and the dashboard, and deliver webhooks",
		Long: "Serves the API and the dashboard and delivers webhooks, until SIGINT or SIGTERM; a second signal ends it at once.\n" +
			"Without TICKETGATE_DATABASE_URL it starts a private PostgreSQL in the data folder.\n\n" +
			"When it is ready it prints one line on stdout: {\"url\": \"http://127.0.0.1:8080\"}. The log goes to stderr.",
		Example: "  ticketgate serve\n  TICKETGATE_LISTEN=127.0.0.1:0 ticketgate serve --demo\n  ticketgate serve --no-workers",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return s.operate(command.Context(), true, !options.noWorkers, options.demo)
		},
	}
	command.Flags().BoolVar(&options.noWorkers, "no-workers", false, "deliver nothing; `ticketgate work` does it elsewhere")
	command.Flags().BoolVar(&options.demo, "demo", false, "seed an empty installation and print the logins on stderr (not in prod)")
	return command
}

func (s *shell) workCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "work",
		Short: "Deliver webhooks without serving the API",
		Long: "Delivers webhooks and does the upkeep, beside processes that serve with --no-workers on the same database.\n" +
			"Ends on SIGINT or SIGTERM when the attempts that run have ended.",
		Example: "  ticketgate work",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return s.operate(command.Context(), false, true, false)
		},
	}
}

// operate runs the program until the context ends or the program can't go on.
func (s *shell) operate(ctx context.Context, serves, delivers, demo bool) error {
	started := time.Now()
	config, log, err := settled(ctx, s.environment, s.stderr)
	if err != nil {
		return err
	}
	if demo && config.Prod {
		return usageError{errors.New("--demo is refused in mode prod: its logins are printed")}
	}
	collectLess(false)
	limitMemory(ctx, config, log)
	program := &Program{Config: config, Log: log, Serves: serves, Delivers: delivers}
	if err := program.Run(ctx); err != nil {
		if ctx.Err() == nil {
			return err
		}
		log.InfoContext(ctx, "stopped while starting", "error", err)
		return nil
	}
	if demo {
		if err := s.seedDemo(ctx, program); err != nil {
			return errors.Join(err, program.Close())
		}
	}
	log.InfoContext(ctx, "ready", "version", version, "mode", config.Mode(), "after", time.Since(started).Round(time.Millisecond))
	if serves {
		s.sayf("{\"url\": %q}\n", program.URL())
		adviseFirstUser(ctx, program)
	}
	select {
	case <-ctx.Done():
		log.InfoContext(ctx, "stopping")
		err = program.Close()
	case <-program.Failed():
		err = errors.Join(errors.New("the private PostgreSQL has ended"), program.database.server.Err(), program.Close())
	}
	log.InfoContext(ctx, "stopped")
	return err
}

// adviseFirstUser says what comes next to whoever started an installation where nobody can do anything yet.
func adviseFirstUser(ctx context.Context, program *Program) {
	organizations := newOperations(program.Config, program.store).Organizations
	if existing, err := organizations.List(asPlatform(ctx), domain.Page{Limit: 1}); err == nil && len(existing.Items) == 0 {
		program.Log.InfoContext(ctx, "there is no organization yet; to make one, and its administrator: "+
			"ticketgate user create E-MAIL --new-organization NAME")
	}
}

// collectLess trades memory that is garbage for processor time: requests are served up to a third faster, and the heap of an
// idle server is a few megabytes either way. While large bodies are held, or several medium ones, garbage would be hundreds of
// megabytes, and is collected as Go does by default (LIMIT-12). A GOGC in the environment applies instead.
func collectLess(largeBodies bool) {
	const ordinary, large = 400, 100
	switch {
	case os.Getenv("GOGC") != "":
	case largeBodies:
		debug.SetGCPercent(large)
	default:
		debug.SetGCPercent(ordinary)
	}
}
