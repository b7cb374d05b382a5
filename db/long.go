package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/share"
)

// DefaultLong bounds the long work of a process. The total is larger than a seller's share, and the wait is short
// enough for clients and proxies.
var DefaultLong = share.Bounds{Total: 4, PerSeller: 2, Wait: 20 * time.Second}

// longLimits are the limits of connections for long work. Any lock that it waits for is held by work of the same
// seller.
var longLimits = Limits{Statement: 10 * time.Minute, Lock: 20 * time.Second, Idle: 10 * time.Second}

// long has separate connections to the database for long work, so that requests never wait for it (LIMIT-1).
type long struct {
	sql    *sql.DB
	shares *share.Shares
}

func openLong(config Config) (*long, error) {
	pool, err := config.openSQL(longPool, config.Long.Total, config.LongTracer)
	if err != nil {
		return nil, err
	}
	return &long{sql: pool, shares: share.New(config.Long)}, nil
}

// longBound is the time limit of long work after it has got its share.
const longBound = 10 * time.Minute

// transactLong is like transact, for work on many rows of a seller. Up to share.Ordinary rows count as an ordinary
// request. Larger work waits for the seller's share. It then completes within longBound, even if the caller's deadline
// has passed or the caller is gone. A repeated request finds it done.
func (s *Store) transactLong(ctx context.Context, seller ids.Seller, rows int, f func(context.Context, *Tx) error) error {
	if rows <= share.Ordinary {
		return s.transact(ctx, func(tx *Tx) error { return f(ctx, tx) })
	}
	if s.readOnly {
		return errReadOnly
	}
	giveBack, err := s.long.shares.Take(ctx, share.Payer{Seller: seller, Organization: domain.ActorOf(ctx).OrgID})
	if err != nil {
		return mapError(err)
	}
	defer giveBack()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), longBound)
	defer cancel()
	err = s.transactOn(ctx, s.long.begin, func(tx *Tx) error { return f(ctx, tx) })
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == lockNotAvailable {
		return share.Refused()
	}
	return mapError(err)
}

// lockNotAvailable is the SQLSTATE of a lock that exceeded lock_timeout.
const lockNotAvailable = "55P03"

// begin starts a transaction for work that has its seller's share.
func (l *long) begin(ctx context.Context) (*sql.Tx, func(), error) {
	tx, err := l.sql.BeginTx(ctx, nil)
	return tx, func() {}, err
}

// begin starts a transaction of an ordinary request.
func (s *Store) begin(ctx context.Context) (*sql.Tx, func(), error) {
	giveBack, err := s.connection(ctx)
	if err != nil {
		return nil, nil, err
	}
	tx, err := s.sql.BeginTx(ctx, nil)
	if err != nil {
		giveBack()
	}
	return tx, giveBack, err
}

// requestWait is how long a request waits while other requests of its seller hold the seller's whole share of
// connections.
const requestWait = 5 * time.Second

// connection waits for the seller's share of the connections for requests, and returns a function that releases it.
// Requests of a seller that wait for each other's locks therefore leave connections for others. Users of an
// organization who act for no seller have a share, too (LIMIT-2). Calls of the platform and the identification of
// callers have none.
func (s *Store) connection(ctx context.Context) (giveBack func(), err error) {
	actor := domain.ActorOf(ctx)
	ofSome := actor.SellerID != "" || actor.Kind == domain.UserActor || actor.Kind == domain.OrganizationKeyActor
	if s.requests == nil || !ofSome {
		return func() {}, nil
	}
	return s.requests.Take(ctx, share.PayerOf(actor))
}
