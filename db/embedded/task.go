package embedded

// task is the first line of the supervisor's input. It has everything that the supervisor needs.
type task struct {
	Bin        string            `json:"bin"`
	Account    *account          `json:"account,omitempty"`
	Location   location          `json:"location"`
	Alive      string            `json:"alive"`
	Log        string            `json:"log"`
	SocketDir  string            `json:"socketDir"`
	Fsync      bool              `json:"fsync"`
	Parameters map[string]string `json:"parameters,omitempty"`
	// Remove is a directory to delete at the end. It is set only for temporary servers, which share it with nothing.
	Remove string `json:"remove,omitempty"`
}

// order is any later line of the supervisor's input.
type order struct {
	// KillGroup is a process group to kill when the input closes. 0 means none.
	KillGroup int `json:"killGroup"`
}

// report is a line of the supervisor's output: the server is ready, or the reason of a failure.
type report struct {
	Ready bool   `json:"ready,omitempty"`
	Error string `json:"error,omitempty"`
}
