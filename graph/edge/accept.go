package edge

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Offer is a client's preference for a media type, from its Accept headers.
type Offer struct {
	// Quality ranges from 0, not acceptable, to 1.
	Quality float64
	// Named is true if the type itself is listed, rather than a range such as */*.
	Named bool
}

// Accepts returns the client's preference for a media type. The most specific range applies. Parameters other than the
// weight are ignored, and an invalid weight counts as 1 (EDGE-6).
func Accepts(header http.Header, media string) Offer {
	lines := header.Values("Accept")
	if strings.TrimSpace(strings.Join(lines, "")) == "" {
		return Offer{Quality: 1} // RFC 9110: without Accept, any type is acceptable
	}
	best, offer := 0, Offer{}
	for _, line := range lines {
		for _, part := range splitQuoted(line, ',') {
			name, quality := acceptedRange(part)
			switch rank := rankOf(name, media); {
			case rank == 0 || rank < best:
			case rank == best:
				offer.Quality = max(offer.Quality, quality)
			default:
				best, offer = rank, Offer{Quality: quality, Named: name == media}
			}
		}
	}
	return offer
}

// rankOf returns the specificity of a range for a media type, or 0 if it does not include the type.
func rankOf(name, media string) int {
	switch {
	case name == media:
		return 3
	case name == "*/*":
		return 1
	case strings.HasSuffix(name, "/*") && strings.HasPrefix(media, strings.TrimSuffix(name, "*")):
		return 2
	default:
		return 0
	}
}

// acceptedRange parses one range with its weight. A range with invalid parameters is still accepted.
func acceptedRange(text string) (name string, quality float64) {
	parameters := []string{text}
	if strings.Contains(text, ";") {
		parameters = splitQuoted(text, ';')
	}
	name, _, err := mime.ParseMediaType(parameters[0])
	if err != nil {
		return "", 0
	}
	for _, parameter := range parameters[1:] {
		key, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(key), "q") {
			continue
		}
		if weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64); err == nil && weight >= 0 && weight <= 1 {
			return name, weight
		}
	}
	return name, 1
}
