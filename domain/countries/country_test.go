package countries_test

import (
	"testing"

	"ticketgate/domain/countries"
)

func TestCountry(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"FR": "FR", " re\n": "RE", "gP": "GP", "de": "DE", "ss": "SS", "BQ": "BQ"} {
		if code, ok := countries.Code(text); !ok || code != want {
			t.Errorf("%q: got %q, %v, want %q", text, code, ok, want)
		}
	}
	for _, text := range []string{"", "F", "FRA", "UK", "EU", "XK", "AN", "ZZ", "F R", "FR DE", "250", "ſs"} {
		if code, ok := countries.Code(text); ok {
			t.Errorf("%q is taken for %q", text, code)
		}
	}
}

func TestAllCountriesAreKnown(t *testing.T) {
	t.Parallel()
	count := 0
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			if _, ok := countries.Code(string([]rune{first, second})); ok {
				count++
			}
		}
	}
	if count != 249 {
		t.Errorf("got %d assigned codes, ISO 3166-1 has 249", count)
	}
}
