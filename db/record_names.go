package db

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ticketgate/domain"
	"ticketgate/domain/audit"
	"ticketgate/domain/search"
)

// namedRecord defines how the names of a kind of record are read: a FROM clause with the table as t, a SQL expression
// for the name, and a condition.
type namedRecord struct{ from, name, where string }

const (
	ofSeller     = "t.seller_id = $1 AND t.id = ANY($2)"
	deliveryKind = "webhookDelivery"
)

// namedRecords are the kinds of records in the audit log that have names. $1 is the seller, $2 the ids, and $3 the ids
// of deliveries. $4 is the organization, if the caller may read its names.
var namedRecords = func() map[string]namedRecord {
	records := map[string]namedRecord{
		"entryImport":    {"entry_imports t JOIN access_lists l ON l.id = t.list_id AND l.seller_id = t.seller_id", "l.name", ofSeller},
		"member":         {"memberships t JOIN users u ON u.id = t.user_id", "u.email", ofSeller},
		"organization":   {"organizations t", "t.name", "t.id = $4 AND t.id = ANY($2)"},
		"purchaseIntent": {"purchase_intents t", personOf("t"), ofSeller},
		"scan":           {"scans t", "t.barcode", ofSeller},
		"scanZone":       {"scan_zones t", "t.name", ofSeller},
		"seller":         {"sellers t", "t.name", "t.id = $1 AND t.id = ANY($2)"},
		"ticketType":     {"ticket_types t", "t.name", ofSeller},
		"user": {
			"users t", "t.email", "t.id = ANY($2) AND EXISTS (SELECT FROM memberships m WHERE m.user_id = t.id" +
				" AND (m.seller_id = $1 OR m.organization_id = $4))",
		},
	}
	for name, kind := range map[string]search.Kind{
		"accessList": search.AccessList, "accessUser": search.AccessUser, "apiKey": search.APIKey, "checkout": search.Checkout,
		"customer": search.Customer, "event": search.Event, "invoice": search.Invoice, "scanGroup": search.ScanGroup,
		"ticket": search.Ticket, "transaction": search.Transaction, "webhook": search.Webhook,
	} {
		records[name] = namedRecord{searched[kind].from, searched[kind].title, ofSeller}
	}
	records[deliveryKind] = namedRecord{"deliveries t", "t.type", "t.seller_id = $1 AND t.id = ANY($3::uuid[])"}
	return records
}()

// RecordNames returns the current names of a seller's records in one statement for all kinds.
func (s auditStore) RecordNames(
	ctx context.Context, reach domain.NameReach, records []audit.Record,
) (map[audit.Record]string, error) {
	type nameRow struct {
		Object string `bun:"object"`
		ID     string `bun:"id"`
		Name   string `bun:"name"`
	}
	kinds, ids, deliveries := map[string]bool{}, []string{}, []string{}
	for _, record := range records {
		if _, named := namedRecords[record.Object]; !named {
			continue
		}
		kinds[record.Object] = true
		if record.Object == deliveryKind {
			deliveries = append(deliveries, record.ID)
		} else {
			ids = append(ids, record.ID)
		}
	}
	if len(kinds) == 0 {
		return map[audit.Record]string{}, nil
	}
	// Each argument needs a type, even if none of the kinds uses it.
	parts := []string{"SELECT ''::text AS object, ''::text AS id, ''::text AS name" +
		" FROM (SELECT $1::text, $2::text[], $3::text[], $4::text) AS asked WHERE false"}
	for _, object := range slices.Sorted(maps.Keys(kinds)) {
		kind := namedRecords[object]
		parts = append(parts, fmt.Sprintf("SELECT '%s', t.id::text, (%s)::text FROM %s WHERE %s AND (%[2]s) IS NOT NULL",
			object, kind.name, kind.from, kind.where))
	}
	found, err := rows[nameRow](ctx, s.Store, s.sql, strings.Join(parts, " UNION ALL "),
		string(reach.SellerID), ids, deliveries, string(reach.OrgID))
	names := make(map[audit.Record]string, len(found))
	for _, r := range found {
		names[audit.Record{Object: r.Object, ID: r.ID}] = r.Name
	}
	return names, err
}
