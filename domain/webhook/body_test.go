package webhook

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
)

func TestBodyJoinsHeadAndData(t *testing.T) {
	head := Head{ID: "018f", SellerID: `s"<é`, WebhookID: "w", Type: "ticket.created", Mode: "dev"}
	body := Body(head, []byte("{\"ticket\":{\"2\":1,\"name\":\"a&b<\u2028>\"}}"))
	want := "{\"id\":\"018f\",\"sellerId\":\"s\\\"<é\",\"webhookId\":\"w\",\"type\":\"ticket.created\",\"mode\":\"dev\"," +
		"\"data\":{\"ticket\":{\"2\":1,\"name\":\"a&b<\u2028>\"}}}"
	if string(body) != want {
		t.Errorf("body %s", body)
	}
	head.Test = true
	if got := string(Body(head, []byte("{}"))); !strings.HasSuffix(got, `"mode":"dev","test":true,"data":{}}`) {
		t.Errorf("body of a test event %s", got)
	}
}

func TestNewIDIsTimeOrderedUUID(t *testing.T) {
	moment := time.UnixMilli(0x0123456789ab).Add(500 * time.Microsecond)
	id := NewID(moment)
	if id[:18] != "01234567-89ab-7800" || !isID(id) {
		t.Errorf("id %s", id)
	}
	if later := NewID(moment.Add(time.Microsecond)); later <= id {
		t.Errorf("id %s does not sort after %s", later, id)
	}
	seen := map[string]bool{}
	for range 1000 {
		seen[NewID(moment)] = true
	}
	if len(seen) != 1000 {
		t.Errorf("got %d distinct ids, want 1000", len(seen))
	}
	for _, no := range []string{"", "0123456789ab01234567890a", "01234567-89AB-7800-8000-000000000000", id + "0"} {
		if isID(no) {
			t.Errorf("%q was accepted as an id", no)
		}
	}
}

func TestSelectionNamesEveryType(t *testing.T) {
	text, err := json.Marshal(Selection{"scan.created": true, "ticket.created": false, "transaction.complete": true})
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]bool
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	for _, kind := range domain.EventKinds() {
		wanted, named := read[string(kind.Type)]
		if !named || wanted != (kind.Type == "scan.created" || kind.Type == "transaction.complete") {
			t.Errorf("%s: selected %t, listed %t", kind.Type, wanted, named)
		}
	}
	const first = `{"transaction.complete":true,"transaction.reservedBySystem":false,`
	if len(read) != 45 || string(text[:len(first)]) != first {
		t.Errorf("got %d types: %s", len(read), text)
	}
}

func TestSelectionFromGraphQL(t *testing.T) {
	var selected Selection
	if err := selected.UnmarshalGQL(map[string]any{"scan.created": true, "ticket.created": false}); err != nil {
		t.Fatal(err)
	}
	if types := selected.Types(); len(types) != 1 || types[0] != "scan.created" {
		t.Errorf("got types %v", types)
	}
	err := selected.UnmarshalGQL(map[string]any{"scan.created": "yes"})
	if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != `["scan.created"]` {
		t.Errorf("error %v", fields)
	}
	if err := selected.UnmarshalGQL([]any{}); err == nil {
		t.Error("an array was read as a selection")
	}
}
