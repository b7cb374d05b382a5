package domain

import "golang.org/x/text/cases"

// Fold brings text to the form in which case no longer matters, in Unicode and whatever the database's locale
// is (decisions 3.4). It is stored beside the text in a column of its own and searched there.
func Fold(text string) string { return cases.Fold().String(text) }
