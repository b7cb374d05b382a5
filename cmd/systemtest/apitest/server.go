// Package apitest runs the program inside the test process and calls both of its APIs.
package apitest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/cmd/ticketgate/program"
	"ticketgate/db/dbtest"
	"ticketgate/domain/ids"
	"ticketgate/domain/tenant"
	"ticketgate/graph"
	"ticketgate/graph/generated"
	"ticketgate/rest/resttest"
)

// Server is a running program with demo data.
type Server struct {
	Program *program.Program
	Do      *graph.Resolver
	Demo    demo.Data
	REST    *resttest.Client
	SQL     *sql.DB
	Schema  *ast.Schema
	URL     string
	// Database is the URL of the database for the application's role.
	Database string
}

// Open starts a program on a new database. At the end of the test, the log must contain no panic and no errors except
// those that callers can cause.
func Open(t *testing.T, settings ...string) *Server {
	t.Helper()
	cheapHashes()
	database, data := seeded(t)
	log, at := &systemtest.Log{}, database.ApplicationURL
	if pooler := systemtest.PoolerOfTests(t, database); pooler != nil {
		at, settings = pooler.URL, append(slices.Clip(settings), pooler.Settings...)
	}
	running, err := configured(database, log, settings...)
	systemtest.Must(t, err)
	running.Serves, running.Delivers = true, slices.Contains(settings, DeliversToTests)
	systemtest.Must(t, running.Run(context.Background()))
	h := &Server{
		Program: running, Do: running.Operations(), Demo: data, URL: running.URL(), Database: at,
		Schema: generated.NewExecutableSchema(generated.Config{}).Schema(),
	}
	h.SQL, err = sql.Open("pgx", database.ApplicationURL)
	systemtest.Must(t, err)
	t.Cleanup(func() {
		_ = h.SQL.Close()
		systemtest.Must(t, running.Close())
		if _, text, found := strings.Cut(log.String(), "level=ERROR"); found {
			t.Errorf("the program's log has an error: %.3000s", text)
		}
	})
	h.REST = resttest.New(t, h.URL)
	return h
}

// configured returns a program for a database, without starting it.
func configured(database *dbtest.Database, log *systemtest.Log, settings ...string) (*program.Program, error) {
	settings = append([]string{
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=false", "TICKETGATE_PUBLIC_RATE=100000", "TICKETGATE_PUBLIC_BURST=100000",
	}, settings...)
	config, _, err := program.Load(systemtest.OnDatabase(database, settings...))
	return &program.Program{Config: config, Log: slog.New(slog.NewTextHandler(log, nil))}, err
}

// seeded returns a new database with demo data. The first test of a package creates the data by calling about a hundred
// operations. The others get a copy.
func seeded(t *testing.T) (*dbtest.Database, demo.Data) {
	t.Helper()
	path, err := os.Executable()
	systemtest.Must(t, err)
	tests, err := os.Stat(path)
	systemtest.Must(t, err)
	name := fmt.Sprintf("demo data of the tests of %v, %d bytes", tests.ModTime().UTC(), tests.Size())
	database, note := dbtest.NewFrom(t, name, func(empty *dbtest.Database) (string, error) {
		running, err := configured(empty, &systemtest.Log{})
		if err != nil {
			return "", err
		}
		if err := running.Run(t.Context()); err != nil {
			return "", err
		}
		data, err := program.SeedDemo(platform.Context(t.Context()), running.Operations())
		return systemtest.Printed(t, data), errors.Join(err, running.Close())
	})
	var data demo.Data
	systemtest.Must(t, json.Unmarshal([]byte(note), &data))
	return database, data
}

var cheapHashes = sync.OnceFunc(tenant.CheapHashes)

// DeliversToTests is the setting that lets a server deliver to listeners on this machine.
const DeliversToTests = "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true"

// ActingOn returns the context of calls by the platform for a seller.
func (h *Server) ActingOn(t *testing.T, seller demo.Seller) context.Context {
	t.Helper()
	return platform.ContextFor(t.Context(), tenant.Seller{
		ID: seller.SellerID, OrganizationID: seller.OrganizationID, Webhooks: true, SIREN: seller.SIREN,
	})
}

// Caller has the headers that identify a caller.
type Caller map[string]string

// Bearer returns a caller with a key, the token of a session, or the system token.
func Bearer(secret string) Caller { return Caller{"Authorization": "Bearer " + secret} }

// DeviceOf returns a caller with the token of the seller's seeded device.
func DeviceOf(seller demo.Seller) Caller { return Caller{"Token": seller.DeviceToken} }

// On returns the caller for calls that concern a seller.
func (c Caller) On(seller ids.Seller) Caller {
	other := maps.Clone(c)
	other["X-Seller-Id"] = string(seller)
	return other
}

// Session signs in a seeded user and returns a caller with their session.
func (h *Server) Session(t *testing.T, email, password string) Caller {
	t.Helper()
	opened, err := h.Do.Sessions.Login(t.Context(), tenant.LoginInput{Email: email, Password: password})
	systemtest.Must(t, err)
	return Bearer(opened.Token)
}

// withoutNulls removes fields that are null. REST omits fields without a value, but GraphQL returns null.
func withoutNulls(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if value[name] = withoutNulls(member); member == nil {
				delete(value, name)
			}
		}
	case []any:
		for i := range value {
			value[i] = withoutNulls(value[i])
		}
	}
	return value
}

// Count returns the result of a query on the database.
func (h *Server) Count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var number int
	systemtest.Must(t, h.SQL.QueryRowContext(t.Context(), query, args...).Scan(&number))
	return number
}
