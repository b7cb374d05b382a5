// Command graphgen writes graph/generated: gqlgen's output for gqlgen.yml, and functions for objects without resolvers
// from the plugin in this folder.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

func main() {
	log.SetOutput(io.Discard) // gqlgen logs which fields it binds to resolvers
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "graphgen:", err)
		os.Exit(1)
	}
}

func run() error {
	settings, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return err
	}
	return api.Generate(settings, api.AddPlugin(plugin{}))
}
