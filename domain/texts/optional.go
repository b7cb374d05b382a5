package texts

// Shown is a text that a caller may see only when there is one: null otherwise.
func Shown(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Of is a text that may be absent: empty then.
func Of(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
