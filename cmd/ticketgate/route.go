package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/cmd/ticketgate/route"
)

const (
	routeHeadBound  = 5 * time.Second
	routeIdleBound  = 60 * time.Second
	routeHeadBytes  = 12 << 10
	routeDrainBound = 20 * time.Second
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

func (s *shell) route(ctx context.Context) error {
	config, log, err := s.settled(ctx)
	if err != nil {
		return err
	}
	if len(config.Clusters) == 0 || len(config.SystemTokens) == 0 {
		return usageError{fmt.Errorf("%s and %s are required", program.SettingClusters, program.SettingSystemToken)}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", config.Listen)
	if err != nil {
		return fmt.Errorf("%s: %w", program.SettingListen, err)
	}
	router := route.New(route.Config{
		Clusters: config.Clusters, Token: config.SystemTokens[0], Proxies: config.TrustedProxies, Log: log,
	})
	var polls sync.WaitGroup
	defer polls.Wait()
	polls.Go(func() { router.Run(ctx) })
	// Bodies and responses have no deadlines: the clusters enforce them, and streams stay open.
	server := &http.Server{
		Handler: router, ReadHeaderTimeout: routeHeadBound, IdleTimeout: routeIdleBound, MaxHeaderBytes: routeHeadBytes,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	s.sayf("{\"url\": %q}\n", "http://"+listener.Addr().String())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), routeDrainBound)
		defer cancel()
		err = errors.Join(server.Shutdown(bounded), server.Close())
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
