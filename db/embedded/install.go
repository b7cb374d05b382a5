package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// createClusterDir is where Debian's packages find, during installation, whether to create and start a cluster of their
// own.
const createClusterDir = "/etc/postgresql-common/createcluster.d"

// advice returns the command that installs PostgreSQL here, and the alternative.
func advice() string {
	commands := []struct{ tool, run string }{
		{"apt-get", "apt-get install -y postgresql"},
		{"dnf", "dnf install -y postgresql-server"},
		{"apk", "apk add postgresql"},
		{"zypper", "zypper install -y postgresql-server"},
		{"pacman", "pacman -S postgresql"},
		{"brew", "brew install postgresql"},
	}
	for _, c := range commands {
		if _, err := exec.LookPath(c.tool); err == nil {
			return fmt.Sprintf("run %#q, or set TICKETGATE_DATABASE_URL to a database of your own", c.run)
		}
	}
	return "install PostgreSQL and name its folder in TICKETGATE_POSTGRES_BIN, or set TICKETGATE_DATABASE_URL to a database of your own"
}

// CanInstall reports whether Install would try, which requires root on Debian or a derivative.
func CanInstall() bool {
	_, err := exec.LookPath("apt-get")
	return err == nil && os.Geteuid() == 0
}

// Install installs PostgreSQL with apt-get, which requires root on Debian or a derivative; elsewhere it returns
// ErrNoBinaries. It keeps the packages from creating a cluster of their own, which would start immediately and at every
// boot.
func Install(ctx context.Context, log *slog.Logger) error {
	if !CanInstall() {
		return fmt.Errorf("%w: %s", ErrNoBinaries, advice())
	}
	log.InfoContext(ctx, "PostgreSQL is missing; installing it: apt-get install -y postgresql")
	restore, err := withoutOwnCluster(createClusterDir)
	if err != nil {
		return fmt.Errorf("install PostgreSQL: %w", err)
	}
	defer restore()
	// The lists may be old or, in an image, missing.
	if err := aptGet(ctx, "update", "-qq"); err != nil {
		log.WarnContext(ctx, "apt-get update failed; continuing with the existing package lists", "error", err)
	}
	if err := aptGet(ctx, "install", "-y", "-qq", "--no-install-recommends", "postgresql"); err != nil {
		return fmt.Errorf("install PostgreSQL: %w; %s", err, advice())
	}
	log.InfoContext(ctx, "PostgreSQL is installed")
	return nil
}

// withoutOwnCluster keeps the packages from creating a cluster until restore is called.
func withoutOwnCluster(dir string) (restore func(), err error) {
	created := missingFolders(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // as the package itself makes it
		return nil, err
	}
	path := filepath.Join(dir, "ticketgate-installs.conf")
	if err := os.WriteFile(path, []byte("create_main_cluster = false\n"), 0o644); err != nil { //nolint:gosec // a setting for all to read
		return nil, err
	}
	return func() {
		_ = os.Remove(path)
		for _, folder := range created {
			_ = os.Remove(folder) // not removed if the packages put something there
		}
	}, nil
}

// missingFolders returns the missing folders on the way to dir, inner ones first.
func missingFolders(dir string) []string {
	var missing []string
	for ; !exists(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		missing = append(missing, dir)
	}
	return missing
}

func aptGet(ctx context.Context, args ...string) error {
	cmd := exec.CommandContext(ctx, "apt-get", args...) //nolint:gosec // the arguments are Install's own
	// apt-get may need the variables of a proxy, but none of Ticketgate's secrets.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), isOurs), "DEBIAN_FRONTEND=noninteractive")
	// The output is collected, because standard output belongs to the caller.
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get %s: %w: %s", args[0], err, lastLines(out))
	}
	return nil
}

func isOurs(variable string) bool { return strings.HasPrefix(variable, "TICKETGATE_") }
