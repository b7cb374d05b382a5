package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/cmd/ticketgate/route"
	"ticketgate/graph/edge"
)

func (s *shell) routeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "route",
		Short: "Forward requests to the cluster that serves their seller",
		Long: "Serves on TICKETGATE_LISTEN and forwards each request to one of TICKETGATE_ROUTE_CLUSTERS, chosen by the seller that the\n" +
			"request names or by its credential. Needs the clusters' TICKETGATE_SYSTEM_TOKEN. Accounts are on the first cluster.\n\n" +
			"When ready, it prints one line on stdout: {\"url\": \"http://127.0.0.1:8080\"}. See docs/splitting.md.",
		Example: "  TICKETGATE_ROUTE_CLUSTERS=a=http://10.0.0.1:8080,b=http://10.0.0.2:8080 ticketgate route",
		Args:    noArguments,
		RunE:    func(command *cobra.Command, _ []string) error { return s.route(command.Context()) },
	}
}

// route runs the router until ctx is done, and then finishes the running requests. It prints the router's URL once
// it listens.
func (s *shell) route(ctx context.Context) error {
	config, log, err := s.settled(ctx, program.SettingSystemToken)
	if err != nil {
		return err
	}
	if len(config.Clusters) == 0 || len(config.SystemTokens) == 0 {
		return usageError{fmt.Errorf("%s and %s are required", program.SettingClusters, program.SettingSystemToken)}
	}
	program.LimitMemory(ctx, config, log)
	server, err := program.Listen(ctx, program.SettingListen, config.Listen)
	if err != nil {
		return err
	}
	server.Bound(config)
	router := route.New(route.Config{
		Clusters: config.Clusters, Token: config.SystemTokens[0], Proxies: config.TrustedProxies, Log: log,
		Bodies: edge.NewBodies(edge.BodyBounds{Medium: keptForMedium * config.Bodies.Medium}),
	})
	var polls sync.WaitGroup
	defer polls.Wait()
	polls.Go(func() { router.Run(ctx) })
	server.Forward(router, log)
	s.sayf("{\"url\": %q}\n", server.URL())
	<-ctx.Done()
	return server.Drain(ctx)
}

// keptForMedium is the number of bodies that a router keeps for each that a server parses, which takes eight times its size.
const keptForMedium = 4
