package db

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"ticketgate/domain"
	"ticketgate/domain/catalog"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/texts"
)

// customerRow is a row of customers. NameFolded is the full name, normalized for searches.
type customerRow struct {
	bun.BaseModel `bun:"table:customers,alias:c"`

	SellerID    ids.Seller `bun:"seller_id,pk"`
	ID          string     `bun:"id,pk"`
	Email       *string    `bun:"email"`
	EmailFolded *string    `bun:"email_folded"`
	Firstname   *string    `bun:"firstname"`
	Lastname    *string    `bun:"lastname"`
	Company     *string    `bun:"company"`
	NameFolded  string     `bun:"name_folded"`
	Phone       *string    `bun:"phone"`
	Street      *string    `bun:"street"`
	Line2       *string    `bun:"line2"`
	Postal      *string    `bun:"postal"`
	City        *string    `bun:"city"`
	State       *string    `bun:"state"`
	Country     *string    `bun:"country"`
	Meta        *string    `bun:"meta"`
	CreatedAt   time.Time  `bun:"created_at"`
	UpdatedAt   time.Time  `bun:"updated_at"`
}

const customerName = "Customer"

var customers = &source[customerRow]{}

func customerRowOf(c catalog.Customer) *customerRow {
	created := &customerRow{
		SellerID: c.SellerID, ID: c.ID, Email: c.Email, Firstname: c.Firstname, Lastname: c.Lastname,
		Company: c.Company, NameFolded: texts.Fold(c.FullName()), Phone: c.Phone, Street: c.Street, Line2: c.Line2,
		Postal: c.Postal, City: c.City, State: c.State, Country: c.Country, Meta: metaColumn(c.Meta),
		CreatedAt: c.CreatedAt.Time, UpdatedAt: c.UpdatedAt.Time,
	}
	if c.Email != nil {
		folded := texts.FoldEmail(*c.Email)
		created.EmailFolded = &folded
	}
	return created
}

func (r customerRow) customer() (catalog.Customer, error) {
	meta, err := metaOf(r.Meta)
	return catalog.Customer{
		ID: r.ID, SellerID: r.SellerID, Email: r.Email, Firstname: r.Firstname, Lastname: r.Lastname,
		Company: r.Company, Phone: r.Phone, Street: r.Street, Line2: r.Line2, Postal: r.Postal, City: r.City,
		State: r.State, Country: r.Country, Meta: meta,
		CreatedAt: moment.New(r.CreatedAt), UpdatedAt: moment.New(r.UpdatedAt),
	}, err
}

// CustomersByID returns a seller's customers by id.
func (r catalogReader) CustomersByID(
	ctx context.Context, seller ids.Seller, ids []string,
) (map[string]catalog.Customer, error) {
	return recordsByID(ctx, r, customers, customerRow.customer, func(c catalog.Customer) string { return c.ID }, seller, ids)
}

// Customer reads one customer of a seller.
func (s catalogStore) Customer(ctx context.Context, seller ids.Seller, id string) (catalog.Customer, error) {
	return recordByID(ctx, s.catalogReader, customers, customerName, customerRow.customer, seller, id, "")
}

// Customers lists a seller's customers that match the filter.
func (s catalogStore) Customers(
	ctx context.Context, seller ids.Seller, f catalog.CustomerFilter, page domain.Page,
) (domain.List[catalog.Customer], error) {
	q := customers.of(seller).filteredBy([]filter{withEmail("c.email_folded", f.Email)},
		holding("c.name_folded", f.Name), between("c.created_at", f.CreatedFrom, f.CreatedUntil).onKey())
	return listing[customerRow, catalog.Customer]{
		query: q, id: "c.id", created: "c.created_at", item: customerRow.customer,
	}.kept("customers", wholeSeller, 1).page(ctx, s.Store, page)
}

// InsertCustomer stores a new customer.
func (t catalogTx) InsertCustomer(ctx context.Context, customer catalog.Customer) error {
	return t.insert(ctx, customerRowOf(customer))
}

// CustomerForUpdate reads a customer and locks its row.
func (t catalogTx) CustomerForUpdate(ctx context.Context, seller ids.Seller, id string) (catalog.Customer, error) {
	return recordByID(ctx, t.catalogReader, customers, customerName, customerRow.customer, seller, id, "UPDATE")
}

// UpdateCustomer writes all columns of an existing customer.
func (t catalogTx) UpdateCustomer(ctx context.Context, changed catalog.Customer) error {
	return t.update(ctx, customerName, customerRowOf(changed))
}
