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
	"ticketgate/domain/secrets"
)

// question is what a request says about its seller, as /routez takes it: "seller" and an id, or "key" or "device" and a digest. The
// zero value is a request for the home cluster.
type question struct{ kind, value string }

const sellerHeader = "X-Seller-Id"

// questionOf reads a request's headers. A header that names the seller decides, since a credential that is not the seller's is refused
// by the seller's cluster as well.
func questionOf(r *http.Request) question {
	if seller := r.Header.Get(sellerHeader); seller != "" {
		return question{"seller", seller}
	}
	secret := r.Header.Get("Token")
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && secret == "" {
		secret = strings.TrimSpace(bearer)
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

// isPublic reports whether a request without a credential names a record that any cluster may have: a buyer's checkout, or a device's
// pairing code.
func isPublic(r *http.Request) bool {
	return r.Header.Get("Authorization") == "" && r.Header.Get("Token") == "" && r.Header.Get(sellerHeader) == "" &&
		(strings.HasPrefix(r.URL.Path, "/api/checkout/") || r.URL.Path == "/api/accessusers/pair")
}

// accountMutations change what the home cluster alone may change, and act on no seller.
var accountMutations = []domain.Operation{
	domain.Login, domain.Logout, domain.LogoutEverywhere, domain.ChangePassword, domain.AcceptInvitation, domain.ResetPassword,
	domain.IssuePasswordReset, domain.CreateOrganization, domain.CreateSeller, domain.LeaveMembership,
}

// changesAccount reports whether the body of a GraphQL request has a mutation for the home cluster.
func changesAccount(r *http.Request, body []byte) bool {
	if r.Method != http.MethodPost || strings.Trim(r.URL.Path, "/") != "graphql" {
		return false
	}
	var sent struct {
		Query string `json:"query"`
	}
	if json.Unmarshal(body, &sent) != nil || !strings.Contains(sent.Query, "mutation") {
		return false
	}
	document, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: sent.Query}, maxTokens)
	if err != nil {
		return false
	}
	for _, operation := range document.Operations {
		for _, selection := range operation.SelectionSet {
			field, ok := selection.(*ast.Field)
			if ok && operation.Operation == ast.Mutation && slices.Contains(accountMutations, domain.Operation(field.Name)) {
				return true
			}
		}
	}
	return false
}

// maxTokens is more than a document that the API accepts has.
const maxTokens = 100_000
