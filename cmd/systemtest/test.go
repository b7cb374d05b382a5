package systemtest

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// Must ends the test at an error.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Serial makes names that no other object of the test run has.
var Serial = func() func(prefix string) string {
	numbers := make(chan int, 1)
	numbers <- os.Getpid() * 100_000
	return func(prefix string) string {
		number := <-numbers + 1
		numbers <- number
		return prefix + strconv.Itoa(number)
	}
}()

// Eventually waits for what must come soon.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); <-time.After(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after 30 s it does not hold: %s", what)
		}
	}
}

// PagesFolder is where the dashboard is.
const PagesFolder = "../../../dashboard/"

// NeedsProgram is a command whose first word must be on the machine.
func NeedsProgram(words ...string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		if _, err := exec.LookPath(words[0]); err != nil {
			Missing(t, words[0])
		}
		return words
	}
}

// Missing skips with a notice, and fails where nothing may be missing.
func Missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what + " is not on the machine")
	}
	t.Skip("notice: " + what + " is not on the machine")
}
