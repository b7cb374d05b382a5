package apitest

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

// Events are what a subscription is answered with.
type Events struct{ *bufio.Scanner }

// EventsIn reads the events of a stream.
func EventsIn(body io.Reader) *Events { return &Events{bufio.NewScanner(body)} }

// next is the data of the next event; it is empty when the stream has ended.
func (e *Events) next() string {
	for e.Scan() {
		if data, found := strings.CutPrefix(e.Text(), "data: "); found {
			return data
		}
	}
	return ""
}

// Mark is the mark of the next event; empty when the stream has ended.
func (e *Events) Mark(t *testing.T) string {
	t.Helper()
	data := e.next()
	if data == "" {
		return ""
	}
	return systemtest.Field(t, data, "data.webhookDeliveriesChanged")
}
