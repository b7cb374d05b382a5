package db

// Explains reports whether a constraint has an error for callers.
func Explains(constraint string) bool { return constraintErrors[constraint] != nil }
