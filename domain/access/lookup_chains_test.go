package access_test

import (
	"fmt"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/access"
	"ticketgate/domain/catalog"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/texts"
)

// Lookups by static and remote lists, and the filter for entries without a ticket, follow a chain of events to its
// ends: root > group > inner > show. Evening is below group only, and other is below nothing.
func TestLookUpFollowsChainsOfEvents(t *testing.T) {
	w := newGateFixture(t)
	device := w.device(seller, nil)
	for _, event := range []struct {
		id, root, parent string
		kind             catalog.EventType
	}{
		{"root", "", "", catalog.Root},
		{"group", "root", "", catalog.Group},
		{"inner", "", "group", catalog.Group},
		{"show", "", "inner", catalog.Single},
		{"evening", "", "group", catalog.Single},
		{"other", "", "", catalog.Single},
		{"second root", "", "group", catalog.Root},
		{"late", "second root", "", catalog.Single},
	} {
		w.event(event.id, func(e *catalog.NewEvent) {
			e.Type, e.RootEventID, e.ParentEventID = event.kind, texts.Shown(event.root), texts.Shown(event.parent)
		})
	}
	list := w.list("Cards")
	for i, row := range []struct {
		of, excluded, more string
		opens              []string
	}{
		{"root", "other", "", []string{"root", "group", "inner", "show", "evening", "second root", "late"}},
		{"group", "", "", []string{"root", "group", "inner", "show", "evening", "second root", "late"}},
		{"inner", "", "", []string{"root", "inner", "show"}},
		{"show", "", "", []string{"root", "show"}},
		{"late", "", "", []string{"root", "second root", "late"}},
		{"root", "root", "", nil},
		{"root", "show", "", []string{"root", "group", "inner", "evening", "second root", "late"}},
		{"root", "inner", "", []string{"root", "group", "evening", "second root", "late"}},
		{"group", "root", "", nil},
		{"show", "group", "", nil},
		{"show", "evening", "", []string{"root", "show"}},
		{"elsewhere", "", `,"rootEventId":"second root"`, []string{"root", "second root"}},
		{"elsewhere", "", `,"rootEventId":"root"`, []string{"root"}},
		{"elsewhere", "", "", nil},
	} {
		holder := fmt.Sprint("holder", i)
		w.entryOf(list, holder, holder)
		excluded := "[]"
		if row.excluded != "" {
			excluded = fmt.Sprintf("[%q]", row.excluded)
		}
		w.ticket(seller, "ticket of "+holder, row.of, fmt.Sprintf(`"customerId":%q,"excludedEventIds":%s%s`, holder, excluded, row.more))
		url, _ := answering(t, 200, fmt.Sprintf(`{"customerId":%q}`, holder))
		remote := w.remote(url, "")
		opens := map[string]bool{}
		for _, id := range row.opens {
			opens[id] = true
		}
		for _, at := range []string{"root", "group", "inner", "show", "evening", "second root", "late", "other"} {
			for _, code := range []string{holder, "a code of the remote list"} {
				found, err := w.lookups.LookUp(device, code, at)
				if opens[at] && err != nil || !opens[at] && !domain.HasCode(err, domain.CodeNoTicketForEvent) {
					t.Errorf("%+v by %s at %s: %q, %v", row, code, at, idOf(found), err)
				}
			}
			without := w.codes(list, access.EntryFilter{WithoutTicketFor: at, CustomerID: holder})
			if (len(without) == 0) != opens[at] {
				t.Errorf("%+v at %s: entries without a ticket are %v", row, at, without)
			}
		}
		domaintest.Must(w.lists.Delete(w.As(seller), remote.ID, nil))(t)
	}
}
