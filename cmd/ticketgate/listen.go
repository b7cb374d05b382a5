package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/cmd/ticketgate/program"
	"ticketgate/domain"
	"ticketgate/domain/webhook"
)

// listenOptions are the flags of `listen`.
type listenOptions struct {
	address, hmacKey, url, key string
	statuses                   []int
	events                     []string
	asJSON                     bool
}

func (s *shell) listenCommand() *cobra.Command {
	options := &listenOptions{}
	command := &cobra.Command{
		Use:   "listen",
		Short: "Receive webhooks on this machine, for development",
		Long: "Prints each call, verifies its signature and responds with the status you choose.\n" +
			"With an API key, it creates a webhook that calls this address and deletes it at Ctrl-C. The server must be allowed to\n" +
			"call local addresses, as `make run` is. If the command is killed, the webhook remains; its id was printed.",
		Example: "  TICKETGATE_API_KEY=key_… ticketgate listen --events ticket.created,ticket.updated\n" +
			"  ticketgate listen --hmac-key my-key --status 500,200",
		Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return s.listen(command.Context(), options) },
	}
	flags := command.Flags()
	flags.StringVar(&options.address, "listen", "127.0.0.1:9900", "the address to listen on; port 0 chooses a free one")
	flags.StringVar(&options.hmacKey, "hmac-key", "", "the webhook's hmacKey; random if a webhook is created")
	flags.IntSliceVar(&options.statuses, "status", []int{http.StatusOK},
		"status codes of the responses to successive attempts of a delivery; the last one repeats")
	flags.StringVar(&options.url, "url", "http://127.0.0.1:8080", "the address of the API, to create a webhook there")
	flags.StringVar(&options.key, "key", "", "an API key with webhooks:create and webhooks:update; "+keyFlagHelp)
	flags.StringSliceVar(&options.events, "events", nil, "the event types of the created webhook; all if omitted")
	flags.BoolVar(&options.asJSON, "json", false, "print one line of JSON per call")
	return command
}

// listen receives webhook calls until ctx is done.
func (s *shell) listen(ctx context.Context, options *listenOptions) error {
	for _, status := range options.statuses {
		if status < http.StatusOK || status > 599 {
			return usageError{fmt.Errorf("--status must be from 200 to 599, not %d", status)}
		}
	}
	if err := checkAPI(options.url); err != nil {
		return err
	}
	at, err := program.Listen(ctx, "--listen", options.address)
	if err != nil {
		return err
	}
	key := s.apiKey(options.key)
	if key != "" && options.hmacKey == "" {
		options.hmacKey = rand.Text()
	}
	receiver := &receiver{shell: s, options: options, attempts: map[string]int{}}
	at.Serve(receiver, slog.New(slog.DiscardHandler))
	defer func() { _ = at.Close() }()
	if key != "" {
		api := newAPIClient(options.url, key)
		created, err := makeListenWebhook(ctx, api, at.URL(), options)
		if err != nil {
			return err
		}
		defer func() { s.dropListenWebhook(ctx, api, created) }()
		warn(s.stderr, "created webhook "+created+"; press Ctrl-C to delete it, twice to exit without waiting")
	}
	warn(s.stderr, "listening on "+at.Reach()+"; press Ctrl-C to stop")
	<-ctx.Done()
	return nil
}

// makeListenWebhook creates a webhook that calls this command, and returns its id.
func makeListenWebhook(ctx context.Context, api apiClient, url string, options *listenOptions) (string, error) {
	events := options.events
	if len(events) == 0 {
		for _, kind := range domain.EventKinds() {
			events = append(events, string(kind.Type))
		}
	}
	wanted := map[string]bool{}
	for _, event := range events {
		wanted[event] = true
	}
	body, err := json.Marshal(map[string]any{"name": "ticketgate listen", "url": url, "hmacKey": options.hmacKey, "events": wanted})
	if err != nil {
		return "", err
	}
	var created webhook.Webhook
	err = api.call(ctx, http.MethodPost, "/api/webhooks", "application/json", bytes.NewReader(body), &created)
	return created.ID, err
}

// dropListenWebhook deletes the webhook. It also works after the user interrupted the command.
func (s *shell) dropListenWebhook(ctx context.Context, api apiClient, id string) {
	const bound = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bound)
	defer cancel()
	var dropped webhook.Webhook
	if err := api.call(ctx, http.MethodDelete, "/api/webhook/"+id, "", http.NoBody, &dropped); err != nil {
		warn(s.stderr, "webhook "+id+" could not be deleted: "+unbroken(err.Error()))
	}
}

// receiver is an HTTP handler that prints calls and responds to them.
type receiver struct {
	shell   *shell
	options *listenOptions

	turn     sync.Mutex
	attempts map[string]int
}

// receivedCall is a call in the form in which it is printed.
type receivedCall struct {
	Time      string   `json:"time"`
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Attempt   int      `json:"attempt"`
	Signature string   `json:"signature"`
	Advice    []string `json:"advice,omitempty"`
	Status    int      `json:"status"`
	Body      string   `json:"body"`
}

// ServeHTTP prints a call and responds to it.
func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxVerified))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.turn.Lock()
	defer r.turn.Unlock()
	call := r.read(request.Context(), body, request.Header)
	r.print(call)
	w.WriteHeader(call.Status)
}

// read verifies a call and determines the status of the response.
func (r *receiver) read(ctx context.Context, body []byte, header http.Header) receivedCall {
	var head struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	}
	_ = json.Unmarshal(body, &head) // a body that is not JSON is shown without them
	attempt := r.attempts[head.ID]
	r.attempts[head.ID]++
	call := receivedCall{
		Time: time.Now().Format(time.TimeOnly), ID: head.ID, Type: head.Type, Attempt: attempt + 1, Body: string(body),
		Status: r.options.statuses[min(attempt, len(r.options.statuses)-1)],
	}
	call.Signature, call.Advice = verified(ctx, body, header, r.options.hmacKey)
	return call
}

// verified describes a call's signature: valid, invalid (with advice), absent, or not verified because there is no key.
func verified(ctx context.Context, body []byte, header http.Header, key string) (word string, advice []string) {
	signature := header.Get("X-Service-Signature")
	switch {
	case key == "" && signature == "":
		return "absent", nil
	case key == "":
		return "not verified: no --hmac-key", nil
	}
	verdict := webhook.CheckSignature(ctx, string(body), signature, key)
	for _, found := range verdict.Found {
		advice = append(advice, found.Advice)
	}
	if verdict.Matches {
		return "valid", advice
	}
	return "invalid", advice
}

// print writes a received call, as JSON or as text with advice about its signature.
func (r *receiver) print(call receivedCall) {
	if r.options.asJSON {
		_ = writeJSON(r.shell.stdout, call) // the reader may be gone
		return
	}
	r.shell.sayf("%s %s %s, attempt %d, signature %s, responded %d\n",
		call.Time, call.Type, call.ID, call.Attempt, call.Signature, call.Status)
	for _, advice := range call.Advice {
		r.shell.sayf("  %s\n", advice)
	}
	r.shell.sayf("  %s\n", lines(call.Body))
}
