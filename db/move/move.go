package move

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// Cluster is one of the two databases, with a superuser's URL. The server of the other cluster must also be able to
// connect to the URL.
type Cluster struct{ Name, URL string }

// Config configures a move.
type Config struct {
	Seller   string
	From, To Cluster
	// Say reports progress to the operator.
	Say func(format string, values ...any)
	// Wake creates the jobs of the seller's pending deliveries on the new cluster.
	Wake func(ctx context.Context, pending []Pending) error
	// Attempting reports whether a job is attempting deliveries of the seller. from is a connection to the cluster that
	// the seller leaves.
	Attempting func(ctx context.Context, from *pgx.Conn, seller string) (bool, error)
	// NumberChanges is a statement that numbers up to $2 feed changes of seller $1.
	NumberChanges string
}

// Pending is a delivery, or the hand-over of an invoice, that needs a job.
type Pending struct {
	ID, WebhookID string
	HandOver      bool
	// ByHand marks a manual retry. Other attempts have the due time At.
	ByHand bool
	At     time.Time
}

// Result describes the effect of a move on the seller.
type Result struct {
	// Refused is the total time during which the seller's calls were refused.
	Refused time.Duration
	// Tries is the number of times that the seller was fenced.
	Tries int
}

// mover is a move in progress.
type mover struct {
	Config

	from, to *pgx.Conn
	tables   []table
	// name is the name of the publication, the subscription and its replication slot.
	name string
	// feed is the number of the last copied feed change.
	feed int64
	// seen is the oldest transaction that the last round of copying may not have seen, and seenAt is its time. seen is
	// empty before the first round.
	seen   string
	seenAt time.Time
}

// validSeller matches the id of a seller. The id becomes part of statements that take no arguments.
var validSeller = regexp.MustCompile(`^[0-9a-f]{24}$`)

// ErrRunning means that another process is moving the seller.
var ErrRunning = errors.New("this seller is being moved by another process")

// open connects to both clusters and takes the lock for moving the seller.
func open(ctx context.Context, config Config) (*mover, error) {
	if !validSeller.MatchString(config.Seller) {
		return nil, fmt.Errorf("%q is not a seller's id", config.Seller)
	}
	m := &mover{Config: config, name: "ticketgate_move_" + config.Seller}
	var err error
	if m.from, err = connect(ctx, config.From); err != nil {
		return nil, err
	}
	if m.to, err = connect(ctx, config.To); err != nil {
		return nil, errors.Join(err, m.close(ctx))
	}
	if err = m.takeTurn(ctx); err == nil {
		m.tables, err = m.sameTables(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, m.close(ctx))
	}
	return m, nil
}

// takeTurn locks the seller against moves by other processes while the connections are open. The lock may still be held
// by a statement that an earlier process left running.
func (m *mover) takeTurn(ctx context.Context) error {
	for _, conn := range []*pgx.Conn{m.from, m.to} {
		var mine bool
		err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock(seller_move_lock('move ' || $1))", m.Seller).Scan(&mine)
		if err != nil {
			return err
		}
		if !mine {
			return ErrRunning
		}
	}
	return nil
}

// connect opens a connection on which changes fire no triggers and check no foreign keys, so that rows are copied
// unchanged.
func connect(ctx context.Context, to Cluster) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(to.URL)
	if err != nil {
		return nil, fmt.Errorf("database of cluster %s: %w", to.Name, err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.RuntimeParams["application_name"] = "ticketgate move"
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["jit"] = "off" // compiling takes longer than the statements under the fence
	config.RuntimeParams["session_replication_role"] = "replica"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("database of cluster %s: %w", to.Name, err)
	}
	return conn, nil
}

func (m *mover) close(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	var failures []error
	for _, conn := range []*pgx.Conn{m.from, m.to} {
		if conn != nil {
			failures = append(failures, conn.Close(ctx))
		}
	}
	return errors.Join(failures...)
}

// sameTables reads both schemas, which must be equal.
func (m *mover) sameTables(ctx context.Context) ([]table, error) {
	from, err := tablesOf(ctx, m.from)
	if err != nil {
		return nil, err
	}
	to, err := tablesOf(ctx, m.to)
	if err == nil && fmt.Sprint(from) != fmt.Sprint(to) {
		err = errors.New("the clusters have different schemas: run the same version on both first")
	}
	return from, err
}

// Run moves the seller. It continues a move that was interrupted.
func Run(ctx context.Context, config Config) (result Result, err error) {
	m, err := open(ctx, config)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, m.close(ctx)) }()
	result, err = m.run(ctx)
	if err != nil && ctx.Err() != nil {
		return result, fmt.Errorf("interrupted: repeat the command to continue: %w", err)
	}
	return result, err
}

// run makes the steps of the move in order. Steps that were completed before an interruption are repeated or
// skipped.
func (m *mover) run(ctx context.Context) (result Result, err error) {
	state, err := m.begin(ctx)
	if err != nil {
		return result, err
	}
	if state != "away" {
		for _, step := range []func(context.Context) error{m.guard, m.replicate, m.awaitCopy, m.copyAll} {
			if err := step(ctx); err != nil {
				return result, err
			}
		}
		if result, err = m.switchOver(ctx); err != nil {
			return result, err
		}
	}
	for _, step := range []func(context.Context) error{m.enqueuePending, m.endReplication, m.remove} {
		if err := step(ctx); err != nil {
			return result, err
		}
	}
	m.Say("seller %s is on cluster %s", m.Seller, m.To.Name)
	return result, nil
}

// Plan returns the steps that Run would take.
func Plan(ctx context.Context, config Config) (steps []string, err error) {
	m, err := open(ctx, config)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.close(ctx)) }()
	if _, err := m.check(ctx); err != nil {
		return nil, err
	}
	var names []string
	for _, t := range replicated(m.tables) {
		var rows int64
		if err := m.from.QueryRow(ctx, "SELECT count(*) FROM "+t.name+" WHERE seller_id = $1", m.Seller).Scan(&rows); err != nil {
			return nil, err
		}
		if rows > 0 {
			names = append(names, fmt.Sprintf("%s (%d)", t.name, rows))
		}
	}
	var others []string
	for _, c := range copies {
		others = append(others, c.name)
	}
	return []string{
		"guard the seller's rows on " + m.From.Name + " by triggers",
		"replicate to " + m.To.Name + ": " + strings.Join(names, ", "),
		"copy rows without seller_id: " + strings.Join(others, ", "),
		"refuse the seller's calls for at most " + fenceBound.String() + ", and switch",
		"create the jobs of pending deliveries on " + m.To.Name,
		"remove the seller's rows from " + m.From.Name,
	}, nil
}

// check returns the state of the move, or an empty state if it has not started.
func (m *mover) check(ctx context.Context) (state string, err error) {
	var here bool
	var cluster string
	err = m.from.QueryRow(ctx, `SELECT EXISTS (SELECT FROM sellers WHERE id = $1),
			coalesce((SELECT state FROM seller_moves WHERE seller_id = $1), ''),
			coalesce((SELECT cluster FROM seller_moves WHERE seller_id = $1), '')`, m.Seller).Scan(&here, &state, &cluster)
	switch {
	case err != nil:
		return "", err
	case !here:
		return "", fmt.Errorf("cluster %s has no seller %s", m.From.Name, m.Seller)
	case state != "" && cluster != m.To.Name:
		return "", fmt.Errorf("seller %s is %s, and the other cluster is %s: finish that first", m.Seller, state, cluster)
	case state == "arriving":
		return "", fmt.Errorf("seller %s is not on cluster %s", m.Seller, m.From.Name)
	case state != "":
		return state, nil
	}
	var organization bool
	err = m.to.QueryRow(ctx, "SELECT EXISTS (SELECT FROM sellers WHERE id = $1)", m.Seller).Scan(&organization)
	if err == nil && !organization {
		err = fmt.Errorf("cluster %s has no accounts of seller %s: run `ticketgate join-cluster %s` first", m.To.Name, m.Seller, m.To.Name)
	}
	for _, t := range replicated(m.tables) {
		var rows bool
		if err == nil {
			err = m.to.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+t.name+" WHERE seller_id = $1)", m.Seller).Scan(&rows)
		}
		if err == nil && rows && t.name != "audit_entries" {
			err = fmt.Errorf("cluster %s has rows of seller %s in %s", m.To.Name, m.Seller, t.name)
		}
	}
	return "", err
}

// begin records the move on both clusters. The other cluster comes first, because it must not serve the rows that
// arrive.
func (m *mover) begin(ctx context.Context) (state string, err error) {
	if state, err = m.check(ctx); err != nil || state == "away" {
		return state, err
	}
	if state == "quiet" || state == "fenced" {
		return m.resume(ctx, state)
	}
	const note = `INSERT INTO seller_moves (seller_id, state, cluster) VALUES ($1, $2, $3)
		ON CONFLICT (seller_id) DO UPDATE SET state = excluded.state, cluster = excluded.cluster, changed_at = clock_timestamp()`
	if _, err = m.to.Exec(ctx, note, m.Seller, "arriving", m.From.Name); err == nil {
		err = settle(ctx, m.to)
	}
	if err == nil {
		_, err = m.from.Exec(ctx, note, m.Seller, "leaving", m.To.Name)
	}
	return "leaving", err
}

// resume continues a move that was interrupted during its switch. If the other cluster serves the seller, the switch is
// complete.
func (m *mover) resume(ctx context.Context, state string) (string, error) {
	arriving, err := m.arriving(ctx)
	if err != nil {
		return state, err
	}
	m.Say("continuing a move that was %s", state)
	if state == "fenced" && !arriving {
		return "away", m.setState(ctx, "away")
	}
	return "leaving", m.setState(ctx, "leaving")
}
