package domain

import "strings"

// Merge adds the faults that an operation found in an input that could not be read in full. It skips faults about
// fields that could not be read, fields that contain them and fields within them: the operation saw no value there. An
// error without fields is not about the input and is ignored. If err has a message of its own, the combined error keeps
// it.
func (p *FieldErrors) Merge(err error) {
	if err == nil {
		return
	}
	found, other := p.fields, AsError(err)
	for _, field := range other.Fields {
		about := false
		for _, fault := range found {
			about = about || within(field.Path, fault.Path) || within(fault.Path, field.Path)
		}
		if !about {
			p.append(field)
		}
	}
	if len(p.fields) > len(found) && other.Message != summary(other.Fields, 0) {
		p.words = other.Message
	}
}

// within reports whether path equals outer or continues it.
func within(path, outer string) bool {
	rest, inside := strings.CutPrefix(path, outer)
	return inside && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
