package identification

import (
	"strings"

	"ticketgate/domain/texts"
)

// Trial is what the rule says of a number, and what a person needs to know to see why.
type Trial struct {
	// Identifier is the number as it would be kept; nil when it is refused.
	Identifier *string
	// Message and Hint are what a buyer would read.
	Message, Hint *string
	// Digits is how many digits the text has.
	Digits int
	// CheckDigit is the one that fits the first eight digits; nil unless the text is nine digits.
	CheckDigit *int
}

// TrySIREN reads a text as the checkout reads it (spec 4.5.7).
func TrySIREN(text string) Trial {
	number, wrong := readSIREN(text)
	var trial Trial
	if wrong.message == "" {
		trial.Identifier = &number
	} else {
		trial.Message, trial.Hint = &wrong.message, texts.Shown(wrong.hint)
	}
	bare := texts.Trim(text)
	trial.Digits = len(bare) - len(strings.Map(func(r rune) rune {
		if notDigit(r) {
			return r
		}
		return -1
	}, bare))
	if trial.Digits == sirenDigits && len(bare) == sirenDigits {
		trial.CheckDigit = checkDigit(bare[:sirenDigits-1])
	}
	return trial
}

// checkDigit is the digit behind which the others pass the checksum.
func checkDigit(others string) *int {
	for digit := range 10 {
		if passesLuhn(others + string(rune('0'+digit))) {
			return &digit
		}
	}
	return nil
}
