// Command ticketgate is the whole product in one binary: the API, the workers that deliver webhooks, and what an
// operator needs beside them.
//
// It is the only place that knows every package, and holds no rule of the product itself:
//
//   - main.go and the file of each subcommand: what can be typed.
//   - config.go is the one table of settings; config_values.go reads each, config_load.go all of them together.
//   - database.go finds or starts the database, secrets.go the keys that were not set.
//   - program.go is the running server as a value with Run and Close; wire.go joins the areas to it.
//   - serving.go, probes.go and limiter.go are its HTTP side.
package main
