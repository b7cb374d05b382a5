package program

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/cmd/ticketgate/telemetry"
	"ticketgate/dashboard"
	"ticketgate/db"
	"ticketgate/domain/access"
	"ticketgate/domain/apikey"
	"ticketgate/domain/audit"
	"ticketgate/domain/catalog"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/sale"
	"ticketgate/domain/scan"
	"ticketgate/domain/search"
	"ticketgate/domain/secrets"
	"ticketgate/domain/share"
	"ticketgate/domain/tenant"
	"ticketgate/domain/ticket"
	"ticketgate/domain/webhook"
	"ticketgate/graph"
	"ticketgate/jobs"
	"ticketgate/jobs/mail"
	"ticketgate/rest"
)

// OpenStore returns a store whose transactions insert jobs into the job queue.
func OpenStore(config *Config, url string, instrumentation telemetry.Instrumentation) (*db.Store, error) {
	sealer, err := db.NewSealer(config.SecretKeys...)
	if err != nil {
		return nil, err
	}
	queue := jobs.NewEnqueuer()
	return db.Open(db.Config{
		URL: url, DirectURL: config.DirectURL, ReplicaURL: config.ReplicaURL,
		PoolSize: config.Connections, PerSeller: config.SellerConnections, Long: config.Long,
		Mode: config.Mode(), Sealer: sealer, Now: time.Now, Enqueue: queue.Enqueue,
		EnqueueMail: queue.EnqueueMail,
		Tracer:      instrumentation.Statements(telemetry.PoolRequests), AttemptsTracer: instrumentation.Statements(telemetry.PoolAttempts),
		LongTracer: instrumentation.Statements(telemetry.PoolLongWork), Trace: instrumentation.Trace(),
	})
}

// newOperations returns the operations of all areas.
func newOperations(config *Config, store *db.Store) *graph.Resolver {
	tenants, webhooks := store.Tenants(), store.Webhooks()
	passwords := tenant.NewPasswords(config.hashes())
	seller := store.Credentials().Seller
	records := catalog.New(store.Catalog(), seller, time.Now)
	sessions := tenant.Sessions{
		Store: tenants, Passwords: passwords, Account: tenant.AccountThrottle, Address: tenant.AddressThrottle,
		Unknown: tenant.NewFailureBudget(),
		Limits: tenant.SessionLimits{
			Idle: config.SessionIdle, Absolute: config.SessionLifetime, Parallel: config.SessionsPerUser,
		},
		Places: tenant.NewPlaceKeys(config.SecretKeys...), Now: time.Now,
	}
	return &graph.Resolver{
		Organizations: tenant.Organizations{Store: tenants, Now: time.Now},
		Sellers:       tenant.Sellers{Store: tenants, Now: time.Now, Policy: config.listenerPolicy(), LocalOrigins: !config.Prod},
		Members:       tenant.Members{Store: tenants},
		Invitations: tenant.Invitations{
			Store: tenants, Passwords: passwords, Sessions: sessions, Links: config.links(),
			Limits: tenant.DefaultInvitationLimits, Now: time.Now,
		},
		Users: tenant.Users{
			Store: tenants, Passwords: passwords, Now: time.Now, Mode: config.Mode(),
			RetentionDays: int(config.Retention / (24 * time.Hour)),
		},
		Sessions: sessions,
		Keys:     apikey.Keys{Store: store.APIKeys(), Now: time.Now},
		Webhooks: webhook.Webhooks{
			Store: webhooks, Now: time.Now, Policy: config.listenerPolicy(), Checks: share.New(webhook.CheckBounds),
		},
		Deliveries:    webhook.Deliveries{Store: webhooks, Now: time.Now},
		Events:        webhook.Events{Store: publisher(webhooks), Resources: PublishedResources(), Seller: seller},
		AuditEntries:  audit.Log{Store: store.Audit()},
		CatalogEvents: records.Events,
		TicketTypes:   records.TicketTypes,
		ScanZones:     records.ScanZones,
		Customers:     records.Customers,
		Tickets:       ticket.Tickets{Store: store.Tickets(), Now: time.Now, Seller: seller},
		Transactions:  sale.Transactions{Store: store.Transactions(), Now: time.Now, Seller: seller},
		Checkouts: sale.Checkouts{
			Store: store.Checkouts(), Catalog: store.CatalogReader(), Seller: tenants.Seller, Now: time.Now,
		},
		PurchaseIntents: sale.PurchaseIntents{Store: store.PurchaseIntents(), Now: time.Now, Seller: seller},
		Invoices:        sale.Invoices{Store: store.Invoices(), Now: time.Now},
		AccessLists:     access.Lists{Store: store.Access(), Now: time.Now, Policy: config.listenerPolicy()},
		AccessEntries:   access.Entries{Store: store.Access(), Now: time.Now},
		EntryImports:    access.Imports{Store: store.Access(), Now: time.Now},
		ScanGroups:      scan.Groups{Store: store.ScanGroups(), Now: time.Now},
		Devices:         scan.Devices{Store: store.Devices(), Now: time.Now},
		Scans:           scan.NewScans(store.Scans(), store.Credentials(), time.Now),
		Feed:            scan.Feed{Store: store.DeviceFeed(), Gates: store.Credentials()},
		Search:          search.Search{Store: store.Search()},
		AtGate:          scan.AtGate{Gates: store.Credentials(), Store: store.Devices(), Tickets: store.Tickets()},
	}
}

// SeedDemo creates demo data as the platform.
func SeedDemo(ctx context.Context, do *graph.Resolver) (demo.Data, error) {
	return demo.Seed(ctx, demo.Operations{
		Organizations: do.Organizations, Sellers: do.Sellers, Invitations: do.Invitations, Keys: do.Keys,
		Events: do.CatalogEvents, TicketTypes: do.TicketTypes, Customers: do.Customers, Tickets: do.Tickets,
		AccessLists: do.AccessLists, AccessEntries: do.AccessEntries, ScanGroups: do.ScanGroups, Devices: do.Devices,
	})
}

// links returns the base of one-time links. It is never taken from a request, whose Host header can be forged.
func (c *Config) links() tenant.Links {
	links := tenant.Links{PublicURL: c.PublicURL, Mailed: c.SMTP != nil}
	if _, port, err := net.SplitHostPort(c.Listen); links.PublicURL == "" && !c.Prod && err == nil && port != "0" && isLoopback(c.Listen) {
		links.PublicURL = "http://" + c.Listen
	}
	return links
}

// mailer returns the sender of emails. It is nil if no mail server is configured.
func (c *Config) mailer() jobs.Mailer {
	if c.SMTP == nil {
		return nil
	}
	return &mail.Mailer{Server: *c.SMTP, From: c.MailFrom, Links: c.links()}
}

func (c *Config) listenerPolicy() listenerurl.Policy {
	return listenerurl.Policy{AllowPrivateAddresses: c.AllowPrivateAddresses}
}

// newAuthenticator returns the authenticator of both APIs.
func newAuthenticator(config *Config, store *db.Store) *apikey.Authenticator {
	authenticator := &apikey.Authenticator{Store: store.Credentials(), SessionIdle: config.SessionIdle, Now: time.Now}
	for _, token := range config.SystemTokens {
		authenticator.SystemTokens = append(authenticator.SystemTokens, secrets.DigestOf(token))
	}
	return authenticator
}

// handlers are the handlers at the API's address: those of both APIs, and the dashboard, which is a client of the APIs.
type handlers struct {
	rest      http.Handler
	graph     *graph.Handler
	dashboard *dashboard.Site
}

// newHandlers returns the handlers. own returns the addresses of this server, which remote lists must not use.
func newHandlers(
	config *Config, store *db.Store, log *slog.Logger, own func() []netip.AddrPort, instrumentation telemetry.Instrumentation,
) handlers {
	operations := newOperations(config, store)
	authenticator := newCallRate(newGuesses(newAuthenticator(config, store), config), config)
	operations.Lookups = access.Lookups{
		Store: store.Lookups(), Gates: store.Credentials(), Now: time.Now,
		Listeners: jobs.NewRemoteLists(newSender(config, own, instrumentation), log),
	}
	operations.Scans = scan.NewScans(instrumentation.Metrics.Scans(store.Scans()), store.Credentials(), time.Now)
	operations.Webhooks.Store = instrumentation.Metrics.Webhooks(operations.Webhooks.Store)
	operations.EntryImports.Store = instrumentation.Metrics.Imports(operations.EntryImports.Store)
	services := rest.Services{
		Query: operations.Query(), Mutation: operations.Mutation(), Checks: newOperations(config, store.ReadOnly()).Mutation(),
		Keys: operations.Keys, Webhooks: operations.Webhooks, Deliveries: operations.Deliveries,
		AccessLists: operations.AccessLists, AccessEntries: operations.AccessEntries,
		ScanGroups: operations.ScanGroups, Devices: operations.Devices, AtGate: operations.AtGate,
		Origins: store.Tenants().OriginIsListed,
	}
	return handlers{
		rest: rest.NewRouter(services, authenticator, store, log),
		graph: graph.NewHandler(operations, authenticator, log, config.Prod, config.Streams,
			documents(config, store, instrumentation)...),
		dashboard: dashboard.New(),
	}
}

// documents returns the gqlgen extensions that run around each GraphQL document.
func documents(config *Config, store *db.Store, instrumentation telemetry.Instrumentation) []graphql.HandlerExtension {
	around := instrumentation.Documents()
	if config.ReplicaURL != "" {
		around = append(around, graph.Replicas(newPositions(store, config.SecretKeys)))
	}
	return around
}

// newSender returns a sender of signed calls to listeners, with a guarded client of its own.
func newSender(config *Config, own func() []netip.AddrPort, instrumentation telemetry.Instrumentation) *jobs.Sender {
	return &jobs.Sender{
		Outbound:        jobs.NewOutbound(config.listenerPolicy(), nil, nil, own),
		SignatureHeader: config.SignatureHeader, Version: Version, Now: time.Now, Observe: instrumentation.Calls(),
	}
}

// delivery makes the delivery attempts of this process. It has the workers and their own database connections.
type delivery struct {
	workers *jobs.Workers
	pool    *pgxpool.Pool
	// listener bypasses the pooler that pool uses. It is nil if there is no pooler.
	listener *pgxpool.Pool
}

// connect opens the connections of the workers.
func (d *delivery) connect(ctx context.Context, at *Database, tracer pgx.QueryTracer) (err error) {
	if at.Direct == "" {
		d.pool, err = jobs.NewPool(ctx, at.Application, tracer)
		return err
	}
	if d.pool, err = jobs.NewPooledPool(ctx, at.Application, tracer); err != nil {
		return err
	}
	d.listener, err = jobs.NewListenerPool(ctx, at.Direct)
	return err
}

// close closes the connections.
func (d *delivery) close() error {
	for _, pool := range [...]*pgxpool.Pool{d.pool, d.listener} {
		if pool != nil {
			pool.Close()
		}
	}
	return nil
}

// newDelivery joins the workers to the store and the guarded client. own returns the addresses of this server.
func newDelivery(
	ctx context.Context, config *Config, at *Database, store *db.Store, migrator *db.Migrator, log *slog.Logger,
	own func() []netip.AddrPort, instrumentation telemetry.Instrumentation,
) (*delivery, error) {
	created := &delivery{}
	if err := created.connect(ctx, at, instrumentation.Statements(telemetry.PoolJobs)); err != nil {
		return nil, errors.Join(err, created.close())
	}
	operations := newOperations(config, store)
	operations.Webhooks.Store = instrumentation.Metrics.Webhooks(operations.Webhooks.Store)
	var err error
	created.workers, err = jobs.NewWorkers(jobs.Config{
		Pool: created.pool, Listener: created.listener,
		Store: instrumentation.Metrics.Attempts(store.Attempts()), HandOvers: instrumentation.Metrics.HandOvers(store.HandOvers()),
		Mails: store.AccountMails(), Mailer: config.mailer(),
		Schedule: config.RetrySchedule, Middleware: instrumentation.Jobs(), Trace: instrumentation.Trace(),
		Concurrency: config.Workers, Log: log, Now: time.Now, Sender: newSender(config, own, instrumentation),
		Periodic: periodicJobs(operations, store, migrator, config, log),
	})
	if err != nil {
		return nil, errors.Join(err, created.close())
	}
	return created, nil
}
