package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
)

// benchmarks is the table of all benchmarks, in the order of the report.
var benchmarks = []benchmark{
	{name: "ceiling", what: "load generator against an empty handler", unit: perSecond, prepare: ceiling},
	{name: "memory", what: "resident memory of an idle server after 10 s", unit: megabytes, once: true, prepare: idleMemory},
	{name: "idle", what: "processor time of an idle server in a second", unit: milliseconds, once: true, prepare: idleTime},
	{name: "binary", what: "size of bin/ticketgate", unit: megabytes, once: true, prepare: binarySize},
	{name: "start", what: "start with an existing database", unit: seconds, prepare: startTime},
	{name: "rest-read", what: "one access list entry over REST", unit: perSecond, prepare: restRead},
	{name: "rest-list", what: "100 entries of 10,000 over REST, with the total", unit: perSecond, prepare: restList},
	{name: "keys-info", what: "a key's request about itself", unit: perSecond, prepare: keysInfo},
	{name: "access-lists", what: "a seller's two access lists", unit: perSecond, prepare: accessLists},
	{name: "entry-create", what: "an entry added to an access list over REST", unit: perSecond, prepare: entryCreate},
	{name: "graphql-read", what: "the same entry over GraphQL", unit: perSecond, prepare: graphqlRead},
	{name: "graphql-list", what: "100 entries of 10 fields over GraphQL", unit: perSecond, prepare: graphqlList},
	{name: "metrics", what: "the entry over REST, with metrics", unit: perSecond, prepare: watched(false)},
	{name: "lookup", what: "ticket lookup among 100,000 entries", unit: perSecond, prepare: lookup(usualLookup)},
	{name: "deliveries-many", what: "webhooks published 100 per call and delivered", unit: perSecond, prepare: deliveries(100)},
	{
		name: "deliveries-64", what: "webhooks published one by one by 64 callers and delivered", unit: perSecond,
		prepare: deliveriesOf(publishingCallers, 1),
	},
	{
		name: "deliveries-8", what: "webhooks published one by one by 8 callers and delivered", unit: perSecond,
		prepare: deliveriesOf(fewCallers, 1),
	},
	{name: "backlog-many", what: "webhooks delivered from a backlog published 100 per call", unit: perSecond, prepare: backlog(100)},
	{
		name: "publishing-memory", what: "memory while 64 callers publish 100 events of 3 KB per call", unit: megabytes,
		prepare: publishingMemory,
	},
	{name: "latency", what: "from the publishing call to the listener, 50 per second", unit: milliseconds, prepare: latency},
	{
		name: "latency-500", what: "from when an event is due to the listener, 500 per second", unit: milliseconds,
		prepare: latencyAt(hasty),
	},
	{
		name: "neighbor", what: "a seller's key calls, gate scans and webhook attempts (p99) next to a seller that exceeds its limits",
		unit: milliseconds, once: true, prepare: neighborBeside,
	},
	{name: "fan-out", what: "deliveries created for events with 50 webhooks each", unit: perSecond, prepare: fanOut},
	{
		name: "backlog-small", what: "a new event's time to its listener with 10,000 pending deliveries", unit: milliseconds, once: true,
		prepare: waiting(smallWaiting),
	},
	{name: "figures", what: "50 webhooks with their statistics of 24 hours", unit: milliseconds, prepare: insightList(usualAttempts)},
	{name: "filtered", what: "a filtered page of deliveries", unit: milliseconds, prepare: insightPages(usualAttempts)},
	{name: "scan", what: "tickets of ten sellers scanned at 64 gates", unit: perSecond, prepare: scan},
	{name: "scan-paced", what: "p99 of a scan from when it is due, 1,000 per second", unit: milliseconds, prepare: scanPaced},
	{name: "checkouts", what: "checkouts of four tickets completed, one seller's", unit: perSecond, prepare: checkouts(1)},
	{name: "checkouts-ten", what: "checkouts of four tickets completed, ten sellers'", unit: perSecond, prepare: checkouts(manySellers)},
	{
		name: "import-entries", what: "100,000 entries staged and committed", unit: seconds, prepare: importEntries(usualImport),
	},
	{name: "import-transactions", what: "transactions imported 1,000 per call", unit: perSecond, prepare: importTransactions},
	{name: "key-update", what: "update of a key, one process", unit: milliseconds, prepare: keyUpdate(1)},
	{name: "key-update-2", what: "update of a key, two processes", unit: milliseconds, prepare: keyUpdate(2)},
	{name: "key-update-4", what: "update of a key, four processes", unit: milliseconds, full: true, prepare: keyUpdate(4)},
	{
		name: "pages-first", what: "first paint before the slowest list of 100,000 rows", unit: milliseconds, full: true,
		prepare: pages(first, paintLimit),
	},
	{
		name: "pages", what: "the slowest rows of the same lists in a browser", unit: milliseconds, full: true,
		prepare: pages(paint, paintLimit),
	},
	{
		name: "pages-filter", what: "the same lists, filtered", unit: milliseconds, full: true,
		prepare: pages(filtering, filterLimit),
	},
	{
		name: "deliveries-full", what: "50,000 webhooks published 100 per call and delivered", unit: perSecond, full: true,
		prepare: deliveries(100),
	},
	{
		name: "import-entries-full", what: "1,000,000 entries staged and committed", unit: seconds, full: true, once: true,
		prepare: importEntries(fullImport),
	},
	{
		name: "backlog-million", what: "a new event's time to its listener with 1,000,000 pending deliveries", unit: milliseconds,
		full: true, once: true, prepare: waiting(fullWaiting),
	},
	{name: "lookup-full", what: "lookup in 10 million entries", unit: perSecond, full: true, prepare: onKept(lookup(fullLookup))},
	{name: "lookup-full-few", what: "lookup in 10,000 entries", unit: perSecond, full: true, prepare: onKept(lookup(smallLookup))},
	{
		name: "figures-full", what: "50 webhooks with their statistics of 24 hours", unit: milliseconds, full: true,
		prepare: onKept(insightList(fullAttempts)),
	},
	{
		name: "filtered-full", what: "a filtered page of deliveries", unit: milliseconds, full: true,
		prepare: onKept(insightPages(fullAttempts)),
	},
	{
		name: "retention-full", what: "one day removed while events are delivered", unit: milliseconds, full: true, once: true,
		prepare: onKept(retention(fullAttempts)),
	},
	{
		name: "questions", what: "the slowest of an administrator's twelve questions, p95", unit: milliseconds, full: true, once: true,
		prepare: onKept(questions(worldCustomers)),
	},
	{
		name: "world-flat", what: "the slowest list, total, search or statistic on that data", unit: milliseconds, full: true, once: true,
		prepare: onKept(flatWorld),
	},
	{name: "lookup-full-flat", what: "lookup in 10 million entries", unit: perSecond, full: true, prepare: onKept(flatLookup(fullLookup))},
	{
		name: "questions-small", what: "the same questions on a thousandth of the data", unit: milliseconds, long: true, once: true,
		prepare: onKept(questions(smallWorldCustomers)),
	},
	{name: "pooler", what: "one entry over REST, through PgBouncer", unit: perSecond, long: true, prepare: throughPooler(false)},
	{name: "pooler-create", what: "an entry added over REST, through PgBouncer", unit: perSecond, long: true, prepare: throughPooler(true)},
	{name: "nodes-2", what: "one entry over REST from two servers behind HAProxy", unit: perSecond, long: true, prepare: nodes(2, false)},
	{name: "nodes-4", what: "one entry over REST from four servers behind HAProxy", unit: perSecond, long: true, prepare: nodes(4, false)},
	{
		name: "nodes-4-create", what: "an entry added over REST to four servers behind HAProxy", unit: perSecond, long: true,
		prepare: nodes(4, true),
	},
	{name: "traces", what: "the entry over REST, with metrics and traces", unit: perSecond, long: true, prepare: watched(true)},
	{name: "lookup-small", what: "ticket lookup among 10,000 entries", unit: perSecond, long: true, prepare: lookup(smallLookup)},
	{name: "lookup-flat", what: "ticket lookup among 100,000 entries", unit: perSecond, long: true, prepare: flatLookup(usualLookup)},
	{name: "deliveries", what: "webhooks published one by one and delivered", unit: perSecond, long: true, prepare: deliveries(1)},
	{name: "backlog", what: "webhooks delivered from a backlog", unit: perSecond, long: true, prepare: backlog(1)},
	{
		name: "hanging", what: "from the publishing call to the listener, 50 per second, next to 20 hanging listeners",
		unit: milliseconds, long: true, once: true, prepare: hanging(smallHanging, 20),
	},
	{
		name: "retention", what: "one day removed while events are delivered", unit: milliseconds, long: true, once: true,
		prepare: retention(usualAttempts),
	},
	{
		name: "hanging-full", what: "from the publishing call to the listener, 50 per second, next to 100 hanging listeners",
		unit: milliseconds, long: true, once: true, prepare: hanging(fullHanging, 60),
	},
}

// options are the command-line flags.
type options struct {
	only     string
	full     bool   // run the long benchmarks instead of the others, with longer measurements
	load     bool   // only load the data of the long benchmarks
	keep     string // the folder of the loaded data
	duration time.Duration
	rounds   int // figure and baseline are measured once per round
}

// main exits with 1 if anything could not be measured.
func main() {
	debug.SetGCPercent(400) // the generator shares the processors with the measured program
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// command runs the benchmarks, or the server of a baseline if the arguments name one.
func command(args []string) error {
	switch {
	case slices.Equal(args, []string{bareMode}):
		return runBare()
	case slices.Equal(args, []string{riverMode}):
		return runRiver()
	}
	o, err := readOptions(args)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return run(ctx, o)
}

// readOptions parses the flags. The default of -duration depends on -full.
func readOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.only, "only", "", "measure only these benchmarks, separated by commas")
	flags.BoolVar(&o.full, "full", false, "run the long benchmarks instead, for 10 s each by default")
	flags.BoolVar(&o.load, "load", false, "only load the data that -full needs, for at most 15 minutes")
	flags.StringVar(&o.keep, "keep", ".bench", "the folder of the loaded data")
	flags.DurationVar(&o.duration, "duration", 0, "the time of one measurement; 0 means 1s, or 10s with -full")
	flags.IntVar(&o.rounds, "rounds", 3, "how often figure and baseline are measured in turns; the report has the medians")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.duration <= 0 {
		o.duration = time.Second
		if o.full {
			o.duration = 10 * time.Second
		}
	}
	if o.rounds < 1 {
		return o, errors.New("-rounds must be at least 1")
	}
	return o, nil
}

// chosen returns the benchmarks that the options select. A named benchmark runs with or without -full.
func chosen(o options) ([]benchmark, error) {
	if o.only == "" {
		return slices.DeleteFunc(slices.Clone(benchmarks), func(b benchmark) bool { return b.full != o.full || b.long }), nil
	}
	var list []benchmark
	for name := range strings.SplitSeq(o.only, ",") {
		i := slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no benchmark %q; choose from %s", name, names(benchmarks))
		}
		list = append(list, benchmarks[i])
	}
	return list, nil
}

// names returns the names of benchmarks, separated by commas.
func names(list []benchmark) string {
	text := make([]string, len(list))
	for i, b := range list {
		text[i] = b.name
	}
	return strings.Join(text, ", ")
}

// run measures the chosen benchmarks and prints the report. If one fails, it continues with the others.
func run(ctx context.Context, o options) error {
	list, err := chosen(o)
	if err != nil {
		return err
	}
	ground, err := openGround(ctx, o.keep)
	if err != nil {
		return err
	}
	defer ground.close()
	if o.load {
		return ground.load(ctx)
	}
	created := report{head: ground.describe(ctx), options: o, loadBefore: loadAverage()}
	start := time.Now()
	var failures []error
	for _, b := range list {
		// After Ctrl-C, the results so far are shown.
		if ctx.Err() != nil {
			break
		}
		fmt.Fprintf(os.Stderr, "%s: %s …\n", b.name, b.what)
		measured, err := ground.measure(ctx, b, o)
		if err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", b.name, err))
			continue
		}
		created.rows = append(created.rows, measured)
	}
	created.loadAfter, created.took = loadAverage(), time.Since(start)
	_, err = os.Stdout.WriteString(created.String())
	return errors.Join(append(failures, err)...)
}
