package identification_test

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/identification"
)

func TestDecisionTable(t *testing.T) {
	t.Parallel()
	rows := domaintest.IdentificationRows()
	if len(rows) < 400 {
		t.Fatalf("got only %d rows", len(rows))
	}
	met := map[string]int{}
	for _, row := range rows {
		kept, err := identification.Check(buyerOf(t, row), identification.Seller{Country: row.SellerCountry, SIREN: row.Module}, big.NewRat(40, 1))
		met[row.Message]++
		if row.Message != "" {
			refusedAs(t, row.String(), err, row.Message, row.Paths)
			continue
		}
		var identifier string
		if len(kept) > 0 {
			identifier = kept[0].Identifier
		}
		if err != nil || identifier != row.Kept || len(kept) > 1 {
			t.Errorf("%s: got %v, %v, want %q", row, kept, err, row.Kept)
		}
	}
	if len(met) < 9 { // accepted, the three rejections, and each kind of invalid number
		t.Errorf("the table covers only %v", met)
	}
}

func buyerOf(t *testing.T, row domaintest.IdentificationRow) identification.Buyer {
	t.Helper()
	return identification.Buyer{
		Company: row.Company, Street: row.Street, Postal: row.Postal, City: row.City, Country: row.Country,
		Documents: parsed(t, row.Identification),
	}
}

// parsed parses a JSON text. An empty text is an omitted field.
func parsed(t *testing.T, text string) ecmajson.Value {
	t.Helper()
	if text == "" {
		return ecmajson.Value{}
	}
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// refusedAs checks the message (for an invalid number, what it must contain) and the paths in order.
func refusedAs(t *testing.T, name string, err error, message string, paths []string) {
	t.Helper()
	if !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Errorf("%s: got %v, want %q", name, err, message)
		return
	}
	refused := domain.AsError(err)
	exact := strings.HasPrefix(message, identification.MissingMessage) || message == identification.AddressMessage
	if (exact && refused.Message != message) || !strings.Contains(refused.Message, message) {
		t.Errorf("%s: the message is %q, want %q", name, refused.Message, message)
	}
	got := make([]string, len(refused.Fields))
	for i, field := range refused.Fields {
		got[i] = field.Path
		if field.Message == "" {
			t.Errorf("%s: %s has no message", name, field.Path)
		}
	}
	if !slices.Equal(got, paths) {
		t.Errorf("%s: the paths are %q, want %q", name, got, paths)
	}
}
