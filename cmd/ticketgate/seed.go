package main

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/domain"
	"ticketgate/graph"
)

var errSeedInProd = errors.New("seed makes demo data and prints what opens it, which " + program.SettingMode + "=prod refuses")

func (s *shell) seedCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "seed",
		Short: "Make a fresh demo world and print what opens it",
		Long: "Makes two organizations and four sellers, each with an ADMIN, a VIEWER, an API key with full access and a gate: an\n" +
			"event, a ticket, a card in an access list and a device. A fresh world at every call. It works beside\n" +
			"a running `serve`. Passwords and keys are printed here and never again.",
		Example: "  ticketgate seed\n  ticketgate seed --json | tail -1",
		Args:    noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			config, _, err := s.settled(command.Context())
			if err != nil {
				return err
			}
			if config.Prod {
				return errSeedInProd
			}
			return s.withOperations(command.Context(), func(ctx context.Context, do *graph.Resolver) error {
				made, err := program.SeedDemo(ctx, do)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(s.stdout, made)
				}
				s.sayf("%s", made)
				return nil
			})
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object on one line")
	return command
}

// seedDemo seeds an installation that has no organization yet, and prints what opens it on stderr.
func (s *shell) seedDemo(ctx context.Context, running *program.Program) error {
	ctx, do := platform.Context(ctx), running.Operations()
	existing, err := do.Organizations.List(ctx, domain.Page{Limit: 1})
	if err != nil {
		return err
	}
	if len(existing.Items) > 0 {
		running.Log.InfoContext(ctx, "there is data already, so no demo data was added; `ticketgate seed` makes more")
		return nil
	}
	made, err := program.SeedDemo(ctx, do)
	if err != nil {
		return err
	}
	_, _ = io.WriteString(s.stderr, made.String()) // a terminal that was closed is no failure
	debug.FreeOSMemory()                           // hashing eight passwords took 19 MiB each, which an idle server need not hold
	return nil
}
