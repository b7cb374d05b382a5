package edges

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
)

const examplesFolder = systemtest.PagesFolder + "src/pages/playground/examples/"

// Every example of the playground is run as an administrator, with the seller's own ids in its variables. An outdated or too
// expensive example fails here.
func TestPlaygroundExamples(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t)
	seller := h.Demo.Sellers[0]
	admin := h.Session(t, seller.AdminEmail, seller.AdminPassword)
	theirs := strings.NewReplacer("<eventId>", seller.EventID, "<barcode>", seller.Barcode, "<scanGroupId>", seller.ScanGroupID,
		"<accessListId>", seller.AccessListID, "<externalCode>", seller.ExternalCode)
	files, err := filepath.Glob(examplesFolder + "*.graphql")
	systemtest.Must(t, err)
	if len(files) < 20 {
		t.Fatalf("only %d examples in %s", len(files), examplesFolder)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".graphql")
		t.Run(name, func(t *testing.T) {
			document, err := os.ReadFile(file)
			systemtest.Must(t, err)
			o := h.Execute(t, admin, string(document), exampleVariables(t, name, theirs))
			if o.Refusal.Code != "" || o.Result == nil {
				t.Fatalf("%v", o)
			}
			if want := theirs.Replace(exampleAnswers[name]); !strings.Contains(string(o.Body), want) {
				t.Errorf("%v, want %s", o, want)
			}
		})
	}
}

// exampleAnswers are parts of the seeded seller's results: an example must also find something.
var exampleAnswers = map[string]string{
	"counts":         `"events":{"totalCount":1},"tickets":{"totalCount":1}`,
	"tickets":        `"ticketName":"Stalls"`,
	"events":         `"name":"Opening night"`,
	"customers":      `"lastname":"Lovelace"`,
	"devices":        `"scanGroupId":"<scanGroupId>"`,
	"access-lists":   `"entries":{"nodes":[{"externalCode":"<externalCode>"`,
	"no-shows":       `"tickets":{"totalCount":1,"nodes":[{"barcode":"<barcode>"`,
	"inside":         `"name":"Opening night","tickets":{"totalCount":0`,
	"ticket-types":   `"sold":1,"checkedIn":0,"inside":0`,
	"buyer":          `"presence":{"inside":false,"since":null}`,
	"try-code":       `"verdict":"FOUND"`,
	"simulate":       `"rule":"EVENT_NOT_ASSIGNED"`,
	"scan-groups":    `"_id":"<scanGroupId>"`,
	"create-webhook": `"enabled":true`,
	"create-list":    `"name":"From the playground"`,
	"event-types":    `"type":"transaction.complete"`,
}

// exampleVariables returns the variables of an example, with the seller's ids in place of the names in angle brackets.
func exampleVariables(t *testing.T, name string, theirs *strings.Replacer) map[string]any {
	t.Helper()
	text, err := os.ReadFile(examplesFolder + name + ".json")
	if os.IsNotExist(err) {
		return nil
	}
	systemtest.Must(t, err)
	var variables map[string]any
	systemtest.Must(t, json.Unmarshal([]byte(theirs.Replace(string(text))), &variables))
	return variables
}
