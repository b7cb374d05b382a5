package sale

import (
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

// CartTicketItem is so many tickets of one type in a cart, at the price of one (spec 2.8.1).
type CartTicketItem struct {
	Amount       int             `json:"amount"`
	Price        document.Number `json:"price"`
	TicketTypeID string          `json:"ticketTypeId" document:"id"`

	Type                 *TicketItemType     `json:"type,omitempty"`
	ID                   *string             `json:"_id,omitempty" document:"id"`
	Name                 *string             `json:"name,omitempty"`
	NetPrice             *document.Number    `json:"netPrice,omitempty"`
	TaxRate              *document.Number    `json:"taxRate,omitempty"`
	TriggeredBy          *document.Texts     `json:"triggeredBy,omitempty"`
	BundleInfo           *BundleInfo         `json:"bundleInfo,omitempty"`
	CategoryRef          *string             `json:"categoryRef,omitempty"`
	SeatingInfo          *ticket.Seating     `json:"seatingInfo,omitempty"`
	SlotInfo             *SlotInfo           `json:"slotInfo,omitempty"`
	AsHardTicket         *bool               `json:"asHardTicket,omitempty"`
	ListingID            *string             `json:"listingId,omitempty" document:"id"`
	ListingItemID        *string             `json:"listingItemId,omitempty" document:"id"`
	TriggeredAutomations *bool               `json:"triggeredAutomations,omitempty"`
	Meta                 *ecmajson.Value     `json:"meta,omitempty" document:"object"`
	AddOns               []ticket.AddOn      `json:"addOns,omitempty"`
	Capabilities         []ticket.Capability `json:"capabilities,omitempty"`
	TaxInfo              *TaxInfo            `json:"taxInfo,omitempty"`
}

// CartProductItem is so many pieces of a product in a cart (spec 2.8.2).
type CartProductItem struct {
	Type             ProductItemType `json:"type"`
	Amount           int             `json:"amount"`
	Price            document.Number `json:"price"`
	ProductVariantID string          `json:"productVariantId" document:"id"`

	ID            *string          `json:"_id,omitempty" document:"id"`
	Name          *string          `json:"name,omitempty"`
	NetPrice      *document.Number `json:"netPrice,omitempty"`
	TaxRate       *document.Number `json:"taxRate,omitempty"`
	TriggeredBy   *document.Texts  `json:"triggeredBy,omitempty"`
	BundleInfo    *BundleInfo      `json:"bundleInfo,omitempty"`
	IsFulfillable *bool            `json:"isFulfillable,omitempty"`
	TaxInfo       *TaxInfo         `json:"taxInfo,omitempty"`
}

// AdditionalItem is what a cart holds besides tickets and products: bundles (spec 2.8).
type AdditionalItem struct {
	ItemID   string             `json:"itemId" document:"id"`
	Type     AdditionalItemType `json:"type"`
	NetPrice document.Number    `json:"netPrice"`
	Price    document.Number    `json:"price"`
	TaxRate  document.Number    `json:"taxRate"`
	Data     AdditionalItemData `json:"data"`
	TaxInfo  *TaxInfo           `json:"taxInfo,omitempty"`
}

// AdditionalItemData names the bundle.
type AdditionalItemData struct {
	BundleID string `json:"bundleId" document:"id"`
}

// BundleInfo says as which part of a bundle an item was sold.
type BundleInfo struct {
	BundleID    *string `json:"bundleId,omitempty" document:"id"`
	ComponentID *string `json:"componentId,omitempty" document:"id"`
	OptionID    *string `json:"optionId,omitempty" document:"id"`
}

// SlotInfo is the time slot that a ticket item is for.
type SlotInfo struct {
	SlotID        string `json:"slotId" document:"id"`
	SlotStartTime string `json:"slotStartTime"`
}

// TaxInfo says which taxes are in an item's price and where they are booked.
type TaxInfo struct {
	ServiceTypeID       *string   `json:"serviceTypeId,omitempty"`
	ExceptionID         *string   `json:"exceptionId,omitempty"`
	ProceedsAccountID   *string   `json:"proceedsAccountId,omitempty"`
	ProceedsAccountCode *string   `json:"proceedsAccountCode,omitempty"`
	TaxItems            []TaxItem `json:"taxItems,omitempty"`
}

// TaxItem is one of them.
type TaxItem struct {
	Rate                  document.Number  `json:"rate"`
	PerUnit               document.Number  `json:"perUnit"`
	Total                 document.Number  `json:"total"`
	Name                  *string          `json:"name,omitempty"`
	TaxTypeID             *string          `json:"taxTypeId,omitempty"`
	NetTotal              *document.Number `json:"netTotal,omitempty"`
	NetPerUnit            *document.Number `json:"netPerUnit,omitempty"`
	TaxPayableAccountID   *string          `json:"taxPayableAccountId,omitempty"`
	TaxPayableAccountCode *string          `json:"taxPayableAccountCode,omitempty"`
}
