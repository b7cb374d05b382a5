package embedded

// task is the supervisor's whole knowledge, the first line on its input.
type task struct {
	Bin        string            `json:"bin"`
	Account    *account          `json:"account,omitempty"`
	Location   location          `json:"location"`
	Alive      string            `json:"alive"`
	Log        string            `json:"log"`
	SocketDir  string            `json:"socketDir"`
	Fsync      bool              `json:"fsync"`
	Parameters map[string]string `json:"parameters,omitempty"`
	// Remove is a directory to remove at the end, data and all. Only set for a
	// temporary server, whose whole directory was made for it.
	Remove string `json:"remove,omitempty"`
}

// order is every later line on the supervisor's input.
type order struct {
	// KillGroup is a process group to kill when the input closes, 0 for none.
	KillGroup int `json:"killGroup"`
}

// report is the one line that the supervisor writes: the server is ready, or
// there won't be one.
type report struct {
	Ready bool   `json:"ready,omitempty"`
	Error string `json:"error,omitempty"`
}
