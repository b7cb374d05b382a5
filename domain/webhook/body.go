package webhook

import (
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/ids"
)

// HeadVersion is the version of the head of new events. It is stored with each event, so that later versions of
// Ticketgate still produce the same bytes (WEBHOOK-1).
const HeadVersion = 1

// TestHead is the version of the head of test events. Versions of Ticketgate without test events don't know it, and
// leave these deliveries to newer versions.
const TestHead = 2

// Head holds the fields of a body other than data.
type Head struct {
	ID        string // of the delivery; receivers use it to discard duplicates
	SellerID  ids.Seller
	WebhookID string
	Type      domain.EventType
	Mode      string
	Test      bool // a test event; other bodies don't have the field
}

// Body returns the bytes that are sent and signed: head, and data, which must be canonical ECMAScript JSON. Equal
// arguments give equal bytes (WEBHOOK-1).
func Body(head Head, data []byte) []byte {
	const overhead = 256
	body := make([]byte, 0, len(data)+overhead)
	for _, field := range [...]struct{ before, value string }{
		{`{"id":`, head.ID},
		{`,"sellerId":`, string(head.SellerID)},
		{`,"webhookId":`, head.WebhookID},
		{`,"type":`, string(head.Type)},
		{`,"mode":`, head.Mode},
	} {
		body = ecmajson.AppendString(append(body, field.before...), field.value)
	}
	if head.Test {
		body = append(body, `,"test":true`...)
	}
	return append(append(append(body, `,"data":`...), data...), '}')
}
