package db_test

import (
	"regexp"
	"slices"
	"strings"
)

// scope is one SELECT, UPDATE, DELETE or INSERT of a statement, including parentheses that are not scopes themselves.
type scope struct {
	words []string
}

// reference is a table that a scope names.
type reference struct {
	table, alias string
}

var (
	sqlComment = regexp.MustCompile(`--[^\n]*`)
	sqlText    = regexp.MustCompile(`'(?:[^']|'')*'`)
	sqlAlias   = regexp.MustCompile(`^[a-z_]+[0-9]*$`)
	sqlWord    = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*|\$[0-9]*|[(),.;=]|[^\s\w(),.;=$]+|[0-9]+`)
)

// scopesOf splits a statement into scopes. A parenthesis that starts with SELECT, WITH or a change is a scope, and so
// is each side of a UNION.
func scopesOf(text string) []scope {
	text = sqlText.ReplaceAllString(sqlComment.ReplaceAllString(text, " "), " text ")
	var found []scope
	splitScopes(sqlWord.FindAllString(text, -1), &found)
	return found
}

func splitScopes(words []string, found *[]scope) {
	var own []string
	for i := 0; i < len(words); i++ {
		if words[i] == "(" {
			end := closing(words, i)
			inner := words[i+1 : end]
			if len(inner) > 0 && slices.Contains([]string{"SELECT", "WITH", "INSERT", "UPDATE", "DELETE"}, inner[0]) {
				splitScopes(inner, found)
				own = append(own, "(", ")")
			} else {
				own = append(own, "(")
				own = append(own, flattened(inner, found)...)
				own = append(own, ")")
			}
			i = end
			continue
		}
		own = append(own, words[i])
	}
	start := 0
	for i := 0; i <= len(own); i++ {
		if i == len(own) || own[i] == ";" || own[i] == "UNION" || own[i] == "EXCEPT" || own[i] == "INTERSECT" {
			*found = append(*found, scope{words: own[start:i]})
			start = i + 1
		}
	}
}

// flattened returns the words of a parenthesis that is not a scope, without the scopes in it.
func flattened(words []string, found *[]scope) []string {
	var own []string
	for i := 0; i < len(words); i++ {
		if words[i] != "(" {
			own = append(own, words[i])
			continue
		}
		end := closing(words, i)
		inner := words[i+1 : end]
		own = append(own, "(")
		if len(inner) > 0 && slices.Contains([]string{"SELECT", "WITH", "INSERT", "UPDATE", "DELETE"}, inner[0]) {
			splitScopes(inner, found)
		} else {
			own = append(own, flattened(inner, found)...)
		}
		own = append(own, ")")
		i = end
	}
	return own
}

// closing returns the end of the parenthesis at index opens. If a builder closes it later, that is the end of the
// text.
func closing(words []string, opens int) int {
	depth := 0
	for i := opens; i < len(words); i++ {
		switch words[i] {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(words) - 1
}

// references returns the tables of a set that the scope reads or changes, and the table of INSERT INTO.
func (s scope) references(tables map[string]bool) (found []reference, inserted string) {
	inFrom := false
	for i, word := range s.words {
		switch word {
		case "FROM", "JOIN", "UPDATE", "USING":
			inFrom = true
		case "WHERE", "SET", "ON", "GROUP", "ORDER", "LIMIT", "RETURNING", "VALUES", "SELECT", "DO":
			inFrom = false
		}
		if word == "INTO" && i+1 < len(s.words) && tables[s.words[i+1]] {
			inserted = s.words[i+1]
		}
		if i == 0 || !tables[word] || !inFrom {
			continue
		}
		if before := s.words[i-1]; before != "FROM" && before != "JOIN" && before != "UPDATE" && before != "USING" && before != "," {
			continue
		}
		if i+1 < len(s.words) && s.words[i+1] == "." {
			continue
		}
		found = append(found, reference{table: word, alias: aliasAfter(s.words, i)})
	}
	return found, inserted
}

func aliasAfter(words []string, table int) string {
	next := table + 1
	if next < len(words) && words[next] == "AS" {
		next++
	}
	if next < len(words) && sqlAlias.MatchString(words[next]) {
		return words[next]
	}
	return words[table]
}

// conditions returns what follows WHERE, ON and USING.
func (s scope) conditions() []string {
	var found []string
	in := false
	for _, word := range s.words {
		switch word {
		case "WHERE", "ON", "USING":
			in = true
		case "FROM", "JOIN", "GROUP", "ORDER", "LIMIT", "RETURNING", "SET", "CONFLICT":
			in = false
		}
		if in {
			found = append(found, word)
		}
	}
	return found
}

// missing returns the scope's tables that no condition ties to a seller. One table may have an unqualified seller_id
// next to others with an alias.
func (s scope) missing(tables map[string]bool) []string {
	references, inserted := s.references(tables)
	conditions := s.conditions()
	bare := 0
	for i, word := range conditions {
		if word == "seller_id" && (i == 0 || conditions[i-1] != ".") {
			bare++
		}
	}
	var without []string
	for _, r := range references {
		if !mentions(conditions, r.alias) {
			without = append(without, r.table)
		}
	}
	if len(without) == 1 && bare > 0 {
		without = nil
	}
	if inserted != "" && !slices.Contains(s.words, "seller_id") {
		without = append(without, inserted)
	}
	return without
}

// mentions reports whether the conditions name alias.seller_id.
func mentions(conditions []string, alias string) bool {
	return strings.Contains(" "+strings.Join(conditions, " ")+" ", " "+alias+" . seller_id ")
}
