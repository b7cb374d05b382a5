package edge

import (
	"net/http"
	"testing"
)

func TestMediaTypesOfBodies(t *testing.T) {
	type header = http.Header
	for name, row := range map[string]struct {
		header header
		json   bool
	}{
		"plain":                        {header{"Content-Type": {"application/json"}}, true},
		"in another case":              {header{"Content-Type": {"Application/JSON"}}, true},
		"with the charset":             {header{"Content-Type": {"application/json; charset=UTF-8"}}, true},
		"with the charset quoted":      {header{"Content-Type": {`application/json;charset="utf-8"`}}, true},
		"with an empty charset":        {header{"Content-Type": {`application/json; charset=""`}}, true},
		"with an unknown parameter":    {header{"Content-Type": {"application/json; foo=bar"}}, true},
		"with several parameters":      {header{"Content-Type": {"application/json; foo=bar; Charset=utf-8; v=1"}}, true},
		"with spaces":                  {header{"Content-Type": {"  application/json ; charset=utf-8 ; "}}, true},
		"not compressed":               {header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity"}}, true},
		"not compressed, other case":   {header{"Content-Type": {"application/json"}, "Content-Encoding": {"Identity"}}, true},
		"not compressed, twice":        {header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity, IDENTITY", "identity"}}, true},
		"with an empty encoding":       {header{"Content-Type": {"application/json"}, "Content-Encoding": {""}}, true},
		"with another charset":         {header{"Content-Type": {"application/json; charset=utf-16"}}, false},
		"compressed":                   {header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, false},
		"compressed in a second line":  {header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity", "gzip"}}, false},
		"compressed in addition":       {header{"Content-Type": {"application/json"}, "Content-Encoding": {"identity, br"}}, false},
		"of two types":                 {header{"Content-Type": {"application/json", "application/json"}}, false},
		"of two types on one line":     {header{"Content-Type": {"application/json, text/plain"}}, false},
		"with a parameter given twice": {header{"Content-Type": {"application/json; charset=utf-8; charset=utf-16"}}, false},
		"with an invalid parameter":    {header{"Content-Type": {"application/json; charset"}}, false},
		"of a longer name":             {header{"Content-Type": {"application/json5"}}, false},
		"of a JSON dialect":            {header{"Content-Type": {"application/problem+json"}}, false},
		"a form":                       {header{"Content-Type": {"application/x-www-form-urlencoded"}}, false},
		"text":                         {header{"Content-Type": {"text/plain"}}, false},
		"empty":                        {header{"Content-Type": {""}}, false},
		"absent":                       {header{}, false},
	} {
		if got := IsJSON(row.header); got != row.json {
			t.Errorf("%s: %t", name, got)
		}
	}
	for contentType, want := range map[string]string{
		"text/csv; header=present": "text/csv", "Application/X-NDJSON;charset=utf-8": "application/x-ndjson",
	} {
		if got, ok := MediaType(header{"Content-Type": {contentType}}); got != want || !ok {
			t.Errorf("%s: %q, %t", contentType, got, ok)
		}
	}
}
