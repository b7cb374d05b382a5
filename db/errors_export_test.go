package db

// Explains tells whether a caller is told what a constraint's name means.
func Explains(constraint string) bool { return constraintErrors[constraint] != nil }
