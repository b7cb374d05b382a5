package sale

import (
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ticket"
)

// CartTicketItem is a number of tickets of one type in a cart. Price is per ticket.
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

// CartProductItem is a number of pieces of a product in a cart. Price is per piece.
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

// AdditionalItem is a cart item that is neither a ticket nor a product: a bundle.
type AdditionalItem struct {
	ItemID   string             `json:"itemId" document:"id"`
	Type     AdditionalItemType `json:"type"`
	NetPrice document.Number    `json:"netPrice"`
	Price    document.Number    `json:"price"`
	TaxRate  document.Number    `json:"taxRate"`
	Data     AdditionalItemData `json:"data"`
	TaxInfo  *TaxInfo           `json:"taxInfo,omitempty"`
}

// AdditionalItemData refers to the bundle.
type AdditionalItemData struct {
	BundleID string `json:"bundleId" document:"id"`
}

// BundleInfo identifies the part of a bundle as which an item was sold.
type BundleInfo struct {
	BundleID    *string `json:"bundleId,omitempty" document:"id"`
	ComponentID *string `json:"componentId,omitempty" document:"id"`
	OptionID    *string `json:"optionId,omitempty" document:"id"`
}

// SlotInfo is the time slot of a ticket item.
type SlotInfo struct {
	SlotID        string `json:"slotId" document:"id"`
	SlotStartTime string `json:"slotStartTime"`
}

// TaxInfo describes the taxes in an item's price and the accounts they are booked to.
type TaxInfo struct {
	ServiceTypeID       *string   `json:"serviceTypeId,omitempty"`
	ExceptionID         *string   `json:"exceptionId,omitempty"`
	ProceedsAccountID   *string   `json:"proceedsAccountId,omitempty"`
	ProceedsAccountCode *string   `json:"proceedsAccountCode,omitempty"`
	TaxItems            []TaxItem `json:"taxItems,omitempty"`
}

// TaxItem is one tax of an item.
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
