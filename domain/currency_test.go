package domain

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
