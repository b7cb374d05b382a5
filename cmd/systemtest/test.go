package systemtest

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// Must fails the test if err is not nil.
func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Serial returns a name that is unique within the test run.
var Serial = func() func(prefix string) string {
	numbers := make(chan int, 1)
	numbers <- os.Getpid() * 100_000
	return func(prefix string) string {
		number := <-numbers + 1
		numbers <- number
		return prefix + strconv.Itoa(number)
	}
}()

// Eventually waits until holds returns true. It fails the test after 30 seconds.
func Eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); <-time.After(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out after 30 s waiting until: %s", what)
		}
	}
}

// PagesFolder is the folder of the dashboard.
const PagesFolder = "../../../dashboard/"

// NeedsProgram returns a function that returns words, a command. The function skips the test if the command is not
// installed.
func NeedsProgram(words ...string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		if _, err := exec.LookPath(words[0]); err != nil {
			Missing(t, words[0])
		}
		return words
	}
}

// Missing skips the test because a program is not installed. In CI, it fails the test.
func Missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what + " is not installed")
	}
	t.Skip("notice: " + what + " is not installed")
}
