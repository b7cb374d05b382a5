package listenerurl

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
)

// blockedPorts belong to protocols that a forged HTTP request could abuse. They are the bad ports of the Fetch
// standard, in full.
var blockedPorts = []uint16{
	0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95,
	101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179,
	389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587,
	601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
	6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
}

func defaultPort(scheme string) uint16 {
	if scheme == "https" {
		return 443
	}
	return 80
}

func portOf(parsed *url.URL) (uint16, error) {
	written := parsed.Port()
	if written == "" {
		return defaultPort(parsed.Scheme), nil
	}
	port, err := strconv.ParseUint(written, 10, 16)
	// Programs read a padded number differently, so only the plain spelling passes.
	if err != nil || port == 0 || written[0] == '0' {
		return 0, refusal("The port must be a number from 1 to 65535 without leading zeros")
	}
	if slices.Contains(blockedPorts, uint16(port)) {
		return 0, refusal(fmt.Sprintf("Port %d is used by a protocol other than HTTP; use 443, 80 or another web port", port))
	}
	return uint16(port), nil
}
