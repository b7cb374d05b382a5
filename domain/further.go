package domain

import "strings"

// Further adds what an operation found wrong with an input of which some members could not be read. It leaves out what is
// said of those members, of what contains them and of what they contain: the operation saw no value there. An error
// without fields is not about the input. A message in words of its own stays the message.
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

// within reports whether a path is another one or continues it.
func within(path, outer string) bool {
	rest, inside := strings.CutPrefix(path, outer)
	return inside && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
