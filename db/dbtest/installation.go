package dbtest

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"ticketgate/db"
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/jobs"
)

// Ids of the fixture of Install: two sellers of one organization.
const (
	Seller ids.Seller = "111111111111111111111111"
	Other  ids.Seller = "222222222222222222222222"
	Org    ids.Org    = "444444444444444444444444"
)

// Installation is the store of one process on a private database, with direct access for preparing and reading rows.
type Installation struct {
	*Database

	T     testing.TB
	Store *db.Store
	// SQL is a connection pool with the privileges of Store.
	SQL *sql.DB
	now func() time.Time
}

// Empty returns an installation without organizations. now is the store's clock.
func Empty(t testing.TB, now func() time.Time) *Installation {
	t.Helper()
	i := &Installation{Database: New(t), T: t, now: now}
	i.Store = i.Process()
	var err error
	i.SQL, err = sql.Open("pgx", i.ApplicationURL)
	i.Must(err)
	t.Cleanup(func() { _ = i.SQL.Close() })
	return i
}

// Install returns an installation with Seller and Other, which belong to Org.
func Install(t testing.TB, now func() time.Time) *Installation {
	t.Helper()
	i := Empty(t, now)
	i.AddOrganization(Org, "O")
	i.AddSeller(Seller, Org, "S")
	i.AddSeller(Other, Org, "S")
	return i
}

// Owner opens the database as its owner.
func (d *Database) Owner(t testing.TB) *sql.DB {
	t.Helper()
	owner, err := sql.Open("pgx", d.OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = owner.Close() })
	return owner
}

// Process opens another store on the same database, as another server process would.
func (i *Installation) Process() *db.Store {
	i.T.Helper()
	store, err := db.Open(db.Config{
		URL: i.ApplicationURL, Mode: "dev", Sealer: i.Sealer, Now: i.now, Enqueue: jobs.NewEnqueuer().Enqueue,
	})
	i.Must(err)
	i.T.Cleanup(func() { _ = store.Close() })
	return store
}

// AddOrganization adds an organization.
func (i *Installation) AddOrganization(id ids.Org, name string) {
	i.T.Helper()
	i.Exec("INSERT INTO organizations VALUES ($1, $2, now())", string(id), name)
}

// AddSeller adds a French seller with the webhooks feature.
func (i *Installation) AddSeller(id ids.Seller, of ids.Org, name string) {
	i.T.Helper()
	i.Exec(`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
		VALUES ($1, $2, $3, 'FR', true, false, now(), now())`, string(id), string(of), name)
}

// LookUp returns the organization and features of a seller.
func (i *Installation) LookUp(ctx context.Context, id ids.Seller) (of ids.Org, features domain.Features, err error) {
	err = i.SQL.QueryRowContext(ctx, "SELECT organization_id, webhooks FROM sellers WHERE id = $1", string(id)).
		Scan(&of, &features.Webhooks)
	if err != nil {
		err = domain.NotFound("Seller")
	}
	return of, features, err
}

// Must fails the test if err is not nil.
func (i *Installation) Must(err error) {
	i.T.Helper()
	if err != nil {
		i.T.Fatal(err)
	}
}

// Exec executes a statement. It fails the test on an error.
func (i *Installation) Exec(statement string, args ...any) {
	i.T.Helper()
	if _, err := i.SQL.ExecContext(i.T.Context(), statement, args...); err != nil {
		i.T.Fatalf("%s: %v", statement, err)
	}
}

// Count returns the single number that a query selects.
func (i *Installation) Count(query string, args ...any) (number int) {
	i.T.Helper()
	if err := i.SQL.QueryRowContext(i.T.Context(), query, args...).Scan(&number); err != nil {
		i.T.Fatalf("%s: %v", query, err)
	}
	return number
}

// Texts returns the single column that a query selects.
func (i *Installation) Texts(query string, args ...any) []string {
	i.T.Helper()
	found, err := i.SQL.QueryContext(i.T.Context(), query, args...)
	i.Must(err)
	defer func() { _ = found.Close() }()
	var list []string
	for found.Next() {
		var text string
		i.Must(found.Scan(&text))
		list = append(list, text)
	}
	i.Must(found.Err())
	return list
}

// KeyOf returns an API key of a seller in Org, with the given permissions or, without any, full access.
func KeyOf(of ids.Seller, permissions ...domain.Permission) domain.Actor {
	return domain.Actor{
		Kind: domain.APIKeyActor, ID: "key", SellerID: of, OrgID: Org,
		Permissions: domain.NewPermissionSet(permissions), FullSellerAccess: len(permissions) == 0,
	}
}

// As returns a context whose caller is KeyOf.
func (i *Installation) As(of ids.Seller, permissions ...domain.Permission) context.Context {
	actor := KeyOf(of, permissions...)
	return domain.WithActor(i.T.Context(), &actor)
}
