// Command run runs a command, usually a test run, with a temporary PostgreSQL:
//
//	go run ./db/dbtest/run -- go test ./...
//
// The command receives the server's URL in TICKETGATE_TEST_SUPERUSER_URL. Signals are forwarded, and the exit code is
// passed on. When the command ends or this program is killed, no processes or files remain.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"ticketgate/db/embedded"
)

// variable is the environment variable that holds the superuser's URL of the server.
const variable = "TICKETGATE_TEST_SUPERUSER_URL"

// Exit codes of this program itself, by the conventions of shells.
const (
	exitUsage      = 2
	exitCannotRun  = 126
	exitSignalBase = 128
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs the command and returns the exit code.
func run(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./db/dbtest/run -- command [argument …]")
		return exitUsage
	}
	// Registered before the server starts, so that a signal during the start ends this program cleanly.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	code, err := runBeside(signals, args)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return code
}

// runBeside runs a command while a temporary server runs, and returns the command's exit code. The command finds the
// server's URL in its environment. When this process ends, the server and all processes of the command's group are
// killed.
func runBeside(signals <-chan os.Signal, args []string) (code int, err error) {
	ctx := context.Background()
	server, err := embedded.StartTemporary(ctx)
	if err != nil {
		return exitCannotRun, err
	}
	defer func() { err = errors.Join(err, server.Stop(ctx)) }()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // its purpose is to run the given command
	cmd.Env = append(os.Environ(), variable+"="+server.SuperuserURL("postgres"))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// A process group of its own includes the test binaries, so that signals reach all of them.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return exitCannotRun, err
	}
	group := cmd.Process.Pid
	if err := server.KillAtEnd(group); err != nil {
		fmt.Fprintln(os.Stderr, "tests would outlive a kill of this run:", err)
	}
	code = await(cmd, group, signals)
	// The command may have left processes running, which would keep using the server.
	_ = syscall.Kill(-group, syscall.SIGKILL)
	return code, server.KillAtEnd(0)
}

// await forwards signals to the group until the command ends.
func await(cmd *exec.Cmd, group int, signals <-chan os.Signal) int {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			if number, is := s.(syscall.Signal); is {
				_ = syscall.Kill(-group, number)
			}
		case err := <-ended:
			return exitCode(cmd, err)
		}
	}
}

func exitCode(cmd *exec.Cmd, err error) int {
	if err == nil {
		return 0
	}
	if status, isUnix := cmd.ProcessState.Sys().(syscall.WaitStatus); isUnix && status.Signaled() {
		return exitSignalBase + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}
