package domain

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest finds the known name that a mistyped one most likely means; a name that differs in more than a third
// of its letters is no match.
func Nearest(name string, known []string) (string, bool) {
	const longest = 64
	if len(name) > longest {
		return "", false
	}
	best, bestDistance := "", len(name)/3+1
	for _, candidate := range known {
		distance := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(candidate))
		if distance < bestDistance || (distance == bestDistance && best == "") {
			best, bestDistance = candidate, distance
		}
	}
	return best, best != ""
}
