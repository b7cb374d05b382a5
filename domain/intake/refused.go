package intake

// RefusedRow is a record that an import left out.
type RefusedRow struct {
	// Path is the record's path in the input, such as tickets[3].
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Note reports a field that was stored differently than it was sent.
type Note struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}
