package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
)

// Exit codes except 0: for failures, for usage errors, and after a second interrupt.
const (
	exitFailed      = 1
	exitWrong       = 2
	exitInterrupted = 130
)

// main runs the command. The first SIGINT or SIGTERM cancels it, the second ends the program immediately.
func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(exitInterrupted) // the private PostgreSQL stops when this process has ended
	}()
	shell := &shell{environment: os.Environ(), stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(shell.run(ctx, os.Args[1:]))
}

// shell is the environment of a command: its settings and its output.
type shell struct {
	environment    []string
	stdout, stderr io.Writer
}

// run executes the command that the arguments name and returns the exit code.
func (s *shell) run(ctx context.Context, arguments []string) int {
	command := s.command() //nolint:contextcheck // commands get it from cobra
	command.SetArgs(arguments)
	command.SetOut(s.stdout)
	command.SetErr(s.stderr)
	err := command.ExecuteContext(ctx)
	var wrong program.SettingsError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong), errors.As(err, &usage):
		s.complain(err)
		return exitWrong
	}
	s.complain(err)
	if errors.Is(err, errRefused) {
		return exitRefused
	}
	return exitFailed
}

func (s *shell) complain(err error) {
	for line := range strings.Lines(explained(err)) {
		warn(s.stderr, unbroken(strings.TrimRight(line, "\r\n")))
	}
}

// warn writes one line for the operator. It ignores errors, because the terminal may be closed.
func warn(stderr io.Writer, line string) { sayTof(stderr, "ticketgate: %s\n", line) }

// sayf prints a result.
func (s *shell) sayf(format string, values ...any) { sayTof(s.stdout, format, values...) }

// usageError is an error in how the command was called.
type usageError struct{ error }

// Unwrap returns the wrapped error.
func (e usageError) Unwrap() error { return e.error }

func (s *shell) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "ticketgate",
		Short: "The control plane of a ticketing platform: API keys, webhooks, access lists and scans",
		Long: "The control plane of a ticketing platform: its API, its dashboard and the workers that deliver webhooks.\n\n" +
			"Settings are environment variables: see `ticketgate help settings`.",
		Example:       "  ticketgate serve --demo\n  ticketgate doctor",
		Version:       program.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(
		s.serveCommand(), s.workCommand(), s.migrateCommand(), s.seedCommand(), s.userCommand(), s.keyCommand(),
		s.entriesCommand(), s.webhookCommand(), s.listenCommand(), s.doctorCommand(), s.routeCommand(),
		s.moveSellerCommand(), s.joinClusterCommand(),
		settingsTopic(),
	)
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see `%s --help`", err, command.CommandPath())}
	})
	return root
}

// noArguments returns a usage error if a command without arguments gets any.
func noArguments(command *cobra.Command, arguments []string) error {
	if err := cobra.NoArgs(command, arguments); err != nil {
		return usageError{err}
	}
	return nil
}

// oneArgument returns a check that there is exactly one argument. Its error calls the argument what.
func oneArgument(what string) cobra.PositionalArgs {
	return func(command *cobra.Command, arguments []string) error {
		if len(arguments) != 1 {
			return usageError{fmt.Errorf("exactly one argument is required: %s; see `%s --help`", what, command.CommandPath())}
		}
		return nil
	}
}

// settingsTopic returns the help topic that prints the table of settings: `ticketgate help settings`.
func settingsTopic() *cobra.Command {
	var text strings.Builder
	text.WriteString("Settings are environment variables. An empty variable counts as unset.\n")
	for _, setting := range program.Settings {
		fmt.Fprintf(&text, "\n%s\n    %s\n    Must be %s.", setting.Name, setting.Purpose, setting.Right)
		if setting.Default != "" {
			fmt.Fprintf(&text, " Default: %s.", setting.Default)
		}
		text.WriteString("\n")
	}
	return &cobra.Command{Use: "settings", Short: "The environment variables that configure Ticketgate", Long: text.String()}
}
