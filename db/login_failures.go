package db

import (
	"context"
	"time"

	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// failuresRow is a row of login_failures.
type failuresRow struct {
	Failures    int        `bun:"failures"`
	LastAt      time.Time  `bun:"last_at"`
	LockedUntil *time.Time `bun:"locked_until"`
}

// Failures locks what is remembered of a subject. It makes the row when there is none: what isn't there can't be locked.
func (t tenantTx) Failures(ctx context.Context, subject secrets.Digest) (tenant.Failures, error) {
	found, err := row[failuresRow](ctx, t.store, t, "Failures", `
		INSERT INTO login_failures (subject, failures, last_at) VALUES ($1, 0, $2)
		ON CONFLICT (subject) DO UPDATE SET subject = EXCLUDED.subject
		RETURNING failures, last_at, locked_until`, subject[:], t.store.now())
	return tenant.Failures{Count: found.Failures, Last: found.LastAt, LockedUntil: value(found.LockedUntil)}, err
}

// SetFailures stores the count, or removes the row when there is nothing to remember. Failures has locked it.
func (t tenantTx) SetFailures(ctx context.Context, subject secrets.Digest, failures tenant.Failures) error {
	if failures.Count == 0 {
		_, err := exec(ctx, t, "DELETE FROM login_failures WHERE subject = $1", subject[:])
		return err
	}
	var locked *time.Time
	if !failures.LockedUntil.IsZero() {
		locked = &failures.LockedUntil
	}
	_, err := exec(ctx, t, "UPDATE login_failures SET failures = $2, last_at = $3, locked_until = $4 WHERE subject = $1",
		subject[:], failures.Count, failures.Last, locked)
	return err
}

// ForgetFailures bounds the table: whoever guesses e-mails makes a row for each.
func (t tenantTx) ForgetFailures(ctx context.Context, before time.Time) error {
	_, err := exec(ctx, t, "DELETE FROM login_failures WHERE last_at < $1", before)
	return err
}
