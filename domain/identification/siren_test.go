package identification

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

func TestSIREN(t *testing.T) {
	t.Parallel()
	var cases struct {
		Accept []struct{ In, Out string }
		Reject []string
		Types  []json.RawMessage `json:"reject_json_types"`
	}
	text, err := os.ReadFile("testdata/siren.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil || len(cases.Accept) != 29 || len(cases.Reject) != 26 || len(cases.Types) != 3 {
		t.Fatalf("%v: %d, %d and %d cases", err, len(cases.Accept), len(cases.Reject), len(cases.Types))
	}
	for _, row := range cases.Accept {
		sent, _ := json.Marshal(row.In)
		if kept, err := checkNumber(t, sent); err != nil || len(kept) != 1 || kept[0] != (Document{FranceSIREN, row.Out}) {
			t.Errorf("%q: got %v, %v, want %q", row.In, kept, err, row.Out)
		}
	}
	for _, text := range cases.Reject {
		sent, _ := json.Marshal(text)
		_, err := checkNumber(t, sent)
		refusedNumber(t, text, err)
	}
	for _, sent := range cases.Types {
		_, err := checkNumber(t, sent)
		refusedNumber(t, string(sent), err)
	}
}

// checkNumber checks a single SIREN. Without a company, only the number matters.
func checkNumber(t *testing.T, identifier json.RawMessage) ([]Document, error) {
	t.Helper()
	sent, err := ecmajson.Parse([]byte(`[{"type": "france_siren", "identifier": `+string(identifier)+`}]`), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return Check(Buyer{Documents: sent}, Seller{Country: "FR", SIREN: true}, nil)
}

func refusedNumber(t *testing.T, name string, err error) {
	t.Helper()
	if !domain.HasCode(err, domain.CodeValidationFailed) {
		t.Errorf("%q: got %v", name, err)
		return
	}
	if fields := domain.AsError(err).Fields; len(fields) != 1 || fields[0].Path != "identification[0].identifier" ||
		!strings.Contains(err.Error(), fields[0].Message) {
		t.Errorf("%q: got %q with the fields %v", name, err, fields)
	}
}

// If there are too many documents, they are not read, so none is reported as missing.
func TestTooManyDocuments(t *testing.T) {
	t.Parallel()
	item := `{"type": "france_siren", "identifier": "732829320"}`
	sent, err := ecmajson.Parse([]byte(`[`+strings.Repeat(item+`,`, 10)+`{}]`), ecmajson.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Check(Buyer{Company: "A", Street: "S", Postal: "P", City: "C", Country: "FR", Documents: sent}, Seller{Country: "FR", SIREN: true}, nil)
	if got := err.Error(); got != "identification must have at most 10 entries, not 11" || len(domain.AsError(err).Fields) != 1 {
		t.Errorf("got %v", domain.AsError(err).Fields)
	}
}

func TestSIRENErrorsNameTheFault(t *testing.T) {
	t.Parallel()
	vat := func(length int) string {
		return fmt.Sprintf("must have nine digits, not %d characters: the last nine digits of a French VAT number are the SIREN", length)
	}
	for text, want := range map[string]fault{
		"":                    {"must have nine digits, not 0", "", WrongLength},
		"73282932":            {"must have nine digits, not 8", "", WrongLength},
		"7328293200":          {"must have nine digits, not 10", "", WrongLength},
		"73282932000074":      {"must have nine digits, not 14: the first nine digits of a SIRET are the SIREN", siretHint, WrongLength},
		"732829321":           {"does not pass the SIREN checksum: the check digit does not match the others", "Look for a mistyped digit", WrongCheckDigit},
		"732 829 320":         {"must have nine digits: remove the spaces", "Write it like 732829320", SpacesInNumber},
		"732\u202f829\u202f3": {"must have nine digits: remove the spaces", "Write it like 732829320", SpacesInNumber},
		"732-829-320":         {`must have only the digits 0 to 9, not "-"`, "Write it like 732829320", OtherCharacters},
		"٧٣٢٨٢٩٣٢٠":           {`must have only the digits 0 to 9, not "٧"`, "Write it like 732829320", OtherCharacters},
		"7328293\u200b20":     {`must have only the digits 0 to 9, not "\u200b"`, "Write it like 732829320", OtherCharacters},
		"732 829 320 00074":   {"must have nine digits, not 14: the first nine digits of a SIRET are the SIREN", siretHint, WrongLength},
		"FR44732829320":       {vat(13), vatHint, OtherCharacters},
		"frX4732829320":       {vat(13), vatHint, OtherCharacters},
		"FR 44 732 829 320":   {vat(13), vatHint, OtherCharacters},
		"44732829320":         {vat(11), vatHint, OtherCharacters},
		"44732829321":         {"must have nine digits, not 11", "", WrongLength},
		"DE123456789":         {"must have nine digits: a foreign VAT number is not a SIREN", foreignHint, OtherCharacters},
		"NL123456789B01":      {"must have nine digits: a foreign VAT number is not a SIREN", foreignHint, OtherCharacters},
		"el123456789":         {"must have nine digits: a foreign VAT number is not a SIREN", foreignHint, OtherCharacters},
		"CHE-123.456.788":     {`must have only the digits 0 to 9, not "C"`, "Write it like 732829320", OtherCharacters},
		"ZZ123456789":         {`must have only the digits 0 to 9, not "Z"`, "Write it like 732829320", OtherCharacters},
		"FR4473282932":        {`must have only the digits 0 to 9, not "F"`, "Write it like 732829320", OtherCharacters},
	} {
		if number, got := readSIREN(text); got != want || number != "" {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// FuzzSIREN checks that a text is accepted if and only if it is nine ASCII digits whose weighted sum, computed differently,
// is a multiple of ten.
func FuzzSIREN(f *testing.F) {
	for _, seed := range []string{"732829320", " 356000000\t", "000000000", "73282932", "732829321", "\ufeff７", "FR44732829320", "\xff"} {
		f.Add(seed)
	}
	doubled := [...]int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}
	f.Fuzz(func(t *testing.T, text string) {
		number, wrong := readSIREN(text)
		plain := texts.Trim(text)
		right := len(plain) == 9 && strings.Trim(plain, "0123456789") == ""
		if right {
			sum := 0
			for i, digit := range []byte(plain) {
				value := int(digit - '0')
				if i%2 == 1 {
					value = doubled[value]
				}
				sum += value
			}
			right = sum%10 == 0
		}
		if right != (wrong == fault{}) || (right && number != plain) || (!right && number != "") {
			t.Errorf("%q: got %q, %+v", text, number, wrong)
		}
	})
}
