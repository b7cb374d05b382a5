package operations

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/platform"
	"ticketgate/domain"
	"ticketgate/domain/tenant"
)

// A known browser has a cookie from an earlier sign-in. With it, the account can sign in although wrong passwords from
// elsewhere have triggered the throttle (ACCOUNT-7).
func TestAKnownBrowserSignsInDespiteTheThrottle(t *testing.T) {
	t.Parallel()
	h := apitest.Open(t, "TICKETGATE_TRUSTED_PROXIES=loopback")
	for _, email := range []string{"ada@x.example", "eve@x.example"} {
		_, err := h.Do.Users.Create(platform.Context(t.Context()), tenant.NewUser{Email: email, Password: apitest.Password})
		systemtest.Must(t, err)
	}
	login := func(address, email, password string, cookies ...string) (status int, set []*http.Cookie) {
		t.Helper()
		body := `{"query":"mutation($i: LoginInput!) { login(input: $i) { token user { _id } } }","variables":{"i":{"email":"` + email +
			`","password":"` + password + `","cookie":true}}}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/graphql", strings.NewReader(body))
		systemtest.Must(t, err)
		for name, value := range map[string]string{
			"Content-Type": "application/json", "X-Forwarded-For": address, "Cookie": strings.Join(cookies, "; "),
		} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		answer, err := http.DefaultClient.Do(r)
		systemtest.Must(t, err)
		systemtest.Must(t, answer.Body.Close())
		return answer.StatusCode, answer.Cookies()
	}
	placeOf := func(address, email string) string {
		t.Helper()
		status, set := login(address, email, apitest.Password)
		if status != http.StatusOK || len(set) != 2 {
			t.Fatalf("%s signs in: %d, %v", email, status, set)
		}
		for _, cookie := range set {
			if strings.HasPrefix(cookie.Name, "ticketgate-place-") {
				if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.MaxAge < 300*24*60*60 {
					t.Errorf("the cookie is %v", cookie)
				}
				return cookie.Name + "=" + cookie.Value
			}
		}
		t.Fatalf("no place cookie: %v", set)
		return ""
	}
	adas, eves := placeOf("192.0.2.1", "ada@x.example"), placeOf("192.0.2.2", "eve@x.example")
	limited := false
	for i := range 6 {
		status, _ := login("198.51.100."+strconv.Itoa(i), "ada@x.example", "wrong password")
		limited = status == http.StatusTooManyRequests
	}
	if !limited {
		t.Error("six wrong passwords are not throttled")
	}
	for name, row := range map[string]struct {
		address string
		cookies []string
		status  int
	}{
		"no cookie":                     {"203.0.113.1", nil, http.StatusTooManyRequests},
		"the cookie":                    {"203.0.113.2", []string{adas}, http.StatusOK},
		"the cookie among others":       {"203.0.113.3", []string{"other=1", eves, adas}, http.StatusOK},
		"another account's cookie":      {"203.0.113.4", []string{eves}, http.StatusTooManyRequests},
		"a forged cookie":               {"203.0.113.5", []string{adas[:len(adas)-4] + "AAAA"}, http.StatusTooManyRequests},
		"the cookie under another name": {"203.0.113.6", []string{strings.Replace(adas, "ticketgate-place-", "ticketgate-", 1)}, http.StatusTooManyRequests},
		"from the known network":        {"192.0.2.1", nil, http.StatusOK},
	} {
		if status, _ := login(row.address, "ada@x.example", apitest.Password, row.cookies...); status != row.status {
			t.Errorf("%s: %d, want %d", name, status, row.status)
		}
	}
	if n := h.Count(t, "SELECT count(*) FROM login_failures WHERE failures > 0"); n == 0 {
		t.Error("no failure was counted")
	}
	signedIn := h.ThroughGraphQL(t, apitest.Caller{"Cookie": adas}, apitest.To(domain.Me, nil))
	if signedIn.Refusal.Code != string(domain.CodeUnauthenticated) {
		t.Errorf("a place cookie was accepted as a session: %v", signedIn)
	}
}
