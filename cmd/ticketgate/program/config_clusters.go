package program

import (
	"strings"

	"ticketgate/cmd/ticketgate/route"
)

// Names of the settings for several clusters.
const (
	SettingClusters      = "TICKETGATE_ROUTE_CLUSTERS"
	SettingMoveDatabases = "TICKETGATE_MOVE_DATABASES"
)

// clusterSettings are the settings of `ticketgate route` and of commands that move sellers.
var clusterSettings = []Setting{
	{
		SettingClusters, "", "clusters separated by commas, such as a=http://10.0.0.1:8080,b=http://10.0.0.2:8080",
		"For `ticketgate route`: the clusters that it sends requests to. The first is the home cluster, which has the accounts.",
		false, into(func(c *Config) *[]route.Cluster { return &c.Clusters }, route.ParseClusters),
	},
	{
		SettingMoveDatabases, "", "databases separated by commas: NAME=postgres:// URL of a superuser, the home cluster first",
		"For `ticketgate join-cluster` and `move-seller`: the databases of the clusters. Each server can reach the others by these URLs.",
		true, into(func(c *Config) *[]ClusterDatabase { return &c.MoveDatabases }, clusterDatabases),
	},
}

// ClusterDatabase is the database of a cluster. URL is for a superuser.
type ClusterDatabase struct{ Name, URL string }

// clusterDatabases parses the setting for databases of clusters. Commas in a URL must be written as %2C.
func clusterDatabases(text string) ([]ClusterDatabase, bool) {
	var databases []ClusterDatabase
	for part := range strings.SplitSeq(text, ",") {
		name, url, _ := strings.Cut(strings.TrimSpace(part), "=")
		if _, ok := databaseURL(url); !ok || !route.ValidName(name) {
			return nil, false
		}
		for _, other := range databases {
			if other.Name == name {
				return nil, false
			}
		}
		databases = append(databases, ClusterDatabase{name, url})
	}
	return databases, true
}
