package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ticketgate/db/dbtest"
	"ticketgate/domain"
	"ticketgate/domain/tenant"
	"ticketgate/graph"
	"ticketgate/graph/generated"
	"ticketgate/rest"
	"ticketgate/rest/resttest"

	"github.com/vektah/gqlparser/v2/ast"
)

// house is a running program with a seeded world, whose two doors are called side by side.
type house struct {
	program *Program
	do      *graph.Resolver
	world   world
	rest    *resttest.Client
	sql     *sql.DB
	schema  *ast.Schema
	url     string
	// database is the URL of the application's role.
	database string
}

// openHouse starts a program on a database of its own. At the end of the test its log must not tell of a panic or of
// any other error that a caller can't have caused.
func openHouse(t *testing.T, settings ...string) *house {
	t.Helper()
	database, log := dbtest.New(t), &logBuffer{}
	settings = append([]string{
		"TICKETGATE_ALLOW_PRIVATE_ADDRESSES=false", "TICKETGATE_PUBLIC_RATE=100000", "TICKETGATE_PUBLIC_BURST=100000",
	}, settings...)
	config, _, err := loadConfig(onDatabase(database, settings...))
	must(t, err)
	program := &Program{
		Config: config, Log: slog.New(slog.NewTextHandler(log, nil)), Serves: true,
		Delivers: slices.Contains(settings, deliversToTests),
	}
	must(t, program.Run(context.Background()))
	h := &house{
		program: program, do: newOperations(config, program.store), url: program.URL(), database: database.ApplicationURL,
		schema: generated.NewExecutableSchema(generated.Config{}).Schema(),
	}
	h.sql, err = sql.Open("pgx", database.ApplicationURL)
	must(t, err)
	t.Cleanup(func() {
		_ = h.sql.Close()
		must(t, program.Close())
		if _, text, found := strings.Cut(log.String(), "level=ERROR"); found {
			t.Errorf("the program's log tells of an error: %.3000s", text)
		}
	})
	h.world, err = seedWorld(asPlatform(t.Context()), h.do)
	must(t, err)
	h.rest = resttest.New(t, h.url)
	return h
}

// deliversToTests is the setting of a house that makes attempts, which its listeners on this machine receive.
const deliversToTests = "TICKETGATE_ALLOW_PRIVATE_ADDRESSES=true"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// actingOn is the platform's context for a seller, in which tests make what they need.
func (h *house) actingOn(t *testing.T, seller seededSeller) context.Context {
	t.Helper()
	return forSeller(t.Context(), tenant.Seller{
		ID: seller.SellerID, OrganizationID: seller.OrganizationID, Webhooks: true, SIREN: seller.SIREN,
	})
}

// caller is the headers that say who is calling.
type caller map[string]string

func bearer(secret string) caller { return caller{"Authorization": "Bearer " + secret} }

// deviceOf is the seller's seeded device.
func deviceOf(seller seededSeller) caller { return caller{"Token": seller.DeviceToken} }

func (c caller) on(seller domain.SellerID) caller {
	further := maps.Clone(c)
	further["X-Seller-Id"] = string(seller)
	return further
}

// session signs a seeded user in.
func (h *house) session(t *testing.T, email, password string) caller {
	t.Helper()
	opened, err := h.do.Sessions.Login(t.Context(), tenant.LoginInput{Email: email, Password: password})
	must(t, err)
	return bearer(opened.Token)
}

// call is an operation with the arguments of its GraphQL field. What REST needs of them it finds by their names: path
// and query by those of arguments and of the filter's members, the body as `input`.
type call struct {
	operation domain.Operation
	args      map[string]any
}

// outcome is what a door answered.
type outcome struct {
	status  int // of HTTP
	refusal resttest.Error
	result  any // without members that are null, lists as {docs, total}
	body    []byte
}

func (o outcome) String() string { return fmt.Sprintf("%d %.2000s", o.status, o.body) }

// codesFile is rows as a file, which has their codes.
func codesFile(rows any) json.RawMessage {
	var file bytes.Buffer
	list, _ := rows.([]any)
	for _, row := range list {
		fmt.Fprintln(&file, row.(map[string]any)["externalCode"])
	}
	return file.Bytes()
}

// routesOf lists the documented paths of an operation.
func routesOf(operation domain.Operation) []rest.Route {
	return slices.DeleteFunc(rest.Routes(), func(r rest.Route) bool { return r.Operation != operation })
}

// throughREST makes the call on a documented path. The client holds it against the OpenAPI document.
func (h *house) throughREST(t *testing.T, who caller, route rest.Route, c call) outcome {
	t.Helper()
	client := h.rest.In(t)
	for name, value := range who {
		client = client.With(name, value)
	}
	path, body := requestOf(t, route, c)
	if route.Operation == domain.PreviewEntryImport {
		body, client = codesFile(body), client.With("Content-Type", "text/csv")
	}
	answer := client.Do(route.Method, path, body)
	o := outcome{status: answer.Status, body: answer.Body}
	if answer.Status >= http.StatusBadRequest {
		answer.Into(&o.refusal)
		return o
	}
	o.result = withoutNulls(decoded(t, answer.Body))
	return o
}

// namedInPath are the arguments whose name in a path is another one than in the schema.
var namedInPath = map[string]string{"/api/webhooks/{id}/deliveries": "webhookId"}

var inBraces = regexp.MustCompile(`\{(\w+)\}`)

// requestOf spells a call as REST does. What a path names goes there, wherever it stands in the arguments of the field.
// An input is the body, unless a part of it is in the path: then its members, like all other arguments, are the query.
func requestOf(t *testing.T, route rest.Route, c call) (path string, body any) {
	t.Helper()
	left := map[string]any{}
	filter, _ := c.args["filter"].(map[string]any)
	maps.Copy(left, c.args)
	maps.Copy(left, filter)
	delete(left, "filter")
	if c.operation == unpaged {
		delete(left, "first")
	}
	path = inBraces.ReplaceAllStringFunc(route.Path, func(placeholder string) string {
		name := strings.Trim(placeholder, "{}")
		if other := namedInPath[route.Path]; other != "" {
			name = other
		}
		if input, inside := left["input"].(map[string]any); inside && left[name] == nil {
			delete(left, "input")
			maps.Copy(left, input)
		}
		value, ok := left[name].(string)
		if !ok {
			t.Fatalf("%s: no argument %s for %s", c.operation, name, route.Path)
		}
		delete(left, name)
		return url.PathEscape(value)
	})
	for _, name := range bodies {
		if sent, ok := left[name]; ok {
			body = sent
			delete(left, name)
		}
	}
	return path + queryOf(left), body
}

// bodies are the arguments that REST takes as a body.
var bodies = []string{"input", "scans", "rows"}

// queryOf spells what is neither in the path nor in the body.
func queryOf(args map[string]any) string {
	// A query that is written out, as no encoder would.
	if written, ok := args["query"].(string); ok {
		return "?" + written
	}
	query := url.Values{}
	for name, value := range args {
		if name == "first" {
			name = "top"
		}
		if value != nil {
			query.Set(name, fmt.Sprint(value))
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// with is the arguments with another value at a dotted path, in which a number is an element of a list.
func with(args map[string]any, path string, value any) map[string]any {
	changed, _ := changedAt(args, path, value).(map[string]any)
	return changed
}

func changedAt(whole any, path string, value any) any {
	first, further, nested := strings.Cut(path, ".")
	if list, ok := whole.([]any); ok {
		index, _ := strconv.Atoi(first)
		changed := slices.Clone(list)
		if nested {
			value = changedAt(list[index], further, value)
		}
		changed[index] = value
		return changed
	}
	members, _ := whole.(map[string]any)
	changed := maps.Clone(members)
	if changed == nil {
		changed = map[string]any{}
	}
	if nested {
		value = changedAt(changed[first], further, value)
	}
	changed[first] = value
	return changed
}

// throughGraphQL makes the call with a document that asks for every member of the result.
func (h *house) throughGraphQL(t *testing.T, who caller, c call) outcome {
	t.Helper()
	document, variables := h.document(t, c)
	o := h.execute(t, who, document, variables)
	if o.result != nil {
		o.result = asREST(c.operation, o.result.(map[string]any)[string(c.operation)])
	}
	return o
}

// execute sends a document; the result is the whole of data, and the refusal the first error.
func (h *house) execute(t *testing.T, who caller, document string, variables any) outcome {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	must(t, err)
	return h.executeBody(t, who, body)
}

func (h *house) executeBody(t *testing.T, who caller, body []byte) outcome {
	t.Helper()
	headers := append(make([]string, 0, 1+len(who)), "Accept: application/json, text/event-stream")
	for name, value := range who {
		headers = append(headers, name+": "+value)
	}
	status, text := h.post(t, "/graphql", body, headers...)
	o := outcome{status: status, body: text}
	var answer struct {
		Errors []struct {
			Message    string         `json:"message"`
			Extensions resttest.Error `json:"extensions"`
		} `json:"errors"`
	}
	must(t, json.Unmarshal(text, &answer))
	if len(answer.Errors) > 0 {
		o.refusal = answer.Errors[0].Extensions
		o.refusal.Message = answer.Errors[0].Message
	}
	if data := withoutNulls(decoded(t, text).(map[string]any)["data"]); data != nil && len(data.(map[string]any)) > 0 {
		o.result = data
	}
	return o
}

// post sends JSON outside the OpenAPI document.
func (h *house) post(t *testing.T, path string, body []byte, headers ...string) (int, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+path, bytes.NewReader(body))
	must(t, err)
	request.Header.Set("Content-Type", "application/json")
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		return answer.StatusCode, []byte(eventsIn(answer.Body).next())
	}
	text, err := io.ReadAll(answer.Body)
	must(t, err)
	return answer.StatusCode, text
}

// document asks for everything that the operation returns.
func (h *house) document(t *testing.T, c call) (string, map[string]any) {
	t.Helper()
	kind, field := "query", h.schema.Query.Fields.ForName(string(c.operation))
	if field == nil {
		kind, field = "mutation", h.schema.Mutation.Fields.ForName(string(c.operation))
	}
	if field == nil {
		kind, field = "subscription", h.schema.Subscription.Fields.ForName(string(c.operation))
	}
	if field == nil {
		t.Fatalf("the schema has no field %s", c.operation)
	}
	var declared, passed []string
	variables := map[string]any{}
	for _, definition := range field.Arguments {
		if value, given := c.args[definition.Name]; given {
			declared = append(declared, "$"+definition.Name+": "+definition.Type.String())
			passed = append(passed, definition.Name+": $"+definition.Name)
			variables[definition.Name] = value
		}
	}
	head, arguments := "", ""
	if len(declared) > 0 {
		head, arguments = "("+strings.Join(declared, ", ")+")", "("+strings.Join(passed, ", ")+")"
	}
	return kind + head + " { " + field.Name + arguments + h.selection(field.Type.Name()) + " }", variables
}

// beside are the fields that say for people what others say for programs. The documented answers of REST stay as they are.
var beside = []string{"ApiKey.creatorName"}

// selection lists every member of a type. The edges of a connection say nothing that its nodes don't.
func (h *house) selection(name string, above ...string) string {
	definition := h.schema.Types[name]
	switch {
	case definition.Kind == ast.Interface && len(above) == 0:
		return " { _id }"
	case definition.Kind != ast.Object || slices.Contains(above, name):
		return ""
	}
	var members []string
	for _, field := range definition.Fields {
		if strings.HasPrefix(field.Name, "__") || field.Name == "edges" || isEdge(name, field) || slices.Contains(beside, name+"."+field.Name) {
			continue
		}
		nested := h.selection(field.Type.Name(), append(above, name)...)
		if h.schema.Types[field.Type.Name()].Kind == ast.Object && nested == "" {
			continue
		}
		members = append(members, field.Name+nested)
	}
	return " { " + strings.Join(members, " ") + " }"
}

// unpaged is the list that REST answers whole, as a bare array (decisions 6.3).
const unpaged = domain.ListDevices

// asREST shows a result of GraphQL in the shape that REST has.
func asREST(operation domain.Operation, value any) any {
	object, ok := value.(map[string]any)
	nodes, isConnection := object["nodes"]
	switch {
	case operation == unpaged:
		return nodes
	case operation == domain.LookUpTicket && ok:
		whole, _ := object["ticket"].(map[string]any)
		maps.Copy(whole, without(object, []string{"ticket"}).(map[string]any))
		return whole
	case !ok || !isConnection:
		return value
	}
	return map[string]any{"docs": nodes, "total": object["totalCount"]}
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	must(t, decoder.Decode(&value))
	return value
}

// withoutNulls takes null members away: REST leaves out what has no value, GraphQL shows null (decisions 1.3).
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

// count asks the database itself.
func (h *house) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var number int
	must(t, h.sql.QueryRowContext(t.Context(), query, args...).Scan(&number))
	return number
}

// serial makes names that no other object of the test run has.
var serial = func() func(prefix string) string {
	numbers := make(chan int, 1)
	numbers <- os.Getpid() * 100_000
	return func(prefix string) string {
		number := <-numbers + 1
		numbers <- number
		return prefix + strconv.Itoa(number)
	}
}()
