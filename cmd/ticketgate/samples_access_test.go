package main

import (
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
)

// accessArea is access lists with their entries, imports of them, and the lookup of codes.
var accessArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateAccessList: {
			{args: map[string]any{"input": map[string]any{"name": "Members"}}},
			{name: "remote", args: map[string]any{"input": map[string]any{
				"name": "Partner", "type": "remote", "http": map[string]any{"url": listenerURL, "hmacKey": "a key"},
			}}},
		},
		domain.ListAccessLists:  {{}},
		domain.GetAccessList:    {{target: "id", object: "accessList"}},
		domain.UpdateAccessList: {{target: "id", object: "accessList", args: map[string]any{"input": map[string]any{"name": fresh("Members ")}}}},
		domain.DeleteAccessList: {{target: "id", object: "accessList", usesUp: true}},
		domain.CreateEntry: {{
			target: "listId", object: "accessList",
			args: map[string]any{"input": map[string]any{"externalCode": fresh("code"), "email": "holder@demo.ticketgate.example"}},
		}},
		domain.ListEntries: {{target: "listId", object: "accessList"}},
	},
	makers: map[string]maker{"accessList": (*house).accessList, "entry": (*house).entry},
	lists: map[domain.Operation]pagedList{
		domain.ListAccessLists: {row: (*house).accessList},
		domain.ListEntries: {
			begin: func(_ *house, _ *testing.T, seller seededSeller) map[string]any {
				return map[string]any{"listId": seller.AccessListID}
			},
			row: (*house).entry,
		},
	},
}

func (h *house) accessList(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	made, err := h.do.AccessLists.Create(h.actingOn(t, seller), access.NewList{Name: mark + " list"})
	must(t, err)
	return made.ID
}

// entry makes an entry of the seller's seeded list.
func (h *house) entry(t *testing.T, seller seededSeller, mark string) string {
	t.Helper()
	made, err := h.do.AccessEntries.Create(h.actingOn(t, seller), seller.AccessListID, access.NewEntry{
		ExternalCode: serial(mark + " code "), Email: domain.Some("holder@demo.ticketgate.example"),
	})
	must(t, err)
	return made.ID
}
