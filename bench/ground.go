package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// product is the measured binary, relative to the repository's root.
const product = "bin/ticketgate"

// ground is what all benchmarks of a run share.
type ground struct {
	cluster *cluster
	binary  string
	folder  string // for logs and scripts; removed at the end
	keep    string // the folder of the server whose databases are kept
}

// openGround builds the program, so that no old build is measured, and opens the database server.
func openGround(ctx context.Context, keep string) (*ground, error) {
	build := exec.CommandContext(ctx, "make", "--no-print-directory", "build")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("make build, in the root of the repository: %w", err)
	}
	program, err := filepath.Abs(product)
	if err != nil {
		return nil, err
	}
	folder, err := makeFolder()
	if err != nil {
		return nil, err
	}
	g := &ground{binary: program, folder: folder, keep: keep}
	if g.cluster, err = openCluster(ctx, filepath.Join(folder, "database")); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return g, nil
}

// makeFolder creates a folder that is removed at the end. It prefers a folder on a disk: /tmp is often in memory, where
// fsync costs nothing.
func makeFolder() (string, error) {
	const onDisk = "/var/tmp"
	parent := os.TempDir()
	if info, err := os.Stat(onDisk); err == nil && info.IsDir() {
		parent = onDisk
	}
	folder, err := os.MkdirTemp(parent, "ticketgate-bench-")
	if err != nil {
		return "", err
	}
	// PostgreSQL can't run as root, and its user must be able to enter the folder.
	return folder, os.Chmod(folder, 0o711) //nolint:gosec // nothing in it is secret
}

// close stops the database server and removes the logs. It must be called after all rigs have ended.
func (g *ground) close() {
	g.cluster.close()
	_ = os.RemoveAll(g.folder)
}

// describe returns the versions and the machine, on which the figures depend.
func (g *ground) describe(ctx context.Context) string {
	// The measured binary itself reports which version it is.
	version, err := exec.CommandContext(ctx, g.binary, "--version").Output() //nolint:gosec // the binary that was just built
	name := strings.TrimSpace(string(version))
	if err != nil {
		name = "ticketgate"
	}
	return fmt.Sprintf("%s, %d processors, %s %s/%s, %s",
		name, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, g.cluster.version)
}

// measure runs one benchmark in a rig of its own.
func (g *ground) measure(ctx context.Context, b benchmark, o options) (row, error) {
	measured := row{benchmark: b, loadBefore: loadAverage()}
	r, err := g.newRig(ctx)
	if err != nil {
		return measured, err
	}
	defer r.end()
	s, err := b.prepare(ctx, r)
	if err != nil {
		return measured, r.explain(err)
	}
	// The load average is read before the preparation, which would affect it.
	rounds := o.rounds
	if b.once {
		rounds = 1
	}
	result, err := s.rounds(ctx, o.duration, rounds)
	result.benchmark, result.loadBefore, result.loadAfter = b, measured.loadBefore, loadAverage()
	return result, r.explain(err)
}
