package sale

import (
	"strings"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/document"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
	"ticketgate/domain/ticket"
)

func TestLanguageOfARequest(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]Language{
		"":                               "",
		"de-CH,de;q=0.9,en;q=0.8":        "de-CH",
		"DE-ch":                          "de-CH",
		"de-AT":                          "de",
		"zh-CN, zh;q=0.9":                "",
		"zh-TW":                          "zh-TW",
		"xx, *;q=0.1, fr-CA;q=0.5":       "fr",
		"en;q=0.2, nb;q=0.7":             "nb",
		"en;q=0, nb;q=0.1":               "nb",
		"en;q=x, sv":                     "sv",
		"pt-BR-x-private":                "pt",
		"es;q=0.5,es-MX;q=0.5":           "es",
		strings.Repeat("xx,", 60) + "en": "",
	} {
		if got, ok := LanguageOf(header); got != want || ok != (want != "") {
			t.Errorf("%.40q: got %q, %v, want %q", header, got, ok, want)
		}
	}
}

func TestTotalsOfFees(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ fee, want string }{
		"exact where doubles are not":   {`{"_id":"f","amount":3,"value":0.1}`, `{"_id":"f","amount":3,"value":0.1,"total":0.3}`},
		"a sent total is replaced":      {`{"_id":"f","amount":2,"value":1.5,"total":99}`, `{"_id":"f","amount":2,"value":1.5,"total":3}`},
		"negative":                      {`{"_id":"f","amount":-2,"value":1.005}`, `{"_id":"f","amount":-2,"value":1.005,"total":-2.01}`},
		"zero":                          {`{"_id":"f","amount":0,"value":-5}`, `{"_id":"f","amount":0,"value":-5,"total":0}`},
		"of a share":                    {`{"_id":"f","amount":40,"value":0.055}`, `{"_id":"f","amount":40,"value":0.055,"total":2.2}`},
		"kept without an amount":        {`{"_id":"f","value":1.5,"total":7}`, `{"_id":"f","value":1.5,"total":7}`},
		"kept without a value":          {`{"_id":"f","amount":2,"total":7,"name":"n"}`, `{"_id":"f","amount":2,"total":7,"name":"n"}`},
		"too many digits are rounded":   {`{"_id":"f","amount":0.123456789,"value":0.987654321}`, `{"_id":"f","amount":0.123456789,"value":0.987654321,"total":0.12193263111263528}`},
		"an underflow is zero":          {`{"_id":"f","amount":5e-324,"value":0.1}`, `{"_id":"f","amount":5e-324,"value":0.1,"total":0}`},
		"a large total has an exponent": {`{"_id":"f","amount":1e20,"value":100}`, `{"_id":"f","amount":100000000000000000000,"value":100,"total":1e+22}`},
	} {
		for _, place := range []string{
			`{"cancellationFee":%}`, `{"innerFeeComponents":{"_id":"c","fix":[%]}}`, `{"outerFeeComponents":{"_id":"c","var":[%]}}`,
			`{"cancellationInfo":{"cancellableItems":[{"origin":{"fee":%}}]}}`, `{"cancellationInfo":{"cancellableItems":[{"cancellationFee":%}]}}`,
		} {
			var faults domain.FieldErrors
			got := withTotals(&faults, "", domaintest.JSON(strings.Replace(place, "%", row.fee, 1)))
			if want := strings.Replace(place, "%", row.want, 1); string(got.Append(nil)) != want || faults.Any() {
				t.Errorf("%s: got %s, want %s", name, got.Append(nil), want)
			}
		}
	}
}

func TestATooLargeTotalIsRefused(t *testing.T) {
	t.Parallel()
	var faults domain.FieldErrors
	withTotals(&faults, "transactions[0]", domaintest.JSON(`{"outerFeeComponents":{"_id":"c","var":[{"_id":"f","amount":1e200,"value":1e200}]}}`))
	fields := domain.AsError(faults.Err()).Fields
	if len(fields) != 1 || fields[0].Path != "transactions[0].outerFeeComponents.var[0].total" {
		t.Errorf("got %v", fields)
	}
}

var cartOf = func() *document.Definition {
	tickets, _ := TransactionDefinition.Field("tickets")
	return tickets.Type.Element.Object
}()

// Letters are given ids. A question mark is a generated one.
func TestItemsKeepTheirIDs(t *testing.T) {
	t.Parallel()
	const x1, x2, y = `"amount":1,"price":1,"ticketTypeId":"x"`, `"amount":2,"price":1,"ticketTypeId":"x"`, `"amount":1,"price":1,"ticketTypeId":"y"`
	for name, row := range map[string]struct{ known, items, want string }{
		"new ones get one each":          {``, `{` + x1 + `};{` + x1 + `}`, "? ?"},
		"given ones stay":                {`{` + x1 + `,"_id":"A"}`, `{` + x1 + `,"_id":"B"}`, "B"},
		"the same again":                 {`{` + x1 + `,"_id":"A"};{` + y + `,"_id":"B"}`, `{` + x1 + `};{` + y + `}`, "A B"},
		"in another order":               {`{` + x1 + `,"_id":"A"};{` + y + `,"_id":"B"}`, `{` + y + `};{` + x1 + `}`, "B A"},
		"the first was removed":          {`{` + x1 + `,"_id":"A"};{` + x2 + `,"_id":"B"}`, `{` + x2 + `}`, "B"},
		"changed, of the same type":      {`{` + x1 + `,"_id":"A"};{` + y + `,"_id":"B"}`, `{` + x2 + `};{` + y + `}`, "A B"},
		"one more of a type":             {`{` + x1 + `,"_id":"A"}`, `{` + x2 + `};{` + x1 + `}`, "? A"},
		"of another type":                {`{` + x1 + `,"_id":"A"}`, `{` + y + `}`, "?"},
		"taken by an item that names it": {`{` + x1 + `,"_id":"A"}`, `{` + y + `,"_id":"A"};{` + x1 + `}`, "A ?"},
		"two alike":                      {`{` + x1 + `,"_id":"A"};{` + x1 + `,"_id":"B"}`, `{` + x1 + `};{` + x1 + `};{` + x1 + `}`, "A B ?"},
	} {
		named := withIDs(cartOf, list(row.items), list(row.known), "ticketTypeId", time.UnixMilli(1_800_000_000_000))
		ids := map[string]bool{}
		got := make([]string, len(named))
		for i, item := range named {
			id := textOf(item, "_id")
			if got[i] = id; len(id) == 24 {
				got[i] = "?"
			}
			if ids[id] || id == "" {
				t.Errorf("%s: %q is repeated or empty", name, id)
			}
			ids[id] = true
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: got %v, want %s", name, got, row.want)
		}
	}
}

func list(text string) []ecmajson.Value {
	if text == "" {
		return nil
	}
	return domaintest.JSON("[" + strings.ReplaceAll(text, ";", ",") + "]").Elements()
}

func TestItemsHaveTheTransactionsTaxRate(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ in, want string }{
		"absent":                    {`{"taxRate":0.07,"products":[{"_id":"a"}]}`, `{"products":[{"_id":"a","taxRate":0.07}],"taxRate":0.07}`},
		"its own":                   {`{"taxRate":0.07,"tickets":[{"_id":"a","taxRate":0}]}`, `{"tickets":[{"_id":"a","taxRate":0}],"taxRate":0.07}`},
		"neither":                   {`{"tickets":[{"_id":"a"}]}`, `{"tickets":[{"_id":"a"}]}`},
		"an empty cart stays empty": {`{"taxRate":0.07,"tickets":[]}`, `{"tickets":[],"taxRate":0.07}`},
	} {
		got := withItems(domaintest.JSON(row.in), ecmajson.Value{}, time.Now())
		if !got.Equal(domaintest.JSON(row.want)) {
			t.Errorf("%s: got %s, want %s", name, got.Append(nil), row.want)
		}
	}
}

// The same table as a matrix: rows are the current status, columns the next one.
func TestAllowedStatusChanges(t *testing.T) {
	t.Parallel()
	names := TransactionStatus("").Names()
	for i, row := range []string{
		// NEW RESERVED ABORTED COMPLETE CANCELED
		"yes yes yes yes yes", // NEW
		"no  yes yes yes yes", // RESERVED-BY-SYSTEM
		"no  no  yes yes yes", // ABORTED
		"no  no  no  yes yes", // COMPLETE
		"no  no  no  no  yes", // CANCELED
	} {
		for j, want := range strings.Fields(row) {
			from, to := TransactionStatus(names[i]), TransactionStatus(names[j])
			if got := from.MayMove(to); got != (want == "yes") {
				t.Errorf("from %s to %s: %v", from, to, got)
			}
		}
	}
}

func TestEventTypeOfATransactionChange(t *testing.T) {
	t.Parallel()
	const item, done = `{"cartItemId":"i","type":"ticket","price":1}`, `{"cartItemId":"i","type":"ticket","price":1,"cancelledAt":"2026-01-01T00:00:00Z"}`
	of := func(status, items, notes string) string {
		return `{"status":"` + status + `","cancellationInfo":{"cancellableItems":[` + items + `]},"historyEntries":[` + notes + `]}`
	}
	const note = `{"_id":"h","type":"partial.canceled"}`
	for name, row := range map[string]struct {
		old, changed string
		want         domain.EventType
	}{
		"created NEW":                     {"", of("NEW", "", ""), ""},
		"created reserved":                {"", of("RESERVED-BY-SYSTEM", "", ""), "transaction.reservedBySystem"},
		"created ABORTED":                 {"", of("ABORTED", "", ""), ""},
		"created COMPLETE":                {"", of("COMPLETE", "", ""), "transaction.complete"},
		"created COMPLETE, partly undone": {"", of("COMPLETE", done, note), "transaction.complete"},
		"created CANCELED":                {"", of("CANCELED", "", ""), "transaction.canceled"},
		"reserved later":                  {of("NEW", "", ""), of("RESERVED-BY-SYSTEM", "", ""), ""},
		"completed":                       {of("NEW", "", ""), of("COMPLETE", "", ""), "transaction.complete"},
		"completed late":                  {of("ABORTED", "", ""), of("COMPLETE", "", ""), "transaction.complete"},
		"aborted":                         {of("NEW", "", ""), of("ABORTED", "", ""), ""},
		"canceled":                        {of("COMPLETE", "", ""), of("CANCELED", "", ""), "transaction.canceled"},
		"canceled with its items":         {of("COMPLETE", item, ""), of("CANCELED", done, note), "transaction.canceled"},
		"nothing changed":                 {of("COMPLETE", item, ""), of("COMPLETE", item, ""), ""},
		"an item canceled":                {of("COMPLETE", item, ""), of("COMPLETE", done, ""), "transaction.partiallyCanceled"},
		"one of two alike canceled":       {of("COMPLETE", item+","+done, ""), of("COMPLETE", done+","+done, ""), "transaction.partiallyCanceled"},
		"an entry of the history":         {of("COMPLETE", "", ""), of("COMPLETE", "", note), "transaction.partiallyCanceled"},
		"canceled before":                 {of("COMPLETE", done, note), of("COMPLETE", done, note), ""},
		"a cancellation undone":           {of("COMPLETE", done, ""), of("COMPLETE", item, ""), ""},
		"a canceled transaction":          {of("CANCELED", item, ""), of("CANCELED", done, note), ""},
		"items of an aborted transaction": {of("ABORTED", item, ""), of("ABORTED", done, ""), ""},
		"items of a new transaction":      {of("NEW", item, ""), of("NEW", done, note), ""},
		"items of a reserved transaction": {of("RESERVED-BY-SYSTEM", item, ""), of("RESERVED-BY-SYSTEM", done, ""), "transaction.partiallyCanceled"},
	} {
		var old *Transaction
		if row.old != "" {
			read := transactionOf(t, row.old)
			old = &read
		}
		got, tells := TransactionEvent(old, transactionOf(t, row.changed))
		if tells != (row.want != "") || tells && got != row.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, tells, row.want)
		}
	}
}

func transactionOf(t *testing.T, text string) Transaction {
	t.Helper()
	record, err := ReadTransaction([]byte(text), moment.DateTime{}, moment.DateTime{})
	if err != nil {
		t.Fatal(err)
	}
	return record.Transaction
}

func TestMetaJoinsTheExtraFieldsOfATicket(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", document.MaxFreeBytes-10)
	for name, row := range map[string]struct {
		own, meta, want string
		more            bool
	}{
		"no fields of its own":      {``, `{"a":1}`, `{"a":1}`, true},
		"added to its own":          {`{"b":2}`, `{"a":1}`, `{"b":2,"a":1}`, true},
		"its own stays":             {`{"a":2}`, `{"a":1}`, `{"a":2}`, false},
		"null is its own":           {`{"a":null}`, `{"a":1}`, `{"a":null}`, false},
		"nothing to add":            {`{"a":2}`, `{}`, `{"a":2}`, false},
		"not beyond the size limit": {`{"b":"12345"}`, `{"a":"` + long + `"}`, `{"b":"12345","a":"` + long + `"}`, false},
	} {
		var own *ecmajson.Value
		if row.own != "" {
			value := domaintest.JSON(row.own)
			own = &value
		}
		got, more := ticket.WithMeta(own, domaintest.JSON(row.meta))
		if more != row.more || string(got.Append(nil)) != row.want {
			t.Errorf("%s: got %.80s, %v", name, got.Append(nil), more)
		}
	}
}
