package embedded

// task is all that the supervisor knows: the first line of its input.
type task struct {
	Bin        string            `json:"bin"`
	Account    *account          `json:"account,omitempty"`
	Location   location          `json:"location"`
	Alive      string            `json:"alive"`
	Log        string            `json:"log"`
	SocketDir  string            `json:"socketDir"`
	Fsync      bool              `json:"fsync"`
	Parameters map[string]string `json:"parameters,omitempty"`
	// Remove is a directory to delete at the end with all data. It is set only for a temporary server, which has the
	// directory to itself.
	Remove string `json:"remove,omitempty"`
}

// order is every later line on the supervisor's input.
type order struct {
	// KillGroup is a process group to kill when the input closes; 0 is none.
	KillGroup int `json:"killGroup"`
}

// report is the one line that the supervisor writes: the server is ready, or why it failed.
type report struct {
	Ready bool   `json:"ready,omitempty"`
	Error string `json:"error,omitempty"`
}
