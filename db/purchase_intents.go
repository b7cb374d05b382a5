package db

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/sale"
	"ticketgate/domain/texts"
)

// purchaseIntentRow is a row of purchase_intents. Only its document is read. The other columns duplicate parts of it.
type purchaseIntentRow struct {
	bun.BaseModel `bun:"table:purchase_intents,alias:p"`

	ID           string                    `bun:"id,pk"`
	SellerID     ids.Seller                `bun:"seller_id"`
	EventID      string                    `bun:"event_id"`
	Status       sale.PurchaseIntentStatus `bun:"status"`
	CustomerID   *string                   `bun:"customer_id"`
	EmailFolded  *string                   `bun:"email_folded"`
	SearchFolded string                    `bun:"search_folded"`
	Document     []byte                    `bun:"document"`
	ExpiresAt    *time.Time                `bun:"expires_at"`
	CreatedAt    time.Time                 `bun:"created_at"`
}

func purchaseIntentRowOf(p sale.PurchaseIntent) (*purchaseIntentRow, error) {
	text, err := p.Document()
	return &purchaseIntentRow{
		ID: p.ID, SellerID: p.SellerID, EventID: p.EventID, Status: p.Status, CustomerID: p.CustomerID,
		EmailFolded: foldedEmail(p.Email), SearchFolded: intentSearch(p), Document: text, ExpiresAt: instant(p.ExpiresAt),
		CreatedAt: p.CreatedAt.Time,
	}, err
}

func (r purchaseIntentRow) intent() (sale.PurchaseIntent, error) {
	return sale.ReadPurchaseIntent(r.Document)
}

const purchaseIntentName = "Purchase intent"

var (
	purchaseIntents = &source[purchaseIntentRow]{columns: "p.document"}
	// purchaseIntentsOfCustomers has the purchase intents that name a customer, and those without a customer that have
	// the customer's email address (GRAPH-4).
	purchaseIntentsOfCustomers = &source[purchaseIntentRow]{columns: "p.document", table: `((SELECT p.* FROM purchase_intents p
			WHERE p.seller_id = $1
			AND p.customer_id = parent.id ` + inPageOrder + `)
		UNION ALL (SELECT p.* FROM purchase_intents p WHERE p.seller_id = $1 AND p.customer_id IS NULL AND p.email_folded = (
			SELECT email_folded FROM customers WHERE seller_id = $1 AND id = parent.id) ` + inPageOrder + `)) AS p`}
)

// purchaseIntentStore implements sale.PurchaseIntentStore.
type purchaseIntentStore struct {
	catalogReader
	transactor[sale.PurchaseIntentTx]
}

// PurchaseIntents returns the store of purchase intents.
func (s *Store) PurchaseIntents() sale.PurchaseIntentStore {
	in := transactor[sale.PurchaseIntentTx]{s, func(tx *Tx) sale.PurchaseIntentTx { return tx.catalog() }}
	return purchaseIntentStore{catalogReader{s, s.sql}, in}
}

// PurchaseIntent reads one purchase intent of a seller.
func (s purchaseIntentStore) PurchaseIntent(
	ctx context.Context, seller ids.Seller, id string,
) (sale.PurchaseIntent, error) {
	return s.purchaseIntent(ctx, s.sql, seller, id, "")
}

func (s *Store) purchaseIntent(
	ctx context.Context, on conn, seller ids.Seller, id, lock string,
) (sale.PurchaseIntent, error) {
	return readOne(ctx, s, on, purchaseIntents.of(seller).withID(id).forUpdate(lock), purchaseIntentName, purchaseIntentRow.intent)
}

// PurchaseIntentsByID returns a seller's purchase intents by id.
func (s purchaseIntentStore) PurchaseIntentsByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]sale.PurchaseIntent, error) {
	found, err := purchaseIntents.of(seller).withIDs(ids).counted(ctx, s.Store, s.sql)
	return byID(found, err, purchaseIntentRow.intent, func(p sale.PurchaseIntent) string { return p.ID })
}

// PurchaseIntents lists a seller's purchase intents by _id.
func (s purchaseIntentStore) PurchaseIntents(
	ctx context.Context, seller ids.Seller, f sale.PurchaseIntentFilter, page domain.Page,
) (domain.List[sale.PurchaseIntent], error) {
	return purchaseIntentsWhere(purchaseIntents, seller, f, purchaseIntentsByIndex(f)...).
		kept("purchase_intents", wholeSeller, 1).page(ctx, s.Store, page)
}

// PurchaseIntentsOfCustomers reads one page of purchase intents for each customer.
func (s purchaseIntentStore) PurchaseIntentsOfCustomers(
	ctx context.Context, seller ids.Seller, customers []string, f sale.PurchaseIntentFilter, page domain.Page,
) (map[string]domain.List[sale.PurchaseIntent], error) {
	return purchaseIntentsWhere(purchaseIntentsOfCustomers, seller, f).within(ctx, s.Store, "", customers, page)
}

func purchaseIntentsWhere(
	from *source[purchaseIntentRow], seller ids.Seller, f sale.PurchaseIntentFilter, leading ...filter,
) listing[purchaseIntentRow, sale.PurchaseIntent] {
	q := from.of(seller).filteredBy(leading, others(leading, append(purchaseIntentsByIndex(f),
		equals("p.status", f.Status), oneOf("p.status", f.StatusIn), holding("p.search_folded", f.Text),
		at("p.created_at >= $", f.CreatedFrom), at("p.created_at < $", f.CreatedUntil),
		at("p.expires_at >= $", f.ExpiresFrom), at("p.expires_at < $", f.ExpiresUntil))...)...)
	return listing[purchaseIntentRow, sale.PurchaseIntent]{query: q, id: "p.id", item: purchaseIntentRow.intent}
}

// purchaseIntentsByIndex returns the filters that have an index.
func purchaseIntentsByIndex(f sale.PurchaseIntentFilter) []filter {
	return []filter{
		equals("p.customer_id", f.CustomerID), withEmail("p.email_folded", f.Email), equals("p.event_id", f.EventID),
	}
}

// IdentificationOf returns the seller's identification settings.
func (s purchaseIntentStore) IdentificationOf(ctx context.Context, seller ids.Seller) (identification.Seller, error) {
	found, err := s.seller(ctx, s.sql, seller, "")
	return found.Identification(), err
}

// InsertPurchaseIntent stores a new purchase intent.
func (tx *Tx) InsertPurchaseIntent(ctx context.Context, p sale.PurchaseIntent) error {
	created, err := purchaseIntentRowOf(p)
	if err != nil {
		return err
	}
	return tx.insert(ctx, created)
}

// PurchaseIntentForUpdate reads a purchase intent and locks its row.
func (tx *Tx) PurchaseIntentForUpdate(
	ctx context.Context, seller ids.Seller, id string,
) (sale.PurchaseIntent, error) {
	return tx.store.purchaseIntent(ctx, tx, seller, id, "NO KEY UPDATE")
}

// UpdatePurchaseIntent updates an existing, locked purchase intent. Its event never changes.
func (tx *Tx) UpdatePurchaseIntent(ctx context.Context, p sale.PurchaseIntent) error {
	changed, err := purchaseIntentRowOf(p)
	if err != nil {
		return err
	}
	return tx.update(ctx, purchaseIntentName, changed, "status", "customer_id", "email_folded", "search_folded", "document", "expires_at")
}

// DuePurchaseIntents returns open purchase intents that have expired, the longest overdue first, and locks them. Locked
// ones are skipped.
func (tx *Tx) DuePurchaseIntents(ctx context.Context, now time.Time, most int) ([]sale.PurchaseIntent, error) {
	found, err := purchaseIntents.where("p.status IN ('CREATED', 'APPROVED') AND p.expires_at <= $", now).where(staying).
		orderBy("p.expires_at").forUpdate("NO KEY UPDATE SKIP LOCKED").first(ctx, tx.store, tx, most)
	if err != nil {
		return nil, err
	}
	return each(found, purchaseIntentRow.intent)
}

// intentSearch returns the searchable text of a purchase intent. Its parts are separated by line breaks, so that no
// search matches across two.
func intentSearch(p sale.PurchaseIntent) string {
	parts := [...]string{p.ID, joined(p.Prename, p.Lastname), joined(p.Name), joined(p.Company), joined(p.Email)}
	return texts.Fold(strings.Join(parts[:], "\n"))
}
