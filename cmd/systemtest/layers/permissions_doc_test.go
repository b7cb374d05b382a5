package layers

import (
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

var writePage = flag.Bool("update", false, "write docs/permissions.md anew")

const permissionsDoc = "../../../docs/permissions.md"

const permissionsHead = `# Who may call what

<!-- Written from the table in domain/operation.go by: go test ./cmd/systemtest/layers -run TestPermissionsDoc -update -->

The operations have the names of the GraphQL root fields; the OpenAPI document says which path does which.

- **API key**: the permission a seller's key needs; a key with full access has every permission. "any" is every valid
  key, "–" is none.
- **session**: the lowest role at the seller, or at the organization for what belongs to one; "own" is every signed-in
  user, for what concerns that user alone.
- **organization key**: on one of its organization's sellers, or on the organization.
- **system**: the platform's own token, on any seller.
- **buyer**: whoever has the checkout's secret, on that checkout alone.
- **everybody** needs no credential; such operations are rate-limited by address. A session needs the role
  all the same where one is named.

The header ` + "`x-seller-id`" + ` names the seller to act on. Whoever can't act on that one gets a 404, whether it exists or not: a user who
is no member there, an organization's key for another's seller, and a seller's key or a device that is another seller's.

A field inside a record that leads to others asks for what their root field asks for: ` + "`transaction { invoices }`" + ` for that
of ` + "`invoices`" + `, ` + "`ticket { transaction }`" + ` for that of ` + "`transaction`" + `,
` + "`simulateScan { ticket }`" + ` for that of ` + "`ticket`" + `. A refusal makes that field null and leaves the record. A device sees the ticket that it scans.
` + "`node`" + ` asks for what the lookup of the named type asks for: with the type ` + "`Customer`" + ` for that of ` + "`customer`" + `.

The names beside ids in ` + "`auditLog`" + `, ` + "`keys`" + ` and ` + "`apiKey`" + ` are those that the caller could read elsewhere: the e-mail of a user whom
` + "`members`" + ` would list for it, and its own; the names of the seller's keys and devices, and of its organization's keys for an
ADMIN of the organization. All others are null.

| operation | API key | session | organization key | device | buyer | system | everybody |
|---|---|---|---|---|---|---|---|
`

// TestPermissionsDoc holds docs/permissions.md to the table (decisions 4.4).
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
		t.Error("docs/permissions.md is not what the table says; write it with -update")
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
