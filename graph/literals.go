package graph

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"ticketgate/domain/ecmajson"
)

// exactLiterals holds values written into the document to the rules that request bodies obey (decisions 1.6): numbers that
// stay what they are, text without NUL and half characters. As a validation rule it runs once a document, and before
// gqlgen converts a value: there a number beyond 64 bits is a panic.
var exactLiterals = core.Rule{
	Name: "ExactLiterals",
	RuleFunc: func(observers *core.Events, report core.AddErrFunc) {
		// A fragment's values are walked again at each spread.
		seen := map[*ast.Value]bool{}
		observers.OnValue(func(_ *core.Walker, value *ast.Value) {
			if seen[value] {
				return
			}
			seen[value] = true
			if fault := literalFault(value); fault != "" {
				report(core.Message("%s", fault), core.At(value.Position))
			}
		})
	},
}

// literalFault says what is wrong with a literal, and nothing when it is right.
func literalFault(value *ast.Value) string {
	switch value.Kind {
	case ast.IntValue, ast.FloatValue:
		return numberFault(value)
	case ast.StringValue, ast.BlockValue:
		switch {
		case strings.IndexByte(value.Raw, 0) >= 0:
			return "A string must not contain the NUL character (U+0000)."
		case !utf8.ValidString(value.Raw):
			return "A string must be valid UTF-8."
		case value.Kind == ast.StringValue && halvesSurrogatePair(value):
			return "A string must not contain half of a surrogate pair."
		}
	case ast.Variable, ast.BooleanValue, ast.NullValue, ast.EnumValue, ast.ListValue, ast.ObjectValue:
	}
	return ""
}

// numberFault also refuses a whole number that gqlgen would fail to read, though a double holds it.
func numberFault(value *ast.Value) string {
	if _, err := ecmajson.CheckNumber(value.Raw); err != nil {
		return "The number " + err.Error() + "."
	}
	if value.Kind == ast.IntValue {
		if _, err := strconv.ParseInt(value.Raw, 10, 64); err != nil {
			return "An integer this large must be written with an exponent, or passed as a variable."
		}
	}
	return ""
}

// halvesSurrogatePair looks at the text as written: the lexer has already put U+FFFD, which is a character one may well
// send, in place of the half.
func halvesSurrogatePair(value *ast.Value) bool {
	if !strings.ContainsRune(value.Raw, utf8.RuneError) {
		return false
	}
	written := []rune(value.Position.Src.Input)
	written = written[max(0, value.Position.Start):min(value.Position.End, len(written))]
	// Each turn is behind an escape or on a character of its own, so `\\ud800` is a backslash and five letters.
	for i := 0; i < len(written); i++ {
		if written[i] != '\\' {
			continue
		}
		unit, escaped := codeUnit(written[i:])
		switch next, pair := codeUnit(written[min(i+escapeLength, len(written)):]); {
		case !escaped:
			i++
		case !utf16.IsSurrogate(unit):
			i += escapeLength - 1
		case pair && utf16.DecodeRune(unit, next) != utf8.RuneError:
			i += 2*escapeLength - 1
		default:
			return true
		}
	}
	return false
}

// escapeLength is the length of \uXXXX.
const escapeLength = 6

// codeUnit reads the \uXXXX that the text starts with, if it does.
func codeUnit(text []rune) (rune, bool) {
	if len(text) < escapeLength || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:escapeLength]), 16, 16)
	return rune(unit), err == nil
}

// explainingRules validates as gqlparser does, with our own rule besides. gqlgen changes the set it is given, so each
// document gets a new one.
func explainingRules() *rules.Rules {
	set := rules.NewDefaultRules()
	set.AddRule(exactLiterals.Name, exactLiterals.RuleFunc)
	return set
}

// terseRules is the same without "Did you mean": names of the schema that the caller did not know are not told, and the
// search for similar ones is not paid for (hardening G10). gqlgen itself swaps only two of the five.
func terseRules() *rules.Rules {
	set := explainingRules()
	for _, pair := range []struct{ explaining, terse core.Rule }{
		{rules.KnownArgumentNamesRule, rules.KnownArgumentNamesRuleWithoutSuggestions},
		{rules.KnownTypeNamesRule, rules.KnownTypeNamesRuleWithoutSuggestions},
		{rules.ValuesOfCorrectTypeRule, rules.ValuesOfCorrectTypeRuleWithoutSuggestions},
	} {
		set.RemoveRule(pair.explaining.Name)
		set.AddRule(pair.terse.Name, pair.terse.RuleFunc)
	}
	return set
}
