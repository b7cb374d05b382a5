package db_test

import (
	"regexp"
	"strings"
	"testing"
)

// selectedStar matches a * in a list of columns, with its table or alias.
var selectedStar = regexp.MustCompile(`(?:\bSELECT|\bRETURNING|,|\bDISTINCT ON \([^)]*\))\s+(?:(\w+)\.)?\*`)

// starOfTable returns the * that reads a table's columns into a statement's rows. Stars in parentheses don't count,
// since the outer statement names the columns. Nor do those of a subquery or function, whose columns the statement
// itself names.
func starOfTable(text string) string {
	text = sqlText.ReplaceAllString(sqlComment.ReplaceAllString(text, " "), "''")
	for _, at := range selectedStar.FindAllStringSubmatchIndex(text, -1) {
		before := text[:at[1]]
		if strings.Count(before, "(") > strings.Count(before, ")") {
			continue
		}
		of := ""
		if at[2] >= 0 {
			of = text[at[2]:at[3]]
		} else if after, found := strings.CutPrefix(strings.TrimLeft(text[at[1]:], " \n\t"), "FROM "); found {
			of = regexp.MustCompile(`^\w+\(?`).FindString(after)
		}
		named := regexp.MustCompile(`\)\s+(?:AS\s+)?` + regexp.QuoteMeta(of) + `\b|\b` + regexp.QuoteMeta(of) + ` AS \(`)
		if strings.HasSuffix(of, "(") || (of != "" && named.MatchString(text)) {
			continue
		}
		return text[at[0]:at[1]]
	}
	return ""
}

// Processes of two versions run next to each other during a deploy. A column that the newer one adds must not reach
// the rows of the older one (SQL-1).
func TestStatementsNameTheirColumns(t *testing.T) {
	t.Parallel()
	statements := readSource(t, ".").statements()
	if len(statements) < 200 {
		t.Errorf("only %d statements were read", len(statements))
	}
	for _, s := range statements {
		if star := starOfTable(s.text); star != "" {
			t.Errorf("%s reads all columns of a table (%s):\n%s", s.function, star, s.text)
		}
	}
}

func TestStarsOfTables(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"SELECT * FROM tickets WHERE id = $1":                                         true,
		"SELECT e.id, t.* FROM events e JOIN tickets t ON true":                       true,
		"SELECT e.*, ARRAY(SELECT 1) AS above FROM catalog_events e":                  true,
		"SELECT DISTINCT ON (code) * FROM entries":                                    true,
		"DELETE FROM tickets RETURNING *":                                             true,
		"UPDATE tickets t SET a = 1 RETURNING t.*":                                    true,
		"SELECT count(*) FROM tickets":                                                false,
		"SELECT a, count(*) FROM tickets GROUP BY 1":                                  false,
		"SELECT t.id FROM (SELECT * FROM tickets LIMIT 1) t":                          false,
		"SELECT parent.id, child.* FROM p AS parent CROSS JOIN (SELECT 1) AS child":   false,
		"INSERT INTO a (b) SELECT * FROM unnest($1::text[])":                          false,
		"WITH moved AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM moved": false,
		"SELECT 2 * 3":    false,
		"SELECT '*, x.*'": false,
	} {
		if got := starOfTable(text) != ""; got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}
