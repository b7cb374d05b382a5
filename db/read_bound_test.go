package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ticket"
)

// A request's read ends at the bound, whether it reads a page, the pages of several records, or records that others
// refer to (LIMIT-23).
func TestReadingEndsAtItsBound(t *testing.T) {
	t.Parallel()
	i := dbtest.Empty(t, time.Now)
	store, owner := i.Store, i.Owner(t)
	const tickets, size = 40, 1 << 20
	for _, statement := range []string{
		`INSERT INTO organizations (id, name, created_at) VALUES ('o', 'O', now())`,
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ('s', 'o', 'S', 'FR', true, false, now(), now())`,
		fmt.Sprintf(`INSERT INTO tickets (id, seller_id, event_id, ticket_type_id, status, barcode, search_folded, excluded_event_ids,
			document, created_at, updated_at) SELECT 't' || n, 's', 'e', 'y', 'VALID', 'b' || n, '', '{}',
			json_build_object('_id', 't' || n, 'name', repeat('x', %d)), now(), now() FROM generate_series(1, %d) n`, size, tickets),
	} {
		if _, err := owner.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	page := domain.Page{Limit: domain.MaxPageSize}
	var ids []string
	for n := range tickets {
		ids = append(ids, fmt.Sprint("t", n+1))
	}
	for name, read := range map[string]func(context.Context) error{
		"a page": func(ctx context.Context) error {
			_, err := store.Tickets().Tickets(ctx, "s", ticket.Filter{}, page)
			return err
		},
		"pages of records": func(ctx context.Context) error {
			_, err := store.Tickets().TicketsOfEvents(ctx, "s", []string{"e"}, ticket.Filter{}, page)
			return err
		},
		"records by their ids": func(ctx context.Context) error {
			_, err := store.Tickets().TicketsByID(ctx, "s", ids)
			return err
		},
	} {
		waited := 0
		reading := &domain.Reading{Wait: func(context.Context) error { waited++; return nil }}
		err := read(domain.WithCall(t.Context(), domain.Call{Read: reading}))
		if !domain.HasCode(err, domain.CodeInvalidRequest) || waited != 1 {
			t.Errorf("%s: %v after waiting %d times", name, err, waited)
		}
		if most := int64(34 << 20); reading.Add(0) > most {
			t.Errorf("%s: %d bytes were read", name, reading.Add(0))
		}
		full := domain.RateLimited(time.Second)
		refusing := &domain.Reading{Wait: func(context.Context) error { return full }}
		if err := read(domain.WithCall(t.Context(), domain.Call{Read: refusing})); !errors.Is(err, full) || refusing.Add(0) > 0 {
			t.Errorf("%s without a share: %v", name, err)
		}
	}
}
