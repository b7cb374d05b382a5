package dashboard

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"io"
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

// Site serves the dashboard and its files.
type Site struct {
	files fs.FS
	// index is index.html of the build. It is nil without a build.
	index []byte
	pages []page
}

// page is a pattern of addresses, with the files that only this page needs.
type page struct {
	Path  string   `json:"path"`
	Files []string `json:"files"`
}

// New returns a site with the files that were embedded at compile time.
func New() *Site {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path
	}
	return newSite(files)
}

func newSite(files fs.FS) *Site {
	site := &Site{files: files}
	site.index, _ = fs.ReadFile(files, "index.html") // missing without a build
	// Without the list, browsers find out about the files later.
	if list, err := fs.ReadFile(files, "pages.json"); err == nil {
		_ = json.Unmarshal(list, &site.pages)
	}
	return site
}

// Built reports whether the dashboard was built before the program was compiled.
func (s *Site) Built() bool { return s.index != nil }

// Has reports whether urlPath is a file of the build. The names of these files contain a hash of the content.
func (s *Site) Has(urlPath string) bool {
	name := strings.TrimPrefix(urlPath, "/")
	if !strings.HasPrefix(name, "assets/") {
		return false
	}
	return s.isFile(name) || s.isFile(name+compressed)
}

// compressed is the suffix of compressed files. The build has no uncompressed copies of them.
const compressed = ".gz"

func (s *Site) isFile(name string) bool {
	info, err := fs.Stat(s.files, name)
	return err == nil && !info.IsDir()
}

// HasPage reports whether escapedPath is the address of a page of the build. Like the router, it ignores case and trailing
// slashes.
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

// ServeHTTP serves a file of the build or, for any other path, index.html. The dashboard itself routes addresses to
// pages.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.Has(r.URL.Path):
		s.serveFile(w, r, strings.TrimPrefix(r.URL.Path, "/"))
	case s.Built():
		s.servePage(w, r.URL.EscapedPath())
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(landing) // fails only if the client has disconnected
	}
}

// noncePlace is the placeholder of the response's nonce in the built index.html.
const noncePlace = "{{nonce}}"

// servePage serves index.html with a new nonce in each response. Scripts are loaded only from this server and never
// inline, so that displayed data can't run as a script. The nonce allows the style elements that components create at
// run time. Style attributes in markup are forbidden.
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

// links returns the link elements for the files of an address. Without them, the browser would request these files only
// after the main script has run.
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

// serveFile serves a file of the build. It decompresses a compressed file for clients that don't accept gzip.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Vary", "Accept-Encoding")
	content, err := fs.ReadFile(s.files, name)
	if err != nil {
		s.serveCompressed(w, r, name+compressed)
		return
	}
	_, _ = w.Write(content) //nolint:gosec // a file of the build
}

func (s *Site) serveCompressed(w http.ResponseWriter, r *http.Request, name string) {
	packed, err := fs.ReadFile(s.files, name)
	if err != nil {
		http.NotFound(w, r) // Has has just found it
		return
	}
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed) //nolint:gosec // a file of the build
		return
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the build writes valid gzip files
	}
	_, _ = io.Copy(w, unpacked) //nolint:gosec // as above
}

// contentType returns the media type of a file. For files of the build, it does not depend on the machine's MIME table.
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
