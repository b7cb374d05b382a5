package texts

import (
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the known name that a mistyped one most likely means. A name that differs in more than a third of its
// letters does not match.
func Nearest(name string, known []string) (string, bool) {
	const longest = 64
	if len(name) > longest {
		return "", false
	}
	length := utf8.RuneCountInString(name)
	best, bestDistance := "", len(name)/3+1
	for _, candidate := range known {
		if longer := length - utf8.RuneCountInString(candidate); max(longer, -longer) > bestDistance {
			continue // their distance is at least the difference of their lengths
		}
		distance := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(candidate))
		if distance < bestDistance || (distance == bestDistance && best == "") {
			best, bestDistance = candidate, distance
		}
	}
	return best, best != ""
}
