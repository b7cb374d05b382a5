package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db"
)

func (s *shell) migrateCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "migrate",
		Short: "Change the database schema, or show its state",
		Long: "Changes the schema as the database's owner (TICKETGATE_DATABASE_OWNER_URL), under a lock: if several processes start,\n" +
			"one migrates and the others wait. `serve` runs `migrate up` when it starts.",
		Example: "  ticketgate migrate status\n  ticketgate migrate up",
		Args:    noArguments,
		RunE:    func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	var all bool
	down := s.migration("down", "Revert the latest migrations; data that only they hold is lost",
		func(ctx context.Context, m *db.Migrator) error { return m.Down(ctx, all) })
	down.Flags().BoolVar(&all, "all", false, "revert everything, including the tables of the job queue")
	parent.AddCommand(
		s.migration("up", "Apply pending migrations",
			func(ctx context.Context, m *db.Migrator) error { return m.Up(ctx) }),
		down,
		s.migration("status", "List the migrations and whether they are applied", s.printMigrations),
	)
	return parent
}

func (s *shell) migration(use, short string, act func(context.Context, *db.Migrator) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: "  ticketgate migrate " + use, Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error {
			return s.withMigrator(command.Context(), act)
		},
	}
}

// withMigrator runs act with a migrator for the configured database, or for the private PostgreSQL if `serve` is
// running it.
func (s *shell) withMigrator(ctx context.Context, act func(context.Context, *db.Migrator) error) error {
	config, log, err := s.settled(ctx, program.SettingDatabaseURL, program.SettingOwnerURL)
	if err != nil {
		return err
	}
	database, err := program.JoinDatabase(ctx, config, log)
	if err != nil {
		return err
	}
	defer func() { _ = database.Close() }() //nolint:contextcheck // stopping has a time limit of its own
	migrator, err := database.Migrator()
	if err != nil {
		return err
	}
	return errors.Join(act(ctx, migrator), migrator.Close())
}

// printMigrations prints all migrations with the times at which they were applied, if these are known.
func (s *shell) printMigrations(ctx context.Context, m *db.Migrator) error {
	list, err := m.Status(ctx)
	for _, migration := range list {
		state := "missing"
		switch {
		case migration.Applied && !migration.At.IsZero():
			state = "applied " + migration.At.UTC().Format(time.RFC3339)
		case migration.Applied:
			state = "applied"
		}
		s.sayf("%-40s %s\n", migration.Name, state)
	}
	return err
}
