package webhooks

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/domain"
	"ticketgate/rest/resttest"
)

// TestDeliveriesOverREST follows an event to a failing listener, with its attempts and a manual retry.
func TestDeliveriesOverREST(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, apitest.DeliversToTests, "TICKETGATE_RETRY_SCHEDULE=0s,0s")
	d := &deliveriesOverREST{Server: h, key: h.As(t, apitest.Bearer(h.Demo.Sellers[0].APIKey)), bodies: make(chan string, 10)}
	d.healthy = make(chan struct{})
	listener := httptest.NewServer(http.HandlerFunc(d.listen))
	t.Cleanup(listener.Close)
	d.hook = d.key.Post("/api/webhooks", object{
		"name": "Listener", "url": listener.URL, "hmacKey": "k", "events": object{"scan.created": true},
	}).Want(http.StatusCreated).Text("_id")
	h.PublishScan(t, h.Demo.Sellers[0], "Delivered & <signed>")
	apitest.Run(t, apitest.Steps{
		{"fails at the end of the schedule", d.fails},
		{"sends the same bytes in a manual retry", d.retries},
		{"is found by state and type", d.filters},
		{"refuses unknown ids", d.refuses},
		{"tests the webhook with samples", d.tests},
		{"is not sent for a deleted webhook", d.afterDeletion},
	})
}

type deliveriesOverREST struct {
	*apitest.Server
	key      *resttest.Client
	hook, id string
	bodies   chan string
	healthy  chan struct{} // closed: the listener responds 200
}

func (d *deliveriesOverREST) listen(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	d.bodies <- string(body)
	select {
	case <-d.healthy:
		fmt.Fprint(w, "thanks")
	default:
		http.Error(w, "not today", http.StatusInternalServerError)
	}
}

// attempted waits until the delivery is in a state after a number of attempts.
func (d *deliveriesOverREST) attempted(t *testing.T, state string, attempts int) resttest.Answer {
	t.Helper()
	bound := time.After(30 * time.Second)
	for {
		answer := d.key.In(t).Get("/api/webhook-deliveries/" + d.id).Want(http.StatusOK)
		var shown struct {
			State    string `json:"state"`
			Attempts []any  `json:"attempts"`
		}
		if answer.Into(&shown); shown.State == state && len(shown.Attempts) == attempts {
			return answer
		}
		select {
		case <-bound:
			t.Fatalf("not %s after %d attempts within 30 s: %s", state, attempts, answer.Body)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (d *deliveriesOverREST) fails(t *testing.T) {
	var list struct {
		Docs []struct {
			ID string `json:"id"`
		} `json:"docs"`
	}
	d.key.In(t).Get("/api/webhooks/" + d.hook + "/deliveries").Want(http.StatusOK).Into(&list)
	if len(list.Docs) != 1 {
		t.Fatalf("%d deliveries", len(list.Docs))
	}
	d.id = list.Docs[0].ID
	shown := d.attempted(t, "failed", 3)
	var detail struct {
		Payload  string `json:"payload"`
		Attempts []struct {
			Number int    `json:"number"`
			Status int    `json:"status"`
			Body   string `json:"responseBody"`
		} `json:"attempts"`
	}
	shown.Into(&detail)
	for i, attempt := range detail.Attempts {
		if attempt.Number != i+1 || attempt.Status != 500 || attempt.Body != "not today\n" {
			t.Errorf("attempt %d: %+v", i+1, attempt)
		}
		if body := <-d.bodies; body != detail.Payload || !strings.Contains(body, `"id":"`+d.id+`"`) {
			t.Errorf("attempt %d sent %s, REST shows %s", i+1, body, detail.Payload)
		}
	}
}

func (d *deliveriesOverREST) retries(t *testing.T) {
	close(d.healthy)
	d.key.In(t).Post("/api/webhook-deliveries/"+d.id+"/retry", nil).Want(http.StatusAccepted).Golden("deliveries_retried")
	shown := d.attempted(t, "delivered", 4)
	if body := <-d.bodies; body != shown.Text("payload") {
		t.Errorf("the retry sent %s, REST shows %s", body, shown.Text("payload"))
	}
	if !strings.Contains(string(shown.Body), `"byHand":true`) || !strings.Contains(string(shown.Body), `"responseBody":"thanks"`) {
		t.Errorf("the manual attempt: %s", shown.Body)
	}
	d.retriesThroughGraphQL(t)
}

// tests sends the sample of every type as a test event.
func (d *deliveriesOverREST) tests(t *testing.T) {
	for _, kind := range domain.EventKinds() {
		sent := d.key.In(t).Post("/api/webhooks/"+d.hook+"/test", object{"type": kind.Type}).Want(http.StatusAccepted)
		if body := <-d.bodies; !strings.HasPrefix(body, `{"id":"`+sent.Text("id")+`"`) || !strings.Contains(body, `"mode":"dev","test":true,"data":{`) {
			t.Errorf("%s: received %s", kind.Type, body)
		}
	}
}

// retriesThroughGraphQL repeats the mutation until it is a retry of its own: too soon after the previous one, it counts as
// the same click.
func (d *deliveriesOverREST) retriesThroughGraphQL(t *testing.T) {
	t.Helper()
	shown := d.attempted(t, "delivered", 4)
	for asked := shown.Text("retriggeredAt"); shown.Text("retriggeredAt") == asked; {
		o := d.Execute(t, apitest.Bearer(d.Demo.Sellers[0].APIKey), `mutation($id: ID!) { retryWebhookDelivery(id: $id) { id } }`, object{"id": d.id})
		if got := systemtest.Printed(t, o.Result); got != systemtest.Printed(t, object{"retryWebhookDelivery": object{"id": d.id}}) {
			t.Fatalf("retry through GraphQL: %v", o)
		}
		shown = d.key.In(t).Get("/api/webhook-deliveries/" + d.id).Want(http.StatusOK)
	}
	d.attempted(t, "delivered", 5)
	if body := <-d.bodies; body != shown.Text("payload") {
		t.Errorf("retry through GraphQL sent %s, REST shows %s", body, shown.Text("payload"))
	}
}

func (d *deliveriesOverREST) filters(t *testing.T) {
	for query, total := range map[string]int{
		"": 1, "?state=delivered": 1, "?state=failed": 0, "?state=": 1, "?type=scan.created": 1, "?type=ticket.created": 0,
		"?state=delivered&type=scan.created&top=1&skip=0": 1, "?skip=1": 1,
		"?outcome=200": 1, "?outcome=500": 0, "?objectId=s1": 1, "?objectId=s2": 0, "?objectId=&from=&until=": 1,
		"?from=2020-01-01T00:00:00Z": 1, "?until=2020-01-01T00:00:00Z&outcome=200": 0,
	} {
		var list struct {
			Total int `json:"total"`
		}
		d.key.In(t).Get("/api/webhooks/" + d.hook + "/deliveries" + query).Want(http.StatusOK).Into(&list)
		if list.Total != total {
			t.Errorf("%q: %d, want %d", query, list.Total, total)
		}
	}
	for query, path := range map[string]string{
		"?state=lost": "state", "?type=scan.craeted": "type", "?webhookId=x": "webhookId",
		"?outcome=5xx": "outcome", "?from=yesterday": "from",
	} {
		refusal := d.key.In(t).Get("/api/webhooks/"+d.hook+"/deliveries"+query).Refused(http.StatusBadRequest, "VALIDATION_FAILED")
		if refusal.Details[0].Path != path {
			t.Errorf("%s: %+v", query, refusal)
		}
	}
	refusal := d.key.In(t).Get("/api/webhooks/"+d.hook+"/deliveries?type=nope&from=x&outcome=99999&state=z&top=0").
		Refused(http.StatusBadRequest, "VALIDATION_FAILED")
	var paths []string
	for _, detail := range refusal.Details {
		paths = append(paths, detail.Path)
	}
	slices.Sort(paths)
	if want := []string{"from", "outcome", "state", "top", "type"}; !slices.Equal(paths, want) {
		t.Errorf("paths: %q, want %q", paths, want)
	}
}

func (d *deliveriesOverREST) refuses(t *testing.T) {
	other := d.As(t, apitest.Bearer(d.Demo.Sellers[1].APIKey))
	for _, client := range []*resttest.Client{other, d.As(t, apitest.Bearer(d.Demo.Sellers[2].APIKey))} {
		client.Get("/api/webhook-deliveries/"+d.id).Refused(http.StatusNotFound, "NOT_FOUND")
		client.Post("/api/webhook-deliveries/"+d.id+"/retry", nil).Refused(http.StatusNotFound, "NOT_FOUND")
		client.Get("/api/webhooks/"+d.hook+"/deliveries").Refused(http.StatusNotFound, "NOT_FOUND")
	}
	d.key.In(t).Get("/api/webhook-deliveries/none").Golden("deliveries_not_found").Refused(http.StatusNotFound, "NOT_FOUND")
}

func (d *deliveriesOverREST) afterDeletion(t *testing.T) {
	d.key.In(t).Delete("/api/webhook/" + d.hook).Want(http.StatusOK)
	d.key.In(t).Post("/api/webhook-deliveries/"+d.id+"/retry", nil).Golden("deliveries_of_a_deleted_webhook").
		Refused(http.StatusConflict, "INVALID_STATE")
	d.key.In(t).Get("/api/webhook-deliveries/" + d.id).Want(http.StatusOK)
}
