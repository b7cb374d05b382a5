package catalog

import (
	"fmt"
	"math"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Sales holds an event's settings for sales channels. They are stored and published but not enforced: checkouts ignore
// them.
type Sales struct {
	SellStart         *moment.DateTime `json:"sellStart,omitempty"`
	SellEnd           *moment.DateTime `json:"sellEnd,omitempty"`
	MaxAmount         *int             `json:"maxAmount,omitempty"`
	MaxAmountPerOrder *int             `json:"maxAmountPerOrder,omitempty"`
	// Status is a value from the event's system of origin.
	Status *string `json:"status,omitempty"`
}

// SalesChange is a partial update of Sales. Null clears a field.
type SalesChange struct {
	SellStart         optional.Value[moment.DateTime] `json:"sellStart"`
	SellEnd           optional.Value[moment.DateTime] `json:"sellEnd"`
	MaxAmount         optional.Value[int]             `json:"maxAmount"`
	MaxAmountPerOrder optional.Value[int]             `json:"maxAmountPerOrder"`
	Status            optional.Value[string]          `json:"status"`
}

// salesChange returns s as a change to empty Sales.
func (s Sales) salesChange() SalesChange {
	return SalesChange{
		SellStart: optional.FromPointer(s.SellStart), SellEnd: optional.FromPointer(s.SellEnd),
		MaxAmount: optional.FromPointer(s.MaxAmount), MaxAmountPerOrder: optional.FromPointer(s.MaxAmountPerOrder),
		Status: optional.FromPointer(s.Status),
	}
}

// applySales applies change to s and adds all validation errors to errs.
func (s *Sales) applySales(change SalesChange, errs *domain.FieldErrors) {
	s.SellStart = change.SellStart.ApplyPointer(s.SellStart)
	s.SellEnd = change.SellEnd.ApplyPointer(s.SellEnd)
	if s.SellStart != nil && s.SellEnd != nil && s.SellEnd.Before(s.SellStart.Time) {
		errs.Add("sellEnd", "must not be before sellStart")
	}
	s.MaxAmount = change.MaxAmount.ApplyPointer(s.MaxAmount)
	s.MaxAmountPerOrder = change.MaxAmountPerOrder.ApplyPointer(s.MaxAmountPerOrder)
	checkMost(errs, "maxAmount", s.MaxAmount)
	checkMost(errs, "maxAmountPerOrder", s.MaxAmountPerOrder)
	s.Status = applyText(errs, "status", change.Status, s.Status)
}

func checkMost(errs *domain.FieldErrors, path string, most *int) {
	if most != nil && (*most < 0 || *most > math.MaxInt32) {
		errs.Add(path, fmt.Sprintf("must be an integer from 0 to %d", math.MaxInt32))
	}
}
