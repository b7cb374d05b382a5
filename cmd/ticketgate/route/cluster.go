package route

import (
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// Cluster is a complete installation. The first of several clusters is the home cluster, which has the accounts.
type Cluster struct {
	Name string
	URL  *url.URL
}

var clusterName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,30}$`)

// ParseClusters parses clusters of the form NAME=URL, separated by commas.
func ParseClusters(text string) ([]Cluster, bool) {
	var clusters []Cluster
	for part := range strings.SplitSeq(text, ",") {
		name, address, _ := strings.Cut(strings.TrimSpace(part), "=")
		parsed, err := url.Parse(address)
		if err != nil || !ValidName(name) || (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" ||
			parsed.User != nil || strings.Trim(parsed.Path, "/") != "" || parsed.RawQuery != "" || parsed.Fragment != "" {
			return nil, false
		}
		if find(clusters, name) >= 0 {
			return nil, false
		}
		clusters = append(clusters, Cluster{name, parsed})
	}
	return clusters, true
}

// ValidName reports whether name is valid as the name of a cluster.
func ValidName(name string) bool { return clusterName.MatchString(name) }

// SameURL returns the names of two clusters whose URLs have the same host and port.
func SameURL(clusters []Cluster) (first, second string, found bool) {
	names := map[string]string{}
	for _, cluster := range clusters {
		at := hostPort(cluster.URL)
		if first, found = names[at]; found {
			return first, cluster.Name, true
		}
		names[at] = cluster.Name
	}
	return "", "", false
}

// hostPort returns the canonical form of a URL's host and port. The scheme does not count, because a port has only one.
func hostPort(at *url.URL) string {
	host, port := strings.ToLower(strings.TrimSuffix(at.Hostname(), ".")), strings.TrimLeft(at.Port(), "0")
	if address, err := netip.ParseAddr(host); err == nil {
		host = address.Unmap().String()
	}
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[at.Scheme]
	}
	return net.JoinHostPort(host, port)
}

// find returns the index of the cluster with a name, or -1.
func find(clusters []Cluster, name string) int {
	for i, cluster := range clusters {
		if cluster.Name == name {
			return i
		}
	}
	return -1
}
