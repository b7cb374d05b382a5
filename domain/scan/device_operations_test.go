package scan_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"ticketgate/domain"
	"ticketgate/domain/domaintest"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/scan"
	"ticketgate/domain/secrets"
)

func TestDevices(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	device := w.device("Door", w.group(nil), scan.Full)
	raw := printed(t, device)
	kind, ok := secrets.KindOf(device.Token)
	if !ok || kind != secrets.Device || !strings.Contains(raw, `"token":"dev_`) {
		t.Errorf("created %s", raw)
	}
	read, err := w.devices.Get(w.As(seller, "accessUsers:list"), device.ID)
	if err != nil || read.Token != "" || read.Hint != device.Hint || !read.Active || len(read.Events) != 0 {
		t.Errorf("got %+v, %v", read, err)
	}
	if n := w.Count("SELECT count(*) FROM devices WHERE position(substr($1, 5)::bytea IN token_digest) > 0", device.Token); n != 0 {
		t.Error("the token is stored unencrypted")
	}
	changed, err := w.devices.Update(w.As(seller, "accessUsers:update"), device.ID, scan.DeviceChange{
		Events: optional.Some([]string{"E2", "E1", "E2"}), AccessAllEvents: optional.Null[bool](),
	})
	if err != nil || fmt.Sprint(changed.Events) != "[E2 E1]" || changed.AccessAllEvents ||
		changed.Name != "Door" || changed.GroupID() == "" {
		t.Errorf("changed %+v, %v", changed, err)
	}
	half, unknown := scan.AccessMode("half"), "unknown"
	_, err = w.devices.Create(w.As(seller), scan.NewDevice{
		Name: "", Events: optional.Some([]string{"E1", "X1"}),
		DeviceSettings: optional.Some(scan.AccessSettings{AccessMode: &half, ScanGroupID: &unknown}),
	})
	if paths := domaintest.Paths(err); paths != "name deviceSettings.accessMode events[1] deviceSettings.scanGroupId" {
		t.Errorf("got errors at %s", paths)
	}
	_, err = w.devices.Get(w.As(other), device.ID)
	domaintest.HasCode(t, "the call", err, domain.CodeNotFound)
	all, err := w.devices.All(w.As(seller))
	if err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// A token that is no longer valid is rejected at once on every process, whatever is cached (KEY-1).
func TestTokens(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.Store.Credentials().Start(context.Background())
	t.Cleanup(func() { w.Store.Credentials().Stop(context.Background()) })
	device := w.device("Door", w.group(nil), scan.Full)
	dead := func(tokens ...string) {
		t.Helper()
		_, err := w.calling(tokens...)
		domaintest.HasCode(t, "the call", err, domain.CodeUnauthenticated)
	}
	change := func(change scan.DeviceChange) {
		t.Helper()
		if _, err := w.devices.Update(w.As(seller), device.ID, change); err != nil {
			t.Fatal(err)
		}
	}
	actor := domain.ActorOf(w.from(device))
	if actor.Kind != domain.DeviceActor || actor.ID != device.ID || actor.SellerID != seller ||
		actor.OrgID != org || !actor.Features.Webhooks {
		t.Errorf("the caller is %+v", actor)
	}
	for _, token := range []string{
		"x", secrets.New(secrets.Device), secrets.New(secrets.APIKey), device.Token[:99] + "x",
	} {
		dead(token)
	}
	dead(device.Token, device.Token)
	change(scan.DeviceChange{Active: optional.Some(false)})
	dead(device.Token)
	change(scan.DeviceChange{Active: optional.Null[bool]()})
	w.from(device)
	expiry := moment.New(w.now.Add(time.Minute))
	change(scan.DeviceChange{Expires: optional.Some(expiry)})
	w.now = expiry.Add(-time.Microsecond)
	w.from(device)
	w.now = expiry.Time
	dead(device.Token)
	change(scan.DeviceChange{Expires: optional.Null[moment.DateTime]()})
	w.from(device)
	renewed, err := w.devices.RenewToken(w.As(seller), device.ID)
	if err != nil || renewed.ID != device.ID || renewed.Token == device.Token {
		t.Fatalf("%+v, %v", renewed, err)
	}
	dead(device.Token)
	w.from(renewed)
	if _, err := w.devices.Delete(w.As(seller), device.ID, nil); err != nil {
		t.Fatal(err)
	}
	dead(renewed.Token)
}

func TestPairing(t *testing.T) {
	t.Parallel()
	w, device := newGateDevice(t)
	w.scan(device, "B-1", scan.In)
	issued, err := w.devices.IssuePairingCode(w.As(seller, "accessUsers:update"), device.ID)
	if err != nil || issued.DeviceID != device.ID || len(issued.Code) != 14 {
		t.Fatalf("%+v, %v", issued, err)
	}
	_, err = w.calling(device.Token)
	domaintest.HasCode(t, "the call", err, domain.CodeUnauthenticated)
	again, err := w.devices.IssuePairingCode(w.As(seller), device.ID)
	if err != nil || again.Code == issued.Code {
		t.Fatalf("%+v, %v", again, err)
	}
	anybody := domain.WithActor(t.Context(), &domain.Actor{})
	for _, change := range []scan.DeviceChange{
		{Active: optional.Some(false)}, {Active: optional.Some(true), Expires: optional.Some(moment.New(w.now))},
	} {
		if _, err := w.devices.Update(w.As(seller), device.ID, change); err != nil {
			t.Fatal(err)
		}
		_, err = w.devices.Pair(anybody, scan.Pairing{Code: again.Code})
		domaintest.HasCode(t, "the call", err, domain.CodeInvalidState)
	}
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{Expires: optional.Null[moment.DateTime]()}); err != nil {
		t.Fatal(err)
	}
	_, err = w.devices.Pair(anybody, scan.Pairing{Code: issued.Code})
	domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
	typed := " " + strings.ToLower(strings.ReplaceAll(again.Code, "-", " "))
	paired, err := w.devices.Pair(anybody, scan.Pairing{Code: typed})
	if err != nil || paired.ID != device.ID || paired.PairingExpiresAt != nil {
		t.Fatalf("%+v, %v", paired, err)
	}
	wants(t, w.scan(paired, "B-1", scan.In), "ALREADY_CHECKED_IN")
	if n := w.Count("SELECT count(*) FROM scans WHERE device_id = $1", device.ID); n != 2 {
		t.Errorf("the device has %d scans, want 2", n)
	}
	_, err = w.devices.Pair(anybody, scan.Pairing{Code: again.Code})
	domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed)
	by, err := w.devices.IssuePairingCode(w.As(seller), device.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(24 * time.Hour)
	_, err = w.devices.Pair(anybody, scan.Pairing{Code: by.QRPayload})
	domaintest.HasCode(t, "the call", err, domain.CodeValidationFailed) // the code has expired
	w.now = w.now.Add(-time.Millisecond)
	results := make(chan error, 8)
	var all sync.WaitGroup
	for range cap(results) {
		all.Go(func() {
			_, err := w.devices.Pair(anybody, scan.Pairing{Code: by.QRPayload})
			results <- err
		})
	}
	all.Wait()
	close(results)
	times := 0
	for err := range results {
		if err == nil {
			times++
		}
	}
	if times != 1 {
		t.Errorf("%d devices were paired with one code", times)
	}
	refuse := domain.WithCall(anybody, domain.Call{Admit: func(*domain.Actor) error { return domain.RateLimited(time.Second) }})
	_, err = w.devices.Pair(refuse, scan.Pairing{Code: "x"})
	domaintest.HasCode(t, "the call", err, domain.CodeRateLimited)
}

func TestADeviceReadsItsConfiguration(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	group, err := w.groups.Create(w.As(seller), groupOf(t, wholeGroup))
	if err != nil {
		t.Fatal(err)
	}
	device := w.device("Door", group, scan.Restricted)
	self, err := w.gate.Self(w.from(device))
	if err != nil {
		t.Fatal(err)
	}
	raw := printed(t, self)
	for _, part := range []string{
		`"name":"Door"`, `"seller":{"_id":"` + string(seller) + `","name":"The Seller"}`, `"scanConfig":{"mode":"lock"`,
		`"deviceSettings":{"accessMode":"restricted","scanGroupId":"` + group.ID + `","colorSettings":{"success":"green"`,
		`"scanRevealInterval":30,"ticketSyncInterval":900}`,
	} {
		if !strings.Contains(raw, part) {
			t.Errorf("%s is missing in %s", part, raw)
		}
	}
	events, err := w.gate.Events(w.from(device), false)
	if err != nil || fmt.Sprint(events) != "[{E1 Event E1} {E2 Event E2} {D1 Event D1}]" {
		t.Errorf("got events %v, %v", events, err)
	}
	w.ticket("1", nil)
	until := moment.New(w.now.Add(time.Second))
	w.now = until.Time
	w.ticket("2", nil)
	list, err := w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: "E1", Until: &until}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 1 || list.Items[0].ID != "1" || list.Items[0].Email != nil {
		t.Errorf("%+v, %v", list.Items, err)
	}
	list, err = w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: "E1", From: &until}, domain.Page{Limit: 10})
	if err != nil || len(list.Items) != 1 || list.Items[0].ID != "2" {
		t.Errorf("%+v, %v", list.Items, err)
	}
	// Tickets that were imported late, or changed without a new updatedAt, are in the window of their import.
	later := moment.New(w.now.Add(time.Second))
	w.now = later.Time
	old := func(document map[string]any) {
		document["createdAt"], document["updatedAt"] = "2020-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"
	}
	w.ticket("3", old)
	w.ticket("4", old)
	w.now = w.now.Add(time.Second)
	w.ticket("4", func(document map[string]any) { old(document); document["name"] = "Somebody Else" })
	for from, want := range map[moment.DateTime]string{later: "34", moment.New(w.now): "4"} {
		list, err = w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: "E1", From: &from}, domain.Page{Limit: 10})
		got := ""
		for _, item := range list.Items {
			got += item.ID
		}
		if err != nil || got != want {
			t.Errorf("from %s: got %s, %v, want %s", from, got, err, want)
		}
	}
	if _, err := w.devices.Update(w.As(seller), device.ID, scan.DeviceChange{
		AccessAllEvents: optional.Some(false), Events: optional.Some([]string{"R1"}),
	}); err != nil {
		t.Fatal(err)
	}
	_, err = w.gate.EventTickets(w.from(device), scan.TicketSpan{EventID: "E1"}, domain.Page{Limit: 10})
	domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
	if events, err := w.gate.Events(w.from(device), false); err != nil || len(events) != 1 || events[0].ID != "R1" {
		t.Errorf("got events %v, %v", events, err)
	}
	_, err = w.gate.Self(w.As(seller))
	domaintest.HasCode(t, "the call", err, domain.CodeForbidden)
}
