package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ticketgate/db/embedded"
)

// systemToken is the platform's credential in every rig.
const systemToken = "the-system-token-of-the-benchmarks-0123456789"

// secretKey encrypts in every rig; nothing in it is worth a secret.
var secretKey = base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))

// rig is one benchmark's own: an empty database, and the processes that it starts on it.
type rig struct {
	*ground
	*remains
	name string // of the database too
}

// remains are what a benchmark leaves until its end. Rigs of one benchmark share them.
type remains struct {
	logs []string
	// sellers are those of the seeded world.
	sellers []seller
	ends    []func()
}

// newRig makes the database. Its name is new each time, so that an interrupted run leaves nothing in the way.
func (g *ground) newRig(ctx context.Context) (*rig, error) {
	r := &rig{g, &remains{}, fmt.Sprintf("bench_%d_%d", os.Getpid(), time.Now().UnixNano())}
	err := r.createDatabase(ctx)
	return r, err
}

// beside is a rig on the same server with another database, which ends with this one.
func (r *rig) beside(ctx context.Context, suffix string) (*rig, error) {
	other := &rig{r.ground, r.remains, r.name + suffix}
	err := other.createDatabase(ctx)
	return other, err
}

// createDatabase makes the rig's database until the end, or takes up the one that a kept server has.
func (r *rig) createDatabase(ctx context.Context) error {
	if r.cluster.kept {
		exists, err := r.cluster.has(ctx, r.name)
		if err != nil || exists {
			return err
		}
		return r.cluster.create(ctx, r.name)
	}
	// Also after Ctrl-C, when the context is over.
	ending := context.WithoutCancel(ctx)
	r.onEnd(func() { _ = r.cluster.drop(ending, r.name) })
	return r.cluster.create(ctx, r.name)
}

// onEnd has something undone when the benchmark is over, last first.
func (r *remains) onEnd(undo func()) { r.ends = append(r.ends, undo) }

// end undoes everything, the processes before the database that they use.
func (r *remains) end() {
	for _, undo := range slices.Backward(r.ends) {
		undo()
	}
}

// database is the rig's own, for a role.
func (r *rig) database(role string) string { return r.cluster.url(role, r.name) }

// environment holds the program's settings: nothing of the developer's own.
func (r *rig) environment(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"),
		"TICKETGATE_DATABASE_URL=" + r.database(embedded.ApplicationRole),
		"TICKETGATE_DATABASE_OWNER_URL=" + r.database(embedded.OwnerRole),
		"TICKETGATE_LISTEN=127.0.0.1:0", "TICKETGATE_DATA_DIR=" + r.folder,
		"TICKETGATE_SECRET_KEY=" + secretKey, "TICKETGATE_SYSTEM_TOKEN=" + systemToken,
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true",
	}, more...)
}

// seller is the first one of a seeded world.
type seller struct {
	ID           string `json:"sellerId"`
	APIKey       string `json:"apiKey"`
	EventID      string `json:"eventId"`
	TicketTypeID string `json:"ticketTypeId"`
	DeviceToken  string `json:"deviceToken"`
	Barcode      string `json:"barcode"`
}

// seed makes a world on the rig's database, beside a process that has migrated it, and returns its first seller. The others
// are kept.
func (r *rig) seed(ctx context.Context) (seller, error) {
	cmd := exec.CommandContext(ctx, r.binary, "seed", "--json") //nolint:gosec // the binary that was just built
	var said bytes.Buffer
	cmd.Env, cmd.Stderr = r.environment(), &said
	out, err := cmd.Output()
	if err != nil {
		return seller{}, fmt.Errorf("ticketgate seed: %w\n%s", err, &said)
	}
	var world struct {
		Sellers []seller `json:"sellers"`
	}
	if err := json.Unmarshal(out, &world); err != nil {
		return seller{}, fmt.Errorf("ticketgate seed printed %q: %w", out, err)
	}
	if len(world.Sellers) == 0 {
		return seller{}, errors.New("ticketgate seed made no seller")
	}
	r.sellers = world.Sellers
	return world.Sellers[0], nil
}

// openLog makes the file for a process's log: each request writes a line, as it does in earnest.
func (r *rig) openLog() (*os.File, error) {
	path := filepath.Join(r.folder, fmt.Sprintf("%s_%d.log", r.name, len(r.logs)))
	r.logs = append(r.logs, path)
	return os.Create(path) //nolint:gosec // in the folder that was made for it
}

// explain adds the ends of the logs to a failure.
func (r *remains) explain(err error) error {
	if err == nil {
		return nil
	}
	for i, path := range r.logs {
		if text := tail(path); text != "" {
			err = fmt.Errorf("%w\nlog of process %d ends with:\n%s", err, i+1, text)
		}
	}
	return err
}

// tail is the last lines of a file, about a screen of them.
func tail(path string) string {
	const enough = 2000
	file, err := os.Open(path) //nolint:gosec // in the folder that was made for it
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		_, _ = file.Seek(max(0, size-enough), io.SeekStart)
	}
	text, _ := io.ReadAll(file)
	return strings.TrimSpace(string(text))
}
