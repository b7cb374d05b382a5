package graph

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// exactLiterals holds values written into the document to the rules that request bodies obey (decisions 1.6): numbers that
// stay what they are, text without NUL and half characters. It goes before the rule that compares values with their types,
// which would tell a literal that is refused a second time, and each input around it too. As a validation rule it runs once
// a document, and before gqlgen converts a value: there a number beyond 64 bits is a panic.
func exactLiterals(types core.RuleFunc) core.RuleFunc {
	return func(observers *core.Events, report core.AddErrFunc) {
		check := literalCheck{faults: map[*ast.Value]string{}, seen: map[*ast.Value]bool{}, report: report}
		var refused bool
		observers.OnValue(func(_ *core.Walker, value *ast.Value) { refused = check.value(value) })
		types(observers, func(options ...core.ErrorOption) {
			if !refused {
				report(options...)
			}
		})
		observers.OnField(func(_ *core.Walker, field *ast.Field) { check.arguments(field.Arguments) })
		observers.OnDirective(func(_ *core.Walker, directive *ast.Directive) { check.arguments(directive.Arguments) })
		observers.OnOperation(func(_ *core.Walker, operation *ast.OperationDefinition) {
			for _, variable := range operation.VariableDefinitions {
				if variable.DefaultValue != nil {
					check.tell(ast.Path{ast.PathName("variables"), ast.PathName(variable.Variable)}, variable.DefaultValue)
				}
			}
		})
	}
}

// literalCheck finds faults while the walk goes up from the innermost values, and tells them when it has reached the
// argument, which their paths begin at.
type literalCheck struct {
	// faults are those not yet told, seen whether a value or one inside of it has one: a fragment's values are walked
	// again at each spread.
	faults map[*ast.Value]string
	seen   map[*ast.Value]bool
	report core.AddErrFunc
}

// value tells whether a value or one inside of it is refused.
func (c *literalCheck) value(value *ast.Value) bool {
	refused, known := c.seen[value]
	if known {
		return refused
	}
	if fault := literalFault(value); fault != "" {
		c.faults[value], refused = fault, true
	}
	for _, child := range value.Children {
		refused = refused || c.seen[child.Value]
	}
	c.seen[value] = refused
	return refused
}

// arguments tells the faults in them; of those that are the body of REST the paths begin inside, as in REST.
func (c *literalCheck) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		path := ast.Path{ast.PathName(argument.Name)}
		hasParts := argument.Value.Kind == ast.ObjectValue || argument.Value.Kind == ast.ListValue
		if hasParts && slices.Contains(bodies, path[0]) {
			path = nil
		}
		c.tell(path, argument.Value)
	}
}

// tell reports each fault in a value, once.
func (c *literalCheck) tell(path ast.Path, value *ast.Value) {
	if !c.seen[value] {
		return
	}
	if fault := c.faults[value]; fault != "" {
		delete(c.faults, value)
		refused := domain.AsError(domain.Invalid(path.String(), fault))
		refused.Code = domain.CodeInvalidRequest
		c.report(core.Message("%s", refused.Message), core.At(value.Position), func(err *gqlerror.Error) { err.Err = refused })
	}
	for i, child := range value.Children {
		var step ast.PathElement = ast.PathName(child.Name)
		if value.Kind == ast.ListValue {
			step = ast.PathIndex(i)
		}
		c.tell(append(slices.Clip(path), step), child.Value)
	}
}

// literalFault says what is wrong with a literal, and nothing when it is right.
func literalFault(value *ast.Value) string {
	switch value.Kind {
	case ast.IntValue, ast.FloatValue:
		return numberFault(value)
	case ast.StringValue, ast.BlockValue:
		switch {
		case strings.IndexByte(value.Raw, 0) >= 0:
			return "must not contain the NUL character (U+0000)"
		case !utf8.ValidString(value.Raw):
			return "must be valid UTF-8"
		case value.Kind == ast.StringValue && halvesSurrogatePair(value):
			return "must not contain half of a surrogate pair"
		}
	case ast.Variable, ast.BooleanValue, ast.NullValue, ast.EnumValue, ast.ListValue, ast.ObjectValue:
	}
	return ""
}

// numberFault lets a whole number beyond 64 bits pass as the double that holds it, which gqlgen would fail to read as an
// integer, unless nothing but an integer may stand there.
func numberFault(value *ast.Value) string {
	if _, err := ecmajson.CheckNumber(value.Raw); err != nil {
		return err.Error()
	}
	if value.Kind == ast.FloatValue {
		return ""
	}
	if _, err := strconv.ParseInt(value.Raw, 10, 64); err == nil {
		return ""
	}
	if value.Definition != nil {
		scalar, known := builtIn[value.Definition.Name]
		if known && !slices.Contains(scalar.kinds, reflect.Float64) {
			return scalar.message
		}
	}
	value.Kind = ast.FloatValue
	return ""
}

// halvesSurrogatePair looks at the text as written: the lexer has already put U+FFFD, which is a character one may well
// send, in place of the half.
func halvesSurrogatePair(value *ast.Value) bool {
	if !strings.ContainsRune(value.Raw, utf8.RuneError) {
		return false
	}
	written := []rune(value.Position.Src.Input)
	return ecmajson.HalvesSurrogatePair(string(written[max(0, value.Position.Start):min(value.Position.End, len(written))]))
}

// explainingRules validates as gqlparser does, with our own rule besides. gqlgen changes the set it is given, so each
// document gets a new one.
func explainingRules() *rules.Rules {
	set := rules.NewDefaultRules()
	set.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, exactLiterals(rules.ValuesOfCorrectTypeRule.RuleFunc))
	return set
}

// terseRules is the same without "Did you mean": names of the schema that the caller did not know are not told, and the
// search for similar ones is not paid for (hardening G10). gqlgen itself swaps only two of the five.
func terseRules() *rules.Rules {
	set := rules.NewDefaultRules()
	for _, pair := range []struct{ explaining, terse core.Rule }{
		{rules.KnownArgumentNamesRule, rules.KnownArgumentNamesRuleWithoutSuggestions},
		{rules.KnownTypeNamesRule, rules.KnownTypeNamesRuleWithoutSuggestions},
	} {
		set.ReplaceRule(pair.explaining.Name, pair.terse.RuleFunc)
	}
	set.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, exactLiterals(rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc))
	return set
}
