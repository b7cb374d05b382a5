package identification_test

import (
	"fmt"
	"testing"

	"ticketgate/domain/identification"
	"ticketgate/domain/texts"
)

func TestATrialExplainsAnInvalidNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, kept, message, digits, checkDigit string }{
		{"\t732829320 ", "732829320", "", "9", "0"},
		{"732829325", "", "does not pass the SIREN checksum: the check digit does not match the others", "9", "0"},
		{"000000009", "", "does not pass the SIREN checksum: the check digit does not match the others", "9", "0"},
		{"73282932", "", "must have nine digits, not 8", "8", "none"},
		{"732 829 320", "", "must have nine digits: remove the spaces", "9", "none"},
		{"732-829-320", "", `must have only the digits 0 to 9, not "-"`, "9", "none"},
		{"٧٣٢٨٢٩٣٢٠", "", `must have only the digits 0 to 9, not "٧"`, "0", "none"},
		{"", "", "must have nine digits, not 0", "0", "none"},
	} {
		trial := identification.TrySIREN(test.text)
		checkDigit := "none"
		if trial.CheckDigit != nil {
			checkDigit = fmt.Sprint(*trial.CheckDigit)
		}
		if texts.Of(trial.Identifier) != test.kept || texts.Of(trial.Message) != test.message ||
			fmt.Sprint(trial.Digits) != test.digits || checkDigit != test.checkDigit {
			t.Errorf("%q: kept %q, %q, %d digits, check digit %s", test.text, texts.Of(trial.Identifier),
				texts.Of(trial.Message), trial.Digits, checkDigit)
		}
	}
}
