package rest

import (
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
	"ticketgate/graph/edge"
)

// A fault of one scan does not prevent the others from being read (GATE-5).
func TestUploadScansAreDecodedIndividually(t *testing.T) {
	rows := []struct{ scan, id, wrong string }{
		{`{"id":"1","barcode":"a","scanned_at":"2026-11-29T10:00:00Z","type":"OK"}`, "1", ""},
		{`{"id":"2","barcode":"a\u0000","scanned_at":"2026-11-29T10:00:00Z","type":"OK"}`, "2", "barcode"},
		{`{"id":"3","barcode":"\ud800","type":"OK"}`, "3", "barcode scanned_at"},
		{`{"id":"4","barcode":"a","scanned_at":1e400,"type":"OK"}`, "4", "scanned_at"},
		{`{"id":"5\u0000","barcode":"a","scanned_at":"2026-11-29T10:00:00Z","type":"OK"}`, "", "id"},
		{`{"id":"6","id":"7","barcode":"a","scanned_at":"2026-11-29T10:00:00Z","type":"OK"}`, "", "id"},
		{`{"id":"8","barcode":"a","scanned_at":"2026-11-29T10:00:00Z","type":"OK","battery":9007199254740993}`, "8", "battery"},
		{`{"id":"9","barcode":"a","scanned_at":"2026-11-29T10:00:00Z","type":"OK","more":["` + "\xff" + `"]}`, "9", "more[0]"},
		{`{"id":"10","x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "", "x" + strings.Repeat("[0]", 30)},
		{`{"id":"11","barcode":"a","scanned_at":"2026-11-29T10:00:00Z","type":"FAIL"}`, "11", ""},
	}
	scans := make([]string, len(rows))
	for i, row := range rows {
		scans[i] = row.scan
	}
	elements, err := edge.ParseElements([]byte("[" + strings.Join(scans, ",") + "]"))
	if err != nil {
		t.Fatal(err)
	}
	for i, read := range readScans(elements) {
		var wrong []string
		if read.Unread != nil {
			for _, field := range domain.AsError(read.Unread).Fields {
				wrong = append(wrong, field.Path)
			}
		}
		if element := elements[i]; element.Value.Kind() != ecmajson.Object && read.Unread == nil {
			t.Errorf("%s is accepted as a scan", rows[i].scan)
		}
		if got := strings.Join(wrong, " "); got != rows[i].wrong || texts.Of(read.ID) != rows[i].id || (read.Unread == nil) != (rows[i].wrong == "") {
			t.Errorf("%s: faults %q of %q, %v", rows[i].scan, got, texts.Of(read.ID), read.Unread)
		}
	}
	for text, want := range map[string]domain.Code{`{}`: domain.CodeInvalidRequest, `[{]`: domain.CodeInvalidRequest, `{"a":"\u0000"}`: domain.CodeValidationFailed} {
		if _, err := edge.ParseElements([]byte(text)); !domain.HasCode(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
