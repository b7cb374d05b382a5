package webhooks

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/webhook"
)

var update = flag.Bool("update", false, "rewrite the generated pages of docs")

const (
	samplesFile = "../../../domain/webhook/event_samples.json"
	eventsPage  = "../../../docs/events.md"
)

// The event catalog shows the data that record changes store and, for events of other services, the data that these may
// publish.
func TestEverySampleMatchesTheStoredEvent(t *testing.T) {
	t.Parallel()
	stored := storedEvents(t)
	var text, page bytes.Buffer
	page.WriteString(eventsIntroduction)
	text.WriteString("{\n")
	kinds := domain.EventKinds()
	for i, kind := range kinds {
		data, ok := stored[kind.Type]
		if !ok || data == "" {
			t.Errorf("%s did not happen", kind.Type)
			continue
		}
		fmt.Fprintf(&text, "%q: %s%s\n", kind.Type, data, map[bool]string{true: ",", false: ""}[i+1 < len(kinds)])
		fmt.Fprintf(&page, "\n## `%s`\n\nPublished when %s.\n\n```json\n", kind.Type, kind.TriggerClause())
		systemtest.Must(t, json.Indent(&page, []byte(data), "", "  "))
		page.WriteString("\n```\n")
	}
	text.WriteString("}\n")
	for file, want := range map[string][]byte{samplesFile: text.Bytes(), eventsPage: page.Bytes()} {
		if *update {
			systemtest.Must(t, os.WriteFile(file, want, 0o600))
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v); run this test with -update and review the changes", file, err)
		}
	}
}

func TestEventSamplesAreServed(t *testing.T) {
	t.Parallel()
	ctx := domain.WithActor(t.Context(), &domain.Actor{})
	types, err := webhook.Events{}.Types(ctx)
	systemtest.Must(t, err)
	for _, kind := range types {
		for _, name := range kind.Data {
			if value, ok := kind.Sample.Field(name); !ok || (value.Kind() != ecmajson.Object && value.Kind() != ecmajson.Array) {
				t.Errorf("the sample of %s has no %s", kind.Type, name)
			}
		}
	}
}

// storedEvents makes every type of event happen and returns the data of the first of each.
func storedEvents(t *testing.T) map[domain.EventType]string {
	t.Helper()
	w := newSampleFixture(t)
	w.changeEverything()
	for kind, data := range publishedSamples(t) {
		_, err := w.events().Publish(w.platform(), webhook.NewEvent{Type: kind, Data: data})
		systemtest.Must(t, err)
	}
	return withSteadyIDs(firstOfEach(t, w.plain))
}

// withSteadyIDs replaces generated identifiers, which differ at every run, by stable ones.
func withSteadyIDs(stored map[domain.EventType]string) map[domain.EventType]string {
	const given, steady = "6570c", "6570c3009d3e4f0012ab%04x"
	created := map[string]string{}
	identifier := regexp.MustCompile(`"[0-9a-f]{24}"`)
	for _, kind := range domain.EventKinds() { // in a stable order, too
		stored[kind.Type] = identifier.ReplaceAllStringFunc(stored[kind.Type], func(quoted string) string {
			if strings.HasPrefix(quoted, `"`+given) {
				return quoted
			}
			if created[quoted] == "" {
				created[quoted] = fmt.Sprintf(`"`+steady+`"`, len(created)+1)
			}
			return created[quoted]
		})
	}
	return stored
}

func firstOfEach(t *testing.T, from *sql.DB) map[domain.EventType]string {
	t.Helper()
	found, err := from.QueryContext(t.Context(),
		"SELECT DISTINCT ON (type) type, convert_from(data, 'UTF8') FROM events ORDER BY type, created_at, data") // ids are random
	systemtest.Must(t, err)
	defer func() { _ = found.Close() }()
	stored := map[domain.EventType]string{}
	for found.Next() {
		var kind domain.EventType
		var data string
		systemtest.Must(t, found.Scan(&kind, &data))
		stored[kind] = data
	}
	systemtest.Must(t, found.Err())
	return stored
}

func parsed(t *testing.T, text string) ecmajson.Value {
	t.Helper()
	value, err := ecmajson.Parse([]byte(text), ecmajson.Limits{})
	systemtest.Must(t, err)
	return value
}

// publishedSamples returns the events that other services of the platform publish, with their data.
func publishedSamples(t *testing.T) map[domain.EventType]ecmajson.Value {
	t.Helper()
	samples := map[domain.EventType]ecmajson.Value{}
	for _, kind := range domain.EventKinds() {
		if members, published := publishedMembers[kind.Data[0]]; published {
			const head = `{%q: {"_id": "6570c2009d3e4f0012ab0300", "sellerId": %q, %s,
				"createdAt": "2026-11-27T20:37:00.120Z", "updatedAt": "2026-11-27T20:37:00.120Z"}}`
			samples[kind.Type] = parsed(t, fmt.Sprintf(head, kind.Data[0], sampleSeller, members(kind.Type)))
		}
	}
	return samples
}
