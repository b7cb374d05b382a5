package edge

import (
	"mime"
	"net/http"
	"strings"
)

// MediaType returns the media type of a body that can be read directly: exactly one Content-Type, no charset but UTF-8,
// and no compression. Other parameters and letter case are ignored (EDGE-3).
func MediaType(header http.Header) (media string, ok bool) {
	types := header.Values("Content-Type")
	if len(types) != 1 || !uncompressed(header) {
		return "", false // another reader could use the other type
	}
	media, parameters, err := mime.ParseMediaType(types[0])
	charset := parameters["charset"]
	return media, err == nil && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// IsJSON reports whether a body is uncompressed application/json.
func IsJSON(header http.Header) bool {
	media, ok := MediaType(header)
	return ok && media == "application/json"
}

// uncompressed reports whether every Content-Encoding is identity.
func uncompressed(header http.Header) bool {
	for _, line := range header.Values("Content-Encoding") {
		for encoding := range strings.SplitSeq(line, ",") {
			if encoding = strings.TrimSpace(encoding); encoding != "" && !strings.EqualFold(encoding, "identity") {
				return false
			}
		}
	}
	return true
}
