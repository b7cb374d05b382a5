package intake

// RefusedRow is one record of an import that was left out.
type RefusedRow struct {
	// Path is the record's place in the input, such as tickets[3].
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Note says how a field of an import was read, where that is not what was written.
type Note struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}
