package commands

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

func TestWrongSettingStopsProgram(t *testing.T) {
	for _, row := range systemtest.WrongSettings {
		t.Run(row.Name, func(t *testing.T) {
			code, stdout, stderr := systemtest.Run(t, systemtest.Environment(row.Environment...), "serve")
			if code != systemtest.CodeWrong || stdout != "" || !strings.HasPrefix(stderr, "ticketgate: "+row.Setting+" ") {
				t.Fatalf("exit code %d, output %q, log %q", code, stdout, stderr)
			}
		})
	}
}

func TestMistypedCommandsAreExplained(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"serve now":                              `unknown command "now"`,
		"serve --worker":                         "unknown flag: --worker",
		"user create":                            "exactly one argument is required: the user's email address",
		"user create a@b.fr --role X --seller 1": "--role must be one of VIEWER",
		"key list":                               "exactly one of --seller and --organization is required",
		"key rotate --seller 1":                  "exactly one argument is required: the key's id",
		"servee":                                 "unknown command",
	} {
		t.Run(arguments, func(t *testing.T) {
			t.Parallel()
			code, _, stderr := systemtest.Run(t, systemtest.Environment("TICKETGATE_DATA_DIR="+t.TempDir()), strings.Fields(arguments)...)
			if code == 0 || !strings.Contains(stderr, want) {
				t.Errorf("exit code %d, log %q, want %q", code, stderr, want)
			}
		})
	}
}

func TestDemoIsRefusedInProd(t *testing.T) {
	t.Parallel()
	code, _, stderr := systemtest.Run(t, systemtest.Environment(systemtest.ProdWithout("")...), "serve", "--demo")
	if code != systemtest.CodeWrong || !strings.Contains(stderr, "--demo is not available in mode prod") {
		t.Errorf("exit code %d, log %q", code, stderr)
	}
}

func TestHelpListsSettingsAndExamples(t *testing.T) {
	t.Parallel()
	_, topic, _ := systemtest.Run(t, systemtest.Environment(), "help", "settings")
	page, err := os.ReadFile("../../../docs/operations.md") // which TestOperationsPageListsEachSetting checks for completeness
	systemtest.Must(t, err)
	names := regexp.MustCompile("(?m)^\\| `(TICKETGATE_[A-Z_]+)`").FindAllSubmatch(page, -1)
	if len(names) < 50 {
		t.Fatalf("docs/operations.md has %d settings", len(names))
	}
	for _, name := range names {
		if !strings.Contains(topic, string(name[1])+"\n") {
			t.Errorf("help settings does not name %s", name[1])
		}
	}
	for _, subcommand := range []string{
		"serve", "work", "migrate", "migrate up", "seed", "user", "user create", "key", "key create", "doctor",
	} {
		code, text, _ := systemtest.Run(t, systemtest.Environment(), append(strings.Fields(subcommand), "--help")...)
		if code != 0 || !strings.Contains(text, "Examples:\n  ticketgate "+strings.Fields(subcommand)[0]) {
			t.Errorf("%s --help: exit code %d, no example in %q", subcommand, code, text)
		}
	}
}
