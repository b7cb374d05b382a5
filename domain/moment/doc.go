// Package moment reads, writes and bounds the date-times of the APIs.
package moment
