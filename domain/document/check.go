package document

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/texts"
)

// maxProblems bounds the answer to documents that are wrong all over, and the work of finding it out.
const maxProblems = 100

// Checker gathers what is wrong with one or many documents.
type Checker struct {
	// Whole asks for the members, too, that the service would fill in: for what others publish as it is.
	Whole    bool
	problems domain.Problems
	count    int
}

// Add notes that the member at path is wrong; the message continues a sentence that begins with the path.
func (c *Checker) Add(path, message string) { c.AddHint(path, message, "") }

// AddHint is Add with a further sentence that says how to put it right.
func (c *Checker) AddHint(path, message, hint string) {
	if c.count++; c.count <= maxProblems {
		c.problems.AddHint(path, message, hint)
	}
}

// Full tells that so much is wrong already that nothing more is noted.
func (c *Checker) Full() bool { return c.count >= maxProblems }

// Any tells whether anything is wrong so far.
func (c *Checker) Any() bool { return c.count > 0 }

// Err is everything that was noted as one VALIDATION_FAILED error, or nil.
func (c *Checker) Err() error { return c.problems.Err() }

// Check notes what is wrong with a document, and returns it in the definition's order with normal date-times and without
// nulls. What it returns is of use only when nothing was noted.
func (c *Checker) Check(path string, d *Definition, value ecmajson.Value) ecmajson.Value {
	if value.Kind() != ecmajson.Object {
		c.wrongKind(path, "an object", value)
		return value
	}
	kept := make([]*ecmajson.Value, len(d.Members))
	var further []ecmajson.Member
	for _, member := range value.Members() {
		if c.Full() {
			return value
		}
		i, known := d.index[member.Name]
		switch {
		case !known && d.Open:
			further = append(further, member)
		case !known:
			c.unknown(memberPath(path, member.Name), member.Name, d)
		case member.Value.Kind() == ecmajson.Null: // no value (decisions 1.3)
		default:
			checked := c.value(memberPath(path, member.Name), d.Members[i].Type, member.Value)
			kept[i] = &checked
		}
	}
	c.missing(path, d, kept)
	return collect(d, kept, further)
}

// collect puts the members that are there in the definition's order, and what the definition does not know behind them.
func collect(d *Definition, kept []*ecmajson.Value, further []ecmajson.Member) ecmajson.Value {
	members := make([]ecmajson.Member, 0, len(kept))
	for i, value := range kept {
		if value != nil {
			members = append(members, ecmajson.Member{Name: d.Members[i].Name, Value: *value})
		}
	}
	return ecmajson.NewObject(append(members, further...))
}

// missing notes members that must be there and are not, and those that may not stand beside what is there.
func (c *Checker) missing(path string, d *Definition, kept []*ecmajson.Value) {
	for i, member := range d.Members {
		if kept[i] == nil {
			if member.Required && (c.Whole || !member.Made) {
				c.Add(memberPath(path, member.Name), "is required")
			}
			continue
		}
		if member.Only != nil && excluded(d, member.Only, kept) {
			c.Add(memberPath(path, member.Name), fmt.Sprintf("is allowed only with %s %s", member.Only.Member, member.Only.Value))
		}
	}
}

// excluded tells that the sibling has another value than a member asks for. One that is missing or wrong is a problem
// already.
func excluded(d *Definition, only *Condition, kept []*ecmajson.Value) bool {
	i := d.index[only.Member]
	if kept[i] == nil {
		return false
	}
	text := kept[i].Text()
	if d.Members[i].Type.Kind == IntegerEnumeration {
		text = kept[i].Number()
	}
	return text != only.Value && slices.Contains(d.Members[i].Type.Names, text)
}

// unknown notes a member that the resource does not have, with the one most likely meant (decisions 8.2).
func (c *Checker) unknown(path, name string, d *Definition) {
	hint := "The members are " + strings.Join(d.names, ", ") + "."
	if nearest, ok := c.nearest(name, d.names); ok {
		hint = fmt.Sprintf("Did you mean %q?", nearest)
	}
	c.AddHint(path, "is not a member of this object", hint)
}

// nearest searches for the name most likely meant, unless the maximum number of errors was reached (LIMIT-11).
func (c *Checker) nearest(name string, known []string) (string, bool) {
	if c.Full() {
		return "", false
	}
	return texts.Nearest(name, known)
}

func (c *Checker) wrongKind(path, wanted string, value ecmajson.Value) {
	c.Add(path, "must be "+wanted+", not "+value.Kind().InWords())
}

// memberPath puts a member's name below its parent; a name that is no plain word stands in brackets and quotes.
func memberPath(parent, name string) string {
	const longest = 64
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "") + "…"
	}
	if isWord(name) {
		return domain.JoinPath(parent, name)
	}
	return parent + "[" + strconv.Quote(name) + "]"
}

func isWord(name string) bool {
	for i, r := range name {
		letter := unicode.IsLetter(r) || r == '_' || r == '$'
		if !letter && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}

// With returns a checked document with one member set, at its place in the definition's order. Null takes the member away
// (decisions 1.3).
func (d *Definition) With(document ecmajson.Value, name string, value ecmajson.Value) ecmajson.Value {
	kept := make([]*ecmajson.Value, len(d.Members))
	var further []ecmajson.Member
	for _, member := range document.Members() {
		if i, known := d.index[member.Name]; known {
			kept[i] = &member.Value
		} else {
			further = append(further, member)
		}
	}
	if kept[d.index[name]] = &value; value.Kind() == ecmajson.Null {
		kept[d.index[name]] = nil
	}
	return collect(d, kept, further)
}
