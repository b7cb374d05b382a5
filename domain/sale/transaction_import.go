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

// TransactionImport is transactions as the platform's other services hand them in (decisions 8.2).
type TransactionImport struct {
	// SellerID is needed from callers that act for several sellers.
	SellerID     ids.Seller       `json:"sellerId"`
	Transactions []ecmajson.Value `json:"transactions"`
}

// ImportedTransactions says what an import did.
type ImportedTransactions struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Stale transactions are older than what is stored, and Refused ones would change what the caller may not change.
	Stale   int                 `json:"stale"`
	Refused []intake.RefusedRow `json:"refused"`
}

// check holds every transaction to the table and to what an import is for, and returns them in normal form with their fees
// computed.
func (i TransactionImport) check(seller ids.Seller) ([]intake.Row, error) {
	faults := domain.Problems{Bounded: true}
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

// saysOfTickets tells whether the transaction cancels tickets or has something for their extraFields.
func saysOfTickets(row intake.Row) bool {
	has := func(list ecmajson.Value, member string) bool {
		return slices.ContainsFunc(list.Elements(), func(item ecmajson.Value) bool {
			_, found := item.Member(member)
			return found
		})
	}
	info, _ := row.Document.Member("cancellationInfo")
	items, _ := info.Member("cancellableItems")
	cart, _ := row.Document.Member("tickets")
	canceled := TransactionStatus(row.Text("status")) == TransactionCanceled
	return canceled || has(items, "cancelledAt") || has(cart, "meta")
}

// completed is the document with everything that is computed, of a transaction that is new or has a stored document.
func completed(row intake.Row, old ecmajson.Value, acceptLanguage string, now time.Time) ecmajson.Value {
	return withLanguage(withItems(row.Document, old, now), old, acceptLanguage)
}

// created is the record of a transaction that is new.
func created(row intake.Row, acceptLanguage string, now time.Time) (TransactionRecord, error) {
	text := completed(row, ecmajson.Value{}, acceptLanguage, now).Print()
	return readAt(text, moment.New(now), moment.New(now))
}

// changed is what a known transaction becomes, and false when it stays the same, whatever the order of members inside free
// objects (decisions 1.6, 7.10). One that does not say when it was changed, while the stored one does, gets the next updatedAt
// (IMPORT-8).
func changed(row intake.Row, old TransactionRecord, now time.Time) (TransactionRecord, bool, error) {
	before, err := ecmajson.Parse(old.Document, ecmajson.Limits{})
	if err != nil {
		return TransactionRecord{}, false, err
	}
	after := completed(row, before, "", now)
	_, dated := after.Member(updatedAt)
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

// readAt reads a document and says where it stands: by its own times, or else by those that are given.
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
