package tenant

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxCheckoutOrigins is the maximum number of origins per seller.
const maxCheckoutOrigins = 50

var (
	errNotOrigin = errors.New("must be an origin such as https://shop.example.com, without path, query or user")
	errNotSecure = errors.New("must start with https://")
	errNotHost   = errors.New("must have a valid host name")
	errNotPort   = errors.New("must have a port from 1 to 65535 or no port")
)

// checkoutOrigin returns an origin in the form that browsers send in the Origin header: host in lower-case ASCII, no
// default port, no trailing slash. The scheme must be https. If local is set, http://localhost is allowed too, for
// development.
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

// originPort returns the port with its colon, or "" for the scheme's default port.
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
