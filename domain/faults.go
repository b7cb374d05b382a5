package domain

import (
	"context"
	"strings"
)

type faultsKey struct{}

// WithFaults marks a call whose input has faults that show in reading it, such as a number where a text belongs. Its
// operation goes on with what could be read, so that its caller sees everything that is wrong at once (decisions 2.1).
// Nothing that it writes is ever committed.
func WithFaults(ctx context.Context, faults *Problems) context.Context {
	return context.WithValue(ctx, faultsKey{}, faults)
}

// FaultsOf are the faults of the call's input; nil when it has none.
func FaultsOf(ctx context.Context) error {
	faults, ok := ctx.Value(faultsKey{}).(*Problems)
	if !ok {
		return nil
	}
	return faults.Err()
}

// Further adds what an operation found wrong besides. Of a member that could not be read, and of what stands around or
// inside of it, it knows nothing; and an error without fields is about an input that nobody has sent. Words of its own stay
// the message.
func (p *Problems) Further(err error) {
	if err == nil {
		return
	}
	found, further := p.fields, AsError(err)
	for _, field := range further.Fields {
		about := false
		for _, fault := range found {
			about = about || within(field.Path, fault.Path) || within(fault.Path, field.Path)
		}
		if !about {
			p.note(field)
		}
	}
	if len(p.fields) > len(found) && further.Message != summary(further.Fields, 0) {
		p.words = further.Message
	}
}

// within tells whether a path is another one or goes on from it.
func within(path, outer string) bool {
	rest, inside := strings.CutPrefix(path, outer)
	return inside && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
