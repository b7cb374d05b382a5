package gate

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/secrets"
)

// TestAccessListsInBothAPIs tests access lists, entries and the lookup through both APIs.
func TestAccessListsInBothAPIs(t *testing.T) {
	t.Parallel()
	tryThroughBothDoors(t, map[string]func(*passage, *testing.T){
		"a lookup has no effect":                                 (*passage).usesNothingUp,
		"a token finds its own seller's codes":                   (*passage).findsItsOwn,
		"tap and go is limited to its events":                    (*passage).tapsAndGoes,
		"a code is found only exactly as stored":                 (*passage).findsTheVeryCode,
		"a failing remote list gives neither a ticket nor a 404": (*passage).waitsForRemoteLists,
		"the error names the missing permission":                 (*passage).namesThePermission,
		"a list keeps its type and listener":                     (*passage).keepsItsType,
		"only callers that may change the signing key see it":    (*passage).hidesTheKey,
		"an entry is kept, filtered, changed and removed":        (*passage).keepsEntries,
		"a list has a code only once":                            (*passage).takesACodeOnce,
		"entries without a valid ticket can be found":            (*passage).findsTheTicketless,
	})
}

// enters creates an entry for a holder and returns its code.
func (p *passage) enters(t *testing.T, holder string) (code string) {
	t.Helper()
	code = systemtest.Serial("card ")
	created := p.Does(t, p.key, domain.CreateEntry, object{
		"listId": p.List.ID, "input": object{"externalCode": code, "customerId": holder},
	})
	has(t, created, object{"externalCode": code, "customerId": holder, "listId": p.List.ID, "sellerId": string(p.Seller.SellerID)})
	return code
}

// admits creates an entry whose holder has a ticket of the event.
func (p *passage) admits(t *testing.T) (code, ticketID string) {
	t.Helper()
	holder := systemtest.Serial("holder")
	return p.enters(t, holder), p.sells(t, systemtest.Serial("ticket "), object{"customerId": holder})
}

// asking returns the arguments to look up a code at the event.
func (p *passage) asking(code string) object { return object{"externalCode": code, "eventId": p.event} }

// finds looks up a code, which must return the ticket.
func (p *passage) finds(t *testing.T, device apitest.Caller, code, ticketID string) {
	t.Helper()
	found := p.Does(t, device, domain.LookUpTicket, p.asking(code))
	if inner, nested := found["ticket"].(object); nested {
		found = inner
	}
	has(t, found, object{"_id": ticketID, "status": "VALID"})
}

func (p *passage) device() apitest.Caller { return apitest.Caller{"Token": p.Device.Token} }

// usesNothingUp tests that a lookup has no effect on scans.
func (p *passage) usesNothingUp(t *testing.T) {
	code, ticketID := p.admits(t)
	for range 2 {
		p.finds(t, p.device(), code, ticketID)
	}
	if n := p.Count(t, "SELECT count(*) FROM scans WHERE ticket_id = $1", ticketID); n != 0 {
		t.Errorf("a lookup left %d scans", n)
	}
}

// findsItsOwn tests that a device's token finds codes of its seller only, and the log of unknown codes.
func (p *passage) findsItsOwn(t *testing.T) {
	code, _ := p.admits(t)
	p.Refuses(t, apitest.Caller{}, domain.LookUpTicket, p.asking(code), domain.CodeUnauthenticated)
	p.Refuses(t, apitest.Caller{"Token": secrets.New(secrets.Device)}, domain.LookUpTicket, p.asking(code), domain.CodeUnauthenticated)
	p.Refuses(t, apitest.Caller{"Token": p.Demo.Sellers[1].DeviceToken}, domain.LookUpTicket, p.asking(code), domain.CodeUnknownCode)

	nobodys := systemtest.Serial("nobody's ")
	p.Refuses(t, p.device(), domain.LookUpTicket, p.asking(nobodys), domain.CodeUnknownCode)
	o := p.ThroughGraphQL(t, p.key, apitest.To(domain.ListUnknownCodes, object{"filter": object{"eventId": p.event}}))
	rows, _ := o.Result.(object)["docs"].([]any)
	if len(rows) != 1 {
		t.Fatalf("got unknown codes %v", o)
	}
	has(t, rows[0].(object), object{"externalCode": nobodys, "deviceId": p.Device.ID, "eventId": p.event})
	if rows[0].(object)["firstAt"] == nil {
		t.Errorf("without its time: %v", rows[0])
	}
}

// tapsAndGoes tests the settings with which a device may look up a code.
func (p *passage) tapsAndGoes(t *testing.T) {
	code, ticketID := p.admits(t)
	elsewhere := p.happens(t, catalog.Root)
	for _, row := range []struct {
		name     string
		tapAndGo any
		allowed  bool
	}{
		{"for this event", object{"enabled": true, "eventIds": []any{p.event}}, true},
		{"for every event", object{"enabled": true}, true},
		{"for another event", object{"enabled": true, "eventIds": []any{elsewhere}}, false},
		{"for no event", object{"enabled": true, "eventIds": []any{}}, false},
		{"disabled", object{"enabled": false, "eventIds": []any{p.event}}, false},
		{"omitted", nil, false},
	} {
		device, id := p.opens(t, object{"tapAndGo": row.tapAndGo}, nil)
		if !row.allowed {
			p.Refuses(t, device, domain.LookUpTicket, p.asking(code), domain.CodeForbidden)
			continue
		}
		p.finds(t, device, code, ticketID)
		for _, change := range []object{
			{"accessAllEvents": false, "events": []any{elsewhere}}, {"accessAllEvents": true, "deviceSettings": nil},
		} {
			p.Does(t, p.key, domain.UpdateDevice, object{"id": id, "input": change})
			p.Refuses(t, device, domain.LookUpTicket, p.asking(code), domain.CodeForbidden)
		}
	}
}

// findsTheVeryCode tests that codes are compared exactly.
func (p *passage) findsTheVeryCode(t *testing.T) {
	holder := systemtest.Serial("holder")
	ticketID := p.sells(t, systemtest.Serial("ticket "), object{"customerId": holder})
	list := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{"name": "Codes"}})
	for _, code := range []string{"AbC-12", "8804000032363FC4"} {
		p.Does(t, p.key, domain.CreateEntry, object{"listId": list["_id"], "input": object{"externalCode": code, "customerId": holder}})
		p.finds(t, p.device(), code, ticketID)
	}
	for _, code := range []string{"abc-12", "ABC-12", "AbC-12 ", "c43f3632", "32363FC4", "8804000032363fc4"} {
		p.Refuses(t, p.device(), domain.LookUpTicket, p.asking(code), domain.CodeUnknownCode)
	}
	p.Does(t, p.key, domain.DeleteAccessList, object{"id": list["_id"]})
	p.Refuses(t, p.device(), domain.LookUpTicket, p.asking("AbC-12"), domain.CodeUnknownCode)
}

// waitsForRemoteLists tests lookups while a remote list fails.
func (p *passage) waitsForRemoteLists(t *testing.T) {
	code, ticketID := p.admits(t)
	hanging, done := context.WithCancel(t.Context())
	defer done()
	for name, answer := range map[string]http.HandlerFunc{
		"hangs":       func(http.ResponseWriter, *http.Request) { <-hanging.Done() },
		"fails":       func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"is not JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
	} {
		server := httptest.NewServer(answer)
		list := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{
			"name": name, "type": "remote", "http": object{"url": server.URL + "/codes"},
		}})
		o := p.Refuses(t, p.device(), domain.LookUpTicket, p.asking("nobody's"), domain.CodeListUnavailable)
		if o.Status != http.StatusServiceUnavailable {
			t.Errorf("%s: %v", name, o)
		}
		p.finds(t, p.device(), code, ticketID) // a static list has it, so no remote list is asked
		p.Does(t, p.key, domain.DeleteAccessList, object{"id": list["_id"]})
		if name == "hangs" {
			done()
		}
		server.Close()
	}
}

// namesThePermission tests the error of a key without the permission.
func (p *passage) namesThePermission(t *testing.T) {
	weak := p.only(t, "scans:create")
	lists := p.Count(t, "SELECT count(*) FROM access_lists")
	o := p.Refuses(t, weak, domain.CreateAccessList, object{"input": object{"name": "L"}}, domain.CodeMissingPermission)
	if want := `Missing permission "accessLists:create"`; o.Refusal.Message != want {
		t.Errorf("says %s, want %s", o.Refusal.Message, want)
	}
	if n := p.Count(t, "SELECT count(*) FROM access_lists"); n != lists {
		t.Errorf("%d lists were created", n-lists)
	}
}

// keepsItsType tests that a list keeps its type, that only remote lists have a listener, and how updates change the listener.
func (p *passage) keepsItsType(t *testing.T) {
	asked := object{"url": apitest.ListenerURL, "hmacKey": "k"}
	for _, wrong := range []object{{"name": "R", "type": "remote"}, {"name": "R", "type": "static", "http": asked}} {
		p.Refuses(t, p.key, domain.CreateAccessList, object{"input": wrong}, domain.CodeValidationFailed, "http")
	}
	created := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{"name": "R", "http": asked}})
	has(t, created, object{"type": "remote", "http": asked, "sellerId": string(p.Seller.SellerID)})
	changing := func(input object) object { return object{"id": created["_id"], "input": input} }
	p.Refuses(t, p.key, domain.UpdateAccessList, changing(object{"name": "R", "type": "static"}), domain.CodeValidationFailed, "type")
	for _, input := range []object{{"name": "New"}, {"name": "New", "type": "remote"}, {"name": "New", "http": object{"url": apitest.ListenerURL}}} {
		has(t, p.Does(t, p.key, domain.UpdateAccessList, changing(input)), object{"name": "New", "type": "remote", "http": asked})
	}
	p.Refuses(t, p.key, domain.UpdateAccessList, changing(object{"name": "R", "http": nil}), domain.CodeValidationFailed, "http")
	unsigned := object{"url": apitest.ListenerURL, "hmacKey": nil}
	for _, input := range []object{{"name": "New", "http": unsigned}, {"name": "New", "http": object{"url": apitest.ListenerURL}}} {
		has(t, p.Does(t, p.key, domain.UpdateAccessList, changing(input)), object{"http": object{"url": apitest.ListenerURL}})
	}
	static := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{"name": "S", "type": "static"}})
	has(t, static, object{"type": "static", "http": nil})
	for id := range map[any]bool{created["_id"]: true, static["_id"]: true} {
		p.Does(t, p.key, domain.DeleteAccessList, object{"id": id})
	}
}

// hidesTheKey tests which callers see the signing key.
func (p *passage) hidesTheKey(t *testing.T) {
	reader := p.only(t, "accessLists:list")
	created := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{
		"name": systemtest.Serial("Signed "), "http": object{"url": apitest.ListenerURL, "hmacKey": "k"},
	}})
	read := p.Does(t, reader, domain.GetAccessList, object{"id": created["_id"]})
	has(t, read, object{"http": object{"url": apitest.ListenerURL}})
	listed := p.Does(t, reader, domain.ListAccessLists, object{"filter": object{"name": strings.ToUpper(created["name"].(string))}})
	domaintest.Equal(t, "listed", listed["docs"], any([]any{read}))
	has(t, p.Does(t, p.key, domain.DeleteAccessList, object{"id": created["_id"]}), object{"_id": created["_id"]})
}

// keepsEntries tests the fields of entries, their filters, changes and removal.
func (p *passage) keepsEntries(t *testing.T) {
	whole := object{
		"externalCode": " Ab/C% " + systemtest.Serial(""), "customerId": systemtest.Serial("holder"), "firstname": "Ada", "lastname": "Lovelace",
		"email": systemtest.Serial("Ada") + "@Example.com", "phone": "+33 1", "meta": object{"b": "1", "a": []any{true, nil}},
	}
	made := p.Does(t, p.key, domain.CreateEntry, object{"listId": p.List.ID, "input": whole})
	has(t, made, object{
		"externalCode": whole["externalCode"], "customerId": whole["customerId"], "firstname": "Ada", "lastname": "Lovelace",
		"email": whole["email"], "phone": "+33 1", "listId": p.List.ID, "sellerId": string(p.Seller.SellerID),
	})
	if len(made["meta"].(object)) != 2 || made["meta"].(object)["b"] != "1" {
		t.Errorf("meta is %v", made["meta"])
	}
	item := object{"listId": p.List.ID, "id": made["_id"]}
	domaintest.Equal(t, "read", p.Does(t, p.key, domain.GetEntry, item), made)
	for _, filter := range []object{
		{"customerId": whole["customerId"]}, {"externalCode": whole["externalCode"]}, {"email": strings.ToUpper(whole["email"].(string))},
	} {
		listed := p.Does(t, p.key, domain.ListEntries, object{"listId": p.List.ID, "filter": filter})
		domaintest.Equal(t, fmt.Sprintf("found by %v", filter), listed["docs"], any([]any{made}))
		domaintest.Equal(t, fmt.Sprintf("the number found by %v", filter), fmt.Sprint(listed["total"]), "1")
	}
	renamed := systemtest.Serial("new ")
	changed := p.Does(t, p.key, domain.UpdateEntry, apitest.With(item, "input", object{"externalCode": renamed, "phone": nil, "email": ""}))
	has(t, changed, object{
		"_id": made["_id"], "externalCode": renamed, "customerId": whole["customerId"], "lastname": "Lovelace", "phone": nil, "email": nil,
	})
	p.Refuses(t, p.key, domain.UpdateEntry, apitest.With(item, "input", object{"externalCode": "", "email": "nobody", "meta": "x"}),
		domain.CodeValidationFailed, "externalCode", "email", "meta")
	domaintest.Equal(t, "deleted", p.Does(t, p.key, domain.DeleteEntry, item), changed)
	p.Refuses(t, p.key, domain.GetEntry, item, domain.CodeNotFound)
}

// takesACodeOnce tests that a list has a code only once, including with concurrent calls.
func (p *passage) takesACodeOnce(t *testing.T) {
	other := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{"name": "Other"}})
	input := object{"externalCode": systemtest.Serial("once ")}
	var mutex sync.Mutex
	var racing sync.WaitGroup
	counts := map[string]int{}
	for range 20 {
		racing.Go(func() {
			o := p.API(t, p.key, domain.CreateEntry, object{"listId": p.List.ID, "input": input})
			mutex.Lock()
			defer mutex.Unlock()
			counts[o.Refusal.Message]++
		})
	}
	racing.Wait()
	if counts[""] != 1 || counts["Entry already in list"] != 19 {
		t.Errorf("got %v", counts)
	}
	p.Refuses(t, p.key, domain.CreateEntry, object{"listId": p.List.ID, "input": input}, domain.CodeEntryAlreadyInList)
	second := object{"externalCode": systemtest.Serial("second ")}
	one := object{"listId": p.List.ID, "id": p.Does(t, p.key, domain.CreateEntry, object{"listId": p.List.ID, "input": second})["_id"]}
	if o := p.Refuses(t, p.key, domain.UpdateEntry, apitest.With(one, "input", input), domain.CodeEntryAlreadyInList); o.Refusal.Message != "Entry already in list" {
		t.Errorf("a code that exists already: %v", o)
	}
	has(t, p.Does(t, p.key, domain.GetEntry, one), second)
	p.Does(t, p.key, domain.CreateEntry, object{"listId": other["_id"], "input": input})
	p.Does(t, p.key, domain.DeleteAccessList, object{"id": other["_id"]})
}

// findsTheTicketless tests a filter that only GraphQL has.
func (p *passage) findsTheTicketless(t *testing.T) {
	list := p.Does(t, p.key, domain.CreateAccessList, object{"input": object{"name": "Cards"}})
	holds, lacks := systemtest.Serial("holder"), systemtest.Serial("holder")
	p.sells(t, systemtest.Serial("ticket "), object{"customerId": holds})
	for _, holder := range []string{holds, lacks} {
		p.Does(t, p.key, domain.CreateEntry, object{"listId": list["_id"], "input": object{"externalCode": holder, "customerId": holder}})
	}
	o := p.ThroughGraphQL(t, p.key, apitest.To(domain.ListEntries, object{"listId": list["_id"], "filter": object{"withoutTicketFor": p.event}}))
	rows, _ := o.Result.(object)["docs"].([]any)
	if len(rows) != 1 || rows[0].(object)["customerId"] != lacks {
		t.Errorf("entries without a ticket: %v", o)
	}
	p.Does(t, p.key, domain.DeleteAccessList, object{"id": list["_id"]})
}
