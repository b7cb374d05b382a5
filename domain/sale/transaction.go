package sale

import (
	"encoding/json"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/money"
)

// Transaction is the transaction resource, member by member in the specification's order: the required ones, then the
// optional ones (spec 2.8).
type Transaction struct {
	ID       string     `json:"_id" document:"id"`
	SellerID ids.Seller `json:"sellerId" document:"id"`
	EventID  string     `json:"eventId" document:"id"`
	// RealPrice is what the buyer pays, taxes and fees included. All amounts count units of Currency, not its cents.
	RealPrice document.Number   `json:"realPrice"`
	Status    TransactionStatus `json:"status"`
	Secret    string            `json:"secret"`
	// TID is the number that people quote; two transactions of a seller may have the same one. It is searched by, and so as
	// long as a barcode at most.
	TID string `json:"tid" document:"longest=255"`
	// Coupons are the codes that were applied.
	Coupons []string `json:"coupons"`

	// The buyer. CustomerID is kept as it comes (decisions 1.1).
	CustomerID *string `json:"customerId,omitempty" document:"id"`
	Company    *string `json:"company,omitempty"`
	Name       *string `json:"name,omitempty"`
	Prename    *string `json:"prename,omitempty"`
	Lastname   *string `json:"lastname,omitempty"`
	Email      *string `json:"email,omitempty" document:"email"`
	Street     *string `json:"street,omitempty"`
	Line2      *string `json:"line2,omitempty"`
	City       *string `json:"city,omitempty"`
	State      *string `json:"state,omitempty"`
	Country    *string `json:"country,omitempty" document:"countrytext"`
	Postal     *string `json:"postal,omitempty"`

	// The cart, and what it was bought with. Tickets are items of the cart: the ticket resources name the transaction.
	DeliveryAddress *DeliveryAddress          `json:"deliveryAddress,omitempty"`
	Identification  []identification.Document `json:"identification,omitempty"`
	Tickets         []CartTicketItem          `json:"tickets,omitempty"`
	Products        []CartProductItem         `json:"products,omitempty"`
	AdditionalItems []AdditionalItem          `json:"additionalItems,omitempty"`

	// The amounts: RegularPrice is that before discounts. Inner fees are inside the prices, outer ones on top of them, and so
	// the charges. TaxRate, in percent, is that of all items which have none of their own (decisions 8.6).
	Currency           *money.Currency  `json:"currency,omitempty"`
	RegularPrice       *document.Number `json:"regularPrice,omitempty"`
	PaymentCharge      *document.Number `json:"paymentCharge,omitempty"`
	InnerCharge        *document.Number `json:"innerCharge,omitempty"`
	OuterCharge        *document.Number `json:"outerCharge,omitempty"`
	TaxRate            *document.Number `json:"taxRate,omitempty"`
	InnerFeeComponents *FeeComponents   `json:"innerFeeComponents,omitempty"`
	OuterFeeComponents *FeeComponents   `json:"outerFeeComponents,omitempty"`
	CancellationFee    *FeeComponent    `json:"cancellationFee,omitempty"`
	CancellationInfo   *Cancellation    `json:"cancellationInfo,omitempty"`
	CreatedAt          *moment.DateTime `json:"createdAt,omitempty"`
	UpdatedAt          *moment.DateTime `json:"updatedAt,omitempty"`

	// How it was paid, and where it was sold. None of this moves anything here.
	PSP               *string            `json:"psp,omitempty"`
	PaymentMethod     *PaymentMethod     `json:"paymentMethod,omitempty"`
	PaymentInfoMethod *PaymentMethod     `json:"paymentInfoMethod,omitempty"`
	PaymentInfo       *PaymentInfo       `json:"paymentInfo,omitempty"`
	PaymentStatus     *PaymentStatus     `json:"paymentStatus,omitempty"`
	Origin            *TransactionOrigin `json:"origin,omitempty"`
	SubscriptionID    *string            `json:"subscriptionId,omitempty" document:"id"`
	UserID            *string            `json:"userId,omitempty" document:"id"`
	PosID             *string            `json:"posId,omitempty" document:"id"`
	PosInfo           *PosInfo           `json:"posInfo,omitempty"`

	// What happened to it. History is deprecated; a further entry partial.canceled in HistoryEntries is a partial cancellation.
	History        []HistoryNote   `json:"history,omitempty"`
	HistoryEntries []HistoryEntry  `json:"historyEntries,omitempty"`
	TicketMailSend *bool           `json:"ticketMailSend,omitempty"`
	OrderMailSend  *bool           `json:"orderMailSend,omitempty"`
	ExtraFields    *ecmajson.Value `json:"extraFields,omitempty" document:"object"`
	Channel        *string         `json:"channel,omitempty"`
	UnderShop      *string         `json:"underShop,omitempty"`
	UserAgent      *UserAgent      `json:"userAgent,omitempty"`
	IPLookup       *IPLookup       `json:"ipLookup,omitempty"`

	LocationCenter          []document.Number   `json:"locationCenter,omitempty"`
	Vouchers                []string            `json:"vouchers,omitempty"`
	RedeemedVouchers        *RedeemedVouchers   `json:"redeemedVouchers,omitempty"`
	AppliedCoupons          []AppliedCoupon     `json:"appliedCoupons,omitempty"`
	AppliedDiscountGroups   []string            `json:"appliedDiscountGroups,omitempty"`
	PosDiscounts            []PosDiscount       `json:"posDiscounts,omitempty"`
	PreferredLanguage       *Language           `json:"preferredLanguage,omitempty"`
	CancellationReason      *CancellationReason `json:"cancellationReason,omitempty"`
	AppliedDiscountInfo     *AppliedDiscounts   `json:"appliedDiscountInfo,omitempty"`
	InvoiceVersion          *string             `json:"invoiceVersion,omitempty"`
	SeatingReservationToken *string             `json:"seatingReservationToken,omitempty"`
}

// TransactionDefinition is the table of the resource.
var TransactionDefinition = document.Read[Transaction]()

// TransactionRecord is a transaction as it is stored: its document, checked and canonical (decisions 7.2), which is never
// printed anew, what the document says, and where it stands in lists.
type TransactionRecord struct {
	Transaction
	Document []byte
	// ListedAt is the document's createdAt or, where it has none, the time of the first import.
	ListedAt moment.DateTime
	// TouchedAt is the document's updatedAt or, where it has none, the time of the last change.
	TouchedAt moment.DateTime
}

// ReadTransaction reads a stored document.
func ReadTransaction(text []byte, listed, touched moment.DateTime) (TransactionRecord, error) {
	record := TransactionRecord{Document: text, ListedAt: listed, TouchedAt: touched}
	err := json.Unmarshal(text, &record.Transaction)
	return record, err
}

// MarshalJSON writes the document as it was handed in.
func (r TransactionRecord) MarshalJSON() ([]byte, error) { return r.Document, nil }

// Cursor is a transaction's place in a list.
func (r TransactionRecord) Cursor() domain.Cursor {
	return domain.Cursor{CreatedAt: &r.ListedAt, ID: r.ID}
}
