package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ticketgate/domain/webhook"
)

const (
	verifyPrograms = "../../docs/verify-signature/"
	pagesFolder    = "../../dashboard/"
)

// The programs that integrators copy from, each run by its language (docs/verify-signature).
func TestProgramsThatVerifySignatures(t *testing.T) {
	t.Parallel()
	const key = "clé & \"key\""
	body := []byte("{\"id\":\"1\",\"data\":{\"ticket\":{\"name\":\"Zoë\u2028<&>\"}}}")
	right := webhook.Sign([]byte(key), body)
	for language, command := range map[string]func(*testing.T) []string{
		"Go":         program("go", "run", verifyPrograms+"verify.go"),
		"TypeScript": typescript,
		"Python":     program("python3", verifyPrograms+"verify.py"),
		"PHP":        program("php", verifyPrograms+"verify.php"),
		"Java":       program("java", verifyPrograms+"Verify.java"),
		"Ruby":       program("ruby", verifyPrograms+"verify.rb"),
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			arguments := command(t)
			for _, c := range []struct{ name, signature, key, want string }{
				{"right", right, key, "true"},
				{"in upper case", strings.ToUpper(right), key, "true"},
				{"of another key", right, "other", "false"},
				{"cut short", right[:62], key, "false"},
				{"no digest", "x", key, "false"},
			} {
				run := exec.CommandContext(t.Context(), arguments[0], append(arguments[1:len(arguments):len(arguments)], c.signature, c.key)...)
				run.Stdin, run.Stderr = strings.NewReader(string(body)), os.Stderr
				printed, err := run.Output()
				if got := strings.TrimSpace(string(printed)); err != nil || got != c.want {
					t.Errorf("%s: %q, %v, want %s", c.name, got, err, c.want)
				}
			}
		})
	}
}

// program is a command whose first word must be on the machine.
func program(words ...string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		if _, err := exec.LookPath(words[0]); err != nil {
			missing(t, words[0])
		}
		return words
	}
}

// missing skips with a notice, and fails where nothing may be missing.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what + " is not on the machine")
	}
	t.Skip("notice: " + what + " is not on the machine")
}

// typescript takes the types out with the dashboard's compiler, since not every Node does.
func typescript(t *testing.T) []string {
	t.Helper()
	program("node")(t)
	if _, err := os.Stat(pagesFolder + "node_modules/vite"); err != nil {
		missing(t, "the dashboard's Vite (make dashboard)")
	}
	source, err := filepath.Abs(verifyPrograms + "verify.ts")
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "verify.mjs")
	const transpile = `import { readFileSync, writeFileSync } from 'node:fs';
		import { transformWithOxc } from 'vite';
		const { code } = await transformWithOxc(readFileSync(process.argv[1], 'utf8'), 'verify.ts');
		writeFileSync(process.argv[2], code);`
	run := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", transpile, source, plain)
	run.Dir = pagesFolder
	if printed, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	return []string{"node", plain}
}
