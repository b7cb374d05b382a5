package embedded

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// location is where the cluster is or will be created.
type location struct {
	// Cluster is free of links: a server's working directory is compared with it.
	Cluster string `json:"cluster"`
	// Link is created once the cluster is complete. It is empty if the cluster is in the data directory itself.
	Link string `json:"link,omitempty"`
}

// locate finds the cluster's place. If started as root, the server's user may be unable to reach the data directory,
// for example below root's home. Capabilities would let the server's superuser read any file, and the directories
// above are not ours to open. So the cluster is created elsewhere and the data directory gets a link. Only the link
// counts: without it a new cluster is created, and an old one is never reused.
func locate(ctx context.Context, c Config, b binaries, a *account) (location, error) {
	at := filesOf(c.DataDir)
	if _, err := os.Lstat(at.cluster); err == nil {
		return existing(ctx, at, b, a)
	}
	dir, err := filepath.EvalSymlinks(c.DataDir)
	if err != nil {
		return location{}, fmt.Errorf("private PostgreSQL: %w", err)
	}
	if reaches(ctx, b, a, dir) {
		return location{Cluster: filepath.Join(dir, filepath.Base(at.cluster))}, nil
	}
	return elsewhere(ctx, c, b, a)
}

func existing(ctx context.Context, at files, b binaries, a *account) (location, error) {
	cluster, err := filepath.EvalSymlinks(at.cluster)
	if errors.Is(err, os.ErrNotExist) {
		return location{}, fmt.Errorf("private PostgreSQL: %s is a link to a cluster that no longer exists; "+
			"restore the cluster, or remove the link to start with an empty one", at.cluster)
	}
	if err != nil {
		return location{}, fmt.Errorf("private PostgreSQL: %w", err)
	}
	if !reaches(ctx, b, a, cluster) {
		return location{}, fmt.Errorf("private PostgreSQL: user %s owns the cluster %s but can't reach it; "+
			"let that user pass through the directories above (chmod o+x), or set another TICKETGATE_DATA_DIR", a.Name, cluster)
	}
	return location{Cluster: cluster}, nil
}

// elsewhere returns a new location below FallbackDir, to which the data directory will have a link. It logs a
// warning.
func elsewhere(ctx context.Context, c Config, b binaries, a *account) (location, error) {
	if err := makeDir(c.FallbackDir, 0o711); err != nil {
		return location{}, err
	}
	dir, err := filepath.EvalSymlinks(c.FallbackDir)
	if err != nil {
		return location{}, fmt.Errorf("private PostgreSQL: %w", err)
	}
	if !reaches(ctx, b, a, dir) {
		return location{}, fmt.Errorf("private PostgreSQL: user %s can reach neither %s nor %s; set another TICKETGATE_DATA_DIR",
			a.Name, c.DataDir, dir)
	}
	base := filepath.Join(dir, "postgres-"+digest(c.DataDir))
	cluster := base
	for n := 2; exists(cluster); n++ {
		cluster = base + "-" + strconv.Itoa(n)
	}
	c.Log.WarnContext(ctx, "the PostgreSQL cluster is created outside the data directory, which the server's user can't reach",
		"user", a.Name, "data_dir", c.DataDir, "cluster", cluster)
	return location{Cluster: cluster, Link: filesOf(c.DataDir).cluster}, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// reaches reports whether the server's user can enter the directory.
func reaches(ctx context.Context, b binaries, a *account, dir string) bool {
	if a == nil {
		return true // its own directory; PostgreSQL reports what is wrong with it
	}
	_, err := probe(ctx, b.dir, a, dir)
	return err == nil
}

// digest returns a short name of fixed length for a path.
func digest(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}
