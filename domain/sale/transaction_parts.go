package sale

import (
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// DeliveryAddress is the address to which hard tickets are shipped.
type DeliveryAddress struct {
	FullAddress *string `json:"fullAddress,omitempty"`
	Street      *string `json:"street,omitempty"`
	Line2       *string `json:"line2,omitempty"`
	Postal      *string `json:"postal,omitempty"`
	City        *string `json:"city,omitempty"`
	Country     *string `json:"country,omitempty" document:"country"`
	State       *string `json:"state,omitempty"`
	Name        *string `json:"name,omitempty"`
}

// PaymentInfo describes how a transaction was paid.
type PaymentInfo struct {
	ID                      string           `json:"_id" document:"id"`
	PSP                     *string          `json:"psp,omitempty"`
	Gateway                 *PaymentGateway  `json:"gateway,omitempty"`
	ProviderType            *PaymentProvider `json:"providerType,omitempty"`
	ProviderID              *string          `json:"providerId,omitempty"`
	Method                  *string          `json:"method,omitempty"`
	MethodVariant           *string          `json:"methodVariant,omitempty"`
	Locale                  *string          `json:"locale,omitempty"`
	RiskLevel               *string          `json:"riskLevel,omitempty"`
	RiskScore               *document.Number `json:"riskScore,omitempty"`
	RefundID                *string          `json:"refundId,omitempty"`
	CollectedApplicationFee *document.Number `json:"collectedApplicationFee,omitempty"`
}

// PosInfo is the data that a point of sale adds to a transaction. CancellationNo is a date-time in the API, despite its name.
type PosInfo struct {
	ID             string           `json:"_id" document:"id"`
	SessionID      *string          `json:"sessionId,omitempty"`
	BillingNo      *string          `json:"billingNo,omitempty"`
	TaxID          *string          `json:"taxId,omitempty"`
	PaymentMethod  *string          `json:"paymentMethod,omitempty"`
	CanceledAt     *moment.DateTime `json:"canceledAt,omitempty"`
	CancellationNo *moment.DateTime `json:"cancellationNo,omitempty"`
}

// HistoryNote is an entry of the deprecated history.
type HistoryNote struct {
	ID      string           `json:"_id" document:"id"`
	Date    *moment.DateTime `json:"date,omitempty"`
	Title   *string          `json:"title,omitempty"`
	Message *string          `json:"message,omitempty"`
	Type    *NoteType        `json:"type,omitempty"`
	Risk    *Risk            `json:"risk,omitempty"`
}

// HistoryEntry is an entry of a transaction's history.
type HistoryEntry struct {
	ID     string           `json:"_id" document:"id"`
	Date   *moment.DateTime `json:"date,omitempty"`
	UserID *string          `json:"userId,omitempty" document:"id"`
	Data   *ecmajson.Value  `json:"data,omitempty" document:"object"`
	Type   *HistoryType     `json:"type,omitempty"`
	Risk   *Risk            `json:"risk,omitempty"`
}

// UserAgent is the buyer's browser.
type UserAgent struct {
	ID      string          `json:"_id" document:"id"`
	UA      *string         `json:"ua,omitempty"`
	Browser *ecmajson.Value `json:"browser,omitempty" document:"object"`
	Device  *ecmajson.Value `json:"device,omitempty" document:"object"`
	Engine  *ecmajson.Value `json:"engine,omitempty" document:"object"`
	OS      *ecmajson.Value `json:"os,omitempty" document:"object"`
	CPU     *ecmajson.Value `json:"cpu,omitempty" document:"object"`
}

// IPLookup is the geographic location of the buyer's IP address.
type IPLookup struct {
	IP     *string     `json:"ip,omitempty"`
	Lookup *IPLocation `json:"lookup,omitempty"`
}

// IPLocation is the result of looking up an address in a geographic database.
type IPLocation struct {
	Range    []document.Number `json:"range,omitempty"`
	Country  *string           `json:"country,omitempty"`
	Region   *string           `json:"region,omitempty"`
	EU       *string           `json:"eu,omitempty"`
	Timezone *string           `json:"timezone,omitempty"`
	City     *string           `json:"city,omitempty"`
	LL       []document.Number `json:"ll,omitempty"`
	Metro    *document.Number  `json:"metro,omitempty"`
	Area     *document.Number  `json:"area,omitempty"`
}
