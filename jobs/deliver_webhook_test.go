package jobs_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/listenerurl"
	"ticketgate/domain/optional"
	"ticketgate/domain/webhook"
	"ticketgate/jobs"
)

// A body with non-ASCII text, an angle bracket, U+2028 and 1.0 is signed over exactly the bytes sent.
func TestEventReachesItsListenerSigned(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte("thanks")) })
	hook := p.hook(url+"/in?token=hidden", "clé")
	p.start()
	p.publish("ticket.created", "{\"ticket\":{\"name\":\"é<\u2028>&\",\"price\":1.0}}")

	got := receive(t, calls, "the call")
	line := p.attempt()
	d := p.only()
	want := `{"id":"` + d.ID + `","sellerId":"` + string(seller) + `","webhookId":"` + hook.ID +
		"\",\"type\":\"ticket.created\",\"mode\":\"dev\",\"data\":{\"ticket\":{\"name\":\"é<\u2028>&\",\"price\":1}}}"
	if got.body != want || d.Payload != want {
		t.Errorf("sent %s\nshown %s", got.body, d.Payload)
	}
	if signature := got.header.Get("x-service-signature"); signature != webhook.Sign([]byte("clé"), []byte(want)) {
		t.Errorf("signature %q", signature)
	}
	if d.State != webhook.Delivered || d.DeliveredAt == nil || d.AttemptCount != 1 || d.ScheduledCount != 1 || d.NextAttemptAt != nil {
		t.Errorf("%+v", d.Delivery)
	}
	a := d.Attempts[0]
	if a.Number != 1 || a.Status == nil || *a.Status != 200 || a.Failure != nil || a.ByHand ||
		a.ResponseBody != "thanks" || a.URL != url+"/in?token=hidden" {
		t.Errorf("%+v", a)
	}
	for name, value := range map[string]any{
		"delivery": d.ID, "event": d.EventID, "webhook": hook.ID, "seller": string(seller), "type": "ticket.created",
		"attempt": int64(1), "url": url + "/in", "status": int64(200), "success": true, "recorded": true, "state": "delivered",
	} {
		if line[name] != value {
			t.Errorf("the log's %s is %v", name, line[name])
		}
	}
}

// Every type has mode, id, type and data in its body.
func TestEveryTypeIsDelivered(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(204))
	p.hook(url, "")
	p.start()
	want := map[string]string{}
	for _, kind := range domain.EventKinds() {
		members := make([]string, 0, len(kind.Data))
		for _, name := range kind.Data {
			members = append(members, `"`+name+`":{"a":"`+string(kind.Type)+`"}`)
		}
		want[string(kind.Type)] = "{" + strings.Join(members, ",") + "}"
		p.publish(kind.Type, want[string(kind.Type)])
	}
	for range want {
		got := receive(t, calls, "a call")
		var body struct {
			ID   string          `json:"id"`
			Mode string          `json:"mode"`
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		p.must(json.Unmarshal([]byte(got.body), &body))
		if want[body.Type] != string(body.Data) || body.Mode != "dev" || len(body.ID) != 36 {
			t.Errorf("body %s", got.body)
		}
		if got.header.Get("x-service-signature") != "" {
			t.Error("an unsigned call has a signature")
		}
	}
}

// The mode in the body is that of the publishing server (WEBHOOK-41).
func TestTheBodyContainsTheMode(t *testing.T) {
	p := newPlatformIn(t, "prod", "1h")
	url, calls := listen(t, status(204))
	p.hook(url, "")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	if body := receive(t, calls, "a call").body; !strings.Contains(body, `"type":"ticket.created","mode":"prod","data":{"ticket":{}}}`) {
		t.Errorf("body %s", body)
	}
}

// A 410 is retried like any failure and disables no webhook.
func TestSeven410ResponsesFailDeliveryOnly(t *testing.T) {
	p := newPlatform(t, "0s,1ms,1ms,1ms,1ms,1ms")
	url, calls := listen(t, status(http.StatusGone))
	hook := p.hook(url, "")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	bodies := make([]string, 0, 7)
	for number := range 7 {
		bodies = append(bodies, receive(t, calls, "a call").body)
		if line := p.attempt(); line["attempt"] != int64(number+1) || line["status"] != int64(410) {
			t.Errorf("attempt %d: %v", number+1, line)
		}
	}
	if len(slices.Compact(bodies)) != 1 {
		t.Errorf("the bytes differ: %v", bodies)
	}
	d := p.only()
	if d.State != webhook.Failed || d.AttemptCount != 7 || len(d.Attempts) != 7 || d.NextAttemptAt != nil {
		t.Errorf("%+v", d.Delivery)
	}
	if got, err := p.webhooks().Get(p.key(), hook.ID); err != nil || !got.Enabled {
		t.Errorf("the webhook: %+v, %v", got, err)
	}
}

func TestARetryUsesTheCurrentURLAndKey(t *testing.T) {
	p := newPlatform(t, "0s")
	moved, calls := listen(t, status(200))
	changed := make(chan struct{})
	old, _ := listen(t, func(w http.ResponseWriter, _ int) {
		<-changed
		w.WriteHeader(http.StatusInternalServerError)
	})
	hook := p.hook(old, "old")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	_, err := p.webhooks().Update(p.key(), hook.ID, webhook.Change{Name: "h", URL: moved, HMACKey: optional.Some("new")})
	p.must(err)
	close(changed)

	got := receive(t, calls, "the retry")
	if got.header.Get("x-service-signature") != webhook.Sign([]byte("new"), []byte(got.body)) {
		t.Error("the retry is signed with the previous key")
	}
	p.until("delivery", "SELECT state = 'delivered' FROM deliveries")
	if d := p.only(); d.Payload != got.body || d.AttemptCount < 1 {
		t.Errorf("%+v", d)
	}
}

func TestDisabledOrDeletedWebhookIsNotCalled(t *testing.T) {
	for name, stop := range map[string]func(*platform, webhook.Webhook) error{
		"disabled": func(p *platform, h webhook.Webhook) error {
			_, err := p.webhooks().Update(p.key(), h.ID, webhook.Change{Name: "h", URL: h.URL, Enabled: optional.Some(false)})
			return err
		},
		"deleted": func(p *platform, h webhook.Webhook) error {
			_, err := p.webhooks().Delete(p.key(), h.ID, nil)
			return err
		},
		"without the feature": func(p *platform, _ webhook.Webhook) error {
			p.exec("UPDATE sellers SET webhooks = false")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlatform(t, "1h")
			url, calls := listen(t, status(200))
			hook := p.hook(url, "")
			p.publish("ticket.created", `{"ticket":{}}`)
			p.must(stop(p, hook))
			p.start()
			p.until("end of the delivery", "SELECT state = 'canceled' AND next_attempt_at IS NULL FROM deliveries")
			if len(calls) != 0 {
				t.Error("the listener was called")
			}
		})
	}
}

func TestAManualAttempt(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, func(w http.ResponseWriter, number int) {
		if number < 3 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	p.hook(url, "")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	first := receive(t, calls, "the first attempt").body
	p.attempt()
	due := p.only().NextAttemptAt

	for number := 2; number <= 3; number++ {
		p.until("end of the second manual attempt", "SELECT now() > coalesce(retriggered_at, '-infinity') + interval '400 ms' FROM deliveries")
		_, err := p.deliveries().Retry(p.key(), p.only().ID)
		p.must(err)
		if again := receive(t, calls, "a manual attempt").body; again != first {
			t.Errorf("sent %s, first %s", again, first)
		}
		if line := p.attempt(); line["by_hand"] != true || line["attempt"] != int64(number) {
			t.Errorf("attempt %d: %v", number, line)
		}
		d := p.only()
		if number == 2 && (d.State != webhook.Pending || !d.NextAttemptAt.Equal(due.Time) || d.RetryRequested) {
			t.Errorf("after a manual attempt failed: %+v", d.Delivery)
		}
		if number == 3 && (d.State != webhook.Delivered || d.ScheduledCount != 1 || d.AttemptCount != 3) {
			t.Errorf("after success: %+v", d.Delivery)
		}
	}
}

func TestFailureIsRecordedWithItsKind(t *testing.T) {
	p := newPlatform(t, "1h")
	p.config.Sender.Timeout = 100 * time.Millisecond
	hang := make(chan struct{})
	url, _ := listen(t, func(http.ResponseWriter, int) { <-hang })
	t.Cleanup(func() { close(hang) }) // before the listener closes, which waits for its calls
	p.hook(url, "")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	p.attempt()
	d := p.only()
	a := d.Attempts[0]
	if a.Status != nil || a.Failure == nil || *a.Failure != webhook.FailureTimeout ||
		a.Detail != "timeout after 100 ms" || a.DurationMS < 100 || d.State != webhook.Pending {
		t.Errorf("%+v of %+v", a, d.Delivery)
	}
}

// A response of any bytes is stored and causes no second call.
func TestAResponseOfAnyBytesIsStored(t *testing.T) {
	p := newPlatform(t, "1h")
	answers := [...]struct{ sent, shown string }{
		{"\x00\x00", "\x00\x00"},
		{"\xff\xfe\xc3(", "\uFFFD("},
		{"\xed\xa0\x80", "\uFFFD"},
		{"\x1b[31m", "\x1b[31m"},
		{"<script>x</script>", "<script>x</script>"},
		{"é\u2028\u202e\ufeff\r\n", "é\u2028\u202e\ufeff\r\n"},
	}
	code := func(number int) int { return [...]int{http.StatusOK, http.StatusTeapot}[number%2] }
	url, calls := listen(t, func(w http.ResponseWriter, number int) {
		w.WriteHeader(code(number))
		_, _ = io.WriteString(w, answers[number-1].sent)
	})
	p.hook(url, "")
	p.start()
	for i, answer := range answers {
		p.publish("ticket.created", `{"ticket":{}}`)
		line := p.attempt()
		d, err := p.deliveries().Get(p.key(), line["delivery"].(string))
		p.must(err)
		if a := d.Attempts[0]; line["recorded"] != true || a.ResponseBody != answer.shown || *a.Status != code(i+1) ||
			d.AttemptCount != 1 || len(calls) != i+1 {
			t.Errorf("%q is shown as %q, status %d, after %d calls", answer.sent, a.ResponseBody, *a.Status, len(calls))
		}
	}
}

// A call refused at the dial opens no connection and is retried.
func TestInternalAddressIsRefusedAtDial(t *testing.T) {
	p := newPlatform(t, "1h")
	url, calls := listen(t, status(200))
	p.hook(url, "")
	p.config.Sender.Outbound = jobs.NewOutbound(listenerurl.Policy{}, nil, nil, nil)
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	p.attempt()
	d := p.only()
	failure := d.Attempts[0].Failure
	if failure == nil || *failure != webhook.FailureInvalidURL || d.State != webhook.Pending || len(calls) != 0 {
		t.Errorf("%+v of %+v, %d calls", d.Attempts[0], d.Delivery, len(calls))
	}
}

func TestStopWaitsForRunningAttempts(t *testing.T) {
	p := newPlatform(t, "1h")
	answer := make(chan struct{})
	url, calls := listen(t, func(http.ResponseWriter, int) { <-answer })
	p.hook(url, "")
	p.start()
	p.publish("ticket.created", `{"ticket":{}}`)
	receive(t, calls, "the call")
	stopped := make(chan error, 1)
	go func() { stopped <- p.workers.Stop(context.Background()) }()
	close(answer)
	p.must(receive(t, stopped, "the end"))
	if d := p.only(); d.State != webhook.Delivered {
		t.Errorf("%+v", d.Delivery)
	}
}
