package catalog

import (
	"fmt"
	"math"

	"ticketgate/domain"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
)

// Sales is what sales channels have to know of an event. It is kept and handed on as it was set: Ticketgate sells by
// checkouts of any time and size.
type Sales struct {
	SellStart         *moment.DateTime `json:"sellStart,omitempty"`
	SellEnd           *moment.DateTime `json:"sellEnd,omitempty"`
	MaxAmount         *int             `json:"maxAmount,omitempty"`
	MaxAmountPerOrder *int             `json:"maxAmountPerOrder,omitempty"`
	// Status is a word of the system that the event comes from.
	Status *string `json:"status,omitempty"`
}

// SalesChange changes Sales. Null clears a field.
type SalesChange struct {
	SellStart         optional.Value[moment.DateTime] `json:"sellStart"`
	SellEnd           optional.Value[moment.DateTime] `json:"sellEnd"`
	MaxAmount         optional.Value[int]             `json:"maxAmount"`
	MaxAmountPerOrder optional.Value[int]             `json:"maxAmountPerOrder"`
	Status            optional.Value[string]          `json:"status"`
}

// salesChange returns the sales of a new event as a change of none.
func (s Sales) salesChange() SalesChange {
	return SalesChange{
		SellStart: optional.FromPointer(s.SellStart), SellEnd: optional.FromPointer(s.SellEnd),
		MaxAmount: optional.FromPointer(s.MaxAmount), MaxAmountPerOrder: optional.FromPointer(s.MaxAmountPerOrder),
		Status: optional.FromPointer(s.Status),
	}
}

// applySales puts the change into the sales and notes everything that is wrong with it.
func (s *Sales) applySales(change SalesChange, problems *domain.Problems) {
	s.SellStart = change.SellStart.ApplyPointer(s.SellStart)
	s.SellEnd = change.SellEnd.ApplyPointer(s.SellEnd)
	if s.SellStart != nil && s.SellEnd != nil && s.SellEnd.Before(s.SellStart.Time) {
		problems.Add("sellEnd", "must not be before sellStart")
	}
	s.MaxAmount = change.MaxAmount.ApplyPointer(s.MaxAmount)
	s.MaxAmountPerOrder = change.MaxAmountPerOrder.ApplyPointer(s.MaxAmountPerOrder)
	checkMost(problems, "maxAmount", s.MaxAmount)
	checkMost(problems, "maxAmountPerOrder", s.MaxAmountPerOrder)
	s.Status = applyText(problems, "status", change.Status, s.Status)
}

func checkMost(problems *domain.Problems, path string, most *int) {
	if most != nil && (*most < 0 || *most > math.MaxInt32) {
		problems.Add(path, fmt.Sprintf("must be an integer from 0 to %d", math.MaxInt32))
	}
}
