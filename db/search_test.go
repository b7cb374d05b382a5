package db_test

import (
	"regexp"
	"strings"
	"testing"

	"ticketgate/db"
	"ticketgate/domain/search"
)

// The search must be as fast with millions of rows as with thousands: no way reads a large table sequentially.
func TestTheSearchScansNoLargeTable(t *testing.T) {
	t.Parallel()
	pool := loadedForLookups(t)
	var kinds []search.Kind
	for _, name := range search.Kind("").Names() {
		kinds = append(kinds, search.Kind(name))
	}
	statement := db.SearchStatement(kinds, search.Query{})
	whole := regexp.MustCompile(`Seq Scan on (tickets|access_entries|catalog_events)\b`)
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		plan := planOf(t, pool, mode, statement,
			"seller3", "code777", "code777", "code777\U0010FFFF", "%code777%", "777", "01930000-0000-7000-8000-000000000001")
		if found := whole.FindString(plan); found != "" {
			t.Errorf("%s: %s in\n%s", mode, found, plan)
		}
		for _, index := range []string{"access_entries_by_code", "ticket_has_its_own_barcode", "tickets_by_email"} {
			if !strings.Contains(plan, index) {
				t.Errorf("%s does not use %s:\n%s", mode, index, plan)
			}
		}
	}
}
