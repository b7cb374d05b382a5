package edge

import (
	"net/http"
	"testing"
)

func TestAccepts(t *testing.T) {
	const media = "application/graphql-response+json"
	for name, row := range map[string]struct {
		accept []string
		want   Offer
	}{
		"no header":                     {nil, Offer{1, false}},
		"an empty header":               {[]string{""}, Offer{1, false}},
		"the type":                      {[]string{media}, Offer{1, true}},
		"in another case":               {[]string{"Application/GraphQL-Response+JSON"}, Offer{1, true}},
		"with a charset":                {[]string{media + "; charset=utf-8"}, Offer{1, true}},
		"with a weight":                 {[]string{media + ";q=0.9"}, Offer{0.9, true}},
		"with spaces around the weight": {[]string{media + " ; Q = 0.9"}, Offer{0.9, true}},
		"not at all":                    {[]string{media + ";q=0, */*"}, Offer{0, true}},
		"by its family":                 {[]string{"application/*;q=0.4, */*;q=0.1"}, Offer{0.4, false}},
		"by any":                        {[]string{"*/*;q=0.1, text/html"}, Offer{0.1, false}},
		"the more specific counts":      {[]string{"*/*, application/*;q=0.5", media + ";q=0.2"}, Offer{0.2, true}},
		"twice, the higher counts":      {[]string{media + ";q=0.2, " + media + ";q=0.7"}, Offer{0.7, true}},
		"on a second line":              {[]string{"text/html", media}, Offer{1, true}},
		"after a comma in quotes":       {[]string{`text/html;a="x, y", ` + media}, Offer{1, true}},
		"only inside quotes":            {[]string{`text/html;a="` + media + `"`}, Offer{0, false}},
		"next to invalid ranges":        {[]string{"/, ;q=1, a b, " + media}, Offer{1, true}},
		"with an invalid weight":        {[]string{media + ";q=high"}, Offer{1, true}},
		"with a weight above 1":         {[]string{media + ";q=5"}, Offer{1, true}},
		"with a weight below 0":         {[]string{media + ";q=-1"}, Offer{1, true}},
		"with a weight that is NaN":     {[]string{media + ";q=NaN"}, Offer{1, true}},
		"with an invalid parameter":     {[]string{media + "; charset; q=0.3"}, Offer{0.3, true}},
		"another type":                  {[]string{"application/json"}, Offer{0, false}},
		"a longer name":                 {[]string{media + "x"}, Offer{0, false}},
	} {
		header := http.Header{}
		if row.accept != nil {
			header["Accept"] = row.accept
		}
		if got := Accepts(header, media); got != row.want {
			t.Errorf("%s: %+v, want %+v", name, got, row.want)
		}
	}
}
