// Package relay converts domain lists to connections, as used by Relay, Apollo and urql. It is separate from package
// graph because the generated executor imports it.
package relay
