package main

import (
	"slices"
	"strings"
	"testing"
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

func TestPgbenchRunsTheStatementsThatWereSeen(t *testing.T) {
	t.Parallel()
	r := newTestRig(t)
	if _, err := r.newPgbench(nil); err == nil {
		t.Error("took a request without statements")
	}
	p, err := r.newPgbench([]statement{{"SELECT 1 / ($1::int - $2::int)", []string{"3", "2"}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.execute(t.Context(), "-t", "2")
	if err != nil || f.value <= 0 {
		t.Errorf("got %+v, %v", f, err)
	}
	p.variables = []string{"s0a1=3", "s0a2=3"}
	if _, err := p.execute(t.Context(), "-t", "2"); err == nil || !strings.Contains(err.Error(), "division by zero") {
		t.Errorf("a statement that fails: got %v", err)
	}
}

func TestReadPgbenchTakesTheFigure(t *testing.T) {
	t.Parallel()
	f, err := readPgbench("latency average = 0.3 ms\ninitial connection time = 9 ms\ntps = 48123.456 (without initial connection time)\n")
	if err != nil || f.value != 48123.456 {
		t.Errorf("got %+v, %v", f, err)
	}
	if _, err := readPgbench("pgbench: error"); err == nil {
		t.Error("read a figure out of nothing")
	}
}
