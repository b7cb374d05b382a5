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

// exactLiterals applies the rules for request bodies (BODY-1) to the values in a document: exact numbers, and text
// without NUL and unpaired surrogates. It must run before the rule that compares values with types, which would report a
// refused literal again, together with each enclosing input. As a validation rule, it runs once per document and before
// gqlgen converts values: there, a number beyond 64 bits causes a panic.
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
					check.addError(ast.Path{ast.PathName("variables"), ast.PathName(variable.Variable)}, variable.DefaultValue)
				}
			}
		})
	}
}

// literalCheck finds invalid literals while the walk ascends from the innermost values. It reports them at the argument,
// where their paths start.
type literalCheck struct {
	// faults holds the errors not reported yet. seen records whether a value contains an error, because a fragment's
	// values are walked again at each spread.
	faults map[*ast.Value]string
	seen   map[*ast.Value]bool
	report core.AddErrFunc
}

// value reports whether a value, or a value inside it, is invalid.
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

// arguments reports the invalid literals in arguments. For arguments that are the body in REST, paths start inside them,
// as in REST.
func (c *literalCheck) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		path := ast.Path{ast.PathName(argument.Name)}
		hasParts := argument.Value.Kind == ast.ObjectValue || argument.Value.Kind == ast.ListValue
		if hasParts && slices.Contains(bodies, path[0]) {
			path = nil
		}
		c.addError(path, argument.Value)
	}
}

// addError reports each invalid literal in a value once.
func (c *literalCheck) addError(path ast.Path, value *ast.Value) {
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
		c.addError(append(slices.Clip(path), step), child.Value)
	}
}

// literalFault returns the error of a literal, or an empty string.
func literalFault(value *ast.Value) string {
	switch value.Kind {
	case ast.IntValue, ast.FloatValue:
		return numberFault(value)
	case ast.StringValue, ast.BlockValue:
		switch {
		case strings.IndexByte(value.Raw, 0) >= 0:
			return "must not contain the NUL character"
		case !utf8.ValidString(value.Raw):
			return "must be valid UTF-8"
		case value.Kind == ast.StringValue && halvesSurrogatePair(value):
			return "must not contain half of a surrogate pair"
		}
	case ast.Variable, ast.BooleanValue, ast.NullValue, ast.EnumValue, ast.ListValue, ast.ObjectValue:
	}
	return ""
}

// numberFault accepts an integer beyond 64 bits as the double that holds it, unless the type requires an integer. gqlgen
// would fail to parse it as one.
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

// halvesSurrogatePair reports whether a string contains an escape for half of a surrogate pair. It checks the text as
// written. The lexer has already replaced the surrogate with U+FFFD, which is a valid character to send.
func halvesSurrogatePair(value *ast.Value) bool {
	if !strings.ContainsRune(value.Raw, utf8.RuneError) {
		return false
	}
	written := []rune(value.Position.Src.Input)
	return ecmajson.HalvesSurrogatePair(string(written[max(0, value.Position.Start):min(value.Position.End, len(written))]))
}

// explainingRules returns gqlparser's validation rules with ours added. gqlgen changes the set it receives, so each
// document gets a new one.
func explainingRules() *rules.Rules {
	set := rules.NewDefaultRules()
	set.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, exactLiterals(rules.ValuesOfCorrectTypeRule.RuleFunc))
	return set
}

// terseRules returns the same rules without "Did you mean". The caller learns no new names of the schema, and no time is
// spent searching for similar ones. gqlgen itself replaces only two of the five rules.
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
