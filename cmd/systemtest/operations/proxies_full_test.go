//go:build full

package operations

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ticketgate/cmd/systemtest"
	"ticketgate/db/dbtest"
)

// The proxies are configured as in docs/operations.md. The test only adds addresses, and the parts of a configuration that
// the page leaves out.
func TestCallerAddressBehindRealProxies(t *testing.T) {
	t.Parallel()
	s := systemtest.Serve(t, inProd(dbtest.New(t), "TICKETGATE_TRUSTED_PROXIES=127.0.0.1"), "--no-workers")
	upstream := strings.TrimPrefix(s.URL, "http://")
	for _, row := range []struct {
		name, program, language, around string
		arguments                       func(config string) []string
	}{
		{
			"nginx", "nginx", "nginx",
			"daemon off; pid FOLDER/pid; error_log stderr; events {}\nhttp { access_log off;\n" +
				"client_body_temp_path FOLDER; proxy_temp_path FOLDER; fastcgi_temp_path FOLDER; uwsgi_temp_path FOLDER; scgi_temp_path FOLDER;\n" +
				"server { listen LISTEN;\nPART\n} }\n",
			func(config string) []string { return []string{"-c", config} },
		},
		{
			"nginx, appending", "nginx", "nginx-appending",
			"daemon off; pid FOLDER/pid; error_log stderr; events {}\nhttp { access_log off;\n" +
				"client_body_temp_path FOLDER; proxy_temp_path FOLDER; fastcgi_temp_path FOLDER; uwsgi_temp_path FOLDER; scgi_temp_path FOLDER;\n" +
				"server { listen LISTEN;\nPART\n} }\n",
			func(config string) []string { return []string{"-c", config} },
		},
		{
			"HAProxy", "haproxy", "haproxy",
			"defaults\n    mode http\n    timeout connect 5s\n    timeout client 30s\n\nfrontend web\n    bind LISTEN\n    default_backend ticketgate\n\nPART\n",
			func(config string) []string { return []string{"-db", "-f", config} },
		},
		{
			"HAProxy, with Forwarded", "haproxy", "haproxy-forwarded",
			"defaults\n    mode http\n    timeout connect 5s\n    timeout client 30s\n\nfrontend web\n    bind LISTEN\n    default_backend ticketgate\n\nPART\n",
			func(config string) []string { return []string{"-db", "-f", config} },
		},
		{
			"Caddy", "caddy", "caddyfile", "{\n    admin off\n    auto_https off\n}\nPART\n",
			func(config string) []string { return []string{"run", "--adapter", "caddyfile", "--config", config} },
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			systemtest.NeedsProgram(row.program)(t)
			folder, listen := proxyFolder(t), freeAddress(t)
			part := strings.ReplaceAll(documentedProxy(t, row.language), "127.0.0.1:8080", upstream)
			part = strings.ReplaceAll(part, "tickets.example.org", "http://"+listen)
			config := strings.NewReplacer("FOLDER", folder, "LISTEN", listen, "PART", part).Replace(row.around)
			file := filepath.Join(folder, "config")
			systemtest.Must(t, os.WriteFile(file, []byte(config), 0o600))
			runProxy(t, folder, listen, row.program, row.arguments(file)...)
			checkProxy(t, s, "http://"+listen)
		})
	}
	if strings.Contains(s.Stderr.String(), "throttles by address are off") {
		t.Error("the log warns although all callers are known")
	}
}

// documentedProxy returns a proxy's configuration from the page, or a variant of it.
func documentedProxy(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/operations.md")
	systemtest.Must(t, err)
	shown, _, _ := strings.Cut(language, "-")
	_, rest, found := strings.Cut(string(page), "```"+shown+"\n")
	part, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("docs/operations.md has no configuration for %s", shown)
	}
	switch language {
	case "nginx-appending":
		part = strings.Replace(part, "X-Forwarded-For $remote_addr", "X-Forwarded-For $proxy_add_x_forwarded_for", 1)
	case "haproxy-forwarded":
		part = strings.Replace(part, "option forwardfor", "http-request set-header Forwarded for=%[src]", 1)
	}
	return part
}

// proxyFolder returns a folder that the unprivileged user of a proxy can access.
func proxyFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "ticketgate-proxy-") //nolint:usetesting // t.TempDir is closed to the proxy's user
	systemtest.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	systemtest.Must(t, os.Chmod(folder, 0o755))
	return folder
}

// freeAddress returns an unused address.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	systemtest.Must(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// runProxy runs a proxy in the foreground until the test ends.
func runProxy(t *testing.T, folder, listen, name string, arguments ...string) {
	t.Helper()
	log := &systemtest.Log{}
	proxy := exec.CommandContext(context.WithoutCancel(t.Context()), name, arguments...)
	proxy.Env = systemtest.Environment("HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder)
	proxy.Stdout, proxy.Stderr = log, log
	systemtest.Must(t, proxy.Start())
	t.Cleanup(func() {
		_ = proxy.Process.Signal(os.Interrupt)
		_ = proxy.Wait()
		if t.Failed() {
			t.Logf("log of %s:\n%s", name, log)
		}
	})
	systemtest.Eventually(t, fmt.Sprintf("%s responds", name), func() bool {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listen+"/livez", nil)
		systemtest.Must(t, err)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}
