package commands

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
)

const guidesFolder = "../../../docs/guides/"

// The guides are run literally: all commands of a guide run in one shell from top to bottom, and must print what the text
// says. The test provides only the first lines, which name an installation and its ids.
func TestGuides(t *testing.T) {
	t.Parallel()
	systemtest.NeedsProgram("bash")(t)
	systemtest.NeedsProgram("curl")(t)
	database, data := systemtest.Seeded(t)
	running := systemtest.Serve(t, systemtest.OnDatabase(database))
	seller := data.Sellers[0]
	for guide, wanted := range map[string][]string{
		"fill-an-access-list": {
			`"new":1,"same":0,"conflict":0,"bad":1`, `"line":3`, `"added":1`, `"externalCode":"8804000032363FC4"`,
			`"verdict":"FOUND"`, `"ticketStatus":"VALID"`, `"undo":{"removed":1`,
		},
		"set-up-a-gate": {
			`"name":"Door 1"`, `"access":"GRANTED"`, `"reason":"ALREADY_CHECKED_IN"`, `"access":"GRANTED"`,
			`"duplicate":false`, `"duplicate":true`,
		},
		"siren-in-the-checkout": {
			`"type":"france_siren"`, `"path":"identification"`, `"path":"street"`, `"path":"identification[0].identifier"`,
			`"status":"DETAILS"`, `"identifier":"732829320"`, `"status":"COMPLETE"`, `"transactionId":"`,
		},
	} {
		t.Run(guide, func(t *testing.T) {
			printed := followed(t, guide, systemtest.Environment("TICKETGATE="+running.URL, "KEY="+seller.APIKey,
				"SELLER="+string(seller.SellerID), "EVENT="+seller.EventID, "TICKET_TYPE="+seller.TicketTypeID, "BARCODE="+seller.Barcode))
			rest := printed
			for _, part := range wanted {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Fatalf("no %s in the rest of\n%s", part, printed)
				}
				rest = after
			}
		})
	}
}

var commands = regexp.MustCompile("(?s)\n```sh\n(.*?)```\n")

// followed runs the commands of a guide and returns their output.
func followed(t *testing.T, guide string, environment []string) string {
	t.Helper()
	text, err := os.ReadFile(guidesFolder + guide + ".md")
	systemtest.Must(t, err)
	var script strings.Builder
	for _, block := range commands.FindAllStringSubmatch(string(text), -1) {
		if !strings.HasPrefix(block[1], "export TICKETGATE=") {
			script.WriteString(block[1])
		}
	}
	return ran(t, script.String(), environment)
}
