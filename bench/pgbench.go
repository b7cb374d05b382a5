package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// pgbench repeats the statements of a request, prepared and with the same arguments, by as many clients as a load has.
// It shows the rate of a server that costs nothing itself.
type pgbench struct {
	program   string
	database  *pgx.ConnConfig
	script    string // its path
	variables []string
}

// newPgbench writes a script for the rig's database.
func (r *rig) newPgbench(statements []statement) (*pgbench, error) {
	if len(statements) == 0 {
		return nil, errors.New("no statement of the request was observed")
	}
	program, err := r.cluster.program("pgbench")
	if err != nil {
		return nil, err
	}
	database, err := pgx.ParseConfig(r.database(embedded.ApplicationRole))
	if err != nil {
		return nil, err
	}
	script, variables := scriptOf(statements)
	p := &pgbench{program: program, database: database, script: filepath.Join(r.folder, r.name+".sql"), variables: variables}
	return p, os.WriteFile(p.script, []byte(script), 0o600)
}

// dollarNumber matches an argument in a statement. No statement has a dollar sign in a literal.
var dollarNumber = regexp.MustCompile(`\$(\d+)`)

// scriptOf returns a pgbench script in which each argument is a variable, and these variables. With prepared
// statements, pgbench turns variables back into arguments.
func scriptOf(statements []statement) (script string, variables []string) {
	var text bytes.Buffer
	for i, s := range statements {
		text.WriteString(dollarNumber.ReplaceAllString(s.text, fmt.Sprintf(":s%da$1", i)))
		text.WriteString(";\n")
		for j, argument := range s.arguments {
			variables = append(variables, fmt.Sprintf("s%da%d=%s", i, j+1, argument))
		}
	}
	return text.String(), variables
}

// costingPgbench returns a measurement of pgbench that includes PostgreSQL's cost per run of the script.
func (r *rig) costingPgbench(p *pgbench) measurement { return r.costing(nil, p.run) }

// run measures for a whole number of seconds, because pgbench supports no fractions.
func (p *pgbench) run(ctx context.Context, d time.Duration) (figure, error) {
	return p.execute(ctx, "-T", strconv.Itoa(max(1, int(math.Round(d.Seconds())))))
}

// execute runs pgbench until the time or number of transactions in its flags. A failed statement is an error, because
// failing statements would be fast.
func (p *pgbench) execute(ctx context.Context, until ...string) (figure, error) {
	logs := p.script + ".log"
	args := make([]string, 0, 12+2*len(p.variables))
	args = append(args, "-n", "-l", "--log-prefix", logs, "-M", "prepared", "-c", strconv.Itoa(connections), "-j", "2", "-f", p.script)
	for _, variable := range p.variables {
		args = append(args, "-D", variable)
	}
	out, err := p.command(ctx, append(args, until...)...)
	if err != nil {
		return figure{}, err
	}
	f, err := readPgbench(out)
	if err != nil {
		return f, err
	}
	times, err := takeTimes(logs)
	f.p50, f.p99 = percentile(times, 50), percentile(times, 99)
	return f, err
}

// command runs pgbench on the database.
func (p *pgbench) command(ctx context.Context, args ...string) (string, error) {
	args = append(args, "-h", p.database.Host, "-p", strconv.Itoa(int(p.database.Port)), "-U", p.database.User, p.database.Database)
	cmd := exec.CommandContext(ctx, p.program, args...)         //nolint:gosec // a program of PostgreSQL
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"} // without PG* variables of the environment
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("pgbench: %w\n%s", err, out)
	}
	return string(out), nil
}

// transactionsPerSecond matches the rate, which excludes the time to connect. A transaction is one run of the script.
var (
	transactionsPerSecond = regexp.MustCompile(`(?m)^tps = ([0-9.]+)`)
	transactionsProcessed = regexp.MustCompile(`(?m)^number of transactions actually processed: ([0-9]+)`)
)

// readPgbench parses the figure from the output of pgbench.
func readPgbench(out string) (figure, error) {
	found := transactionsPerSecond.FindStringSubmatch(out)
	if found == nil {
		return figure{}, fmt.Errorf("pgbench printed no figure:\n%s", out)
	}
	value, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		return figure{}, err
	}
	f := figure{value: value}
	if processed := transactionsProcessed.FindStringSubmatch(out); processed != nil {
		f.count, err = strconv.Atoi(processed[1])
	}
	return f, err
}

// takeTimes reads and removes the logs of pgbench's threads, and returns the sorted times. Each line is a transaction.
// The third field is its time in microseconds.
func takeTimes(prefix string) ([]time.Duration, error) {
	paths, err := filepath.Glob(prefix + ".*")
	if err != nil {
		return nil, err
	}
	var times []time.Duration
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // in the temporary folder
		if err := errors.Join(err, os.Remove(path)); err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) < 3 {
				return nil, fmt.Errorf("pgbench logged %q", line)
			}
			microseconds, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("pgbench logged %q: %w", line, err)
			}
			times = append(times, time.Duration(microseconds)*time.Microsecond)
		}
	}
	slices.Sort(times)
	return times, nil
}
