package webhook

import (
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
)

// HeadVersion is the version of the head that new events get. An event keeps its version, so that a later version
// of this program still makes the same bytes of it (decisions 7.3).
const HeadVersion = 1

// Head is what a body has besides data: four members of the specification and two that receivers of several sellers
// need (decisions 7.2).
type Head struct {
	ID        string // of the delivery: what receivers remove duplicates by (spec 6.2.3)
	SellerID  ids.Seller
	WebhookID string
	Type      domain.EventType
	Mode      string
}

// Body joins a delivery's head and its event's data, which is canonical ECMAScript JSON already, to the bytes that
// are sent and signed (decisions 7.2). The same arguments always give the same bytes.
func Body(head Head, data []byte) []byte {
	const overhead = 256
	body := make([]byte, 0, len(data)+overhead)
	for _, member := range [...]struct{ before, value string }{
		{`{"id":`, head.ID},
		{`,"sellerId":`, string(head.SellerID)},
		{`,"webhookId":`, head.WebhookID},
		{`,"type":`, string(head.Type)},
		{`,"mode":`, head.Mode},
	} {
		body = ecmajson.AppendString(append(body, member.before...), member.value)
	}
	return append(append(append(body, `,"data":`...), data...), '}')
}
