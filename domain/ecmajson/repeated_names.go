package ecmajson

// scannedMembers is the number of members up to which comparing names in pairs is cheaper than a map. Beyond it a map
// keeps the work linear.
const scannedMembers = 16

// reportRepeated adds a problem for each name that an object repeats.
func (p *parser) reportRepeated(members []Member) {
	if len(members) > scannedMembers {
		p.reportRepeatedByMap(members)
		return
	}
	for i, member := range members {
		earlier := 0
		for _, other := range members[:i] {
			if other.Name == member.Name {
				earlier++
			}
		}
		p.reportSecond(member.Name, earlier)
	}
}

// reportRepeatedByMap is reportRepeated for an object of any size.
func (p *parser) reportRepeatedByMap(members []Member) {
	seen := make(map[string]int, len(members))
	for _, member := range members {
		p.reportSecond(member.Name, seen[member.Name])
		seen[member.Name]++
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
