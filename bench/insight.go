package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db/embedded"
)

// The numbers of attempts with which statistics and lists of deliveries are measured.
const (
	usualAttempts = 100_000
	fullAttempts  = 10_000_000
)

// insight is the program on a database with a given number of attempts.
type insight struct {
	*rig
	p        *process
	attempts int
}

// insight starts the program on a database with that number of attempts, next to the rig's. It loads the database
// unless it exists.
func (r *rig) insight(ctx context.Context, attempts int, flags ...string) (*insight, error) {
	r, err := r.sibling(ctx, fmt.Sprintf("_attempts_%d", attempts))
	if err != nil {
		return nil, err
	}
	// The program creates the schema. The data is loaded before anything is read, so that no plan is made for empty
	// tables.
	p, err := r.serve(ctx, r.environment(), flags...)
	if err != nil {
		return nil, err
	}
	return &insight{r, p, attempts}, r.loadAttempts(ctx, attempts)
}

// page is a request that a user waits for.
type page struct {
	what    string
	request []byte
}

// pages sends the requests of all pages in turns on one connection. The figure is the median of the slowest page. The
// others are in the remark.
func (i *insight) pages(pages []page) measurement {
	return func(ctx context.Context, d time.Duration) (figure, error) {
		var slowest figure
		var remark strings.Builder
		for _, item := range pages {
			requests := load{
				address: api{url: i.p.url}.address(), connections: 1, accept: answered,
				request: func(int) []byte { return item.request },
			}
			f, err := requests.run(ctx, d/time.Duration(len(pages)))
			if err != nil {
				return f, fmt.Errorf("%s: %w", item.what, err)
			}
			if f.value = inMilliseconds(f.p50); f.value > slowest.value {
				slowest = f
			}
			fmt.Fprintf(&remark, "%s %s, ", item.what, milliseconds.format(f.value))
		}
		slowest.remark = remark.String() + fmt.Sprintf("%d attempts", i.attempts)
		return slowest, nil
	}
}

// answered returns an error for empty pages and for responses with GraphQL errors, which also have status 200.
func answered(status int, body []byte) error {
	if err := answeredWhole(status, body); err != nil {
		return err
	}
	if !bytes.Contains(body, []byte(`"id":"`)) {
		return fmt.Errorf("response: %.300s", body)
	}
	return nil
}

// answeredWhole returns an error for responses with GraphQL errors. It accepts empty pages.
func answeredWhole(status int, body []byte) error {
	if status != http.StatusOK || bytes.Contains(body, []byte(`"errors":`)) {
		return fmt.Errorf("status %d: %.300s", status, body)
	}
	return nil
}

// insightList measures the first request of the dashboard: 50 webhooks with their statistics of 24 hours.
func insightList(attempts int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		i, err := r.insight(ctx, attempts, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		as := i.p.asPlatform(seller{ID: insightSeller})
		request := as.graphql(`{ webhooks(first: 50) { nodes { id: _id name url enabled events hmacKey
			figures { calls deliveryRate averageMs lastDeliveryAt } } } }`, nil)
		item := as.graphql(`{ webhook(id: "000000000000000000000000") { id: _id statistics(period: WEEK) { calls deliveryRate p95Ms
			byType { value calls } byOutcome { value calls } series { calls p50Ms p95Ms } } } }`, nil)
		measure := i.pages([]page{{"the list", request}, {"one webhook's week", item}})
		_, err = measure(ctx, warmUp)
		return subject{measure: measure, baseline: atMost(100), against: "at most 100 ms"}, err
	}
}

// insightPages measures pages of deliveries, newest first. Each has a filter that skips most rows.
func insightPages(attempts int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		i, err := r.insight(ctx, attempts, "--no-workers")
		if err != nil {
			return subject{}, err
		}
		as := i.p.asPlatform(seller{ID: insightSeller})
		var pages []page
		for _, filter := range []struct{ what, members string }{
			{"all", ``},
			{"one webhook's", `webhookId: "000000000000000000000007"`},
			{"failed", `state: failed`},
			{"failed of a webhook", `state: failed, webhookId: "000000000000000000000000"`},
			{"pending of a webhook", `state: pending, webhookId: "000000000000000000000000"`},
			{"a rare type of a webhook", `type: "donation.created", webhookId: "000000000000000000000000"`},
			{"a rare outcome of a webhook", `outcome: "429", webhookId: "000000000000000000000000"`},
			{"a day's", fmt.Sprintf(`createdFrom: %q, createdUntil: %q, state: failed`, dayBefore(2), dayBefore(1))},
			{"about an object", `objectId: "object-1000"`},
		} {
			pages = append(pages, page{filter.what, as.graphql(
				`{ webhookDeliveries(first: 50, order: NEWEST_FIRST, filter: {`+filter.members+`}) {
					nodes { id state type outcome createdAt } } }`, nil)})
		}
		measure := i.pages(pages)
		_, err = measure(ctx, warmUp)
		return subject{measure: measure, baseline: atMost(50), against: "at most 50 ms"}, err
	}
}

func dayBefore(ago int) string {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -ago).Format(time.RFC3339)
}

// retention measures how long the removal of the oldest day takes, and its effect on deliveries at the same time.
func retention(attempts int) func(context.Context, *rig) (subject, error) {
	return func(ctx context.Context, r *rig) (subject, error) {
		i, err := r.insight(ctx, attempts)
		if err != nil {
			return subject{}, err
		}
		// A new seller is used each time, because webhooks of an earlier run have no listener.
		s := seller{ID: fmt.Sprintf("%024x", time.Now().UnixNano())}
		err = i.cluster.execute(ctx, i.name, `
			INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			VALUES ('`+s.ID+`', 'bench', 'Seller', 'FR', true, false, now(), now())`)
		if err != nil {
			return subject{}, err
		}
		v := i.newReceiver()
		if err := i.p.asPlatform(s).hook(ctx, v.url); err != nil {
			return subject{}, err
		}
		deliver := i.p.publishPaced(s, v)
		quiet, err := deliver(ctx, warmUp)
		measure := func(ctx context.Context, d time.Duration) (figure, error) { return i.dropWhile(ctx, d, deliver) }
		return subject{
			measure: measure, baseline: atMost(1000), against: "at most 1 s",
			remark: fmt.Sprintf("%d attempts per day; before, an event took %s at p50 and %s at p99", attempts/insightDays,
				milli(quiet.p50), milli(quiet.p99)),
		}, err
	}
}

// dropWhile measures deliveries, and meanwhile removes the oldest day as the product's periodic job does. The
// percentiles are those of the deliveries.
func (i *insight) dropWhile(ctx context.Context, d time.Duration, deliver measurement) (figure, error) {
	type dropping struct {
		took time.Duration
		err  error
	}
	done := make(chan dropping, 1)
	time.AfterFunc(d/2, func() {
		start := time.Now()
		err := i.dropDay(ctx, start.UTC().Truncate(24*time.Hour).AddDate(0, 0, -insightDays))
		done <- dropping{time.Since(start), err}
	})
	f, err := deliver(ctx, d)
	drop := <-done
	if err := errors.Join(err, drop.err); err != nil {
		return f, err
	}
	f.value = inMilliseconds(drop.took)
	f.remark = "p50 and p99 are those of deliveries meanwhile, " + f.remark
	return f, nil
}

// dropDay drops the partitions of a day. Tables that refer to others come first.
func (i *insight) dropDay(ctx context.Context, day time.Time) error {
	return i.cluster.connected(ctx, i.database(embedded.OwnerRole), func(conn *pgx.Conn) error {
		for _, table := range []string{"attempts", "deliveries", "events", "webhook_figures"} {
			if _, err := conn.Exec(ctx, "DROP TABLE "+insightDay{day: day}.name(table)); err != nil {
				return err
			}
		}
		return nil
	})
}
