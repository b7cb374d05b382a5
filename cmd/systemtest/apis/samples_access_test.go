package apis

import (
	"strings"
	"testing"

	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// accessArea covers access lists with their entries, imports, and the lookup of codes.
var accessArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateAccessList: {
			{args: map[string]any{"input": map[string]any{"name": "Members"}}},
			{name: "remote", args: map[string]any{"input": map[string]any{
				"name": "Partner", "type": "remote", "http": map[string]any{"url": apitest.ListenerURL, "hmacKey": "a key"},
			}}},
		},
		domain.ListAccessLists:  {{}},
		domain.GetAccessList:    {{target: "id", object: "accessList"}},
		domain.UpdateAccessList: {{target: "id", object: "accessList", args: map[string]any{"input": map[string]any{"name": fresh("Members ")}}}},
		domain.DeleteAccessList: {{target: "id", object: "accessList", usesUp: true}},
		domain.GetListSizes: {{
			target: "ids.0", object: "accessList", unknown: domain.CodeValidationFailed, args: object{"ids": []any{""}},
		}},
		domain.CreateEntry: {{
			target: "listId", object: "accessList",
			args: map[string]any{"input": map[string]any{"externalCode": fresh("code"), "email": "holder@demo.ticketgate.example"}},
		}},
		domain.ListEntries: {{target: "listId", object: "accessList"}},
		domain.GetEntry: {
			inList(sample{object: "entry"}), ofList(sample{args: object{"id": own("entry")}}),
		},
		domain.UpdateEntry: {
			inList(sample{object: "entry", once: true, args: object{"input": object{"externalCode": apitest.FreshCode}}}),
			ofList(sample{once: true, args: object{"id": own("entry"), "input": object{"externalCode": apitest.FreshCode}}}),
		},
		domain.DeleteEntry: {inList(sample{object: "entry", usesUp: true})},

		domain.DeleteEntries: {
			{
				target: "input.ids.0", object: "entry", parent: "listId", misplaced: "accessList", usesUp: true,
				unknown: domain.CodeValidationFailed, args: object{"listId": own("gateList"), "input": object{"ids": []any{""}}},
			},
		},

		domain.PreviewEntryImport: {{
			target: "input.listId", object: "gateList", args: object{"input": object{"rows": []any{object{"externalCode": apitest.FreshCode}}}},
		}},
		domain.ContinueEntryImport: {inList(sample{object: "openImport", usesUp: true, args: object{"input": object{
			"after": 1, "rows": []any{object{"externalCode": apitest.FreshCode}},
		}}})},
		domain.ReadImportColumns: {{args: object{"text": "code;email\nA1;a@b.example\n"}}},
		domain.ListEntryImports:  {ofList(sample{})},
		domain.GetEntryImport:    {inList(sample{object: "import"}), ofList(sample{args: object{"id": own("import")}})},
		domain.CommitEntryImport: {inList(sample{object: "import", usesUp: true, args: object{"input": object{"skipBad": true}}})},
		domain.CancelEntryImport: {inList(sample{object: "import", usesUp: true})},
		domain.UndoEntryImport:   {inList(sample{object: "committedImport", usesUp: true})},

		domain.LookUpTicket: {
			{target: "externalCode", object: "code", unknown: domain.CodeUnknownCode, args: object{"eventId": own("gateEvent")}},
			{
				name: "at an event", target: "eventId", object: "gateEvent", unknown: domain.CodeNoTicketForEvent,
				args: object{"externalCode": own("code")},
			},
		},
		domain.TestAccessCode: {
			// In one list, because the remote lists of other samples have no listener.
			{target: "code", object: "code", answers: true, args: object{"eventId": own("gateEvent"), "listId": own("gateList")}},
			{
				name: "at an event", target: "eventId", object: "gateEvent", answers: true,
				args: object{"code": own("code"), "listId": own("gateList")},
			},
			{
				name: "in a list", target: "listId", object: "gateList",
				args: object{"code": own("code"), "eventId": own("gateEvent")},
			},
		},
		domain.ListUnknownCodes: {{}},
	},
	makers: map[string]maker{
		"accessList": (*apitest.Server).AccessList, "entry": (*apitest.Server).Entry, "code": (*apitest.Server).Code,
		"import": (*apitest.Server).EntryImport, "openImport": (*apitest.Server).OpenImport, "committedImport": (*apitest.Server).CommittedImport,
		// gateList is the seeded list, which contains all entries and imports.
		"gateList": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string { return seller.AccessListID },
	},
	lists: map[domain.Operation]pagedList{
		domain.ListAccessLists: {row: (*apitest.Server).AccessList},
		domain.ListEntries: {
			begin: func(_ *apitest.Server, _ *testing.T, seller demo.Seller) map[string]any {
				return map[string]any{"listId": seller.AccessListID}
			},
			row: (*apitest.Server).Entry,
		},
		domain.ListEntryImports: {
			begin: func(_ *apitest.Server, _ *testing.T, seller demo.Seller) map[string]any {
				return map[string]any{"listId": seller.AccessListID}
			},
			row: (*apitest.Server).EntryImport,
		},
		domain.ListUnknownCodes: {row: (*apitest.Server).UnknownCode},
	},
	refusals: map[domain.Operation][]refusal{
		domain.CreateAccessList: {
			{"a list with a blank name", object{"name": " "}, []string{"name"}},
			{"a list with a long name", object{"name": strings.Repeat("é", 201)}, []string{"name"}},
			{"an internal listener", object{"name": "L", "http": object{"url": "http://10.0.0.1/"}}, []string{"http.url"}},
			{"a listener with a local name", object{"name": "L", "http": object{"url": "http://gate.internal/"}}, []string{"http.url"}},
			{"a listener with another scheme", object{"name": "", "http": object{"url": "ftp://lists.demo.ticketgate.example/"}}, []string{"name", "http.url"}},
			{"a listener that is not a URL", object{"name": "L", "http": object{"url": "lists"}}, []string{"http.url"}},
		},
		domain.CreateEntry: refusedEntries,
		domain.UpdateEntry: refusedEntries,
	},
}

// refusedEntries are entries whose fields break their limits.
var refusedEntries = []refusal{
	{"no code", object{"externalCode": ""}, []string{"externalCode"}},
	{"a long code", object{"externalCode": strings.Repeat("é", 256)}, []string{"externalCode"}},
	{
		"long fields",
		object{
			"externalCode": apitest.FreshCode, "customerId": strings.Repeat("c", 65), "firstname": strings.Repeat("é", 201),
			"lastname": strings.Repeat("é", 201), "email": "nobody", "phone": strings.Repeat("1", 65),
		},
		[]string{"customerId", "firstname", "lastname", "email", "phone"},
	},
	{
		"control characters in names",
		object{"externalCode": apitest.FreshCode, "firstname": "A\x1b]0;pwn\x07", "lastname": "B\u202e", "phone": "1"},
		[]string{"firstname", "lastname"},
	},
	{"a large meta", object{"externalCode": apitest.FreshCode, "meta": object{"a": strings.Repeat("x", 16<<10)}}, []string{"meta"}},
	{"a deep meta", object{"externalCode": apitest.FreshCode, "meta": nested(9)}, []string{"meta"}},
}

// nested returns an object with the given number of levels.
func nested(levels int) object {
	if levels == 1 {
		return object{"a": 1}
	}
	return object{"a": nested(levels - 1)}
}

// inList returns the sample of an object in a list. The object must not be found in another list of the seller.
func inList(s sample) sample {
	s.target, s.parent, s.misplaced = "id", "listId", "accessList"
	s.args = apitest.With(s.args, "listId", own("gateList"))
	return s
}

// ofList returns the sample of the list that contains an operation's object.
func ofList(s sample) sample {
	s.name, s.target, s.object = "of a list", "listId", "gateList"
	return s
}
