package db

import (
	"context"

	"ticketgate/domain"
	"ticketgate/domain/batch"
	"ticketgate/domain/sale"
)

// references reads what the items of a list refer to. GraphQL asks for it item by item, all at the same time: the calls
// share statements, so that a page of a hundred takes two or three of them and not a hundred.
type references struct {
	transactions batch.Group[reference, *sale.TransactionRecord]
	invoices     batch.Group[invoicePage, domain.List[sale.InvoiceRecord]]
	counts       batch.Group[reference, int]
}

// reference names a row by its seller and its _id; those of one statement may be several sellers'.
type reference struct {
	seller domain.SellerID
	id     string
}

// invoicePage is a part of the invoices of one transaction.
type invoicePage struct {
	of    reference
	after int // the number that it comes behind
	limit int
}

// referredAtOnce keeps a statement far below the time that it has.
const referredAtOnce = 250

func (r *references) open(s *Store) {
	together(&r.transactions, s.referredTransactions)
	together(&r.invoices, s.invoicesOfTransactions)
	together(&r.counts, s.countsOfInvoices)
}

func together[In, Out any](group *batch.Group[In, Out], work func(context.Context, []In) ([]Out, error)) {
	group.Work, group.Most, group.Timeout = work, referredAtOnce, DefaultLimits.Statement
}

// columnsOfReferences are references as a statement takes them.
func columnsOfReferences(of []reference) (sellers, ids []string) {
	for _, one := range of {
		sellers, ids = append(sellers, string(one.seller)), append(ids, one.id)
	}
	return sellers, ids
}

// ReferredTransaction reads one transaction of a seller, together with others that are asked for now.
func (s transactionStore) ReferredTransaction(
	ctx context.Context, seller domain.SellerID, id string,
) (*sale.TransactionRecord, error) {
	return s.references.transactions.Do(ctx, reference{seller, id})
}

// referredTransactions reads each transaction once, however many refer to it.
func (s *Store) referredTransactions(ctx context.Context, wanted []reference) ([]*sale.TransactionRecord, error) {
	sellers, ids := columnsOfReferences(wanted)
	found, err := rows[transactionRow](ctx, s, s.sql, `SELECT t.document, t.created_at, t.updated_at
		FROM (SELECT DISTINCT seller_id, id FROM unnest($1::text[], $2::text[]) AS r (seller_id, id)) r
		JOIN transactions t ON t.seller_id = r.seller_id AND t.id = r.id`, sellers, ids)
	if err != nil {
		return nil, err
	}
	known := make(map[reference]*sale.TransactionRecord, len(found))
	for _, row := range found {
		record, err := row.record()
		if err != nil {
			return nil, err
		}
		known[reference{record.SellerID, record.ID}] = &record
	}
	records := make([]*sale.TransactionRecord, len(wanted))
	for i, one := range wanted {
		records[i] = known[one]
	}
	return records, nil
}

// InvoicesOfTransaction reads a part of the invoices of one transaction, together with others that are asked for now.
func (s invoiceStore) InvoicesOfTransaction(
	ctx context.Context, seller domain.SellerID, transaction string, page domain.Page,
) (domain.List[sale.InvoiceRecord], error) {
	of := reference{seller, transaction}
	after, err := numberBefore(page)
	if err != nil {
		return domain.List[sale.InvoiceRecord]{}, err
	}
	list, err := s.references.invoices.Do(ctx, invoicePage{of: of, after: after, limit: page.Limit})
	list.Total = func(ctx context.Context) (int, error) { return s.references.counts.Do(ctx, of) }
	return list, err
}

// invoicesOfTransactions reads of each part one row more than it has, as listing does.
func (s *Store) invoicesOfTransactions(ctx context.Context, wanted []invoicePage) ([]domain.List[sale.InvoiceRecord], error) {
	of, afters, limits := make([]reference, len(wanted)), make([]int, len(wanted)), make([]int, len(wanted))
	for i, one := range wanted {
		of[i], afters[i], limits[i] = one.of, one.after, one.limit+1
	}
	type placedRow struct {
		invoiceRow
		Place int
	}
	sellers, ids := columnsOfReferences(of)
	found, err := rows[placedRow](ctx, s, s.sql, `SELECT w.place, `+invoiceFields+`
		FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS w (seller_id, transaction_id, after, most, place)
		CROSS JOIN LATERAL (SELECT * FROM invoices WHERE seller_id = w.seller_id AND transaction_id = w.transaction_id
			AND number > w.after ORDER BY number LIMIT w.most) i
		LEFT JOIN hand_overs h ON h.invoice_id = i.id AND h.seller_id = i.seller_id
		ORDER BY w.place, i.number`, sellers, ids, afters, limits)
	if err != nil {
		return nil, err
	}
	lists := make([]domain.List[sale.InvoiceRecord], len(wanted))
	for _, row := range found {
		list := &lists[row.Place-1]
		if list.HasMore = len(list.Items) == wanted[row.Place-1].limit; list.HasMore {
			continue
		}
		record, err := row.record()
		if err != nil {
			return nil, err
		}
		list.Items = append(list.Items, record)
	}
	return lists, nil
}

// countsOfInvoices counts the invoices of transactions.
func (s *Store) countsOfInvoices(ctx context.Context, wanted []reference) ([]int, error) {
	type countedRow struct{ Count int }
	sellers, ids := columnsOfReferences(wanted)
	found, err := rows[countedRow](ctx, s, s.sql, `SELECT (SELECT count(*) FROM invoices
			WHERE seller_id = w.seller_id AND transaction_id = w.transaction_id) AS count
		FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (seller_id, transaction_id, place) ORDER BY w.place`, sellers, ids)
	counts := make([]int, len(found))
	for i, row := range found {
		counts[i] = row.Count
	}
	return counts, err
}
