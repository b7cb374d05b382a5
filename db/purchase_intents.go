package db

import (
	"context"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/identification"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
)

// purchaseIntentRow is all that is read of a purchase intent: its columns repeat what the document says.
type purchaseIntentRow struct {
	Document []byte `bun:"document"`
}

func (r purchaseIntentRow) intent() (sale.PurchaseIntent, error) {
	return sale.ReadPurchaseIntent(r.Document)
}

const purchaseIntentName = "Purchase intent"

// purchaseIntentStore is the store as purchase intents need it.
type purchaseIntentStore struct{ catalogReader }

// PurchaseIntents is the database as purchase intents need it.
func (s *Store) PurchaseIntents() sale.PurchaseIntentStore {
	return purchaseIntentStore{catalogReader{s, s.sql}}
}

// InTx runs f in one transaction, see transact.
func (s purchaseIntentStore) InTx(ctx context.Context, f func(sale.PurchaseIntentTx) error) error {
	return s.transact(ctx, func(tx *Tx) error { return f(tx.catalog()) })
}

const purchaseIntentByID = "SELECT document FROM purchase_intents WHERE seller_id = $1 AND id = $2"

// PurchaseIntent reads one purchase intent of a seller.
func (s purchaseIntentStore) PurchaseIntent(
	ctx context.Context, seller domain.SellerID, id string,
) (sale.PurchaseIntent, error) {
	return s.purchaseIntent(ctx, s.sql, purchaseIntentByID, seller, id)
}

func (s *Store) purchaseIntent(
	ctx context.Context, on conn, query string, seller domain.SellerID, id string,
) (sale.PurchaseIntent, error) {
	found, err := row[purchaseIntentRow](ctx, s, on, purchaseIntentName, query, string(seller), id)
	if err != nil {
		return sale.PurchaseIntent{}, err
	}
	return found.intent()
}

// PurchaseIntentsByID reads a seller's purchase intents with the ids.
func (s purchaseIntentStore) PurchaseIntentsByID(
	ctx context.Context, seller domain.SellerID, ids []string,
) (map[string]sale.PurchaseIntent, error) {
	found, err := countedRows[purchaseIntentRow](ctx, s.Store, s.sql,
		"SELECT document FROM purchase_intents WHERE seller_id = $1 AND id = ANY($2)", string(seller), ids)
	return byID(found, err, purchaseIntentRow.intent, func(p sale.PurchaseIntent) string { return p.ID })
}

// PurchaseIntents lists a seller's purchase intents by _id.
func (s purchaseIntentStore) PurchaseIntents(
	ctx context.Context, seller domain.SellerID, f sale.PurchaseIntentFilter, page domain.Page,
) (domain.List[sale.PurchaseIntent], error) {
	return purchaseIntentsWhere("purchase_intents p", seller, f).page(ctx, s.Store, page)
}

// purchaseIntentsOfCustomer are the purchase intents that name the customer and, of those that name none, those with the customer's
// email address (GRAPH-4).
const purchaseIntentsOfCustomer = `((SELECT p.* FROM purchase_intents p WHERE p.seller_id = $1 AND p.customer_id = parent.id ` +
	inPageOrder + `)
	UNION ALL (SELECT p.* FROM purchase_intents p WHERE p.seller_id = $1 AND p.customer_id IS NULL AND p.email_folded = (
		SELECT email_folded FROM customers WHERE seller_id = $1 AND id = parent.id) ` + inPageOrder + `)) p`

// PurchaseIntentsOfCustomers reads a page of each customer's purchase intents.
func (s purchaseIntentStore) PurchaseIntentsOfCustomers(
	ctx context.Context, seller domain.SellerID, customers []string, f sale.PurchaseIntentFilter, page domain.Page,
) (map[string]domain.List[sale.PurchaseIntent], error) {
	return purchaseIntentsWhere(purchaseIntentsOfCustomer, seller, f).within(ctx, s.Store, "", customers, page)
}

func purchaseIntentsWhere(
	from string, seller domain.SellerID, f sale.PurchaseIntentFilter,
) listing[purchaseIntentRow, sale.PurchaseIntent] {
	q := selectFrom("p.document", from).where("p.seller_id = $", string(seller)).
		whereIf(f.Status != "", "p.status = $", string(f.Status)).
		whereIf(f.EventID != "", "p.event_id = $", f.EventID).
		whereIf(f.CustomerID != "", "p.customer_id = $", f.CustomerID).
		whereIf(f.Email != "", "p.email_folded = $", texts.FoldEmail(f.Email)).
		whereIf(f.Text != "", "p.search_folded LIKE $", contains(texts.Fold(f.Text))).
		whereIf(f.CreatedFrom != nil, "p.created_at >= $", instant(f.CreatedFrom)).
		whereIf(f.CreatedUntil != nil, "p.created_at < $", instant(f.CreatedUntil)).
		whereIf(f.ExpiresFrom != nil, "p.expires_at >= $", instant(f.ExpiresFrom)).
		whereIf(f.ExpiresUntil != nil, "p.expires_at < $", instant(f.ExpiresUntil))
	whereIn(q, "p.status", f.StatusIn)
	return listing[purchaseIntentRow, sale.PurchaseIntent]{query: q, id: "p.id", item: purchaseIntentRow.intent}
}

// IdentificationOf reads what the seller asks of its buyers.
func (s purchaseIntentStore) IdentificationOf(ctx context.Context, seller domain.SellerID) (identification.Seller, error) {
	found, err := s.seller(ctx, s.sql, seller, "")
	return found.Identification(), err
}

// InsertPurchaseIntent stores a new purchase intent.
func (tx *Tx) InsertPurchaseIntent(ctx context.Context, p sale.PurchaseIntent) error {
	text, err := p.Document()
	if err != nil {
		return err
	}
	_, err = exec(ctx, tx.byHand(), `INSERT INTO purchase_intents (id, seller_id, event_id, status, customer_id, email_folded,
			search_folded, document, expires_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::json, $9, $10)`,
		p.ID, string(p.SellerID), p.EventID, string(p.Status), p.CustomerID, foldedEmail(p.Email), intentSearch(p), string(text),
		instant(p.ExpiresAt), p.CreatedAt.Time)
	return err
}

// PurchaseIntentForUpdate reads a purchase intent and locks its row.
func (tx *Tx) PurchaseIntentForUpdate(
	ctx context.Context, seller domain.SellerID, id string,
) (sale.PurchaseIntent, error) {
	return tx.store.purchaseIntent(ctx, tx.byHand(), purchaseIntentByID+" FOR NO KEY UPDATE", seller, id)
}

// UpdatePurchaseIntent stores a purchase intent that exists and is locked. Its event never changes.
func (tx *Tx) UpdatePurchaseIntent(ctx context.Context, p sale.PurchaseIntent) error {
	text, err := p.Document()
	if err != nil {
		return err
	}
	return changeOne(ctx, tx.byHand(), purchaseIntentName, `UPDATE purchase_intents SET status = $3, customer_id = $4,
		email_folded = $5, search_folded = $6, document = $7::text::json, expires_at = $8 WHERE id = $1 AND seller_id = $2`,
		p.ID, string(p.SellerID), string(p.Status), p.CustomerID, foldedEmail(p.Email), intentSearch(p), string(text),
		instant(p.ExpiresAt))
}

// DuePurchaseIntents locks open purchase intents whose time is over, those that wait longest first.
func (tx *Tx) DuePurchaseIntents(ctx context.Context, now time.Time, most int) ([]sale.PurchaseIntent, error) {
	found, err := rows[purchaseIntentRow](ctx, tx.store, tx.byHand(), `SELECT document FROM purchase_intents
		WHERE status IN ('CREATED', 'APPROVED') AND expires_at <= $1 ORDER BY expires_at LIMIT $2
		FOR NO KEY UPDATE SKIP LOCKED`, now, most)
	if err != nil {
		return nil, err
	}
	return each(found, purchaseIntentRow.intent)
}

// intentSearch is what a person may search a purchase intent by; the parts are held apart, so that no search spans two.
func intentSearch(p sale.PurchaseIntent) string {
	parts := [...]string{p.ID, joined(p.Prename, p.Lastname), joined(p.Name), joined(p.Company), joined(p.Email)}
	return texts.Fold(strings.Join(parts[:], "\n"))
}
