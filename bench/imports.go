package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

const (
	// usualImport and fullImport are the numbers of entries of the two measured imports.
	usualImport = 100_000
	fullImport  = 1_000_000
	// importedAtOnce is the number of transactions per call. importers is the number of concurrent calls. importAim is
	// the target in transactions per second.
	importedAtOnce = 1000
	importers      = 4
	importAim      = 6000
	// importBound is the time limit of one step of an import.
	importBound = 10 * time.Minute
)

// importEntries measures imports into new lists, each from the first byte of the file to the response to its commit.
// The baseline is a COPY of the same rows into the table.
func importEntries(rows int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		p, s, err := r.installation(ctx, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		var file bytes.Buffer
		file.WriteString("externalCode,customerId,firstname,lastname,email,phone\n")
		for n := range rows {
			fmt.Fprintf(&file, "CARD-%07d,customer-%d,Zoë,Martin,zoe%d@example.org,+33 1 23 45 67 89\n", n, n, n)
		}
		as := p.settled(s).asSeller(s)
		measure := func(ctx context.Context, _ time.Duration) (figure, error) {
			watched, stop := context.WithCancel(ctx)
			memory := p.largest(watched)
			f, err := as.importing(ctx, file.String(), rows)
			stop()
			f.remark = joined(f.remark, fmt.Sprintf("peak memory %.0f MB", <-memory))
			return f, err
		}
		copying := func(ctx context.Context, _ time.Duration) (figure, error) { return r.copying(ctx, as, s, rows) }
		return subject{
			measure: r.costing(p, measure), baseline: r.costing(nil, copying), against: "COPY of the same rows into the table",
		}, nil
	}
}

// importing stages and commits a file in a new list.
func (a api) importing(ctx context.Context, file string, rows int) (figure, error) {
	list, err := a.create(ctx, "/api/access-lists", map[string]any{"name": fmt.Sprintf("Import %d", time.Now().UnixNano())})
	if err != nil {
		return figure{}, err
	}
	path := "/api/access-lists/" + list + "/entries/imports"
	request := a.file(path, file)
	start := time.Now()
	answer, err := a.callWithin(ctx, importBound, http.StatusCreated, request)
	if err != nil {
		return figure{}, err
	}
	staged := time.Now()
	var created struct {
		ID string `json:"_id"`
	}
	if err := json.Unmarshal(answer, &created); err != nil {
		return figure{}, fmt.Errorf("%w in %s", err, answer)
	}
	commit := a.request(http.MethodPost, path+"/"+created.ID+"/commit", map[string]any{})
	if _, err = a.callWithin(ctx, importBound, http.StatusOK, commit); err != nil {
		return figure{}, err
	}
	ended := time.Now()
	page, err := a.call(ctx, http.StatusOK, a.request(http.MethodGet, "/api/access-lists/"+list+"/entries?top=1", nil))
	if err == nil && !bytes.Contains(page, fmt.Appendf(nil, `"total":%d`, rows)) {
		err = fmt.Errorf("the list does not have %d entries: %s", rows, page)
	}
	return figure{
		value: ended.Sub(start).Seconds(), count: rows,
		remark: fmt.Sprintf("staged in %.2f s, committed in %.2f s", staged.Sub(start).Seconds(), ended.Sub(staged).Seconds()),
	}, err
}

// copying copies the same number of rows into another list, in one transaction. The table's triggers run.
func (r *rig) copying(ctx context.Context, as api, s seller, rows int) (figure, error) {
	list, err := as.create(ctx, "/api/access-lists", map[string]any{"name": fmt.Sprintf("Copy %d", time.Now().UnixNano())})
	if err != nil {
		return figure{}, err
	}
	var file bytes.Buffer
	now := time.Now()
	for n := range rows {
		fmt.Fprintf(&file, "%s,%s,%s,CARD-%07d,customer-%d,Zoë,Martin,zoe%d@example.org,zoe%d@example.org,+33 1 23 45 67 89,%[8]s,%[8]s\n",
			newBareID(now), list, s.ID, n, n, n, n, now.Format(time.RFC3339Nano))
	}
	var took time.Duration
	err = r.cluster.connected(ctx, r.database(embedded.ApplicationRole), func(conn *pgx.Conn) error {
		start := time.Now()
		_, err := conn.PgConn().CopyFrom(ctx, &file, `COPY access_entries (id, list_id, seller_id, external_code, customer_id, firstname,
			lastname, email, email_folded, phone, created_at, updated_at) FROM STDIN (FORMAT csv)`)
		took = time.Since(start)
		return err
	})
	return figure{value: took.Seconds(), count: rows}, err
}

// importTransactions measures imports with 1,000 transactions per call.
func importTransactions(ctx context.Context, r *rig) (subject, error) {
	p, s, err := r.installation(ctx, "--no-workers")
	if err != nil {
		return subject{}, err
	}
	as := p.settled(s).asSeller(s)
	var number atomic.Int64
	importing := load{
		address: as.address(), connections: importers,
		request: func(int) []byte {
			list := make([]any, importedAtOnce)
			for i := range list {
				list[i] = importedTransaction(s, number.Add(1))
			}
			const query = "mutation($t: [JSON!]!) { importTransactions(input: {transactions: $t}) { created } }"
			return as.graphql(query, map[string]any{"t": list})
		},
		accept: func(status int, body []byte) error {
			if status != http.StatusOK || !bytes.Contains(body, fmt.Appendf(nil, `"created":%d`, importedAtOnce)) {
				return fmt.Errorf("status %d: %.300s", status, body)
			}
			return nil
		},
	}
	measure := func(ctx context.Context, d time.Duration) (figure, error) {
		watched, stop := context.WithCancel(ctx)
		memory := p.largest(watched)
		f, err := importing.run(ctx, d)
		stop()
		f.value, f.count = f.value*importedAtOnce, f.count*importedAtOnce
		f.remark = fmt.Sprintf("peak memory %.0f MB", <-memory)
		return f, err
	}
	_, err = measure(ctx, warmUp)
	return subject{
		measure: r.costing(p, measure), baseline: atLeast(importAim), against: "the target",
		remark: fmt.Sprintf("%d concurrent calls; p50 and p99 are those of a call", importers),
	}, err
}

// importedTransaction returns a sale of two tickets by another system.
func importedTransaction(s seller, number int64) map[string]any {
	item := map[string]any{
		"_id": fmt.Sprintf("%024x", 2*number), "ticketTypeId": s.TicketTypeID, "type": "ticket", "name": "Stalls", "amount": 2,
		"price": 25.5,
	}
	return map[string]any{
		"_id": fmt.Sprintf("%024x", number), "sellerId": s.ID, "eventId": s.EventID, "realPrice": 51, "status": "COMPLETE",
		"secret": "of-the-transaction", "tid": fmt.Sprintf("T-%d", number), "coupons": []any{}, "currency": "EUR", "regularPrice": 51,
		"email": fmt.Sprintf("zoe%d@example.org", number), "prename": "Zoë", "lastname": "Martin", "tickets": []any{item},
	}
}
