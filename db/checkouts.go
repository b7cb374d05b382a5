package db

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/secrets"
	"ticketgate/domain/tenant"
	"ticketgate/domain/texts"
)

// checkoutRow is a row of checkouts. Only its document is read. The other columns duplicate parts of it.
type checkoutRow struct {
	bun.BaseModel `bun:"table:checkouts,alias:c"`

	ID           string              `bun:"id,pk"`
	SellerID     ids.Seller          `bun:"seller_id"`
	EventID      string              `bun:"event_id"`
	Status       sale.CheckoutStatus `bun:"status"`
	EmailFolded  *string             `bun:"email_folded"`
	SearchFolded string              `bun:"search_folded"`
	SecretDigest []byte              `bun:"secret_digest"`
	Document     []byte              `bun:"document"`
	ExpiresAt    time.Time           `bun:"expires_at"`
	CreatedAt    time.Time           `bun:"created_at"`
}

func checkoutRowOf(c sale.Checkout) (*checkoutRow, error) {
	text, err := c.Document()
	return &checkoutRow{
		ID: c.ID, SellerID: c.SellerID, EventID: c.EventID, Status: c.Status, EmailFolded: foldedEmail(c.Email),
		SearchFolded: checkoutSearch(c), Document: text, ExpiresAt: c.ExpiresAt.Time, CreatedAt: c.CreatedAt.Time,
	}, err
}

func (r checkoutRow) checkout() (sale.Checkout, error) { return sale.ReadCheckout(r.Document) }

const checkoutName = "Checkout"

var (
	checkouts       = &source[checkoutRow]{columns: "c.document"}
	checkoutSecrets = &source[checkoutRow]{columns: "c.seller_id, c.secret_digest"}
	// checkoutsOfCustomers has the checkouts that name a customer, and those without a customer that have the
	// customer's email address (GRAPH-4).
	checkoutsOfCustomers = &source[checkoutRow]{columns: "c.document", table: `((SELECT c.* FROM checkouts c WHERE c.seller_id = $1
			AND (c.document ->> 'customerId') COLLATE "C" = parent.id ` + inPageOrder + `)
		UNION ALL (SELECT c.* FROM checkouts c WHERE c.seller_id = $1 AND c.document ->> 'customerId' IS NULL AND c.email_folded = (
			SELECT email_folded FROM customers WHERE seller_id = $1 AND id = parent.id) ` + inPageOrder + `)) AS c`}
)

// checkoutStore implements sale.CheckoutStore.
type checkoutStore struct {
	*Store
	transactor[sale.CheckoutTx]
}

// Checkouts returns the store of checkouts.
func (s *Store) Checkouts() sale.CheckoutStore {
	return checkoutStore{s, transactor[sale.CheckoutTx]{s, func(tx *Tx) sale.CheckoutTx { return tx }}}
}

// Checkout reads one checkout of a seller.
func (s checkoutStore) Checkout(ctx context.Context, seller ids.Seller, id string) (sale.Checkout, error) {
	return readOne(ctx, s.Store, s.sql, checkouts.of(seller).withID(id), checkoutName, checkoutRow.checkout)
}

// CheckoutsByID returns a seller's checkouts by id.
func (s checkoutStore) CheckoutsByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.Checkout, error) {
	found, err := checkouts.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, checkoutRow.checkout, func(c sale.Checkout) string { return c.ID })
}

// CheckoutsByTransaction returns the checkouts that were completed with the transactions, by the transaction's _id.
func (s checkoutStore) CheckoutsByTransaction(
	ctx context.Context, seller ids.Seller, transactions []string,
) (map[string]sale.Checkout, error) {
	found, err := checkouts.of(seller).where("c.document ->> 'transactionId' = ANY($) AND c.status = 'COMPLETE'", transactions).
		counted(ctx, s.Store, s.sql)
	return byID(found, err, checkoutRow.checkout, func(c sale.Checkout) string { return texts.Of(c.TransactionID) })
}

// SecretOfCheckout returns the seller of a checkout and the digest of its secret.
func (s checkoutStore) SecretOfCheckout(ctx context.Context, id string) (ids.Seller, secrets.Digest, error) {
	found, err := checkoutSecrets.all().withID(id).row(ctx, s.Store, s.sql, checkoutName)
	var digest secrets.Digest
	copy(digest[:], found.SecretDigest)
	return found.SellerID, digest, err
}

// Checkouts lists a seller's checkouts by _id.
func (s checkoutStore) Checkouts(
	ctx context.Context, seller ids.Seller, f sale.CheckoutFilter, page domain.Page,
) (domain.List[sale.Checkout], error) {
	return checkoutsWhere(checkouts, seller, f, withEmail("c.email_folded", f.Email), equals("c.event_id", f.EventID)).
		kept("checkouts", wholeSeller, 1).page(ctx, s.Store, page)
}

// CheckoutsOfCustomers reads one page of checkouts for each customer.
func (s checkoutStore) CheckoutsOfCustomers(
	ctx context.Context, seller ids.Seller, customers []string, f sale.CheckoutFilter, page domain.Page,
) (map[string]domain.List[sale.Checkout], error) {
	return checkoutsWhere(checkoutsOfCustomers, seller, f).within(ctx, s.Store, "", customers, page)
}

func checkoutsWhere(
	from *source[checkoutRow], seller ids.Seller, f sale.CheckoutFilter, leading ...filter,
) listing[checkoutRow, sale.Checkout] {
	q := from.of(seller).filteredBy(leading, others(leading,
		withEmail("c.email_folded", f.Email), equals("c.event_id", f.EventID), equals("c.status", f.Status),
		oneOf("c.status", f.StatusIn), holding("c.search_folded", f.Text),
		at("c.created_at >= $", f.CreatedFrom), at("c.created_at < $", f.CreatedUntil))...)
	return listing[checkoutRow, sale.Checkout]{query: q, id: "c.id", item: checkoutRow.checkout}
}

// InsertCheckout stores a new checkout.
func (tx *Tx) InsertCheckout(ctx context.Context, c sale.Checkout, secret secrets.Digest) error {
	created, err := checkoutRowOf(c)
	if err != nil {
		return err
	}
	created.SecretDigest = secret[:]
	return tx.insert(ctx, created)
}

// UpdateCheckout updates an existing, locked checkout. Its event, secret and times never change.
func (tx *Tx) UpdateCheckout(ctx context.Context, c sale.Checkout) error {
	changed, err := checkoutRowOf(c)
	if err != nil {
		return err
	}
	return tx.update(ctx, checkoutName, changed, "status", "email_folded", "search_folded", "document")
}

// checkoutSearch returns the searchable text of a checkout. Its parts are separated by line breaks, so that no search
// matches across two.
func checkoutSearch(c sale.Checkout) string {
	parts := [...]string{c.ID, joined(c.Prename, c.Lastname), joined(c.Name), joined(c.Company), joined(c.Email), joined(c.Phone)}
	return texts.Fold(strings.Join(parts[:], "\n"))
}

// lockedCheckoutRow is a checkout with the data that its state transitions depend on.
type lockedCheckoutRow struct {
	checkoutRow `bun:",extend"`

	Name                 string
	Country              string
	SIREN                bool `bun:"siren"`
	IdentificationConfig *string
	CheckoutOrigins      []string `bun:",array"`
	HasEvent             bool
	RootEventID          *string
}

var checkoutsToChange = &source[lockedCheckoutRow]{
	columns: `c.document, s.name, s.country, s.siren, s.identification_config, s.checkout_origins, e.id IS NOT NULL AS has_event,
		e.root_event_id`,
	joins: []string{
		"JOIN sellers s ON s.id = c.seller_id", "LEFT JOIN catalog_events e ON e.seller_id = c.seller_id AND e.id = c.event_id",
	},
}

// CheckoutToChange reads a checkout with the data that its state transitions depend on.
func (s checkoutStore) CheckoutToChange(ctx context.Context, seller ids.Seller, id string) (sale.LockedCheckout, error) {
	return checkoutToChange(ctx, s.Store, s.sql, seller, id, "")
}

// CheckoutForUpdate is like CheckoutToChange and locks the checkout, but not its seller and event.
func (tx *Tx) CheckoutForUpdate(ctx context.Context, seller ids.Seller, id string) (sale.LockedCheckout, error) {
	return checkoutToChange(ctx, tx.store, tx, seller, id, "NO KEY UPDATE OF c")
}

func checkoutToChange(
	ctx context.Context, s *Store, on conn, seller ids.Seller, id, lock string,
) (sale.LockedCheckout, error) {
	found, err := checkoutsToChange.of(seller).withID(id).forUpdate(lock).row(ctx, s, on, checkoutName)
	if err != nil {
		return sale.LockedCheckout{}, err
	}
	return found.locked()
}

func (r lockedCheckoutRow) locked() (locked sale.LockedCheckout, err error) {
	if locked.Checkout, err = sale.ReadCheckout(r.Document); err != nil {
		return sale.LockedCheckout{}, err
	}
	locked.Seller = tenant.Seller{
		ID: locked.SellerID, Name: r.Name, Country: r.Country, SIREN: r.SIREN, CheckoutOrigins: r.CheckoutOrigins,
	}
	locked.HasEvent, locked.RootEventID = r.HasEvent, r.RootEventID
	if r.IdentificationConfig != nil {
		err = json.Unmarshal([]byte(*r.IdentificationConfig), &locked.Seller.IdentificationConfig)
	}
	return locked, err
}

// ExpiredCheckouts returns open checkouts that have expired, the longest overdue first, and locks them. Locked
// checkouts are skipped.
func (tx *Tx) ExpiredCheckouts(ctx context.Context, now time.Time, most int) ([]sale.Checkout, error) {
	found, err := checkouts.where("c.status IN ('NEW', 'DETAILS') AND c.expires_at <= $", now).where(staying).orderBy("c.expires_at").
		forUpdate("NO KEY UPDATE SKIP LOCKED").first(ctx, tx.store, tx, most)
	if err != nil {
		return nil, err
	}
	return each(found, checkoutRow.checkout)
}
