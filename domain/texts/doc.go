// Package texts is what holds for the texts that people type: how they are trimmed, compared, cut, shown on a terminal, and what
// an email address is. It knows nothing of what the texts are for.
package texts
