package texts

// Shown returns a pointer to text, or nil if it is empty.
func Shown(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Of returns the text, or "" if it is nil.
func Of(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
