package domain_test

import (
	"errors"
	"testing"

	"ticketgate/domain"
)

func TestFurtherProblemsLeaveOutUnreadFields(t *testing.T) {
	t.Parallel()
	var errs, found domain.FieldErrors
	for _, path := range []string{"expires", "scanConfig.events", "[0]"} {
		errs.Add(path, "can't be read")
	}
	for _, path := range []string{
		"name", "expires", "expiresAt", "scanConfig.events[2].eventId", "scanConfig", "scanConfig.mode", "[0].barcode", "[01].barcode", "[1].barcode",
	} {
		found.Add(path, "is wrong")
	}
	errs.Merge(found.Err())
	got := ""
	for _, field := range domain.AsError(errs.Err()).Fields {
		got += field.Path + " "
	}
	if want := "expires scanConfig.events [0] name expiresAt scanConfig.mode [01].barcode [1].barcode "; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	errs.Merge(nil)
	errs.Merge(domain.NotFound("Event"))
	errs.Merge(errors.New("of a database"))
	if n := len(domain.AsError(errs.Err()).Fields); n != 8 {
		t.Errorf("errors without fields added %d", n-8)
	}
}

func TestRuleMessageIsKept(t *testing.T) {
	t.Parallel()
	rule := domain.Invalid("street", "is required")
	rule.Message = "Address is required"
	var name, street domain.FieldErrors
	name.Add("name", "must be a string")
	name.Merge(rule)
	if got := name.Err().Error(); got != "Address is required" {
		t.Errorf("with another fault: %q", got)
	}
	street.Add("street", "must be a string")
	street.Merge(rule)
	if got := street.Err().Error(); got != "street must be a string" {
		t.Errorf("for a field that can't be read: %q", got)
	}
}
