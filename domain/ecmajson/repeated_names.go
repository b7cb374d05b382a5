package ecmajson

// scannedFields is the number of members up to which comparing names in pairs is cheaper than a map. Beyond it a map
// keeps the work linear.
const scannedFields = 16

// reportRepeated adds a problem for each name that an object repeats.
func (p *parser) reportRepeated(fields []Field) {
	if len(fields) > scannedFields {
		p.reportRepeatedByMap(fields)
		return
	}
	for i, field := range fields {
		earlier := 0
		for _, other := range fields[:i] {
			if other.Name == field.Name {
				earlier++
			}
		}
		p.reportSecond(field.Name, earlier)
	}
}

// reportRepeatedByMap is reportRepeated for an object of any size.
func (p *parser) reportRepeatedByMap(fields []Field) {
	seen := make(map[string]int, len(fields))
	for _, field := range fields {
		p.reportSecond(field.Name, seen[field.Name])
		seen[field.Name]++
	}
}

// reportSecond adds a problem for a repeated name. earlier is the number of earlier occurrences; only the second
// occurrence is reported.
func (p *parser) reportSecond(name string, earlier int) {
	if earlier != 1 {
		return
	}
	p.push(step{name: name, index: -1})
	p.add("appears more than once in the same object")
	p.pop()
}
