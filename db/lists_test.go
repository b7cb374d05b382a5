package db_test

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
	"ticketgate/domain/webhook"
)

// maxTexts is the largest number of statement texts of all lists (SQL-2). A connection keeps 512 prepared, and there
// are other statements.
const maxTexts = 400

// preparedText is a prepared statement with the arguments of its first use.
type preparedText struct {
	text string
	args []any
}

// preparedTexts collects the statements that the program prepares, each text once.
type preparedTexts struct {
	mutex sync.Mutex
	known map[string]bool
	list  []preparedText
}

// TraceQueryStart implements pgx.QueryTracer.
func (p *preparedTexts) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if len(data.Args) == 0 || data.Args[0] != pgx.QueryExecModeCacheStatement {
		return ctx
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.known == nil {
		p.known = map[string]bool{}
	}
	if !p.known[data.SQL] {
		p.known[data.SQL] = true
		args := data.Args[1:]
		if len(args) > 0 {
			if _, format := args[0].(pgx.QueryResultFormatsByOID); format {
				args = args[1:]
			}
		}
		p.list = append(p.list, preparedText{data.SQL, slices.Clone(args)})
	}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (p *preparedTexts) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

const (
	listedSeller = "0198a4c2e5f001a7b3c9d2e1"
	listedID     = "0198a4c2-e5f0-7abc-8def-001122334455" // also accepted where a UUID is needed
)

// collected are the texts of listTexts, after the first call.
var collected struct {
	sync.Mutex

	texts []preparedText
}

// listTexts runs every list of the store without a filter, with each filter, and with each pair of filters, each with
// its total. It returns the prepared texts. It takes seconds, so the first call's result is reused.
func listTexts(t *testing.T, database *dbtest.Database) []preparedText {
	t.Helper()
	collected.Lock()
	defer collected.Unlock()
	if collected.texts != nil {
		return collected.texts
	}
	prepared := &preparedTexts{}
	store, err := db.Open(db.Config{
		URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now, Tracer: prepared,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	ctx := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.APIKeyActor, ID: "k", SellerID: listedSeller, OrgID: "o"})
	lists := 0
	for _, list := range listsOf(store) {
		lists++
		for _, args := range argumentsOf(t, list.method.Type()) {
			if err := runList(ctx, list.method, args); err != nil {
				t.Fatalf("%s: %v", list.name, err)
			}
		}
	}
	if lists < 45 {
		t.Errorf("only %d lists were run", lists)
	}
	collected.texts = prepared.list
	return prepared.list
}

// storedList is a method that reads a list.
type storedList struct {
	name   string
	method reflect.Value
}

// listsOf returns the lists of all areas' stores: the methods whose last argument is a page.
func listsOf(store *db.Store) []storedList {
	var lists []storedList
	known := map[string]bool{}
	all := reflect.ValueOf(store)
	for _, method := range all.Methods() {
		made := method.Type()
		if made.NumIn() > 0 || made.NumOut() != 1 || made.Out(0).Kind() != reflect.Interface || made.Out(0) == reflect.TypeFor[error]() {
			continue
		}
		area := method.Call(nil)[0].Elem()
		for n := range area.NumMethod() {
			name := area.Type().String() + "." + area.Type().Method(n).Name
			method := area.Method(n).Type()
			if method.NumIn() > 0 && method.In(method.NumIn()-1) == reflect.TypeFor[domain.Page]() && !known[name] {
				known[name] = true
				lists = append(lists, storedList{name, area.Method(n)})
			}
		}
	}
	return lists
}

// argumentsOf returns the argument lists to call a list with, without the context.
func argumentsOf(t *testing.T, method reflect.Type) [][]reflect.Value {
	t.Helper()
	calls := [][]reflect.Value{nil}
	for i := 1; i < method.NumIn(); i++ {
		values := valuesOf(t, method.In(i))
		longer := make([][]reflect.Value, 0, len(calls)*len(values))
		for _, call := range calls {
			for _, value := range values {
				longer = append(longer, append(slices.Clone(call), value))
			}
		}
		calls = longer
	}
	return calls
}

// valuesOf returns the values to use for an argument.
func valuesOf(t *testing.T, kind reflect.Type) []reflect.Value {
	t.Helper()
	switch kind {
	case reflect.TypeFor[ids.Seller]():
		return []reflect.Value{reflect.ValueOf(ids.Seller(listedSeller))}
	case reflect.TypeFor[domain.Page]():
		return []reflect.Value{reflect.ValueOf(domain.Page{Limit: 25})}
	case reflect.TypeFor[tenant.Sight]():
		return []reflect.Value{reflect.ValueOf(tenant.Sight{All: true}), reflect.ValueOf(tenant.Sight{})}
	case reflect.TypeFor[tenant.Place]():
		return []reflect.Value{
			reflect.ValueOf(tenant.Place{SellerID: listedSeller}), reflect.ValueOf(tenant.Place{OrganizationID: "o"}),
		}
	case reflect.TypeFor[[]tenant.Place]():
		return []reflect.Value{
			reflect.ValueOf([]tenant.Place{{SellerID: listedSeller}}), reflect.ValueOf([]tenant.Place{{OrganizationID: "o"}}),
		}
	}
	if kind.Kind() != reflect.Struct || !strings.HasSuffix(kind.Name(), "Filter") {
		return []reflect.Value{valueOf(t, kind)}
	}
	return filtersOf(t, kind)
}

// filtersOf returns a filter without values, with a value in each field, and in each pair of fields. Fields that no
// API sets are left out.
func filtersOf(t *testing.T, kind reflect.Type) []reflect.Value {
	t.Helper()
	var fields, tagged []int
	for i := range kind.NumField() {
		fields = append(fields, i)
		if _, named := kind.Field(i).Tag.Lookup("graphql"); named {
			tagged = append(tagged, i)
		}
	}
	if len(tagged) > 0 {
		fields = tagged
	}
	filters := []reflect.Value{reflect.Zero(kind)}
	for n, i := range fields {
		for _, j := range fields[n:] {
			both := reflect.New(kind).Elem()
			both.Field(i).Set(valueOf(t, kind.Field(i).Type))
			both.Field(j).Set(valueOf(t, kind.Field(j).Type))
			filters = append(filters, both)
		}
	}
	return filters
}

// valueOf returns a value of a type that makes a filter search.
func valueOf(t *testing.T, kind reflect.Type) reflect.Value {
	t.Helper()
	value := reflect.New(kind).Elem()
	switch {
	case kind == reflect.TypeFor[webhook.State]():
		value.SetString(string(webhook.Pending))
	case kind == reflect.TypeFor[time.Time]():
		value.Set(reflect.ValueOf(time.Now()))
	case kind == reflect.TypeFor[moment.DateTime]():
		value.Set(reflect.ValueOf(moment.New(time.Now())))
	case kind.Kind() == reflect.String:
		value.SetString(listedID)
	case kind.Kind() == reflect.Bool:
		value.SetBool(true)
	case kind.Kind() == reflect.Int:
		value.SetInt(1)
	case kind.Kind() == reflect.Pointer:
		value.Set(reflect.New(kind.Elem()))
		value.Elem().Set(valueOf(t, kind.Elem()))
	case kind.Kind() == reflect.Slice:
		value.Set(reflect.Append(value, valueOf(t, kind.Elem())))
	case kind.Kind() == reflect.Struct:
		for i := range kind.NumField() {
			value.Field(i).Set(valueOf(t, kind.Field(i).Type))
		}
	default:
		t.Fatalf("a list takes a %s, which this test has no value for", kind)
	}
	return value
}

// runList reads a list and its total.
func runList(ctx context.Context, method reflect.Value, args []reflect.Value) error {
	results := method.Call(append([]reflect.Value{reflect.ValueOf(ctx)}, args...))
	if err, failed := reflect.TypeAssert[error](results[1]); failed {
		return fmt.Errorf("%v: %w", args, err)
	}
	list := results[0]
	if list.Kind() == reflect.Map {
		each := list.MapRange()
		if !each.Next() {
			return nil
		}
		list = each.Value()
	}
	total := list.FieldByName("Total").Call([]reflect.Value{reflect.ValueOf(ctx)})
	err, _ := reflect.TypeAssert[error](total[1])
	return err
}

// A connection keeps 512 statements prepared. Filters that callers combine must not evict each other and everything
// else (SQL-2).
func TestListQueriesHaveFewTexts(t *testing.T) {
	t.Parallel()
	texts := listTexts(t, dbtest.New(t))
	if len(texts) > maxTexts {
		t.Errorf("lists with up to two filters have %d texts, want at most %d", len(texts), maxTexts)
	}
	t.Logf("%d texts", len(texts))
}

// A list has one plan for all arguments (LIMIT-3). Whichever filters are used, it reads by an index.
func TestNoListScansATable(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	texts := listTexts(t, database)
	conn := requestConnection(t, database)
	for _, item := range texts {
		plan, whole := genericPlan(t.Context(), conn, item.text)
		if !whole {
			t.Errorf("not planned: %s", item.text)
		}
		for _, table := range readWhole.FindAllStringSubmatch(plan, -1) {
			t.Errorf("%s is read sequentially:\n%s\n%s", table[1]+table[2], item.text, plan)
		}
	}
}

// A page of a list's entries is read along an index, however long the list is. The server doesn't know that a list
// has one seller. With an index on the list alone, it would gather and sort the whole list (LIMIT-3).
func TestEntriesOfAListAreReadInTheirOrder(t *testing.T) {
	t.Parallel()
	database := dbtest.New(t)
	owner := database.Owner(t)
	for _, statement := range []string{
		`INSERT INTO organizations VALUES ('o', 'O', now())`,
		`INSERT INTO sellers (id, organization_id, name, country, webhooks, siren, created_at, updated_at)
			SELECT 'seller' || n, 'o', 'S', 'FR', true, false, now(), now() FROM generate_series(0, 19) n`,
		`INSERT INTO access_lists (id, seller_id, type, name, name_folded, created_at, updated_at)
			SELECT 'list' || n, 'seller' || n % 20, 'static', 'L', 'l', now(), now() FROM generate_series(0, 79) n`,
		`INSERT INTO access_entries (id, list_id, seller_id, external_code, created_at, updated_at)
			SELECT 'entry' || n, 'list' || n % 80, 'seller' || n % 20, 'code' || n, now(), now() FROM generate_series(0, 39999) n`,
		`ANALYZE access_entries`,
	} {
		if _, err := owner.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	conn, page := requestConnection(t, database), regexp.MustCompile(`WHERE \("e"\.seller_id = \$1\) AND \(e\.list_id = \$2\) ORDER BY e\.id`)
	pages := 0
	for _, item := range listTexts(t, database) {
		if !page.MatchString(item.text) {
			continue
		}
		pages++
		if plan, _ := genericPlan(t.Context(), conn, item.text); strings.Contains(plan, "Sort") {
			t.Errorf("a page is sorted:\n%s\n%s", item.text, plan)
		}
	}
	if pages == 0 {
		t.Error("no page of entries was found")
	}
}
