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

var errSeedInProd = errors.New("seed is not available with " + program.SettingMode +
	"=prod: it creates demo data and prints its credentials")

func (s *shell) seedCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "seed",
		Short: "Create demo data and print its credentials",
		Long: "Creates two organizations and four sellers, each with an ADMIN, a VIEWER, an API key with full access, an event, a\n" +
			"ticket, a card in an access list and a device. Every call creates new data. `serve` may be running.\n" +
			"Passwords and keys are printed once.",
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
				data, err := program.SeedDemo(ctx, do)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(s.stdout, data)
				}
				s.sayf("%s", data)
				return nil
			})
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object on one line")
	return command
}

// seedDemo creates demo data if there is no organization yet, and prints the credentials to stderr.
func (s *shell) seedDemo(ctx context.Context, running *program.Program) error {
	ctx, do := platform.Context(ctx), running.Operations()
	existing, err := do.Organizations.List(ctx, domain.Page{Limit: 1})
	if err != nil {
		return err
	}
	if len(existing.Items) > 0 {
		running.Log.InfoContext(ctx, "no demo data created: the installation has data; `ticketgate seed` creates more")
		return nil
	}
	data, err := program.SeedDemo(ctx, do)
	if err != nil {
		return err
	}
	_, _ = io.WriteString(s.stderr, data.String()) // a closed terminal is not a failure
	debug.FreeOSMemory()                           // hashing eight passwords took 19 MiB each, which an idle server does not need
	return nil
}
