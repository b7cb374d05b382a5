package code_test

import (
	"testing"

	"ticketgate/domain/code"
)

const (
	shortened = "is a number shortened by a spreadsheet"
	decimal   = "is a whole number with decimals added by a spreadsheet"
	date      = "is a date written by a spreadsheet"
	blanks    = "has leading or trailing blanks"
	unseen    = "must contain at least one visible character"
)

// See IMPORT-1.
func TestDamagedCodesAreFound(t *testing.T) {
	t.Parallel()
	for fault, codes := range map[string][]string{
		shortened: {
			"1.23E+11", "1,23457E+11", "1.23457e+11", "1.23457E11", "1.23457e-11", "-1.23E+11", "+1,2e5", "1.E+5", "1E+05", "1E5", "1e12",
			"12E5", "123.46E+9", "1.23E−11", "4006381E+06",
		},
		decimal: {
			"4006381333931.0", "4006381333931,0", "4006381333931.00", "-7.0", "1.0", "4,006,381,333,931.00", "4.006.381,00",
			"4 006 381,00", "4\u202f006\u202f381,0", "4'006'381.00",
		},
		date: {
			"12.03.2027", "2027-03-12", "2027/3/12", "3/12/2027", "31/12/2027", "12/31/2027", "12-03-2027", "12.03.27", "03/12/27",
			"12-Mar", "1-mar", "Mar-12", "12-Mar-27", "12-Mar-2027", "12. Mrz", "12. März 2027", "Mrz 27", "mars-12", "12-févr.-27",
			"3/12/27", "12/3/27", "1/2/27", "31/12/27", "27/03/12", "3-12-27 0:00", "12-03-27 00:00:00", "1.2.34 10:00", "3/12/27 12:00 AM",
			"2027-Mar-12", "2027/mars/12", "Freitag, 12. März 2027", "Friday, March 12, 2027", "12 de marzo de 2027", "12 maggio 27",
			"12-maart-2027", "12/Mar/27", "2027.03.12", "Sept-27",
			"March 12, 2027", "2027-03-12 00:00:00", "12.03.2027 00:00", "3/12/2027 12:00 AM", "2027-03-12T00:00:00.000Z",
		},
		blanks: {" A1", "A1 ", "\tA1", "A1\n", "A1\u00a0", "\u202fA1", "A1\u3000", "\ufeffA1", "A1\u200b", "A1\u2028", ` ="007"`, `=" 7"`},
		unseen: {" ", "\t\u00a0", "\u200b", `="  "`},
		"": {
			"A1", "0012345", "4006381333931", "04E12345", "c43f3632", "8804000032363FC4", "1E2F", "E5", "1.2E", "12.5", "4006381333931.05", "1.0.0",
			"2027-03-12-A", "2027-13-12", "2027-03-32", "32.03.2027", "3027-03-12", "1.2.34", "12-03-27", "2027.03", "12.03/2027", "12-MAR",
			"MAR-12", "DEC-25", "13/13/27", "3/32/27", "3/12/273", "3/12.27", "3/12", "27-03-12", "3-12-27", "10.1.1", "2027-Row-12", "2027-Mar-32",
			"12 de Row de 2027", "Row, 12", "99-99-27 10:00", "1.2.34 10", "12-set", "Out-12", "99-Mar", "Mark-12", "12-Row", "A-12", "12:30", "é", "ABC 123", "\x1d0112345", "0112345\x1d", "=A1", `="A`, `=""`,
			"'abc", "''", "1234'", "'12'",
		},
	} {
		for _, text := range codes {
			got := code.Read(text, code.Refuse)
			if got.Fault != fault || (fault == "" && (got.Text != text || got.Note != "" || got.Trimmed)) {
				t.Errorf("%q: %+v, want fault %q", text, got, fault)
			}
			if fault != "" && fault != unseen && got.Hint == "" {
				t.Errorf("%q has no hint", text)
			}
			if kept := code.Read(text, code.Keep); kept != (code.Reading{Text: text}) {
				t.Errorf("with Keep, %q is %+v", text, kept)
			}
		}
	}
}

func TestProtectedCodesAreUnwrapped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`="0012345"`: "0012345", `="A ""B"""`: `A "B"`, "'0012345": "0012345", "'12-A": "12-A", `="'7"`: "'7",
	} {
		if got := code.Read(text, code.Refuse); got.Text != want || got.Fault != "" || got.Note != "is written "+text+" and read as "+want {
			t.Errorf("%q: %+v, want %q", text, got, want)
		}
	}
	for text, fault := range map[string]string{`="1.23E+11"`: shortened, "'12.03.2027": date, `="7 "`: blanks} {
		if got := code.Read(text, code.Refuse); got.Fault != fault {
			t.Errorf("%q: %+v, want fault %q", text, got, fault)
		}
	}
}

func TestCodesAreTrimmed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]code.Reading{
		"\u00a0A 1\t": {Text: "A 1", Trimmed: true},
		"A1":          {Text: "A1"},
		` =" 007 " `:  {Text: "007", Trimmed: true, Note: `is written =" 007 " and read as  007 `},
		" 1E5 ":       {Text: "1E5", Trimmed: true, Fault: shortened},
		"  ":          {Text: "  ", Fault: unseen},
	} {
		got := code.Read(text, code.Trim)
		got.Hint = ""
		if got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestTrimmingAndKeepingContradictEachOther(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		trim, keep bool
		how        code.Handling
		ok         bool
	}{{false, false, code.Refuse, true}, {true, false, code.Trim, true}, {false, true, code.Keep, true}, {true, true, code.Refuse, false}} {
		if how, ok := code.HandlingOf(row.trim, row.keep); how != row.how || ok != row.ok {
			t.Errorf("%+v: %q, %v", row, how, ok)
		}
	}
}
