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

// systemToken is the system token of every rig.
const systemToken = "the-system-token-of-the-benchmarks-0123456789"

// secretKey is the encryption key of every rig. No data in it is secret.
var secretKey = base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef"))

// rig is the environment of one benchmark: an empty database, and the processes that the benchmark starts.
type rig struct {
	*ground
	*remains
	name string // also the name of the database
}

// remains is the state that all rigs of a benchmark share, and that is removed when the benchmark ends.
type remains struct {
	logs []string
	// sellers are the sellers that the last seed created.
	sellers []seller
	ends    []func()
}

// newRig creates a rig with its database. The database's name is unique, so that the rest of an interrupted run does no
// harm.
func (g *ground) newRig(ctx context.Context) (*rig, error) {
	r := &rig{g, &remains{}, fmt.Sprintf("bench_%d_%d", os.Getpid(), time.Now().UnixNano())}
	err := r.createDatabase(ctx)
	return r, err
}

// sibling returns a rig with another database on the same server. It ends with r.
func (r *rig) sibling(ctx context.Context, suffix string) (*rig, error) {
	other := &rig{r.ground, r.remains, r.name + suffix}
	err := other.createDatabase(ctx)
	return other, err
}

// createDatabase creates the rig's database, which is dropped at the end. On a kept server, an existing database is
// reused.
func (r *rig) createDatabase(ctx context.Context) error {
	if r.cluster.kept {
		exists, err := r.cluster.has(ctx, r.name)
		if err != nil || exists {
			return err
		}
		return r.cluster.create(ctx, r.name)
	}
	// It is also dropped after Ctrl-C, when ctx is done.
	ending := context.WithoutCancel(ctx)
	r.onEnd(func() { _ = r.cluster.drop(ending, r.name) })
	return r.cluster.create(ctx, r.name)
}

// onEnd registers a function to call at the end of the benchmark. The functions are called in reverse order.
func (r *remains) onEnd(undo func()) { r.ends = append(r.ends, undo) }

// end calls the registered functions: processes end before the database that they use.
func (r *remains) end() {
	for _, undo := range slices.Backward(r.ends) {
		undo()
	}
}

// database returns the URL of the rig's database for a role.
func (r *rig) database(role string) string { return r.cluster.url(role, r.name) }

// environment returns the settings of a program. It excludes the developer's own settings.
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

// seller is a seeded seller.
type seller struct {
	ID           string `json:"sellerId"`
	APIKey       string `json:"apiKey"`
	EventID      string `json:"eventId"`
	TicketTypeID string `json:"ticketTypeId"`
	DeviceToken  string `json:"deviceToken"`
	Barcode      string `json:"barcode"`
}

// seed seeds the rig's database, which a running process must have migrated. It returns the first seller. All of them
// are in r.sellers.
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
		return seller{}, errors.New("ticketgate seed created no seller")
	}
	r.sellers = world.Sellers
	return world.Sellers[0], nil
}

// openLog creates the log file of a process. As in production, each request writes a line.
func (r *rig) openLog() (*os.File, error) {
	path := filepath.Join(r.folder, fmt.Sprintf("%s_%d.log", r.name, len(r.logs)))
	r.logs = append(r.logs, path)
	return os.Create(path) //nolint:gosec // in the temporary folder
}

// explain adds the ends of all logs to an error.
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

// tail returns the last lines of a file, about as many as fit on a screen.
func tail(path string) string {
	const enough = 2000
	file, err := os.Open(path) //nolint:gosec // in the temporary folder
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // the file was only read
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		_, _ = file.Seek(max(0, size-enough), io.SeekStart)
	}
	text, _ := io.ReadAll(file)
	return strings.TrimSpace(string(text))
}
