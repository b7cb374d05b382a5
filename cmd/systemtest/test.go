package systemtest

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// Must ends the test if err is not nil.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Serial returns names that are unique in the test run.
var Serial = func() func(prefix string) string {
	numbers := make(chan int, 1)
	numbers <- os.Getpid() * 100_000
	return func(prefix string) string {
		number := <-numbers + 1
		numbers <- number
		return prefix + strconv.Itoa(number)
	}
}()

// Eventually waits until a condition holds, and fails the test after 30 seconds.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); <-time.After(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out after 30 s waiting until: %s", what)
		}
	}
}

// PagesFolder is the dashboard's folder.
const PagesFolder = "../../../dashboard/"

// NeedsProgram returns a command whose first word must be installed.
func NeedsProgram(words ...string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		if _, err := exec.LookPath(words[0]); err != nil {
			Missing(t, words[0])
		}
		return words
	}
}

// Missing skips the test with a notice, or fails it if all tools are required.
func Missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what + " is not installed")
	}
	t.Skip("notice: " + what + " is not installed")
}
