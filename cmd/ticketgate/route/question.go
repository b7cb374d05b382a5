package route

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"ticketgate/domain"
	"ticketgate/domain/apikey"
	"ticketgate/domain/secrets"
	"ticketgate/graph/edge"
)

// question identifies the seller of a request in the form that /routez takes: "seller" with an id, or "key" or "device"
// with a digest. The zero value leads to the home cluster.
type question struct{ kind, value string }

const sellerHeader = "X-Seller-Id"

// questionOf derives the question from a request's headers. A header that names the seller takes precedence over a
// credential. The seller's cluster refuses a credential of another seller.
func questionOf(r *http.Request) question {
	if seller := r.Header.Get(sellerHeader); seller != "" {
		if !isID(seller) {
			return question{}
		}
		return question{"seller", seller}
	}
	secret := r.Header.Get("Token")
	if secret == "" {
		secret, _ = apikey.Bearer(r.Header.Values("Authorization"))
	}
	digest := secrets.DigestOf(secret)
	switch kind, ok := secrets.KindOf(secret); {
	case ok && kind == secrets.APIKey:
		return question{"key", hex.EncodeToString(digest[:])}
	case ok && kind == secrets.Device:
		return question{"device", hex.EncodeToString(digest[:])}
	}
	return question{}
}

// isID reports whether a text can be an id. The clusters aren't asked for any other text, and it is not cached.
func isID(text string) bool {
	const longest = 64
	return len(text) <= longest && !strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' })
}

// isPublic reports whether a request without a credential is about a record that any cluster may have: a buyer's
// checkout, or a device's pairing code.
func isPublic(r *http.Request) bool {
	if r.Header.Get("Authorization") != "" || r.Header.Get("Token") != "" || r.Header.Get(sellerHeader) != "" {
		return false
	}
	segments := strings.FieldsFunc(r.URL.Path, func(c rune) bool { return c == '/' })
	return slices.Equal(segments, []string{"api", "accessusers", "pair"}) ||
		(len(segments) > 2 && slices.Equal(segments[:2], []string{"api", "checkout"}))
}

// accountMutations are the mutations that only the home cluster may run, and that concern no seller.
var accountMutations = []domain.Operation{
	domain.Login, domain.Logout, domain.LogoutEverywhere, domain.ChangePassword, domain.AcceptInvitation, domain.ResetPassword,
	domain.IssuePasswordReset, domain.CreateOrganization, domain.CreateSeller, domain.LeaveMembership,
}

// changesAccount reports whether a GraphQL request contains a mutation of accountMutations.
func changesAccount(r *http.Request, body []byte) bool {
	if first, other := edge.Segments(r.URL.Path); r.Method != http.MethodPost || first != "graphql" || other {
		return false
	}
	var sent struct {
		Query string `json:"query"`
	}
	if json.Unmarshal(body, &sent) != nil || !strings.Contains(sent.Query, "mutation") {
		return false
	}
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: sent.Query}, edge.MaxTokens)
	if err != nil {
		return false
	}
	seen := map[*ast.FragmentDefinition]bool{}
	return slices.ContainsFunc(document.Operations, func(operation *ast.OperationDefinition) bool {
		return operation.Operation == ast.Mutation && namesAccount(operation.SelectionSet, document.Fragments, seen)
	})
}

// namesAccount reports whether root selections contain a mutation of accountMutations, at any depth of fragments.
// Directives are ignored: the home cluster can handle a skipped mutation as well.
func namesAccount(selections ast.SelectionSet, fragments ast.FragmentDefinitionList, seen map[*ast.FragmentDefinition]bool) bool {
	return slices.ContainsFunc(selections, func(selection ast.Selection) bool {
		switch s := selection.(type) {
		case *ast.Field:
			return slices.Contains(accountMutations, domain.Operation(s.Name))
		case *ast.InlineFragment:
			return namesAccount(s.SelectionSet, fragments, seen)
		case *ast.FragmentSpread:
			fragment := fragments.ForName(s.Name)
			if fragment == nil || seen[fragment] { // an invalid document may contain cycles
				return false
			}
			seen[fragment] = true
			return namesAccount(fragment.SelectionSet, fragments, seen)
		}
		return false
	})
}
