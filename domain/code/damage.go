package code

import (
	"regexp"
	"strconv"
	"strings"
)

// The forms in which a spreadsheet writes a code that it took for a number. A mantissa without a decimal separator and
// an exponent without a sign must be short, because a card's UID such as 04E12345 may look like a longer one.
var (
	exponent = regexp.MustCompile(`^[+\-−]?(?:\d+[.,]\d*[eE][+\-−]?\d+|\d+[eE][+\-−]\d+|\d{1,3}[eE]\d{1,3})$`)
	decimals = regexp.MustCompile(`^[+\-−]?(?:\d+|\d{1,3}(?:[.,'’ \x{a0}\x{202f}]\d{3})+)[.,]0+$`)
)

// The forms in which a spreadsheet writes a code that it took for a date. Slashes between two-digit years, days and
// months make a date; dots do only if day and month have two digits. Any other such text is more often a code, such as
// a block, row and seat, unless a time follows.
var (
	timeOfDay   = regexp.MustCompile(`[ T]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AaPp][Mm])?Z?$`)
	yearFirst   = regexp.MustCompile(`^((?:19|20|21)\d\d)([-./])(\d{1,2})([-./])(\d{1,2})$`)
	yearLast    = regexp.MustCompile(`^(\d{1,2})([-./])(\d{1,2})([-./])((?:19|20|21)\d\d)$`)
	shortYear   = regexp.MustCompile(`^(\d\d)(\.)(\d\d)(\.)\d\d$`)
	slashes     = regexp.MustCompile(`^(\d{1,2})(/)(\d{1,2})(/)\d\d$`)
	beforeTime  = regexp.MustCompile(`^(\d{1,2})([-./])(\d{1,2})([-./])\d\d$`)
	weekday     = regexp.MustCompile(`^\pL{2,}\.?, ?`)
	yearAndName = regexp.MustCompile(`^(?:19|20|21)\d\d[-. /](\pL+)\.?[-. /](\d{1,2})$`)
	dayAndMonth = regexp.MustCompile(`^(\d{1,2})[-. /]{1,2}(?:de )?(\pL+)\.?(?:,? ?[-. /](?:de )?(?:\d\d|\d{4}))?$`)
	monthFirst  = regexp.MustCompile(`^(\pL+)\.?[-. /](?:\d{1,2}, ?)?(?:\d{1,2}|\d{4})$`)
)

// monthNames lists the months as spreadsheets write them in several languages, in lower case.
const monthNames = "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september " +
	"october november december mrz mär mai okt dez januar februar märz juni juli oktober dezember " +
	"janv févr mars avr juin juil août déc janvier février avril juillet septembre octobre novembre décembre " +
	"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic " +
	"gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre januari februari maart mei augustus mrt"

var months = func() map[string]bool {
	known := map[string]bool{}
	for name := range strings.FieldsSeq(monthNames) {
		known[name] = true
	}
	return known
}()

// damageOf describes the damage that a spreadsheet did to a code, or returns "".
func damageOf(text string) string {
	switch {
	case exponent.MatchString(text):
		return "is a number shortened by a spreadsheet"
	case decimals.MatchString(text):
		return "is a whole number with decimals added by a spreadsheet"
	case isDate(text):
		return "is a date written by a spreadsheet"
	}
	return ""
}

func isDate(text string) bool {
	day := weekday.ReplaceAllString(text, "")
	day = timeOfDay.ReplaceAllString(day, "")
	return isDay(day) || (timeOfDay.MatchString(text) && isIn(beforeTime, day))
}

// isIn reports whether text matches the form with equal separators and a valid day and month in either order.
func isIn(form *regexp.Regexp, text string) bool {
	parts := form.FindStringSubmatch(text)
	return len(parts) > 4 && parts[2] == parts[4] && (areDayAndMonth(parts[1], parts[3]) || areDayAndMonth(parts[3], parts[1]))
}

func isDay(text string) bool {
	if parts := yearFirst.FindStringSubmatch(text); parts != nil {
		return parts[2] == parts[4] && areDayAndMonth(parts[5], parts[3])
	}
	if isIn(yearLast, text) || isIn(shortYear, text) || isIn(slashes, text) {
		return true
	}
	if parts := yearAndName.FindStringSubmatch(text); parts != nil {
		return isMonth(parts[1]) && areDayAndMonth(parts[2], "1")
	}
	if parts := dayAndMonth.FindStringSubmatch(text); parts != nil {
		return isMonth(parts[2]) && areDayAndMonth(parts[1], "1")
	}
	parts := monthFirst.FindStringSubmatch(text)
	return len(parts) > 1 && isMonth(parts[1])
}

func areDayAndMonth(day, month string) bool {
	d, _ := strconv.Atoi(day)
	m, _ := strconv.Atoi(month)
	return d >= 1 && d <= 31 && m >= 1 && m <= 12
}

// isMonth reports whether name is a month. Spreadsheets never write months in upper case, but codes often are.
func isMonth(name string) bool {
	return months[strings.ToLower(name)] && name != strings.ToUpper(name)
}
