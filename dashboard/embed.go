package dashboard

import (
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

//go:embed landing.html
var landing []byte

//go:embed all:dist
var dist embed.FS

// Site is the page, its files, and what they are served with.
type Site struct {
	files fs.FS
	// index is the built page; nil when it was not built.
	index []byte
	pages []page
}

// page is what an address shows: a pattern of addresses, and the files that are made for it alone.
type page struct {
	Path  string   `json:"path"`
	Files []string `json:"files"`
}

// New returns what was built into the program.
func New() *Site {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is no path: a mistake of ours
	}
	return newSite(files)
}

func newSite(files fs.FS) *Site {
	site := &Site{files: files}
	site.index, _ = fs.ReadFile(files, "index.html") // absent when it was not built
	// Without the list a browser finds the files itself, later.
	if list, err := fs.ReadFile(files, "pages.json"); err == nil {
		_ = json.Unmarshal(list, &site.pages)
	}
	return site
}

// Built tells whether there was a page when the program was compiled.
func (s *Site) Built() bool { return s.index != nil }

// Has tells whether a path is that of one of the page's files. Their names hold a hash of what is in them.
func (s *Site) Has(urlPath string) bool {
	name := strings.TrimPrefix(urlPath, "/")
	if !strings.HasPrefix(name, "assets/") {
		return false
	}
	info, err := fs.Stat(s.files, name)
	return err == nil && !info.IsDir()
}

// HasPage reports whether a path, as it is escaped in the address, is that of a page. A build lists them. The router takes
// letters in either case and ignores slashes at the end.
func (s *Site) HasPage(escapedPath string) bool { return s.find(escapedPath) != nil }

func (s *Site) find(escapedPath string) *page {
	wanted := strings.ToLower(strings.TrimRight(escapedPath, "/"))
	if wanted == "" {
		wanted = "/"
	}
	found := slices.IndexFunc(s.pages, func(p page) bool {
		fits, err := path.Match(strings.ToLower(p.Path), wanted)
		return fits && err == nil
	})
	if found < 0 {
		return nil
	}
	return &s.pages[found]
}

// ServeHTTP answers with a file, and everywhere else with the page: the page itself knows which address means what.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.Has(r.URL.Path):
		s.serveFile(w, r, strings.TrimPrefix(r.URL.Path, "/"))
	case s.Built():
		s.servePage(w, r.URL.EscapedPath())
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(landing) // fails only when the browser has gone
	}
}

// noncePlace stands in the built page wherever an element must carry the answer's nonce.
const noncePlace = "{{nonce}}"

// servePage gives every answer a nonce of its own. Scripts come from here only, and never from within the page, so data
// that is shown can't become one (hardening H18). Components make style elements while they run, hence the nonce; the
// attribute style in markup stays forbidden.
func (s *Site) servePage(w http.ResponseWriter, escapedPath string) {
	nonce := rand.Text()
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-"+nonce+"'; "+
		"img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "+
		"base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	index := bytes.Replace(s.index, []byte("</head>"), append(s.links(escapedPath), "</head>"...), 1)
	_, _ = w.Write(bytes.ReplaceAll(index, []byte(noncePlace), []byte(nonce)))
}

// links are the elements that have the files of an address fetched beside those of every page. The page itself would ask
// for them only after it has been fetched and run.
func (s *Site) links(escapedPath string) []byte {
	found := s.find(escapedPath)
	if found == nil {
		return nil
	}
	var links []byte
	for _, name := range found.Files {
		kind := "modulepreload"
		if path.Ext(name) == ".css" {
			kind = "stylesheet"
		}
		links = fmt.Appendf(links, "<link rel=%q crossorigin href=%q nonce=%q>\n", kind, "/"+name, noncePlace)
	}
	return links
}

// serveFile hands out what was built, compressed where the build has done so and the client takes it.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if compressed, err := fs.ReadFile(s.files, name+".gz"); err == nil {
			header.Set("Content-Encoding", "gzip")
			_, _ = w.Write(compressed) //nolint:gosec // a file of the page itself
			return
		}
	}
	content, err := fs.ReadFile(s.files, name)
	if err != nil {
		http.NotFound(w, r) // Has has just seen it
		return
	}
	_, _ = w.Write(content) //nolint:gosec // as above
}

// contentType does not ask the machine for what the page is made of: machines differ.
func contentType(name string) string {
	switch extension := path.Ext(name); extension {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	default:
		return mime.TypeByExtension(extension)
	}
}
