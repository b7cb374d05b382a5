// Command ticketgate is the whole product in one binary: the API, the workers that deliver webhooks, and the tools of an
// operator.
//
// This package has main.go and a file for each subcommand. Package program has the settings and the running server, package
// demo the demo data.
package main
