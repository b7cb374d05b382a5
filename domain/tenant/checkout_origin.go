package tenant

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxCheckoutOrigins bounds how many shops of a seller may sell.
const maxCheckoutOrigins = 50

var (
	errNotOrigin = errors.New("must be an origin such as https://shop.example.com, without path, query or user")
	errNotSecure = errors.New("must begin with https://")
	errNotHost   = errors.New("has a host name that no browser reaches")
	errNotPort   = errors.New("must have a port from 1 to 65535, or none")
)

// checkoutOrigin returns an origin as browsers send it in the header Origin: host in lower-case ASCII, no port where it
// is the scheme's own, no final slash. It is https; with local set, for development, http://localhost as well.
func checkoutOrigin(text string, local bool) (string, error) {
	parsed, err := url.Parse(strings.TrimSpace(text))
	if err != nil || parsed.Host == "" || parsed.User != nil || (parsed.Path != "" && parsed.Path != "/") ||
		strings.ContainsAny(text, "?#") {
		return "", errNotOrigin
	}
	host, err := originHost(parsed.Hostname())
	if err != nil {
		return "", err
	}
	plain := parsed.Scheme == "http" && local && host == "localhost"
	if parsed.Scheme != "https" && !plain {
		return "", errNotSecure
	}
	port, err := originPort(parsed)
	return parsed.Scheme + "://" + host + port, err
}

func originHost(name string) (string, error) {
	if addr, err := netip.ParseAddr(name); err == nil && addr.Zone() == "" {
		if addr.Is6() {
			return "[" + addr.String() + "]", nil
		}
		return addr.String(), nil
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil || strings.Trim(ascii, ".") == "" {
		return "", errNotHost
	}
	return ascii, nil
}

// originPort is the port with its colon, and empty where browsers leave it out.
func originPort(parsed *url.URL) (string, error) {
	if parsed.Port() == "" {
		return "", nil
	}
	port, err := strconv.ParseUint(parsed.Port(), 10, 16)
	if err != nil || port == 0 {
		return "", errNotPort
	}
	if own := map[string]uint64{"https": 443, "http": 80}; port == own[parsed.Scheme] {
		return "", nil
	}
	return ":" + strconv.FormatUint(port, 10), nil
}
