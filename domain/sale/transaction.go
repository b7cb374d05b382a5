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

// Transaction is the transaction resource. Its fields have the documented order: first the required ones, then the optional
// ones.
type Transaction struct {
	ID       string     `json:"_id" document:"id"`
	SellerID ids.Seller `json:"sellerId" document:"id"`
	EventID  string     `json:"eventId" document:"id"`
	// RealPrice is the price that the buyer pays, including taxes and fees. All amounts are in units of Currency, not
	// in cents.
	RealPrice document.Number   `json:"realPrice"`
	Status    TransactionStatus `json:"status"`
	Secret    string            `json:"secret"`
	// TID is the transaction number that people quote. It need not be unique. Its length is limited like a barcode's because
	// it is indexed.
	TID string `json:"tid" document:"longest=255"`
	// Coupons are the applied coupon codes.
	Coupons []string `json:"coupons"`

	// The buyer. The customer need not exist here (SALE-12).
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

	// The cart. Tickets are cart items. The ticket resources refer to the transaction.
	DeliveryAddress *DeliveryAddress          `json:"deliveryAddress,omitempty"`
	Identification  []identification.Document `json:"identification,omitempty"`
	Tickets         []CartTicketItem          `json:"tickets,omitempty"`
	Products        []CartProductItem         `json:"products,omitempty"`
	AdditionalItems []AdditionalItem          `json:"additionalItems,omitempty"`

	// The amounts. RegularPrice is the price before discounts. Inner fees and charges are included in the prices, outer ones
	// are added to them. TaxRate, in percent, applies to items without a rate of their own (SALE-2).
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

	// Payment and point of sale. These fields have no effect here.
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

	// The history. History is deprecated. A new partial.canceled in HistoryEntries is a partial cancellation (SALE-3).
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

// TransactionDefinition is the field table of the resource.
var TransactionDefinition = document.Read[Transaction]()

// TransactionRecord is a stored transaction: the parsed fields, the validated canonical document that responses and events
// use verbatim, and its position in lists.
type TransactionRecord struct {
	Transaction
	Document []byte
	// ListedAt is the document's createdAt or, if it has none, the time of the first import.
	ListedAt moment.DateTime
	// TouchedAt is the document's updatedAt or, if it has none, the time of the last change.
	TouchedAt moment.DateTime
}

// ReadTransaction parses a stored document.
func ReadTransaction(text []byte, listed, touched moment.DateTime) (TransactionRecord, error) {
	record := TransactionRecord{Document: text, ListedAt: listed, TouchedAt: touched}
	err := json.Unmarshal(text, &record.Transaction)
	return record, err
}

// MarshalJSON returns the stored document.
func (r TransactionRecord) MarshalJSON() ([]byte, error) { return r.Document, nil }

// Append appends the document to dst.
func (r TransactionRecord) Append(dst []byte) []byte { return append(dst, r.Document...) }

// Cursor returns the transaction's position in lists.
func (r TransactionRecord) Cursor() domain.Cursor {
	return domain.Cursor{CreatedAt: &r.ListedAt, ID: r.ID}
}
