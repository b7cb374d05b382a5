// Package mail sends one-time links by SMTP.
package mail
