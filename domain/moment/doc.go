// Package moment is the times of the wire: how they are read, written and bounded.
package moment
