package identification

import (
	"strings"

	"ticketgate/domain/texts"
)

// Trial is the verdict on a number, with details that help a person to see why.
type Trial struct {
	// Identifier is the number as it would be stored, nil if it is rejected.
	Identifier *string
	// Message and Hint are the texts that a buyer would see.
	Message, Hint *string
	// Digits is the number of digits in the text.
	Digits int
	// CheckDigit is the digit that matches the first eight, nil unless the text is nine digits.
	CheckDigit *int
}

// TrySIREN validates a text in the same way as a checkout.
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
