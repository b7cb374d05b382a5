package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db"
	"ticketgate/db/move"
	"ticketgate/jobs"
)

// moveOptions are the flags of move-seller.
type moveOptions struct {
	from, to string
	dryRun   bool
}

func (s *shell) moveSellerCommand() *cobra.Command {
	var options moveOptions
	command := &cobra.Command{
		Use:   "move-seller SELLER",
		Short: "Move a seller to another cluster without downtime",
		Long: "Copies the seller's rows by logical replication, refuses its calls for at most 5 s and switches it to the other cluster.\n" +
			"Needs TICKETGATE_MOVE_DATABASES. After an interruption, run it again to continue. See docs/splitting.md for the steps.",
		Example: "  ticketgate move-seller 6a… --to b --dry-run\n  ticketgate move-seller 6a… --to b",
		Args:    oneArgument("the seller"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.moveSeller(command.Context(), arguments[0], options)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.from, "from", "", "the cluster that serves the seller now (default: the home cluster)")
	flags.StringVar(&options.to, "to", "", "the cluster to move to")
	flags.BoolVar(&options.dryRun, "dry-run", false, "print the steps without running them")
	return command
}

func (s *shell) joinClusterCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "join-cluster NAME",
		Short: "Replicate the home cluster's accounts to a new cluster",
		Long: "Starts replicating organizations, users, memberships, sessions and sellers from the home cluster to a new one.\n" +
			"The replication stays. Needs TICKETGATE_MOVE_DATABASES.",
		Example: "  ticketgate join-cluster b",
		Args:    oneArgument("the cluster"),
		RunE: func(command *cobra.Command, arguments []string) error {
			config, _, err := s.settled(command.Context())
			if err != nil {
				return err
			}
			home, to, err := clustersOf(config, "", arguments[0])
			if err != nil {
				return err
			}
			return move.Join(command.Context(), home, to, s.sayLinef)
		},
	}
}

// sayLinef prints a line of progress.
func (s *shell) sayLinef(format string, values ...any) { s.sayf(format+"\n", values...) }

// moveSeller moves a seller between two clusters, or prints the steps of the move with --dry-run.
func (s *shell) moveSeller(ctx context.Context, seller string, options moveOptions) error {
	config, _, err := s.settled(ctx)
	if err != nil {
		return err
	}
	from, to, err := clustersOf(config, options.from, options.to)
	if err != nil {
		return err
	}
	moving := move.Config{
		Seller: seller, From: from, To: to, Say: s.sayLinef,
		Wake: func(ctx context.Context, pending []move.Pending) error {
			return program.EnqueuePending(ctx, to.URL, pending)
		},
		Attempting: jobs.Attempting, NumberChanges: db.NumberChanges,
	}
	if options.dryRun {
		steps, err := move.Plan(ctx, moving)
		for i, step := range steps {
			s.sayf("%d. %s\n", i+1, step)
		}
		return err
	}
	_, err = move.Run(ctx, moving)
	return err
}

// clustersOf returns two clusters of the settings. If from is empty, the first one is the home cluster.
func clustersOf(config *program.Config, from, to string) (first, second move.Cluster, err error) {
	if len(config.MoveDatabases) == 0 {
		return first, second, usageError{fmt.Errorf("%s is required", program.SettingMoveDatabases)}
	}
	if from == "" {
		from = config.MoveDatabases[0].Name
	}
	for _, known := range config.MoveDatabases {
		switch known.Name {
		case from:
			first = move.Cluster(known)
		case to:
			second = move.Cluster(known)
		}
	}
	if first.URL == "" || second.URL == "" {
		err := fmt.Errorf("%s must contain the two different clusters %q and %q", program.SettingMoveDatabases, from, to)
		return first, second, usageError{err}
	}
	return first, second, nil
}
