package money

import "testing"

func TestCurrency(t *testing.T) {
	t.Parallel()
	if names := DefaultCurrency.Names(); len(names) != 60 || names[0] != "EUR" || names[59] != "MWK" {
		t.Errorf("got %d currencies: %q", len(names), names)
	}
	for code, want := range map[Currency]bool{"EUR": true, "ZWG": true, "eur": false, "XXX": false, "": false, "EUR ": false} {
		if code.Valid() != want {
			t.Errorf("%q: valid is %v, want %v", code, !want, want)
		}
	}
}

func TestDecimalsMatchISO4217(t *testing.T) {
	for currency, want := range map[Currency]int{"EUR": 2, "HUF": 2, "JPY": 0, "XOF": 0, "UGX": 0, "ISK": 0} {
		if got := currency.Decimals(); got != want {
			t.Errorf("%s has %d decimals, not %d", currency, got, want)
		}
	}
}
