package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestScriptMakesArgumentsVariables(t *testing.T) {
	t.Parallel()
	script, variables := scriptOf([]statement{
		{"SELECT $1::text\nFROM t WHERE a = $10 AND b = $1", []string{"x y", "2"}},
		{"SELECT $1", []string{"z"}},
	})
	if want := "SELECT :s0a1::text\nFROM t WHERE a = :s0a10 AND b = :s0a1;\nSELECT :s1a1;\n"; script != want {
		t.Errorf("got %q, want %q", script, want)
	}
	if want := []string{"s0a1=x y", "s0a2=2", "s1a1=z"}; !slices.Equal(variables, want) {
		t.Errorf("got %q, want %q", variables, want)
	}
}

func TestPgbenchRunsTheObservedStatements(t *testing.T) {
	t.Parallel()
	r := newTestRig(t)
	if _, err := r.newPgbench(nil); err == nil {
		t.Error("accepted a request without statements")
	}
	// pgbench reports 0 for a response that arrives before it looks at the clock again, so the statement takes some time.
	p, err := r.newPgbench([]statement{{"SELECT 1 / ($1::int - $2::int) FROM pg_sleep(0.01)", []string{"3", "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.execute(t.Context(), "-t", "20")
	if err != nil || f.value <= 0 || f.p50 <= 0 || f.p99 < f.p50 {
		t.Errorf("got %+v, %v", f, err)
	}
	if left, err := filepath.Glob(p.script + ".*"); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
	p.variables = []string{"s0a1=3", "s0a2=3"}
	if _, err := p.execute(t.Context(), "-t", "2"); err == nil || !strings.Contains(err.Error(), "division by zero") {
		t.Errorf("failed statement: got %v", err)
	}
}

func TestTimesOfAllThreadsAreRead(t *testing.T) {
	t.Parallel()
	prefix := filepath.Join(t.TempDir(), "times")
	for name, text := range map[string]string{".7": "0 1 300 0 1795834488 431525\n1 1 100 0 1795834488 431525\n", ".7.1": "9 1 200 0 1795834488 431525\n"} {
		if err := os.WriteFile(prefix+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []time.Duration{100 * time.Microsecond, 200 * time.Microsecond, 300 * time.Microsecond}
	if got, err := takeTimes(prefix); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := takeTimes(prefix); err != nil || len(got) != 0 {
		t.Errorf("the logs were left: %v, %v", got, err)
	}
	for _, text := range []string{"0 1\n", "0 1 skipped 0\n"} {
		if err := os.WriteFile(prefix+".8", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := takeTimes(prefix); err == nil {
			t.Errorf("read times from %q", text)
		}
	}
}

func TestReadPgbenchReturnsTheRate(t *testing.T) {
	t.Parallel()
	f, err := readPgbench("latency average = 0.3 ms\ninitial connection time = 9 ms\ntps = 48123.456 (without initial connection time)\n")
	if err != nil || f.value != 48123.456 {
		t.Errorf("got %+v, %v", f, err)
	}
	if _, err := readPgbench("pgbench: error"); err == nil {
		t.Error("read a figure from nothing")
	}
}
