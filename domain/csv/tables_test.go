package csv_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"ticketgate/domain/csv"
	"ticketgate/domain/domaintest"
)

// The dashboard takes a text apart by itself, to show its columns: dashboard/src/pages/lists/csv.test.ts reads the same cases.
func TestTextIsTakenApartAsInTheDashboard(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/tables.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Text string
		Records    [][]any
		Refused    bool
	}
	if err := json.Unmarshal(file, &cases); err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	for _, one := range cases {
		records, err := recordsOf(one.Text)
		if (err != nil) != one.Refused {
			t.Errorf("%s: got %v, want it refused: %t", one.Name, err, one.Refused)
		}
		if err == nil {
			domaintest.Equal(t, one.Name, records, one.Records)
		}
	}
}

// recordsOf returns the line and the cells of each record, as JSON has them.
func recordsOf(text string) (records [][]any, err error) {
	reader := csv.NewReader(strings.NewReader(text))
	for {
		next, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, err
		}
		record := []any{float64(next.Line)}
		for _, cell := range next.Cells {
			record = append(record, cell)
		}
		records = append(records, record)
	}
}
