package gate

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/rest/resttest"
)

// importing is a list whose entries are imported over GraphQL, and over REST for comparison.
type importing struct {
	*apitest.Server
	key, reader, stranger apitest.Caller
	rest                  *resttest.Client
	list                  string
}

func newImporting(t *testing.T) *importing {
	t.Helper()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	i := &importing{
		Server: h, key: apitest.Bearer(seller.APIKey), stranger: apitest.Bearer(h.Demo.Sellers[1].APIKey),
		reader: h.Session(t, seller.ViewerEmail, seller.ViewerPassword), rest: h.REST.In(t).As(seller.APIKey),
	}
	i.list = i.rest.Post("/api/access-lists", object{"name": "Members"}).Want(http.StatusCreated).Text("_id")
	return i
}

// does executes a field with every field of its result. The call must succeed.
func (i *importing) does(t *testing.T, operation domain.Operation, args object) object {
	t.Helper()
	o := i.ThroughGraphQL(t, i.key, apitest.To(operation, args))
	result, ok := o.Result.(object)
	if !ok || o.Refusal.Code != "" {
		t.Fatalf("%s: %v", operation, o)
	}
	return result
}

func (i *importing) refuses(t *testing.T, who apitest.Caller, operation domain.Operation, args object, code domain.Code, paths ...string) apitest.Outcome {
	t.Helper()
	o := i.ThroughGraphQL(t, who, apitest.To(operation, args))
	named := make([]string, 0, len(o.Refusal.Details))
	for _, detail := range o.Refusal.Details {
		named = append(named, detail.Path)
	}
	if o.Refusal.Code != string(code) || strings.Join(named, " ") != strings.Join(paths, " ") || o.Result != nil {
		t.Errorf("%s: got %v, want %s at %v", operation, o, code, paths)
	}
	return o
}

func (i *importing) preview(t *testing.T, mode string, rows ...object) (id string, report object) {
	t.Helper()
	input := object{"listId": i.list, "rows": rows}
	if mode != "" {
		input["mode"] = mode
	}
	report = i.does(t, domain.PreviewEntryImport, object{"input": input})
	return report["_id"].(string), report
}

// codes returns all codes of the list, oldest first.
func (i *importing) codes(t *testing.T) string {
	t.Helper()
	var list struct {
		Docs []struct {
			ExternalCode, CustomerID, Email string
		} `json:"docs"`
	}
	i.rest.Get("/api/access-lists/" + i.list + "/entries?top=1000").Want(http.StatusOK).Into(&list)
	texts := make([]string, 0, len(list.Docs))
	for _, entry := range list.Docs {
		texts = append(texts, strings.Trim(entry.ExternalCode+" "+entry.CustomerID+" "+entry.Email, " "))
	}
	return strings.Join(texts, ", ")
}

func (i *importing) holds(t *testing.T, want string) {
	t.Helper()
	if got := i.codes(t); got != want {
		t.Errorf("the list holds %s, want %s", got, want)
	}
}

func (i *importing) one(id string, input object) object {
	args := object{"listId": i.list, "id": id}
	if input != nil {
		args["input"] = input
	}
	return args
}

// says fails the test unless the report contains these fields as printed.
func says(t *testing.T, report object, wants ...string) {
	t.Helper()
	text := systemtest.Printed(t, report)
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %s: %s", want, text)
		}
	}
}

// An import of rows in GraphQL has the same effects as an import of a file in REST.
func TestEntryImportsThroughGraphQL(t *testing.T) {
	t.Parallel()
	i := newImporting(t)
	for _, code := range []object{
		{"externalCode": "same", "email": "s@example.com", "firstname": "kept"}, {"externalCode": "other", "customerId": "c2"},
	} {
		i.rest.Post("/api/access-lists/"+i.list+"/entries", code).Want(http.StatusCreated)
	}
	const before, after = "same  s@example.com, other c2", "same  s@example.com, other c9, new1 c1 a@example.com, 08A1B2C3"
	rows := []object{
		{"externalCode": "new1", "email": "a@example.com", "customerId": "c1", "meta": object{"seat": "A;1"}},
		{"externalCode": "same", "email": "s@example.com"},
		{"externalCode": "other", "customerId": "c9"},
		{"externalCode": "new1", "email": "a@example.com", "customerId": "c1", "meta": object{"seat": "A;1"}},
		{"externalCode": "new1", "email": "b@example.com"},
		{"externalCode": "bad", "email": "nobody"},
		{"externalCode": "08A1B2C3"},
	}
	id, report := i.preview(t, "", rows...)
	committing := object{"skipBad": true, "onConflict": "update"}

	t.Run("a preview counts and lists rows, and changes nothing", func(t *testing.T) {
		says(t, report, `"counts":{"bad":2,"conflict":1,"duplicate":1,"new":2,"removed":0,"rows":7,"same":1,"stale":0,"trimmed":0,"warnings":1}`,
			`"state":"staged"`, `"mode":"add"`, `"preset":"as-read"`,
			`{"externalCode":"new1","line":5,"reason":"has the code of line 1 and says something else"}`,
			`"line":6,"reason":"email must be an email address such as name@example.com"`,
			`"conflictLines":[{"externalCode":"other","line":3,"reason":"customerId"}]`,
			`"warningLines":[{"externalCode":"08A1B2C3","line":7,"reason":"is a random UID that changes on every read"}]`)
		i.holds(t, before)
	})
	t.Run("REST and the list of imports show the same import", func(t *testing.T) {
		path := "/api/access-lists/" + i.list + "/entries/imports/" + id
		through := systemtest.Printed(t, systemtest.Decoded(t, i.rest.Get(path).Want(http.StatusOK).Body))
		if got := systemtest.Printed(t, i.does(t, domain.GetEntryImport, i.one(id, nil))); got != through {
			t.Errorf("GraphQL: %s\nREST:    %s", got, through)
		}
		listed := i.does(t, domain.ListEntryImports, object{"listId": i.list})
		says(t, listed, `"total":1`, `"_id":"`+id+`"`)
	})
	t.Run("a commit is refused if rows are invalid or in conflict", func(t *testing.T) {
		for _, input := range []object{nil, {"skipBad": true}, {"skipBad": true, "onConflict": "fail"}, {"onConflict": "skip"}} {
			i.refuses(t, i.key, domain.CommitEntryImport, i.one(id, input), domain.CodeInvalidState)
		}
		i.refuses(t, i.key, domain.CommitEntryImport, i.one(id, object{"maxRemoveShare": 1.5}), domain.CodeValidationFailed, "maxRemoveShare")
		i.refuses(t, i.key, domain.UndoEntryImport, i.one(id, nil), domain.CodeInvalidState)
		i.holds(t, before)
	})
	t.Run("a commit applies everything, once", func(t *testing.T) {
		for _, input := range []object{committing, nil} {
			says(t, i.does(t, domain.CommitEntryImport, i.one(id, input)), `"state":"committed"`, `"result":{"added":2,"changed":1,"removed":0}`)
			i.holds(t, after)
		}
		i.refuses(t, i.key, domain.CancelEntryImport, i.one(id, nil), domain.CodeInvalidState)
	})
	t.Run("the same rows a second time change nothing", func(t *testing.T) {
		again, report := i.preview(t, "", rows...)
		says(t, report, `"conflict":0`, `"new":0`, `"same":4`)
		says(t, i.does(t, domain.CommitEntryImport, i.one(again, object{"skipBad": true})), `"result":{"added":0,"changed":0,"removed":0}`)
		i.holds(t, after)
	})
	t.Run("an undo reverts it, once", func(t *testing.T) {
		for range 2 {
			says(t, i.does(t, domain.UndoEntryImport, i.one(id, nil)), `"state":"undone"`, `"undo":{"kept":0,"removed":2,"restored":1}`)
			i.holds(t, before)
		}
		i.refuses(t, i.key, domain.CommitEntryImport, i.one(id, committing), domain.CodeInvalidState)
	})
	t.Run("a canceled import can't be committed", func(t *testing.T) {
		staged, _ := i.preview(t, "", object{"externalCode": "never"})
		for range 2 {
			says(t, i.does(t, domain.CancelEntryImport, i.one(staged, nil)), `"state":"canceled"`)
		}
		i.refuses(t, i.key, domain.CommitEntryImport, i.one(staged, nil), domain.CodeInvalidState)
		i.holds(t, before)
	})
	t.Run("a full set lists removals, and limits them", func(t *testing.T) { i.fullSet(t) })
	t.Run("presets convert card codes", func(t *testing.T) {
		report := i.does(t, domain.PreviewEntryImport, object{"input": object{
			"listId": i.list, "preset": "88040000+reversed", "rows": []object{{"externalCode": "c43f3632"}},
		}})
		says(t, report, `"preset":"88040000+reversed"`, `{"code":"8804000032363FC4","preset":"88040000+reversed"}`,
			`{"code":"32363fc4","preset":"reversed"}`, `{"code":"C43F3632","preset":"upper"}`)
	})
	t.Run("a text in parts is read like the whole file", func(t *testing.T) { i.textInParts(t) })
	t.Run("faults are named", func(t *testing.T) { i.wrong(t, id) })
}

// fullSet fills the list with ten entries and imports a full set.
func (i *importing) fullSet(t *testing.T) {
	t.Helper()
	rows := make([]object, 10)
	for n := range rows {
		rows[n] = object{"externalCode": fmt.Sprintf("c%d", n)}
	}
	id, report := i.preview(t, "full-set", rows...)
	says(t, report, `"removedCodes":["same","other"]`, `"new":10`, `"removed":2`, `"mode":"full-set"`)
	o := i.refuses(t, i.key, domain.CommitEntryImport, i.one(id, object{"maxRemoveShare": 0.99}), domain.CodeInvalidState)
	if want := "This would remove 2 of 2 entries, more than 99 %"; !strings.HasPrefix(o.Refusal.Message, want) {
		t.Errorf("says %s", o.Refusal.Message)
	}
	says(t, i.does(t, domain.CommitEntryImport, i.one(id, object{"confirmRemovals": true})), `"result":{"added":10,"changed":0,"removed":2}`)
	ten := i.codes(t)

	less, _ := i.preview(t, "full-set", rows[3:]...)
	i.refuses(t, i.key, domain.CommitEntryImport, i.one(less, nil), domain.CodeInvalidState)
	i.holds(t, ten)
	says(t, i.does(t, domain.CommitEntryImport, i.one(less, object{"maxRemoveShare": 0.3})), `"result":{"added":0,"changed":0,"removed":3}`)
	i.holds(t, "c3, c4, c5, c6, c7, c8, c9")
	says(t, i.does(t, domain.UndoEntryImport, i.one(less, nil)), `"undo":{"kept":0,"removed":0,"restored":3}`)
	i.holds(t, ten)
}

// textInParts splits a text within a quoted cell, and compares its report with the file's.
func (i *importing) textInParts(t *testing.T) {
	t.Helper()
	const first, second = "\ufeffcode;Karte;E-Mail\r\n\"x\r", "\n1\";7;a@example.com\r\n\r\nx2;8;nobody\r\n"
	file := i.stage(t, "", "text/csv", strings.Replace(first+second, "Karte", "meta.karte", 1))
	found := i.does(t, domain.ReadImportColumns, object{"text": first, "more": true})
	if got := systemtest.Printed(t, found); got != `{"columns":[{"cell":"code","column":"externalCode"},{"cell":"Karte"},`+
		`{"cell":"E-Mail","column":"email"}],"heading":true,"records":1,"separator":";"}` {
		t.Errorf("the columns are %s", got)
	}
	begun := i.does(t, domain.PreviewEntryImport, object{"input": object{
		"listId": i.list, "columns": []any{"code", "meta.karte", "email"}, "heading": true, "text": first, "more": true,
	}})
	says(t, begun, `"state":"reading"`, `"rows":0`)
	staged := i.does(t, domain.ContinueEntryImport, i.one(begun["_id"].(string), object{"after": 1, "text": second}))
	says(t, staged, `"state":"staged"`, `"new":1`, `{"externalCode":"x2","line":5,"reason":"email must be an email address such as name@example.com"}`)
	for _, member := range []string{"counts", "samples", "badLines", "warningLines"} {
		if got, want := systemtest.Printed(t, staged[member]), systemtest.Printed(t, file[member]); got != want {
			t.Errorf("%s: got %s, want %s", member, got, want)
		}
	}
}

func (i *importing) wrong(t *testing.T, id string) {
	t.Helper()
	many := make([]object, 1001)
	for n := range many {
		many[n] = object{"externalCode": fmt.Sprint("m", n)}
	}
	input := func(more object) object {
		input := object{"listId": i.list, "rows": many[:1]}
		maps.Copy(input, more)
		return object{"input": input}
	}
	i.refuses(t, i.key, domain.PreviewEntryImport, input(object{"rows": many}), domain.CodeValidationFailed, "rows")
	says(t, i.does(t, domain.PreviewEntryImport, input(object{"rows": many[:1000]})), `"rows":1000`)
	i.refuses(t, i.key, domain.PreviewEntryImport, object{"input": object{
		"listId": i.list, "columns": []any{"code", nil, ""}, "text": strings.Repeat("x", access.MaxTextBytes+1), "preset": "lower",
	}}, domain.CodeValidationFailed, "text", "preset")
	i.refuses(t, i.key, domain.ReadImportColumns, object{"text": strings.Repeat("x", access.MaxBeginningBytes+1)}, domain.CodeValidationFailed, "text")
	i.refuses(t, i.reader, domain.ReadImportColumns, object{"text": "A"}, domain.CodeForbidden)
	i.refuses(t, i.key, domain.PreviewEntryImport, input(object{"mode": "all", "preset": "lower"}), domain.CodeValidationFailed, "mode", "preset")
	i.refuses(t, i.key, domain.PreviewEntryImport, input(object{"listId": "none"}), domain.CodeNotFound)
	i.refuses(t, i.stranger, domain.PreviewEntryImport, input(nil), domain.CodeNotFound)
	i.refuses(t, i.reader, domain.PreviewEntryImport, input(nil), domain.CodeForbidden)
	for _, operation := range []domain.Operation{
		domain.GetEntryImport, domain.CommitEntryImport, domain.CancelEntryImport, domain.UndoEntryImport,
	} {
		i.refuses(t, i.stranger, operation, i.one(id, nil), domain.CodeNotFound)
		i.refuses(t, i.key, operation, i.one("none", nil), domain.CodeNotFound)
		i.refuses(t, apitest.Caller{}, operation, i.one(id, nil), domain.CodeUnauthenticated)
	}
	i.refuses(t, i.stranger, domain.ListEntryImports, object{"listId": i.list}, domain.CodeNotFound)
	remote := i.rest.Post("/api/access-lists", object{"name": "R", "http": object{"url": "https://listener.example.com/"}}).Want(http.StatusCreated)
	i.refuses(t, i.key, domain.PreviewEntryImport, input(object{"listId": remote.Text("_id")}), domain.CodeInvalidState)
}
