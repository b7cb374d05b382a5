package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ticketgate/domain/ids"
	"ticketgate/domain/search"
)

// searched defines how each kind is searched. Each of the ways is a separate SELECT that uses an index. With OR, all
// rows of the seller would be read. The arguments are those of searchArguments.
var searched = map[search.Kind]struct {
	from, title, detail, parent string
	ways                        []string
}{
	search.Ticket: {
		"tickets t", "t.document ->> 'ticketName'", personOf("t") + ", t.status", "",
		[]string{"t.id = $2", "t.barcode = $2", "t.email_folded = $3"},
	},
	search.AccessListEntry: {
		"access_entries t", "t.external_code", "nullif(concat_ws(' ', t.firstname, t.lastname), ''), t.email", "t.list_id",
		[]string{
			"t.id = $2", "t.external_code = $2",
			"t.email_folded = $3 AND t.list_id IN (SELECT l.id FROM access_lists l WHERE l.seller_id = $1)",
		},
	},
	search.Transaction: {
		"transactions t", "t.tid", personOf("t") + ", t.status", "", []string{"t.id = $2", "t.tid = $2", "t.email_folded = $3"},
	},
	search.Customer: {
		"customers t", "coalesce(nullif(concat_ws(' ', t.firstname, t.lastname), ''), t.company, t.email, t.id)", "t.company, t.email", "",
		[]string{"t.id = $2", "t.email_folded = $3", "t.name_folded >= $3 AND t.name_folded < $4"},
	},
	search.Checkout: {
		"checkouts t", "coalesce(t.document ->> 'email', t.id)", "t.status", "", []string{"t.id = $2", "t.email_folded = $3"},
	},
	search.Invoice: {
		"invoices t", "t.number::text", "t.kind, t.document ->> 'email'", "", []string{"t.id = $2", "t.number = $6"},
	},
	search.Event: {
		"catalog_events t", "t.name", "to_char(t.starts_at AT TIME ZONE t.time_zone, 'YYYY-MM-DD HH24:MI')", "",
		[]string{"t.id = $2", "t.name_folded LIKE $5"},
	},
	search.AccessList: {"access_lists t", "t.name", "t.type", "", []string{"t.id = $2", "t.name_folded LIKE $5"}},
	search.ScanGroup:  {"scan_groups t", "t.name", "NULL", "", []string{"t.id = $2", "t.name_folded LIKE $5"}},
	search.AccessUser: {"devices t", "t.name", "NULL", "", []string{"t.id = $2", "t.name_folded LIKE $5"}},
	search.Webhook: {
		"webhooks t", "t.name", "t.url", "", []string{"t.id = $2", "lower(normalize(t.name)) LIKE $5", "lower(t.url) LIKE $5"},
	},
	search.Delivery: {"deliveries t", "t.type", "t.state", "", []string{"t.id = $7::uuid"}},
	search.APIKey:   {"api_keys t", "t.name", "t.hint", "", []string{"t.id = $2", "lower(normalize(t.name)) LIKE $5"}},
}

// personOf returns a SQL expression for the name of the person in a document.
func personOf(table string) string {
	return fmt.Sprintf("coalesce(nullif(concat_ws(' ', coalesce(%[1]s.document ->> 'prename', %[1]s.document ->> 'firstname'), "+
		"%[1]s.document ->> 'lastname'), ''), %[1]s.document ->> 'name'), %[1]s.document ->> 'email'", table)
}

// searchArguments declares the types of all arguments, even if no way uses them: the seller, the text, the folded text,
// the upper bound of its prefix range, the pattern of its substring, its number, and its UUID.
const searchArguments = `WITH asked AS (
	SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::bigint, $7::uuid) `

type searchStore struct{ *Store }

// Search returns the store of package search.
func (s *Store) Search() search.Store { return searchStore{s} }

type resultRow struct {
	Place    int // the position of the kind
	Kind     search.Kind
	ID       string
	Title    string
	Detail   string
	ParentID string
}

// Find returns matching records of a seller, in the order of kinds.
func (s searchStore) Find(
	ctx context.Context, seller ids.Seller, kinds []search.Kind, query search.Query,
) ([]search.Result, error) {
	var uuid *string
	if query.UUID {
		uuid = &query.Text
	}
	found, err := rows[resultRow](ctx, s.Store, s.sql, searchStatement(kinds, query),
		string(seller), query.Text, query.Folded, query.Folded+"\U0010FFFF", contains(query.Folded), query.Number, uuid)
	if err != nil {
		return nil, err
	}
	var results []search.Result
	for _, r := range found { // several ways may find the same record
		result := search.Result{Kind: r.Kind, ID: r.ID, Title: r.Title, Detail: r.Detail, ParentID: r.ParentID}
		if !slices.Contains(results, result) {
			results = append(results, result)
		}
	}
	return results, nil
}

// searchStatement returns the statement for the kinds. Few different statements are possible.
func searchStatement(kinds []search.Kind, query search.Query) string {
	var parts []string
	for i, kind := range kinds {
		if kind == search.Delivery && !query.UUID {
			continue // its only way is by UUID, and it has many partitions
		}
		by := searched[kind]
		parent := "''"
		if by.parent != "" {
			parent = by.parent
		}
		for _, way := range by.ways {
			parts = append(parts, fmt.Sprintf("(SELECT %d AS place, '%s' AS kind, t.id::text AS id, %s AS title, "+
				"concat_ws(' · ', %s) AS detail, %s AS parent_id FROM %s WHERE t.seller_id = $1 AND %s LIMIT %d)",
				i, kind, by.title, by.detail, parent, by.from, way, search.MaxPerKind))
		}
	}
	if len(parts) == 0 {
		parts = []string{"SELECT 0 AS place, '' AS kind, '' AS id, '' AS title, '' AS detail, '' AS parent_id WHERE false"}
	}
	return searchArguments + strings.Join(parts, " UNION ALL ") + " ORDER BY place, id"
}
