package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"ticketgate/db/embedded"
)

// postgraphileFolder is the folder with the package files of PostGraphile, relative to the repository's root.
const postgraphileFolder = "bench/postgraphile"

// ofPostgraphile is the name of PostGraphile as a baseline.
const ofPostgraphile = "PostGraphile 5.1.5 on Node 22"

// errNoPostgraphile means that PostGraphile can't be installed here. The wrapping error says why.
var errNoPostgraphile = errors.New("PostGraphile was skipped")

// postgraphileTable creates the only table that PostGraphile serves: a copy of the product's with the same indexes, in
// a schema of its own.
var postgraphileTable = []string{
	"DROP SCHEMA IF EXISTS graphile CASCADE",
	"CREATE SCHEMA graphile",
	"CREATE TABLE graphile.access_entries (LIKE access_entries INCLUDING ALL)",
	"INSERT INTO graphile.access_entries SELECT * FROM access_entries",
	"GRANT USAGE ON SCHEMA graphile TO " + embedded.ApplicationRole,
	"GRANT SELECT ON graphile.access_entries TO " + embedded.ApplicationRole,
	"VACUUM (ANALYZE) graphile.access_entries",
}

// besidePostgraphile adds PostGraphile's response to a query as another baseline. If it can't be installed, it adds a
// remark instead.
func (r *rig) besidePostgraphile(ctx context.Context, to subject, query string, variables map[string]any) (subject, error) {
	server, err := r.postgraphile(ctx)
	if errors.Is(err, errNoPostgraphile) {
		fmt.Fprintln(os.Stderr, "notice:", err)
		to.remark = joined(to.remark, err.Error())
		return to, nil
	}
	if err != nil {
		return to, err
	}
	as := api{server.url, http.Header{}}
	measure, answer, err := r.reading(ctx, server, as, as.graphql(query, variables))
	if err == nil && !bytes.Contains(answer, []byte(`"externalCode":"`)) {
		err = fmt.Errorf("PostGraphile returned %s", answer)
	}
	if err == nil {
		_, err = measure(ctx, 3*warmUp) // Node compiles hot code
	}
	to.more = append(to.more, comparison{ofPostgraphile, measure})
	return to, err
}

// postgraphile installs and starts PostGraphile on a copy of the rig's entries.
func (r *rig) postgraphile(ctx context.Context) (*process, error) {
	node, err := installPostgraphile(ctx, postgraphileFolder)
	if err != nil {
		return nil, err
	}
	for _, statement := range postgraphileTable {
		if err := r.cluster.execute(ctx, r.name, statement); err != nil {
			return nil, err
		}
	}
	script, err := filepath.Abs(filepath.Join(postgraphileFolder, "server.mjs"))
	if err != nil {
		return nil, err
	}
	return r.ready(r.start(ctx, []string{
		"PATH=" + os.Getenv("PATH"), "NODE_ENV=production", "GRAPHILE_ENV=production",
		bareDatabase + "=" + r.database(embedded.ApplicationRole),
	}, node, script))
}

// installPostgraphile installs the packages of the lock file if necessary, and returns the path of Node.
func installPostgraphile(ctx context.Context, folder string) (node string, err error) {
	lock, installed := filepath.Join(folder, "package-lock.json"), filepath.Join(folder, "node_modules", ".installed-lock.json")
	if !equalFiles(installed, lock) {
		npm, err := exec.LookPath("npm")
		if err != nil {
			return "", fmt.Errorf("%w: npm is not installed", errNoPostgraphile)
		}
		fmt.Fprintln(os.Stderr, "  installing PostGraphile in "+folder)
		// Node is a package for this system, so no install script has to run.
		arguments := []string{"--prefix", folder, "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"}
		install := exec.CommandContext(ctx, npm, arguments...) //nolint:gosec // npm itself
		if out, err := install.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: npm ci: %w %s", errNoPostgraphile, err, bytes.TrimSpace(out))
		}
		if err := copyFile(installed, lock); err != nil {
			return "", err
		}
	}
	return nodeIn(ctx, folder)
}

// equalFiles reports whether two files exist and have the same content. Their times are ignored, because git rewrites
// files.
func equalFiles(item, other string) bool {
	text, err := os.ReadFile(item) //nolint:gosec // in the repository
	if err != nil {
		return false
	}
	same, err := os.ReadFile(other) //nolint:gosec // as above
	return err == nil && bytes.Equal(text, same)
}

// copyFile copies a small file.
func copyFile(to, from string) error {
	text, err := os.ReadFile(from) //nolint:gosec // in the repository
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600) //nolint:gosec // as above
}

// nodeIn returns the path of the Node that was installed with PostGraphile or, if it is new enough, of the system's.
func nodeIn(ctx context.Context, folder string) (string, error) {
	names := map[string]string{"amd64": "x64", "arm64": "arm64"}
	own, err := filepath.Abs(filepath.Join(folder, "node_modules", "node-"+runtime.GOOS+"-"+names[runtime.GOARCH], "bin", "node"))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(own); err == nil {
		return own, nil
	}
	version, err := exec.CommandContext(ctx, "node", "--version").Output()
	var major int
	if _, scanned := fmt.Sscanf(strings.TrimSpace(string(version)), "v%d.", &major); err != nil || scanned != nil || major < 22 {
		return "", fmt.Errorf("%w: it needs Node 22, which npm has for Linux only", errNoPostgraphile)
	}
	return exec.LookPath("node")
}
