package rest

import (
	"net/http"
	"strings"

	"github.com/gorilla/mux"
)

// shapes are the routers of the paths that begin with the same resource, such as /api/access-lists, and have as many segments. A
// request is compared with the patterns of its own shape alone.
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

// shapeOf returns the shape of a path as it is sent, or of a template.
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

// route is a new route for the template in the router of its shape.
func (s *shapes) route(template string, methods ...string) *mux.Route {
	of := shapeOf(template)
	if s.routers[of] == nil {
		s.routers[of] = mux.NewRouter().UseEncodedPath().SkipClean(true)
		// mux forgets that a path was there with another method once a later route has the method and another path, so that both of
		// its refusals are told apart here.
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

// pattern is a template in its segments. mux would compare paths by a regular expression, several for each request: a sixth of the
// processor time that a read takes before it asks the database.
type pattern []segment

// segment is one of a template: its text, or the name of the variable in its place.
type segment struct{ text, variable string }

func patternOf(template string) pattern {
	var made pattern
	for part := range strings.SplitSeq(template, "/") {
		if name, variable := strings.CutPrefix(part, "{"); variable {
			made = append(made, segment{variable: strings.TrimSuffix(name, "}")})
		} else {
			made = append(made, segment{text: part})
		}
	}
	return made
}

// match reports whether a request's path has the pattern, and keeps the values of its variables, as they were sent.
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
