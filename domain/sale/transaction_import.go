package sale

import (
	"bytes"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/decode"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
	"ticketgate/domain/intake"
	"ticketgate/domain/moment"
)

// TransactionImport is a list of transactions from the platform's other services.
type TransactionImport struct {
	// SellerID is required from callers that act for several sellers.
	SellerID     ids.Seller       `json:"sellerId"`
	Transactions []ecmajson.Value `json:"transactions"`
}

// ImportedTransactions is the result of an import.
type ImportedTransactions struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Stale counts transactions that are older than the stored ones (IMPORT-4). Refused lists those that the caller may not
	// change (IMPORT-6, IMPORT-9).
	Stale   int                 `json:"stale"`
	Refused []intake.RefusedRow `json:"refused"`
}

// check validates the transactions and returns them in canonical form with their fee totals computed, or an error that names
// everything wrong with them.
func (i TransactionImport) check(seller ids.Seller) ([]intake.Row, error) {
	faults := domain.FieldErrors{Bounded: true}
	rows := intake.Rules{
		Seller: seller, Field: "transactions",
		Read: func(path string, transaction ecmajson.Value) ecmajson.Value {
			return decode.Document(&faults, path, TransactionDefinition, transaction, decode.Sent)
		},
		Complete: func(path string, transaction ecmajson.Value) ecmajson.Value {
			if faults.Any() {
				return transaction
			}
			return withTotals(&faults, path, transaction)
		},
	}.Check(&faults, i.Transactions)
	return rows, faults.Err()
}

// concernsTickets reports whether the transaction cancels tickets or has data for their extraFields.
func concernsTickets(row intake.Row) bool {
	has := func(list ecmajson.Value, member string) bool {
		return slices.ContainsFunc(list.Elements(), func(item ecmajson.Value) bool {
			_, found := item.Field(member)
			return found
		})
	}
	info, _ := row.Document.Field("cancellationInfo")
	items, _ := info.Field("cancellableItems")
	cart, _ := row.Document.Field("tickets")
	canceled := TransactionStatus(row.Text("status")) == TransactionCanceled
	return canceled || has(items, "cancelledAt") || has(cart, "meta")
}

// completed returns the document with its computed fields. Old is the stored document, null for a new transaction.
func completed(row intake.Row, old ecmajson.Value, acceptLanguage string, now time.Time) ecmajson.Value {
	return withLanguage(withItems(row.Document, old, now), old, acceptLanguage)
}

// created returns the record of a new transaction.
func created(row intake.Row, acceptLanguage string, now time.Time) (TransactionRecord, error) {
	text := completed(row, ecmajson.Value{}, acceptLanguage, now).Print()
	return readAt(text, moment.New(now), moment.New(now))
}

// changed returns the new state of a stored transaction. It returns false if nothing changes. The order of fields does
// not matter. If the document has no updatedAt but the stored one has, the new state gets a later one (IMPORT-8).
func changed(row intake.Row, old TransactionRecord, now time.Time) (TransactionRecord, bool, error) {
	before, err := ecmajson.Parse(old.Document, ecmajson.Limits{})
	if err != nil {
		return TransactionRecord{}, false, err
	}
	after := completed(row, before, "", now)
	_, dated := after.Field(updatedAt)
	dates := !dated && old.UpdatedAt != nil
	if dates {
		after = TransactionDefinition.With(after, updatedAt, ecmajson.NewString(old.UpdatedAt.String()))
	}
	if bytes.Equal(after.Print(), old.Document) || after.Equal(before) {
		return TransactionRecord{}, false, nil
	}
	touched := domain.NextUpdate(now, old.TouchedAt)
	if dates {
		after = TransactionDefinition.With(after, updatedAt, ecmajson.NewString(touched.String()))
	}
	record, err := readAt(after.Print(), old.ListedAt, touched)
	return record, true, err
}

const updatedAt = "updatedAt"

// readAt parses a document. Its createdAt and updatedAt determine its position in lists. listed and touched are the
// defaults.
func readAt(text []byte, listed, touched moment.DateTime) (TransactionRecord, error) {
	record, err := ReadTransaction(text, listed, touched)
	if record.CreatedAt != nil {
		record.ListedAt = *record.CreatedAt
	}
	if record.UpdatedAt != nil {
		record.TouchedAt = *record.UpdatedAt
	}
	return record, err
}
