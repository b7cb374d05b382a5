package sale

import (
	"ticketgate/domain/document"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// DeliveryAddress is where hard tickets go (spec 2.8).
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

// PaymentInfo is how a transaction was paid (spec 2.8).
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

// PosInfo is what a point of sale says of a sale. The specification types its cancellationNo as a date-time (spec 2.8).
type PosInfo struct {
	ID             string           `json:"_id" document:"id"`
	SessionID      *string          `json:"sessionId,omitempty"`
	BillingNo      *string          `json:"billingNo,omitempty"`
	TaxID          *string          `json:"taxId,omitempty"`
	PaymentMethod  *string          `json:"paymentMethod,omitempty"`
	CanceledAt     *moment.DateTime `json:"canceledAt,omitempty"`
	CancellationNo *moment.DateTime `json:"cancellationNo,omitempty"`
}

// HistoryNote is an entry of the history that the specification calls deprecated.
type HistoryNote struct {
	ID      string           `json:"_id" document:"id"`
	Date    *moment.DateTime `json:"date,omitempty"`
	Title   *string          `json:"title,omitempty"`
	Message *string          `json:"message,omitempty"`
	Type    *NoteType        `json:"type,omitempty"`
	Risk    *Risk            `json:"risk,omitempty"`
}

// HistoryEntry is something that happened to a transaction (spec 2.8).
type HistoryEntry struct {
	ID     string           `json:"_id" document:"id"`
	Date   *moment.DateTime `json:"date,omitempty"`
	UserID *string          `json:"userId,omitempty" document:"id"`
	Data   *ecmajson.Value  `json:"data,omitempty" document:"object"`
	Type   *HistoryType     `json:"type,omitempty"`
	Risk   *Risk            `json:"risk,omitempty"`
}

// UserAgent is the browser that a transaction was made with (spec 2.8).
type UserAgent struct {
	ID      string          `json:"_id" document:"id"`
	UA      *string         `json:"ua,omitempty"`
	Browser *ecmajson.Value `json:"browser,omitempty" document:"object"`
	Device  *ecmajson.Value `json:"device,omitempty" document:"object"`
	Engine  *ecmajson.Value `json:"engine,omitempty" document:"object"`
	OS      *ecmajson.Value `json:"os,omitempty" document:"object"`
	CPU     *ecmajson.Value `json:"cpu,omitempty" document:"object"`
}

// IPLookup is where the buyer's network address is (spec 2.8).
type IPLookup struct {
	IP     *string     `json:"ip,omitempty"`
	Lookup *IPLocation `json:"lookup,omitempty"`
}

// IPLocation is what a geographic database says of an address.
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
