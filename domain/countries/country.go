package countries

import (
	"strings"

	"ticketgate/domain/texts"
)

// countryCodes lists the alpha-2 codes that ISO 3166-1 has assigned, in alphabetical order. Reserved and user-assigned codes
// (EU, UK, XK, …) are left out.
const countryCodes = "" +
	"AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
	"CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
	"GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT " +
	"JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
	"MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY " +
	"QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO " +
	"TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"

var countries = func() map[string]bool {
	known := map[string]bool{}
	for code := range strings.FieldsSeq(countryCodes) {
		known[code] = true
	}
	return known
}()

// Code returns the code trimmed and in upper case, and whether ISO 3166-1 has assigned it. If the text is not two bytes long,
// Code returns it unchanged.
func Code(text string) (string, bool) {
	code := texts.Trim(text)
	if len(code) != 2 { // excludes non-ASCII letters whose upper case is ASCII
		return text, false
	}
	code = strings.ToUpper(code)
	return code, countries[code]
}

// Text returns the form in which a country is stored: trimmed, and in upper case if it looks like a code. Code compares the
// same form (TEXT-2).
func Text(text string) string {
	code, _ := Code(text)
	return texts.Trim(code)
}
