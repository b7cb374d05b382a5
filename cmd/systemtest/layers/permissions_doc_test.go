package layers

import (
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/domain"
)

var writePage = flag.Bool("update", false, "write docs/permissions.md")

const permissionsDoc = "../../../docs/permissions.md"

// permissionsHead is the text above the rows of the page's table.
//
//go:embed testdata/permissions_head.md
var permissionsHead string

// TestPermissionsDoc checks that docs/permissions.md matches the table of operations.
func TestPermissionsDoc(t *testing.T) {
	var text strings.Builder
	text.WriteString(permissionsHead)
	operations := domain.Operations()
	for _, operation := range slices.Sorted(maps.Keys(operations)) {
		rule := operations[operation]
		fmt.Fprintf(&text, "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", operation, keyNeeds(rule), sessionNeeds(rule),
			tick(rule.OrganizationKey), tick(rule.Device), tick(rule.Buyer), tick(rule.System), tick(rule.Public))
	}
	if *writePage {
		systemtest.Must(t, os.WriteFile(permissionsDoc, []byte(text.String()), 0o600))
	}
	written, err := os.ReadFile(permissionsDoc)
	systemtest.Must(t, err)
	if string(written) != text.String() {
		t.Error("docs/permissions.md is out of date; update it with -update")
	}
}

func keyNeeds(rule domain.Rule) string {
	switch {
	case rule.AnyKey:
		return "any"
	case rule.Permission != "":
		needs := "`" + string(rule.Permission) + "`"
		if rule.Update != "" {
			needs += ", and `" + string(rule.Update) + "` to change a record that exists"
		}
		return needs
	}
	return "–"
}

func sessionNeeds(rule domain.Rule) string {
	var needs []string
	if rule.AnySession {
		needs = append(needs, "own")
	}
	if rule.Role != domain.NoRole {
		needs = append(needs, rule.Role.String())
	}
	if rule.OrganizationRole != domain.NoRole {
		needs = append(needs, rule.OrganizationRole.String()+" of the organization")
	}
	if len(needs) == 0 {
		return "–"
	}
	return strings.Join(needs, ", ")
}

func tick(yes bool) string {
	if yes {
		return "yes"
	}
	return "–"
}
