package main

import (
	"strings"
	"testing"
	"time"
)

func TestAWrongSettingEndsTheProgramAtOnce(t *testing.T) {
	for _, row := range wrongSettings {
		t.Run(row.name, func(t *testing.T) {
			best := time.Hour // of three: another process may be given the processor
			for range 3 {
				started := time.Now()
				code, stdout, stderr := command(t, environment(row.environment...), "serve")
				best = min(best, time.Since(started))
				if code != exitWrong || stdout != "" || !strings.Contains(stderr, "ticketgate: "+row.setting+" ") {
					t.Fatalf("exit code %d, output %q, log %q", code, stdout, stderr)
				}
				if best < time.Second {
					return
				}
			}
			t.Errorf("it took %v, a second is allowed", best)
		})
	}
}

func TestWhatIsTypedWronglyIsExplained(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"serve now":                              `unknown command "now"`,
		"serve --worker":                         "unknown flag: --worker",
		"user create":                            "name the user's e-mail",
		"user create a@b.fr --role X --seller 1": "--role must be one of VIEWER",
		"key list":                               "name the owner: either --seller or --organization",
		"key rotate --seller 1":                  "name the key's id",
		"servee":                                 "unknown command",
	} {
		t.Run(arguments, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := command(t, environment("TICKETGATE_DATA_DIR="+t.TempDir()), strings.Fields(arguments)...)
			if code == 0 || !strings.Contains(stderr, want) {
				t.Errorf("exit code %d, log %q, want %q", code, stderr, want)
			}
		})
	}
}

func TestDemoIsRefusedInProd(t *testing.T) {
	t.Parallel()
	code, _, stderr := command(t, environment(prodWithout("")...), "serve", "--demo")
	if code != exitWrong || !strings.Contains(stderr, "--demo is refused in mode prod") {
		t.Errorf("exit code %d, log %q", code, stderr)
	}
}

func TestHelpListsSettingsAndExamples(t *testing.T) {
	t.Parallel()
	_, topic, _ := command(t, environment(), "help", "settings")
	for _, setting := range settings {
		if !strings.Contains(topic, setting.Name+"\n") {
			t.Errorf("help settings does not name %s", setting.Name)
		}
	}
	for _, subcommand := range []string{
		"serve", "work", "migrate", "migrate up", "seed", "user", "user create", "key", "key create", "doctor",
	} {
		code, text, _ := command(t, environment(), append(strings.Fields(subcommand), "--help")...)
		if code != 0 || !strings.Contains(text, "Examples:\n  ticketgate "+strings.Fields(subcommand)[0]) {
			t.Errorf("%s --help: exit code %d, no example in %q", subcommand, code, text)
		}
	}
}
