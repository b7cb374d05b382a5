//go:build full

package db_test

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ticketgate/db"
	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/tenant"
	"ticketgate/domain/webhook"
)

//go:embed testdata/large.sql
var largeTables string

const (
	smallSeller = "0198a4c2e5f001a7b3c9d2e2"
	smallID     = "0198a4c2-e5f0-7abc-8def-001122334466"
)

// A connection for requests plans a statement once for all arguments. On large tables that plan reads about as many
// pages as a plan for the given arguments, for a large and for a small seller. It reads no large table completely
// (LIMIT-3).
func TestOnePlanServesAllArguments(t *testing.T) {
	texts := append(listTexts(t, dbtest.New(t)), otherTexts(t)...)
	database := dbtest.New(t)
	fill(t, database)
	conn := requestConnection(t, database)
	compared := 0
	for _, item := range texts {
		for _, args := range [][]any{item.args, ofSmallSeller(item.args)} {
			item.args = args
			general, err := explained(t.Context(), conn, "force_generic_plan", item)
			if err == nil && whole(general) != "" {
				t.Errorf("%s is read completely:\n%s\n%v", whole(general), item.text, args)
			}
			special, other := explained(t.Context(), conn, "force_custom_plan", item)
			if err = errors.Join(err, other); err != nil {
				if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "57014" {
					t.Errorf("%v:\n%s\n%v", err, item.text, args)
				}
				continue // for example a row with a missing reference
			}
			compared++
			if most := maxPages(item.text, special.pages()); general.pages() > most {
				t.Errorf("%d pages, where a plan for the arguments needs %d:\n%s\n%v", general.pages(), special.pages(), item.text, args)
			}
		}
	}
	if t.Logf("%d of %d statements", compared/2, len(texts)); compared < 900 {
		t.Errorf("only %d plans were compared", compared)
	}
}

// maxPages returns how many pages the generic plan may read. The shared condition of filters names columns that an
// index lacks, so it reads rows that a plan for the used filters would skip. Entries without a ticket are checked one
// by one.
func maxPages(text string, special int) int {
	if strings.Contains(text, "CASE WHEN $") || strings.Contains(text, "NOT EXISTS (SELECT FROM tickets") {
		return 50*special + 1000
	}
	return 5*special + 300
}

// fill makes the tables large.
func fill(t *testing.T, database *dbtest.Database) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database.OwnerURL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	text := strings.NewReplacer("$large", listedSeller, "$small", smallSeller, "$id", listedID, "$other", smallID).Replace(largeTables)
	for _, script := range []string{text, "VACUUM (ANALYZE)"} {
		if _, err := conn.PgConn().Exec(t.Context(), script).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
}

// ofSmallSeller returns the arguments with the small seller's ids in place of the large one's.
func ofSmallSeller(args []any) []any {
	small := strings.NewReplacer(listedSeller, smallSeller, listedID, smallID)
	created := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			created[i] = small.Replace(arg)
		case []string:
			list := make([]string, len(arg))
			for j, item := range arg {
				list[j] = small.Replace(item)
			}
			created[i] = list
		default:
			created[i] = arg
		}
	}
	return created
}

// planNode is a node of EXPLAIN's output.
type planNode struct {
	Kind     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Cond     string  `json:"Index Cond"`
	Rows     float64 `json:"Actual Rows"`
	Removed  float64 `json:"Rows Removed by Filter"`
	Loops    float64 `json:"Actual Loops"`
	Cached   int     `json:"Shared Hit Blocks"`
	Read     int     `json:"Shared Read Blocks"`
	Plans    []planNode
}

func (n planNode) pages() int { return n.Cached + n.Read }

// whole returns a table of which a plan has read many rows without an index condition.
func whole(n planNode) string {
	if strings.HasSuffix(n.Kind, "Scan") && n.Cond == "" && n.Kind != "Bitmap Heap Scan" && (n.Rows+n.Removed)*n.Loops > 10_000 {
		return n.Relation
	}
	for _, below := range n.Plans {
		if found := whole(below); found != "" {
			return found
		}
	}
	return ""
}

// explained runs a statement in a transaction, rolls it back, and returns the executed plan.
func explained(ctx context.Context, conn *sql.Conn, mode string, item preparedText) (planNode, error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return planNode{}, err
	}
	defer func() { _, _ = conn.ExecContext(ctx, "DEALLOCATE ALL") }()
	defer func() { _ = tx.Rollback() }()
	for _, statement := range []string{"SET LOCAL plan_cache_mode = " + mode, "PREPARE planned AS " + item.text} {
		if _, err := tx.ExecContext(ctx, statement, pgx.QueryExecModeSimpleProtocol); err != nil {
			return planNode{}, err
		}
	}
	execute := "EXPLAIN (ANALYZE, TIMING OFF, BUFFERS, FORMAT JSON) EXECUTE planned"
	if len(item.args) > 0 {
		execute += " ($1"
		for i := range item.args[1:] {
			execute += fmt.Sprintf(", $%d", i+2)
		}
		execute += ")"
	}
	var text []byte
	if err := tx.QueryRowContext(ctx, execute, append([]any{pgx.QueryExecModeSimpleProtocol}, item.args...)...).Scan(&text); err != nil {
		return planNode{}, err
	}
	var plans []struct{ Plan planNode }
	err = json.Unmarshal(text, &plans)
	return plans[0].Plan, err
}

// otherTexts calls all methods of all areas' stores and of their transactions, which are rolled back. It collects the
// statements that the calls prepare. Their results don't matter.
func otherTexts(t *testing.T) []preparedText {
	t.Helper()
	database, prepared := dbtest.New(t), &preparedTexts{}
	store, err := db.Open(db.Config{URL: database.ApplicationURL, Mode: "dev", Sealer: database.Sealer, Now: time.Now, Tracer: prepared})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	ctx := domain.WithActor(t.Context(), &domain.Actor{Kind: domain.APIKeyActor, ID: listedID, SellerID: listedSeller, OrgID: listedID})
	for _, method := range reflect.ValueOf(store).Methods() {
		if created := method.Type(); created.NumIn() > 0 || created.NumOut() != 1 ||
			created.Out(0).Kind() != reflect.Interface || created.Out(0) == reflect.TypeFor[error]() {
			continue
		}
		area := method.Call(nil)[0].Elem()
		for _, method := range area.Methods() {
			if kind := method.Type(); kind.NumIn() != 2 || kind.In(1).Kind() != reflect.Func {
				called(ctx, method)
			} else {
				calledInTx(ctx, method, kind.In(1))
			}
		}
	}
	return prepared.list
}

// calledInTx calls each method of an area's transaction in a separate transaction.
func calledInTx(ctx context.Context, inTx reflect.Value, kind reflect.Type) {
	undone := errors.New("undone")
	for n, more := 0, true; more; n++ {
		f := reflect.MakeFunc(kind, func(args []reflect.Value) []reflect.Value {
			tx := args[len(args)-1].Elem()
			if more = n < tx.NumMethod(); more {
				called(ctx, tx.Method(n))
			}
			return []reflect.Value{reflect.ValueOf(&undone).Elem()}
		})
		inTx.Call([]reflect.Value{reflect.ValueOf(ctx), f})
	}
}

// called calls a method that takes a context, if values for its arguments are known.
func called(ctx context.Context, method reflect.Value) {
	kind := method.Type()
	if kind.NumIn() == 0 || kind.In(0) != reflect.TypeFor[context.Context]() || kind.IsVariadic() {
		return
	}
	defer func() { _ = recover() }() // an argument without meaning
	args := []reflect.Value{reflect.ValueOf(ctx)}
	for i := 1; i < kind.NumIn(); i++ {
		args = append(args, sample(kind.In(i), 0))
	}
	method.Call(args)
}

// samples are values of types that need a meaningful one.
var samples = map[reflect.Type]any{
	reflect.TypeFor[ids.Seller]():      ids.Seller(listedSeller),
	reflect.TypeFor[domain.Page]():     domain.Page{Limit: 25},
	reflect.TypeFor[tenant.Place]():    tenant.Place{SellerID: listedSeller},
	reflect.TypeFor[webhook.State]():   webhook.Pending,
	reflect.TypeFor[time.Time]():       time.Now(),
	reflect.TypeFor[moment.DateTime](): moment.New(time.Now()),
	reflect.TypeFor[json.RawMessage](): json.RawMessage("{}"),
}

// sample returns a value of a type, with one element in each list. It panics for functions and for interfaces.
func sample(kind reflect.Type, depth int) reflect.Value {
	value := reflect.New(kind).Elem()
	if known, ok := samples[kind]; ok {
		return reflect.ValueOf(known)
	}
	if depth++; depth > 8 {
		return value
	}
	switch kind.Kind() {
	case reflect.String:
		value.SetString(listedID)
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Pointer:
		value.Set(reflect.New(kind.Elem()))
		value.Elem().Set(sample(kind.Elem(), depth))
	case reflect.Slice:
		value.Set(reflect.Append(value, sample(kind.Elem(), depth)))
	case reflect.Map:
		value.Set(reflect.MakeMap(kind))
		value.SetMapIndex(sample(kind.Key(), depth), sample(kind.Elem(), depth))
	case reflect.Struct:
		for field, of := range value.Fields() {
			if field.IsExported() && field.Type.Kind() != reflect.Interface && field.Type.Kind() != reflect.Func {
				of.Set(sample(field.Type, depth))
			}
		}
	case reflect.Func, reflect.Interface:
		panic(kind)
	default:
		if value.CanInt() {
			value.SetInt(25)
		} else if value.CanUint() {
			value.SetUint(1)
		}
	}
	return value
}
