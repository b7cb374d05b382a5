package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// reopenBound is the maximum time for restoring a lost connection.
const reopenBound = 15 * time.Second

// unfence makes this cluster serve the seller again, even if the command was interrupted.
func (m *mover) unfence(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reopenBound)
	defer cancel()
	err := m.reconnect(ctx, &m.from, m.From)
	if err == nil { // if the connection was lost, another process may have continued the move
		_, err = m.from.Exec(ctx, `UPDATE seller_moves SET state = 'leaving', changed_at = clock_timestamp()
			WHERE seller_id = $1 AND state IN ('quiet', 'fenced')`, m.Seller)
	}
	if err == nil {
		err = advance(ctx, m.from)
	}
	if err != nil {
		return fmt.Errorf("the switch was not reverted, and the seller's calls are refused until the command is repeated: %w", err)
	}
	return nil
}

// restore resets the state to the one before a reverted try.
func (m *mover) restore(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, reopenBound)
	defer cancel()
	err := m.reopen(ctx)
	if err == nil {
		_, err = m.to.Exec(ctx, "DELETE FROM device_feed WHERE seller_id = $1 AND seq IS NULL", m.Seller)
	}
	if err == nil {
		err = m.readFeed(ctx)
	}
	return err
}

// reopen replaces lost connections and their temporary tables. It waits until the servers have finished executing
// statements of the lost ones.
func (m *mover) reopen(ctx context.Context) error {
	err := m.reconnect(ctx, &m.from, m.From)
	if err == nil {
		err = m.reconnect(ctx, &m.to, m.To)
	}
	if err != nil {
		return err
	}
	for {
		err := m.takeTurn(ctx)
		if err == nil {
			_, err = m.from.Exec(ctx, createWebhooks) // copyRound fills it
		}
		if !errors.Is(err, ErrRunning) || pause(ctx, pollPause) != nil {
			return err
		}
	}
}

// reconnect opens a new connection if the current one is closed, which happens when a statement is canceled.
func (m *mover) reconnect(ctx context.Context, lost **pgx.Conn, cluster Cluster) error {
	for (*lost).IsClosed() {
		conn, err := connect(ctx, cluster)
		if err == nil {
			*lost = conn
			return nil
		}
		if pause(ctx, pollPause) != nil {
			return err
		}
	}
	return nil
}
