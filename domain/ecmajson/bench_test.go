package ecmajson

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// published returns a body of publishEvent: a transaction with four tickets.
func published() []byte {
	tickets := make([]string, 4)
	for i := range tickets {
		tickets[i] = fmt.Sprintf(`{"_id": "65f0c0ffee00000000000%03d", "name": "Zoé Müller", "ticketTypeId": "65f0c0ffee00000000000aaa",
			"realPrice": 49.90, "taxRate": 0.19, "barcode": "8k2jd93jf02k%d", "status": "VALID",
			"extraFields": {"diet": "none", "size": "M"},
			"createdAt": "2026-11-27T20:37:00.120Z", "checkinRemaining": [], "isDeleted": false, "seatingInfo": null}`, i, i)
	}
	return []byte(`{"transaction": {"_id": "65f0c0ffee00000000000001", "status": "COMPLETE", "email": "zoe@example.org",
		"realPrice": 199.6, "fees": [{"amount": 1.5, "total": 6}], "street": "Rue de l'Église 4"},
		"tickets": [` + strings.Join(tickets, ", ") + "]}")
}

func BenchmarkParse(b *testing.B) {
	data := published()
	b.Run("ecmajson", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse(data, Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding/json into any", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	data := published()
	value, err := Parse(data, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		b.Fatal(err)
	}
	b.Run("ecmajson", func(b *testing.B) {
		b.ReportAllocs()
		buffer := make([]byte, 0, len(data))
		for b.Loop() {
			buffer = value.Append(buffer[:0])
		}
	})
	b.Run("encoding/json from any", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkParseHostile measures that full bodies of the worst kinds take linear time.
func BenchmarkParseHostile(b *testing.B) {
	const size = 1 << 20
	fill := func(part string) string { return strings.Repeat(part, size/len(part)) }
	for name, text := range map[string]string{
		"zeros":          "[" + fill("0,") + "0]",
		"empty arrays":   "[" + fill("[],") + "0]",
		"one big object": manyMembers(80_000),
		"repeated names": "{" + fill(`"a":1,`) + `"a":1}`,
		"bad numbers":    "[" + fill("1e999,") + "0]",
		"long number":    "0." + fill("1"),
		"small doubles":  "[" + fill("5e-324,") + "0]",
		"halfway":        "[" + fill("9007199254740993,") + "0]",
		"escapes":        `"` + fill(`\n`) + `"`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _ = Parse([]byte(text), Limits{})
			}
		})
	}
}
