package ecmajson

// scannedMembers is up to how many members comparing names pair by pair is
// cheaper than a map; beyond it the map keeps the work linear.
const scannedMembers = 16

// reportRepeated notes each name that an object has more than once, once.
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

// reportRepeatedByMap does the same for an object of any size.
func (p *parser) reportRepeatedByMap(members []Member) {
	seen := make(map[string]int, len(members))
	for _, member := range members {
		p.reportSecond(member.Name, seen[member.Name])
		seen[member.Name]++
	}
}

// reportSecond is told how often a name stood earlier; only the second time counts.
func (p *parser) reportSecond(name string, earlier int) {
	if earlier != 1 {
		return
	}
	p.push(step{name: name, index: -1})
	p.add("appears more than once in the same object")
	p.pop()
}
