package sale

import (
	"maps"
	"slices"

	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// FeeComponents are the fees included in the price, or the fees on top of it.
type FeeComponents struct {
	ID  string         `json:"_id" document:"id"`
	Fix []FeeComponent `json:"fix,omitempty"`
	Var []FeeComponent `json:"var,omitempty"`
}

// FeeComponent is a fee. Its total is computed as amount × value (SALE-2).
type FeeComponent struct {
	ID         string           `json:"_id" document:"id"`
	Amount     *document.Number `json:"amount,omitempty"`
	Value      *document.Number `json:"value,omitempty"`
	Total      *document.Number `json:"total,omitempty"`
	Type       *FeeType         `json:"type,omitempty"`
	Name       *string          `json:"name,omitempty"`
	PublicName *string          `json:"publicName,omitempty"`
	Exposed    *bool            `json:"exposed,omitempty"`
	Scheme     *FeeScheme       `json:"scheme,omitempty"`
}

// FeeScheme identifies the fee scheme that a fee comes from.
type FeeScheme struct {
	SchemeID *string `json:"schemeId,omitempty" document:"id"`
	FeeID    *string `json:"feeId,omitempty" document:"id"`
}

// Cancellation lists the items of a transaction that can be canceled or were, and the amounts that can still be
// refunded.
type Cancellation struct {
	CancellableItems []CancellableItem `json:"cancellableItems,omitempty"`
	// RefundableByTarget has the remaining refundable amount per refund target.
	RefundableByTarget map[string]document.Number `json:"refundableByTarget,omitempty"`
}

// ShownRefundable returns RefundableByTarget as a JSON object for GraphQL, nil if there is none.
func (c Cancellation) ShownRefundable() *ecmajson.Value {
	if c.RefundableByTarget == nil {
		return nil
	}
	fields := make([]ecmajson.Field, 0, len(c.RefundableByTarget))
	for _, target := range slices.Sorted(maps.Keys(c.RefundableByTarget)) {
		// The error is impossible: a Number is always numeric.
		amount, _ := ecmajson.Parse([]byte(c.RefundableByTarget[target].String()), ecmajson.Limits{})
		fields = append(fields, ecmajson.Field{Name: target, Value: amount})
	}
	object := ecmajson.NewObject(fields)
	return &object
}

// CancellableItem is a unit of a transaction that can be canceled separately.
type CancellableItem struct {
	CartItemID string           `json:"cartItemId" document:"id"`
	Type       CancellableType  `json:"type"`
	Price      document.Number  `json:"price"`
	Name       *string          `json:"name,omitempty"`
	TaxRate    *document.Number `json:"taxRate,omitempty"`
	Origin     *FeeOrigin       `json:"origin,omitempty"`
	// CancellationFee is set if a fee was charged, RefundID if the item was refunded.
	CancellationFee *FeeComponent    `json:"cancellationFee,omitempty"`
	RefundID        *string          `json:"refundId,omitempty"`
	CancelledAt     *moment.DateTime `json:"cancelledAt,omitempty"`
}

// FeeOrigin is the fee that a cancellable item of type fee represents.
type FeeOrigin struct {
	Fee *FeeComponent `json:"fee,omitempty"`
}

// AppliedDiscounts lists the applied discounts, by item and for the cart.
type AppliedDiscounts struct {
	Items     []DiscountedItem `json:"items,omitempty"`
	Discounts []CartDiscount   `json:"discounts,omitempty"`
}

// DiscountedItem is an item with its discounts.
type DiscountedItem struct {
	ID           string           `json:"_id" document:"id"`
	ItemID       *string          `json:"itemId,omitempty" document:"id"`
	Amount       *document.Number `json:"amount,omitempty"`
	RegularPrice *document.Number `json:"regularPrice,omitempty"`
	Price        *document.Number `json:"price,omitempty"`
	VarDiscounts []DiscountInfo   `json:"varDiscounts,omitempty"`
	FixDiscounts []DiscountInfo   `json:"fixDiscounts,omitempty"`
}

// DiscountInfo is a discount.
type DiscountInfo struct {
	ID           string            `json:"_id" document:"id"`
	Type         DiscountType      `json:"type"`
	DiscountID   *string           `json:"discountId,omitempty" document:"id"`
	Category     *DiscountCategory `json:"category,omitempty"`
	Name         *string           `json:"name,omitempty"`
	Value        *document.Number  `json:"value,omitempty"`
	AllowedItems []string          `json:"allowedItems,omitempty"`
}

// CartDiscount is a discount on the whole cart, with its limits.
type CartDiscount struct {
	DiscountInfo
	MaxItemsInCart        *document.Number `json:"maxItemsInCart,omitempty"`
	MaxAbsoluteValue      *document.Number `json:"maxAbsoluteValue,omitempty"`
	AbsoluteDiscountValue *document.Number `json:"absoluteDiscountValue,omitempty"`
}

// RedeemedVouchers are the vouchers that paid for part of a transaction.
type RedeemedVouchers struct {
	TotalRedeemedAmount document.Number   `json:"totalRedeemedAmount"`
	Vouchers            []RedeemedVoucher `json:"vouchers,omitempty"`
}

// RedeemedVoucher is a redeemed voucher.
type RedeemedVoucher struct {
	Code           string          `json:"code"`
	RedeemedAmount document.Number `json:"redeemedAmount"`
	ID             *string         `json:"_id,omitempty" document:"id"`
}

// AppliedCoupon is an applied coupon.
type AppliedCoupon struct {
	ID   *string `json:"_id,omitempty" document:"id"`
	Code *string `json:"code,omitempty"`
}

// PosDiscount is a discount given at a point of sale.
type PosDiscount struct {
	ID           string           `json:"_id" document:"id"`
	Name         string           `json:"name"`
	Value        document.Number  `json:"value"`
	DiscountType *PosDiscountType `json:"discountType,omitempty"`
}
