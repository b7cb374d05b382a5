package program

import (
	"os"
	"strings"
	"testing"
)

func TestScalingPageHasEachEntryOfThePooler(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range poolerEntries() {
		if line := "\nticketgate" + entry.Suffix + " = host=10.0.0.5 dbname=ticketgate " + connectQuery(entry) + "\n"; !strings.Contains(string(page), line) {
			t.Errorf("docs/scaling.md does not have the line %s", line)
		}
	}
}
