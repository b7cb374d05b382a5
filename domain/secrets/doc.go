// Package secrets is what opens something to whoever holds it: how such a text is made, recognized and stored.
package secrets
