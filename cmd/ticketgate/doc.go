// Command ticketgate is the whole product in one binary: the API, the workers that deliver webhooks, and what an
// operator needs beside them.
//
// Here is what can be typed: main.go and a file for each subcommand. Package program has the settings and the running server,
// package demo what a seed makes.
package main
