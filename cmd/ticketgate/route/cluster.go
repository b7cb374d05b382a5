package route

import (
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

// find returns the index of the cluster with a name, or -1.
func find(clusters []Cluster, name string) int {
	for i, cluster := range clusters {
		if cluster.Name == name {
			return i
		}
	}
	return -1
}
