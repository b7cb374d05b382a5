package layers

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A layer is one row of the allowed imports: what a package may import in addition to the standard library, and what it must
// not reach even through other packages of the module. Names are Go package patterns, without the module's name. The row with
// the longest matching tree applies.
type layer struct {
	tree    string
	imports []string
	never   []string
}

const (
	bun       = "github.com/uptrace/bun/..."
	pgx       = "github.com/jackc/pgx/v5/..."
	river     = "github.com/riverqueue/river/..."
	gqlgen    = "github.com/99designs/gqlgen/..."
	loaders   = "github.com/vikstrous/dataloadgen"
	lru       = "github.com/hashicorp/golang-lru/v2/simplelru"
	gqlparser = "github.com/vektah/gqlparser/v2/..."
	mux       = "github.com/gorilla/mux"
)

// Packages that reach outside the process. Nothing in domain may import them, not even through another package.
var outside = []string{
	"net/...", "os/...", "database/sql/...", "syscall/...", "log/...", "golang.org/x/sys/...", bun, pgx, river, gqlgen, mux,
}

// Packages in those trees that only compute.
var harmless = []string{"net/url", "net/netip"}

// Packages of the Go project that only compute: any package may import them.
var computing = []string{
	"golang.org/x/crypto/...", "golang.org/x/text/...", "golang.org/x/net/idna", "golang.org/x/time/rate", "golang.org/x/sync/...",
}

// The allowed imports. An area imports the kernel, tenant, the leaves, and the siblings in its row.
var layers = []layer{
	{tree: "domain", imports: leaves, never: outside},
	{tree: "domain/texts", imports: []string{"github.com/agnivade/levenshtein"}, never: outside},
	{tree: "domain/countries", imports: []string{"domain/texts"}, never: outside},
	{tree: "domain/moment", never: outside},
	{tree: "domain/ids", never: outside},
	{tree: "domain/money", never: outside},
	{tree: "domain/optional", never: outside},
	{tree: "domain/secrets", never: outside},
	{tree: "domain/listenerurl", never: outside},
	{tree: "domain/ecmajson", never: outside},
	{tree: "domain/batch", never: outside},
	{tree: "domain/csv", never: outside},
	{tree: "domain/intake", imports: append([]string{"domain", "domain/document"}, leaves...), never: outside},
	{tree: "domain/share", imports: []string{"domain", "domain/ids"}, never: outside},
	{tree: "domain/decode", imports: append([]string{"domain", "domain/document"}, leaves...), never: outside},
	{tree: "domain/document", imports: append([]string{"domain"}, leaves...), never: outside},
	area("tenant", "identification"), // a seller's settings contain its identification configuration
	area("apikey"),
	area("catalog"),
	area("ticket"),
	area("access", "ticket", "catalog", "scan"),
	area("scan", "ticket", "catalog"),
	area("identification"),
	area("sale", "ticket", "catalog", "identification"),
	area("webhook"),
	area("audit"),
	area("search"),
	{tree: "domain/domaintest", imports: []string{"domain/...", "github.com/google/go-cmp/..."}, never: outside},

	{
		tree: "db", imports: []string{"domain/...", "db/migrations", bun, pgx},
		never: []string{river, gqlgen, mux, "graph/...", "rest/...", "jobs/..."},
	},
	{
		tree: "db/move", imports: []string{pgx}, // statements of an operator on two databases; its caller creates the jobs
		never: []string{"domain/...", "jobs/...", "graph/...", "rest/..."},
	},
	{
		tree: "db/embedded", imports: []string{"db/embedded/...", pgx, "golang.org/x/sys/..."},
		never: []string{"domain/...", "jobs/...", "graph/...", "rest/..."},
	},
	// A test's database has the whole schema, including the jobs' tables.
	{tree: "db/dbtest", imports: []string{"domain/...", "db/...", "jobs/...", bun, pgx, river}, never: []string{"graph/...", "rest/..."}},
	{
		tree: "jobs", imports: []string{"domain/...", "jobs/...", river, pgx, "golang.org/x/net/..."},
		never: []string{bun, gqlgen, mux, "graph/...", "rest/...", "db/..."},
	},
	{
		tree:    "graph",
		imports: []string{"domain/...", "graph/edge", "graph/generated", "graph/plain", "graph/relay", gqlgen, gqlparser, loaders, lru},
		never:   []string{bun, pgx, river, mux, "database/sql/...", "db/...", "jobs/...", "rest/..."},
	},
	{tree: "graph/graphgen", imports: []string{gqlgen, gqlparser}, never: []string{"domain/...", "db/...", "jobs/...", "rest/..."}},
	{tree: "graph/plain", imports: []string{gqlgen, gqlparser}, never: []string{"domain/...", "db/...", "jobs/...", "rest/..."}},
	{tree: "graph/graphtest", imports: []string{"domain/...", "graph"}, never: []string{"db/...", "jobs/...", "rest/..."}},
	{
		tree: "graph/edge", imports: []string{"domain/..."},
		never: []string{bun, pgx, river, gqlgen, gqlparser, mux, "database/sql/...", "db/...", "jobs/...", "rest/..."},
	},
	{
		tree: "rest", imports: []string{"domain/...", "graph/edge", "graph/generated", mux, "github.com/goccy/go-yaml"},
		never: []string{bun, pgx, river, "database/sql/...", "db/...", "jobs/..."},
	},
	{
		tree: "rest/openapigen", imports: []string{"domain/...", gqlparser, "github.com/goccy/go-yaml"},
		never: []string{bun, pgx, river, mux, "database/sql/...", "db/...", "jobs/..."},
	},
	{tree: "rest/resttest", imports: []string{"github.com/getkin/kin-openapi/...", "github.com/santhosh-tekuri/jsonschema/..."}},
	// Telemetry imports the packages that it instruments. Only cmd imports telemetry.
	{
		tree: "cmd/ticketgate/telemetry", imports: []string{
			"domain/...", "jobs", "graph/edge", gqlgen, gqlparser, pgx, river, "github.com/prometheus/client_golang/...",
			"go.opentelemetry.io/otel/...",
		},
		never: []string{bun, "db/..."},
	},
	{tree: "jobs/jobstest"},
	{
		tree: "jobs/mail", imports: []string{"domain/...", "github.com/wneessen/go-mail/..."},
		never: []string{bun, pgx, river, gqlgen, mux, "db/...", "graph/...", "rest/..."},
	},
	{tree: "dashboard"},
	{tree: "docs"}, // example programs for integrators
	// It measures the program from outside. It uses the private PostgreSQL, and the schema only by SQL.
	{
		tree: "bench", imports: []string{"bench/...", "db/embedded", mux, pgx, river},
		never: []string{"domain/...", "jobs/...", "graph/...", "rest/...", "cmd/...", "dashboard"},
	},
	{tree: "cmd/ticketgate", imports: []string{"..."}, never: []string{"cmd/systemtest/..."}},
	{
		tree: "cmd/ticketgate/program", imports: []string{"..."},
		never: []string{"cmd/ticketgate", "cmd/systemtest/...", "github.com/spf13/cobra"},
	},
	{tree: "cmd/ticketgate/demo", imports: []string{"domain/...", "cmd/ticketgate/platform"}, never: []string{"db/...", "graph/..."}},
	{
		tree: "cmd/ticketgate/route", imports: []string{"domain/...", "graph/edge", gqlparser},
		never: []string{bun, pgx, river, mux, "db/...", "jobs/...", "rest/..."},
	},
	{tree: "cmd/ticketgate/platform", imports: []string{"domain", "domain/tenant"}, never: outside},
	// Packages that run the built program use none of its code, except the demo data that a seed prints.
	{
		tree:    "cmd/systemtest",
		imports: []string{"db/dbtest", "db/embedded", "cmd/ticketgate/demo", pgx},
		never:   []string{"graph/...", "rest/...", "cmd/ticketgate/program"},
	},
	{tree: "cmd/systemtest/apitest", imports: []string{"..."}},
}

var leaves = []string{
	"domain/batch", "domain/code", "domain/countries", "domain/csv", "domain/ecmajson", "domain/listenerurl", "domain/ids", "domain/moment",
	"domain/money", "domain/optional", "domain/secrets", "domain/texts",
}

// Packages that only tests and the programs around them may import.
var testSupport = []string{"domain/domaintest", "db/dbtest/...", "jobs/jobstest", "rest/resttest", "graph/graphtest", "cmd/systemtest/..."}

func area(name string, siblings ...string) layer {
	row := layer{tree: "domain/" + name, imports: append([]string{"domain", "domain/decode", "domain/document", "domain/intake", "domain/share", "domain/tenant"}, leaves...), never: outside}
	for _, sibling := range siblings {
		row.imports = append(row.imports, "domain/"+sibling)
	}
	return row
}

func TestLayers(t *testing.T) {
	t.Parallel()
	for _, complaint := range broken(importsOf(t, os.DirFS("../../.."))) {
		t.Error(complaint)
	}
}

// A checker that catches nothing would always pass: each row of this table is a fault that it must report.
func TestLayersCatchABadImport(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tree fstest.MapFS
		want string
	}{
		"of a library":           {source("db/open.go", "github.com/riverqueue/river"), "db imports github.com/riverqueue"},
		"of a transport":         {source("domain/actor.go", "net/http"), "domain reaches net/http"},
		"of a sibling":           {source("domain/ticket/ticket.go", "ticketgate/domain/access"), "domain/ticket imports domain/access"},
		"of webhook by an area":  {source("domain/sale/sale.go", "ticketgate/domain/webhook"), "domain/sale imports domain/webhook"},
		"of test support":        {source("jobs/client.go", "ticketgate/domain/domaintest"), "jobs imports domain/domaintest"},
		"of GraphQL by the edge": {source("graph/edge/body.go", "ticketgate/graph/generated"), "graph/edge imports graph/generated"},
		"of a relative of rest":  {source("rest/routes.go", "ticketgate/graph"), "rest imports graph"},
		"behind a build tag": {
			fstest.MapFS{"jobs/odd.go": {Data: []byte("//go:build plan9\n\npackage jobs\n\nimport _ \"github.com/uptrace/bun\"\n")}},
			"jobs imports github.com/uptrace/bun",
		},
		"through another package": {
			both(source("rest/routes.go", "ticketgate/graph/generated"), source("graph/generated/api.go", "ticketgate/db")),
			"rest reaches db",
		},
		"of the product by the benchmark": {source("bench/load.go", "ticketgate/domain"), "bench imports domain"},
		"of tests' databases by it":       {source("bench/load.go", "ticketgate/db/dbtest"), "bench imports db/dbtest"},
		"of system tests by the program":  {source("cmd/ticketgate/main.go", "ticketgate/cmd/systemtest"), "cmd/ticketgate imports cmd/systemtest"},
		"of a command by the program":     {source("cmd/ticketgate/program/x.go", "github.com/spf13/cobra"), "cmd/ticketgate/program reaches github.com/spf13"},
		"of the kernel by a leaf":         {source("domain/ecmajson/parse.go", "ticketgate/domain"), "domain/ecmajson imports domain"},
		"by a package without a row":      {source("helpers/text.go", "strings"), "helpers has no row"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			complaints := broken(importsOf(t, test.tree))
			if !slices.ContainsFunc(complaints, func(c string) bool { return strings.HasPrefix(c, test.want) }) {
				t.Errorf("got %q, want one that starts with %q", complaints, test.want)
			}
		})
	}
}

func TestLayersAllowTheArrows(t *testing.T) {
	t.Parallel()
	tree := both(
		both(source("rest/routes.go", mux), source("db/entry.go", "ticketgate/domain/access")),
		both(source("domain/access/entry.go", "ticketgate/domain/scan"), source("domain/scan/scan.go", "net/netip")),
	)
	if complaints := broken(importsOf(t, tree)); len(complaints) > 0 {
		t.Errorf("refused allowed imports: %q", complaints)
	}
}

func source(file, imported string) fstest.MapFS {
	return fstest.MapFS{file: {Data: []byte("package x\n\nimport _ \"" + imported + "\"\n")}}
}

func both(a, b fstest.MapFS) fstest.MapFS {
	tree := maps.Clone(a)
	maps.Copy(tree, b)
	return tree
}
