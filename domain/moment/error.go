package moment

// Error says what is wrong with a single value that is read before its operation: a date-time, a number. Its
// words continue a sentence that begins with the value's path, in both doors.
type Error string

// Error returns the words.
func (e Error) Error() string { return string(e) }

// ForCallers returns the words, which are safe to show.
func (e Error) ForCallers() string { return string(e) }

// MisfitError says what a type takes, of a value that is none of its values. Its words continue a sentence as those of an Error do.
type MisfitError string

// Error returns the words.
func (m MisfitError) Error() string { return string(m) }
