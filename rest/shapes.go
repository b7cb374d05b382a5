package rest

import (
	"net/http"
	"strings"

	"github.com/gorilla/mux"
)

// shapes holds a router for each combination of resource, such as /api/access-lists, and number of segments. A request
// is compared only with the patterns of its own shape.
type shapes struct {
	routers  map[shape]*mux.Router
	unrouted http.Handler
}

type shape struct {
	resource string
	slashes  int
}

func newShapes(unrouted http.HandlerFunc) *shapes {
	return &shapes{routers: map[shape]*mux.Router{}, unrouted: unrouted}
}

// shapeOf returns the shape of a path as sent, or of a template.
func shapeOf(path string) shape {
	resource := path
	const before = 3 // the slashes before api, the resource and the rest
	for i, slashes := 0, 0; i < len(path); i++ {
		if path[i] != '/' {
			continue
		}
		if slashes++; slashes == before {
			resource = path[:i]
			break
		}
	}
	return shape{resource, strings.Count(path, "/")}
}

// route adds a route for the template to the router of its shape.
func (s *shapes) route(template string, methods ...string) *mux.Route {
	of := shapeOf(template)
	if s.routers[of] == nil {
		s.routers[of] = mux.NewRouter().UseEncodedPath().SkipClean(true)
		// mux forgets a method mismatch once a later route matches the method but not the path, so unrouted
		// distinguishes 405 from 404 itself.
		s.routers[of].MethodNotAllowedHandler, s.routers[of].NotFoundHandler = s.unrouted, s.unrouted
	}
	return s.routers[of].MatcherFunc(patternOf(template).match).Methods(methods...)
}

// ServeHTTP serves a request by the router of its shape.
func (s *shapes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if router := s.routers[shapeOf(sentPath(r))]; router != nil {
		router.ServeHTTP(w, r)
		return
	}
	s.unrouted.ServeHTTP(w, r)
}

// pattern is a template split into segments. mux would match paths by regular expressions, several per request, which
// took a sixth of a read's processor time before the database.
type pattern []segment

// segment is a segment of a template: its text, or the name of its variable.
type segment struct{ text, variable string }

func patternOf(template string) pattern {
	var created pattern
	for part := range strings.SplitSeq(template, "/") {
		if name, variable := strings.CutPrefix(part, "{"); variable {
			created = append(created, segment{variable: strings.TrimSuffix(name, "}")})
		} else {
			created = append(created, segment{text: part})
		}
	}
	return created
}

// match reports whether a request's path matches, and sets the values of the variables as sent.
func (p pattern) match(r *http.Request, match *mux.RouteMatch) bool {
	rest := sentPath(r)
	var values [4]string
	found := values[:0]
	for i, of := range p {
		part, after, more := strings.Cut(rest, "/")
		switch {
		case more != (i < len(p)-1), of.variable == "" && part != of.text, of.variable != "" && part == "":
			return false
		case of.variable != "":
			found = append(found, part)
		}
		rest = after
	}
	vars := make(map[string]string, len(found))
	for _, of := range p {
		if of.variable != "" {
			vars[of.variable], found = found[0], found[1:]
		}
	}
	match.Vars = vars
	return true
}
