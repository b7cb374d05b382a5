package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

// errNotDelivered ends `webhook test` with exit code 1, after the outcome was printed.
var errNotDelivered = errors.New("the test event was not delivered by the first attempt")

// The first attempt of a test event is looked up this often, for this long: an attempt takes at most ten seconds.
const (
	firstAttemptPoll = 200 * time.Millisecond
	firstAttemptWait = 15 * time.Second
)

// testOptions are the flags of `webhook test`.
type testOptions struct{ event, data, url, key string }

func (s *shell) webhookTestCommand() *cobra.Command {
	options := &testOptions{}
	command := &cobra.Command{
		Use:   "test WEBHOOK",
		Short: "Send a test event to a webhook",
		Long: "Sends an event to the webhook with this id through the API, and prints the outcome of the first attempt. The event is\n" +
			"signed, delivered and retried like any other. Its body contains \"test\": true.\n\n" +
			"Exit codes: 0 delivered, 1 not delivered or failed, 2 invalid usage or file not found.",
		Example: "  ticketgate webhook test 6a… --event ticket.created\n" +
			"  ticketgate webhook test 6a… --event ticket.created --data ticket.json",
		Args: oneArgument("the id of the webhook"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.testWebhook(command.Context(), arguments[0], options)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.event, "event", "event.created", "the type of the event")
	flags.StringVar(&options.data, "data", "", "a file with the data of the event as JSON; if omitted, the sample of the type is sent")
	flags.StringVar(&options.url, "url", "http://127.0.0.1:8080", "the address of the API")
	flags.StringVar(&options.key, "key", "", "an API key with webhooks:update and webhooks:list; "+keyFlagHelp)
	return command
}

func (s *shell) testWebhook(ctx context.Context, id string, options *testOptions) error {
	if err := errors.Join(checkAPI(options.url), checkSegment("WEBHOOK", id)); err != nil {
		return err
	}
	input := struct {
		Type domain.EventType `json:"type"`
		Data json.RawMessage  `json:"data,omitempty"`
	}{Type: domain.EventType(options.event)}
	if options.data != "" {
		data, err := readBody(options.data)
		if err != nil {
			return usageError{err}
		}
		if !json.Valid(data) {
			return usageError{fmt.Errorf("%s must contain JSON", options.data)}
		}
		input.Data = data
	}
	body, err := json.Marshal(input)
	if err != nil {
		return err
	}
	api := newAPIClient(options.url, s.apiKey(options.key))
	var sent webhook.Delivery
	err = api.call(ctx, http.MethodPost, "/api/webhooks/"+url.PathEscape(id)+"/test", "application/json", bytes.NewReader(body), &sent)
	if err != nil {
		return err
	}
	s.sayf("sent: delivery %s\n", sent.ID)
	return s.sayOutcome(ctx, api, sent.ID)
}

// sayOutcome waits for the first attempt of a delivery and prints its outcome.
func (s *shell) sayOutcome(ctx context.Context, api apiClient, id string) error {
	ctx, cancel := context.WithTimeout(ctx, firstAttemptWait)
	defer cancel()
	for {
		var found webhook.DeliveryDetail
		if err := api.call(ctx, http.MethodGet, "/api/webhook-deliveries/"+id, "", nil, &found); err != nil {
			return err
		}
		if len(found.Attempts) > 0 {
			first := found.Attempts[0]
			s.sayf("%s after %d ms: %s\n", found.State, first.DurationMS, found.Outcome)
			if found.State != webhook.Delivered {
				return errNotDelivered
			}
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no attempt was made within %s; `ticketgate work` or `ticketgate serve` must run", firstAttemptWait)
		case <-time.After(firstAttemptPoll):
		}
	}
}
