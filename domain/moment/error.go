package moment

// Error describes a fault of a single value that is decoded before its operation runs, such as a date-time. Its text
// continues a sentence that starts with the value's path, in both APIs.
type Error string

// Error returns the text.
func (e Error) Error() string { return string(e) }

// ForCallers returns the text, which is safe to show.
func (e Error) ForCallers() string { return string(e) }

// MisfitError is the error for a value of the wrong kind. It names the values that the type accepts, such as "must be a
// number". Its text continues a sentence in the same way as an Error.
type MisfitError string

// Error returns the text.
func (m MisfitError) Error() string { return string(m) }
