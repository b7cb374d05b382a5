package sale

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
)

// MaxImportedTransactions is how many transactions one import may hold: they are written in one database transaction,
// which others may have to wait for.
const MaxImportedTransactions = 10_000

// TransactionImport is transactions as the platform's other services hand them in (decisions 8.2).
type TransactionImport struct {
	// SellerID is needed from callers that act for several sellers.
	SellerID     domain.SellerID  `json:"sellerId"`
	Transactions []ecmajson.Value `json:"transactions"`
}

// ImportedTransactions says what an import did.
type ImportedTransactions struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Stale transactions are older than what is stored, and Refused ones would change what the caller may not change.
	Stale   int                 `json:"stale"`
	Refused []domain.RefusedRow `json:"refused"`
}

// handedIn is one transaction of an import that has passed the check.
type handedIn struct {
	path     string
	id       string
	document ecmajson.Value
}

// check holds every transaction to the table and to what an import is for, and returns them in normal form with their fees
// computed.
func (i TransactionImport) check(seller domain.SellerID) ([]handedIn, error) {
	const member = "transactions"
	if len(i.Transactions) > MaxImportedTransactions {
		return nil, domain.Invalid(member,
			fmt.Sprintf("must be at most %d at once, not %d", MaxImportedTransactions, len(i.Transactions)))
	}
	var c document.Checker
	list := make([]handedIn, 0, len(i.Transactions))
	met := map[string]string{}
	for n, value := range i.Transactions {
		if c.Full() {
			break
		}
		path := domain.IndexPath(member, n)
		checked := c.Check(path, TransactionDefinition, value)
		id := textOf(checked, memberID)
		if earlier, twice := met[id]; twice && id != "" {
			c.Add(domain.JoinPath(path, memberID), "is also that of "+earlier)
		}
		met[id] = path
		if of, ok := checked.Member("sellerId"); ok && of.Kind() == ecmajson.String && of.Text() != string(seller) {
			c.Add(domain.JoinPath(path, "sellerId"), "must be the seller that the import is for")
		}
		if !c.Any() {
			checked = withTotals(&c, path, checked)
		}
		list = append(list, handedIn{path, id, checked})
	}
	return list, c.Err()
}

// saysOfTickets tells whether the transaction cancels tickets or has something for their extraFields.
func (h handedIn) saysOfTickets() bool {
	has := func(list ecmajson.Value, member string) bool {
		return slices.ContainsFunc(list.Elements(), func(item ecmajson.Value) bool {
			_, found := item.Member(member)
			return found
		})
	}
	info, _ := h.document.Member("cancellationInfo")
	items, _ := info.Member("cancellableItems")
	cart, _ := h.document.Member("tickets")
	canceled := TransactionStatus(textOf(h.document, "status")) == TransactionCanceled
	return canceled || has(items, "cancelledAt") || has(cart, "meta")
}

// completed is the document with everything that is computed, of a transaction that is new or has a stored document.
func (h handedIn) completed(old ecmajson.Value, acceptLanguage string, now time.Time) ecmajson.Value {
	return withLanguage(withItems(h.document, old, now), old, acceptLanguage)
}

// made is the record of a transaction that is new.
func (h handedIn) made(acceptLanguage string, now time.Time) (TransactionRecord, error) {
	text := h.completed(ecmajson.Value{}, acceptLanguage, now).Print()
	return readAt(text, domain.NewDateTime(now), domain.NewDateTime(now))
}

// changed is what a known transaction becomes, and false when it stays the same, whatever the order of members inside free
// objects (decisions 1.6, 7.10). One that does not say when it was changed, while the stored one does, gets the next updatedAt
// (IMPORT-8).
func (h handedIn) changed(old TransactionRecord, now time.Time) (TransactionRecord, bool, error) {
	before, err := ecmajson.Parse(old.Document, ecmajson.Limits{})
	if err != nil {
		return TransactionRecord{}, false, err
	}
	after := h.completed(before, "", now)
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

// isStale reports whether the transaction is older than the stored one, as far as both say when they were changed (IMPORT-4).
func (h handedIn) isStale(old TransactionRecord) bool {
	at, err := domain.ParseDateTime(textOf(h.document, updatedAt))
	return err == nil && old.UpdatedAt != nil && at.Before(old.UpdatedAt.Time)
}

// readAt reads a document and says where it stands: by its own times, or else by those that are given.
func readAt(text []byte, listed, touched domain.DateTime) (TransactionRecord, error) {
	record, err := ReadTransaction(text, listed, touched)
	if record.CreatedAt != nil {
		record.ListedAt = *record.CreatedAt
	}
	if record.UpdatedAt != nil {
		record.TouchedAt = *record.UpdatedAt
	}
	return record, err
}
