package webhook

import (
	_ "embed"

	"ticketgate/domain"
	"ticketgate/domain/ecmajson"
)

// samplesText has data of each event type, by its name. A test of the whole program writes and compares it: each is what was
// stored when a record changed or, of types that other services publish, when an example was published.
//
//go:embed event_samples.json
var samplesText []byte

var samples = func() ecmajson.Value {
	value, err := ecmajson.Parse(samplesText, ecmajson.Limits{})
	if err != nil {
		panic(err) // a file of ours
	}
	return value
}()

// Sample is the data of an event of a type, for those who build a receiver.
func Sample(of domain.EventType) ecmajson.Value {
	sample, _ := samples.Member(string(of))
	return sample
}
