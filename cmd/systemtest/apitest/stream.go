package apitest

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// Events reads the events of a subscription.
type Events struct{ *bufio.Scanner }

// EventsIn returns a reader of the events of a stream.
func EventsIn(body io.Reader) *Events { return &Events{bufio.NewScanner(body)} }

// next returns the data of the next event, or an empty string at the end of the stream.
func (e *Events) next() string {
	for e.Scan() {
		if data, found := strings.CutPrefix(e.Text(), "data: "); found {
			return data
		}
	}
	return ""
}

// Mark returns the mark of the next event, or an empty string at the end of the stream.
func (e *Events) Mark(t *testing.T) string {
	t.Helper()
	data := e.next()
	if data == "" {
		return ""
	}
	return systemtest.Field(t, data, "data.webhookDeliveriesChanged")
}
