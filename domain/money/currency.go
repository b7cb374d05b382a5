package money

import "strings"

// Currency is an ISO 4217 code of the currencies that tickets are sold in (spec 2.8).
type Currency string

// DefaultCurrency is what prices are in where nobody says otherwise.
const DefaultCurrency Currency = "EUR"

// currencyCodes is the complete enumeration, in the specification's order (spec 2.8).
const currencyCodes = "" +
	"EUR USD GBP AUD CHF THB ILS COP MXN DKK NOK SEK QAR CAD ISK GTQ INR DOP SGD PLN SAR TTD ZAR KYD HKD CZK KRW JPY " +
	"NZD AED MAD TWD BRL BWP NAD KES SCR TRY SZL LSL TZS UGX ZMW ZWG GHS NGN SLE LRD XOF XAF GEL IDR ARS CRC HUF EGP " +
	"MYR VND PHP MWK"

var currencies = func() map[Currency]bool {
	known := map[Currency]bool{}
	for code := range strings.FieldsSeq(currencyCodes) {
		known[Currency(code)] = true
	}
	return known
}()

// Names lists every currency in the specification's order.
func (Currency) Names() []string { return strings.Fields(currencyCodes) }

// withoutMinorUnit are the enumeration's currencies that ISO 4217 gives no decimals; all others have two.
var withoutMinorUnit = map[Currency]bool{"ISK": true, "KRW": true, "JPY": true, "UGX": true, "XOF": true, "XAF": true, "VND": true}

// Decimals is how many digits an amount has behind the decimal point.
func (c Currency) Decimals() int {
	if withoutMinorUnit[c] {
		return 0
	}
	return 2
}

// Valid tells whether the code is one of the enumeration; its case matters.
func (c Currency) Valid() bool { return currencies[c] }
