// Command ticketgate is the whole product in one binary: the server with the API and the workers that deliver webhooks,
// and the commands for operators.
//
// This package has main.go and a file for each subcommand. Package program has the settings and the running server, package
// demo the demo data.
package main
