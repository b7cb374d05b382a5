package embedded

import "context"

// Find returns the folder and the major version of the PostgreSQL that Start would run with this configuration. It
// changes and starts nothing. It returns the same errors as Start.
func Find(ctx context.Context, c Config) (folder string, major int, err error) {
	c, err = c.complete()
	if err != nil {
		return "", 0, err
	}
	at := filesOf(c.DataDir)
	who, err := accountFor(at.cluster)
	if err != nil {
		return "", 0, err
	}
	dirs, err := candidates(c.BinDir, distributionFolders)
	if err != nil {
		return "", 0, err
	}
	wanted, err := clusterVersion(at.cluster)
	if err != nil {
		return "", 0, err
	}
	bin, err := choose(ctx, dirs, who, wanted)
	return bin.dir, bin.major, err
}
