package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
)

// failuresRow is a row of login_failures.
type failuresRow struct {
	bun.BaseModel `bun:"table:login_failures,alias:f"`

	Subject     []byte     `bun:"subject,pk"`
	Failures    int        `bun:"failures"`
	LastAt      time.Time  `bun:"last_at"`
	LockedUntil *time.Time `bun:"locked_until"`
}

var loginFailures = &source[failuresRow]{}

// Failures returns the number of failed logins of a subject and locks the row. It creates a missing row, which could
// not be locked.
func (t tenantTx) Failures(ctx context.Context, subject secrets.Digest) (tenant.Failures, error) {
	found, err := row[failuresRow](ctx, t.store, t, "Failures", `
		INSERT INTO login_failures (subject, failures, last_at) VALUES ($1, 0, $2)
		ON CONFLICT (subject) DO UPDATE SET subject = EXCLUDED.subject
		RETURNING failures, last_at, locked_until`, subject[:], t.store.now())
	return tenant.Failures{Count: found.Failures, Last: found.LastAt, LockedUntil: value(found.LockedUntil)}, err
}

// SetFailures stores the number of failures, or deletes the row if it is zero. The row must have been locked by
// Failures.
func (t tenantTx) SetFailures(ctx context.Context, subject secrets.Digest, failures tenant.Failures) error {
	if failures.Count == 0 {
		_, err := loginFailures.where("f.subject = $", subject[:]).delete(ctx, t.store, t)
		return err
	}
	var locked *time.Time
	if !failures.LockedUntil.IsZero() {
		locked = &failures.LockedUntil
	}
	_, err := loginFailures.where("f.subject = $", subject[:]).
		set("failures = $", failures.Count).set("last_at = $", failures.Last).set("locked_until = $", locked).update(ctx, t.store, t)
	return err
}

// ClearFailures deletes rows whose last failure was before the given time. Otherwise the table would grow with each
// guessed email address.
func (t tenantTx) ClearFailures(ctx context.Context, before time.Time) error {
	_, err := loginFailures.where("f.last_at < $", before).delete(ctx, t.store, t)
	return err
}
