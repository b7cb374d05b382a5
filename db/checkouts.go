package db

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/sale"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// checkoutRow is all that is read of a checkout: its columns repeat what the document says.
type checkoutRow struct {
	Document []byte `bun:"document"`
}

func (r checkoutRow) checkout() (sale.Checkout, error) { return sale.ReadCheckout(r.Document) }

const checkoutName = "Checkout"

// checkoutStore is the store as checkouts need it.
type checkoutStore struct{ *Store }

// Checkouts is the database as checkouts need it.
func (s *Store) Checkouts() sale.CheckoutStore { return checkoutStore{s} }

// InTx runs f in one transaction, see transact.
func (s checkoutStore) InTx(ctx context.Context, f func(sale.CheckoutTx) error) error {
	return s.transact(ctx, func(tx *Tx) error { return f(tx) })
}

// Checkout reads one checkout of a seller.
func (s checkoutStore) Checkout(ctx context.Context, seller domain.SellerID, id string) (sale.Checkout, error) {
	found, err := row[checkoutRow](ctx, s.Store, s.sql, checkoutName,
		"SELECT document FROM checkouts WHERE seller_id = $1 AND id = $2", string(seller), id)
	if err != nil {
		return sale.Checkout{}, err
	}
	return found.checkout()
}

// CheckoutsByID reads a seller's checkouts with the ids.
func (s checkoutStore) CheckoutsByID(
	ctx context.Context, seller domain.SellerID, ids []string,
) (map[string]sale.Checkout, error) {
	found, err := countedRows[checkoutRow](ctx, s.Store, s.sql,
		"SELECT document FROM checkouts WHERE seller_id = $1 AND id = ANY($2)", string(seller), ids)
	return byID(found, err, checkoutRow.checkout, func(c sale.Checkout) string { return c.ID })
}

// CheckoutsByTransaction finds the checkouts that became the transactions, by the _id of the transaction.
func (s checkoutStore) CheckoutsByTransaction(
	ctx context.Context, seller domain.SellerID, transactions []string,
) (map[string]sale.Checkout, error) {
	found, err := countedRows[checkoutRow](ctx, s.Store, s.sql, `SELECT document FROM checkouts
		WHERE seller_id = $1 AND document ->> 'transactionId' = ANY($2) AND status = 'COMPLETE'`, string(seller), transactions)
	return byID(found, err, checkoutRow.checkout, func(c sale.Checkout) string { return texts.Of(c.TransactionID) })
}

// SecretOfCheckout reads whose a checkout is, and the digest of its secret.
func (s checkoutStore) SecretOfCheckout(ctx context.Context, id string) (domain.SellerID, secrets.Digest, error) {
	type owned struct {
		SellerID     domain.SellerID
		SecretDigest []byte
	}
	found, err := row[owned](ctx, s.Store, s.sql, checkoutName, "SELECT seller_id, secret_digest FROM checkouts WHERE id = $1", id)
	var digest secrets.Digest
	copy(digest[:], found.SecretDigest)
	return found.SellerID, digest, err
}

// Checkouts lists a seller's checkouts by _id.
func (s checkoutStore) Checkouts(
	ctx context.Context, seller domain.SellerID, f sale.CheckoutFilter, page domain.Page,
) (domain.List[sale.Checkout], error) {
	return checkoutsWhere("checkouts c", seller, f).page(ctx, s.Store, page)
}

// checkoutsOfCustomer are the checkouts that name the customer and, of those that name none, those with the customer's email
// address (GRAPH-4).
const checkoutsOfCustomer = `((SELECT c.* FROM checkouts c WHERE c.seller_id = $1 AND (c.document ->> 'customerId') COLLATE "C" = parent.id
	` + inPageOrder + `)
	UNION ALL (SELECT c.* FROM checkouts c WHERE c.seller_id = $1 AND c.document ->> 'customerId' IS NULL AND c.email_folded = (
		SELECT email_folded FROM customers WHERE seller_id = $1 AND id = parent.id) ` + inPageOrder + `)) c`

// CheckoutsOfCustomers reads a page of each customer's checkouts.
func (s checkoutStore) CheckoutsOfCustomers(
	ctx context.Context, seller domain.SellerID, customers []string, f sale.CheckoutFilter, page domain.Page,
) (map[string]domain.List[sale.Checkout], error) {
	return checkoutsWhere(checkoutsOfCustomer, seller, f).within(ctx, s.Store, "", customers, page)
}

func checkoutsWhere(from string, seller domain.SellerID, f sale.CheckoutFilter) listing[checkoutRow, sale.Checkout] {
	q := selectFrom("c.document", from).where("c.seller_id = $", string(seller)).
		whereIf(f.Status != "", "c.status = $", string(f.Status)).
		whereIf(f.EventID != "", "c.event_id = $", f.EventID).
		whereIf(f.Email != "", "c.email_folded = $", texts.FoldEmail(f.Email)).
		whereIf(f.Text != "", "c.search_folded LIKE $", contains(texts.Fold(f.Text))).
		whereIf(f.CreatedFrom != nil, "c.created_at >= $", instant(f.CreatedFrom)).
		whereIf(f.CreatedUntil != nil, "c.created_at < $", instant(f.CreatedUntil))
	whereIn(q, "c.status", f.StatusIn)
	return listing[checkoutRow, sale.Checkout]{query: q, id: "c.id", item: checkoutRow.checkout}
}

// InsertCheckout stores a new checkout.
func (tx *Tx) InsertCheckout(ctx context.Context, c sale.Checkout, secret secrets.Digest) error {
	text, err := c.Document()
	if err != nil {
		return err
	}
	_, err = exec(ctx, tx.byHand(), `INSERT INTO checkouts (id, seller_id, event_id, status, email_folded, search_folded,
			secret_digest, document, expires_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text::json, $9, $10)`,
		c.ID, string(c.SellerID), c.EventID, string(c.Status), foldedEmail(c.Email), checkoutSearch(c), secret[:], string(text),
		c.ExpiresAt.Time, c.CreatedAt.Time)
	return err
}

// UpdateCheckout stores a checkout that exists and is locked. Its event, its secret and its times never change.
func (tx *Tx) UpdateCheckout(ctx context.Context, c sale.Checkout) error {
	text, err := c.Document()
	if err != nil {
		return err
	}
	return changeOne(ctx, tx.byHand(), checkoutName, `UPDATE checkouts SET status = $3, email_folded = $4, search_folded = $5,
		document = $6::text::json WHERE id = $1 AND seller_id = $2`,
		c.ID, string(c.SellerID), string(c.Status), foldedEmail(c.Email), checkoutSearch(c), string(text))
}

// checkoutSearch is what a person may search a checkout by; the parts are held apart, so that no search spans two.
func checkoutSearch(c sale.Checkout) string {
	parts := [...]string{c.ID, joined(c.Prename, c.Lastname), joined(c.Name), joined(c.Company), joined(c.Email), joined(c.Phone)}
	return texts.Fold(strings.Join(parts[:], "\n"))
}

// lockedCheckoutRow is a checkout with what its moves depend on.
type lockedCheckoutRow struct {
	Document             []byte
	Name                 string
	Country              string
	SIREN                bool `bun:"siren"`
	IdentificationConfig *string
	CheckoutOrigins      []string `bun:",array"`
	HasEvent             bool
	RootEventID          *string
}

// CheckoutToChange reads a checkout with what its moves depend on.
func (s checkoutStore) CheckoutToChange(ctx context.Context, seller domain.SellerID, id string) (sale.LockedCheckout, error) {
	return checkoutToChange(ctx, s.Store, s.sql, seller, id, "")
}

// CheckoutForUpdate locks the checkout alone: its seller and its event may be read and changed meanwhile.
func (tx *Tx) CheckoutForUpdate(ctx context.Context, seller domain.SellerID, id string) (sale.LockedCheckout, error) {
	return checkoutToChange(ctx, tx.store, tx.byHand(), seller, id, " FOR NO KEY UPDATE OF c")
}

func checkoutToChange(
	ctx context.Context, s *Store, on conn, seller domain.SellerID, id, lock string,
) (sale.LockedCheckout, error) {
	found, err := row[lockedCheckoutRow](ctx, s, on, checkoutName, `SELECT c.document, s.name, s.country, s.siren,
			s.identification_config, s.checkout_origins, e.id IS NOT NULL AS has_event, e.root_event_id
		FROM checkouts c JOIN sellers s ON s.id = c.seller_id
		LEFT JOIN catalog_events e ON e.seller_id = c.seller_id AND e.id = c.event_id
		WHERE c.seller_id = $1 AND c.id = $2`+lock, string(seller), id)
	if err != nil {
		return sale.LockedCheckout{}, err
	}
	locked := sale.LockedCheckout{
		Seller: tenant.Seller{
			ID: seller, Name: found.Name, Country: found.Country, SIREN: found.SIREN, CheckoutOrigins: found.CheckoutOrigins,
		},
		HasEvent: found.HasEvent, RootEventID: found.RootEventID,
	}
	if found.IdentificationConfig != nil {
		if err := json.Unmarshal([]byte(*found.IdentificationConfig), &locked.Seller.IdentificationConfig); err != nil {
			return sale.LockedCheckout{}, err
		}
	}
	locked.Checkout, err = sale.ReadCheckout(found.Document)
	return locked, err
}

// ExpiredCheckouts locks open checkouts whose time is over, those that wait longest first.
func (tx *Tx) ExpiredCheckouts(ctx context.Context, now time.Time, most int) ([]sale.Checkout, error) {
	found, err := rows[checkoutRow](ctx, tx.store, tx.byHand(), `SELECT document FROM checkouts
		WHERE status IN ('NEW', 'DETAILS') AND expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`, now, most)
	if err != nil {
		return nil, err
	}
	return each(found, checkoutRow.checkout)
}
