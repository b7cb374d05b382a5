package webhook

import (
	_ "embed"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// samplesText holds sample data for each event type. A system test generates and compares it. Each sample is the stored
// data of an event: of a changed record or, for types that other services publish, of a published example.
//
//go:embed event_samples.json
var samplesText []byte

var samples = func() ecmajson.Value {
	value, err := ecmajson.Parse(samplesText, ecmajson.Limits{})
	if err != nil {
		panic(err) // the file is embedded
	}
	return value
}()

// Sample returns sample data of an event type, for developers of receivers.
func Sample(of domain.EventType) ecmajson.Value {
	sample, _ := samples.Field(string(of))
	return sample
}
