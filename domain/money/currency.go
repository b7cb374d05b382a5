package money

import "strings"

// Currency is an ISO 4217 currency code.
type Currency string

// DefaultCurrency is the currency of prices without one.
const DefaultCurrency Currency = "EUR"

// currencyCodes lists the supported currencies, in the documented order.
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

// Names returns all currencies, in the documented order.
func (Currency) Names() []string { return strings.Fields(currencyCodes) }

// withoutMinorUnit lists the supported currencies that have no decimals by ISO 4217. All others have two.
var withoutMinorUnit = map[Currency]bool{"ISK": true, "KRW": true, "JPY": true, "UGX": true, "XOF": true, "XAF": true, "VND": true}

// Decimals returns the number of decimals of an amount.
func (c Currency) Decimals() int {
	if withoutMinorUnit[c] {
		return 0
	}
	return 2
}

// Valid reports whether the code is supported. It is case-sensitive.
func (c Currency) Valid() bool { return currencies[c] }
