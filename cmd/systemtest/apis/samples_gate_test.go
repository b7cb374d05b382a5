package apis

import (
	"strconv"
	"testing"
	"time"

	"ticketgate/cmd/systemtest"
	"ticketgate/cmd/systemtest/apitest"
	"ticketgate/cmd/ticketgate/demo"
	"ticketgate/domain"
)

// gateArea covers scan groups, devices, and scans.
var gateArea = area{
	samples: map[domain.Operation][]sample{
		domain.CreateScanGroup: {
			{args: object{"input": object{"name": "Gate", "scanConfig": object{"mode": "lock"}}}},
			groupThatNames("scanConfig.events.0.eventId", "gateEvent"),
			groupThatNames("scanConfig.events.0.allowedTicketTypeIds.0", "ticketType"),
			groupThatNames("scanConfig.scanZoneId", "scanZone"),
			groupThatNames("scanConfig.tapAndGo.eventIds.0", "rootEvent"),
		},
		domain.ListScanGroups: {{}},
		domain.GetScanGroup:   {{target: "id", object: "scanGroup"}},
		domain.UpdateScanGroup: {
			{target: "id", object: "scanGroup", args: object{"input": object{"name": fresh("Gate ")}}},
			changing("scanGroup", groupThatNames("scanConfig.scanZoneId", "scanZone")),
			changing("scanGroup", groupThatNames("scanConfig.events.0.eventId", "gateEvent")),
		},
		domain.DeleteScanGroup: {{target: "id", object: "scanGroup", usesUp: true}},

		domain.CreateDevice: {
			{args: object{"input": object{"name": "Gate 1"}}},
			deviceThatNames("events.0", "gateEvent"), deviceThatNames("deviceSettings.scanGroupId", "scanGroup"),
		},
		domain.ListDevices: {{args: object{"first": 1000}}},
		domain.GetDevice:   {{target: "id", object: "device"}},
		domain.UpdateDevice: {
			{target: "id", object: "device", args: object{"input": object{"name": fresh("Gate ")}}},
			changing("device", deviceThatNames("events.0", "gateEvent")),
			changing("device", deviceThatNames("deviceSettings.scanGroupId", "scanGroup")),
		},
		domain.DeleteDevice:     {{target: "id", object: "device", usesUp: true}},
		domain.RenewDeviceToken: {{target: "id", object: "device"}},
		domain.IssuePairingCode: {{target: "id", object: "device", varies: []string{"code", "qrPayload", "expiresAt"}}},
		domain.PairDevice: {{
			target: "input.code", object: "pairingCode", usesUp: true, unknown: domain.CodeValidationFailed,
		}},

		domain.GetSelf:           {{}},
		domain.ListDeviceEvents:  {{}},
		domain.GetDeviceSeller:   {{}},
		domain.GetDeviceTicket:   {{target: "barcode", object: "ticket"}},
		domain.ListDeviceTickets: {{target: "filter.eventId", object: "gateEvent"}},
		domain.ListDeviceFeed:    {{args: object{"after": 1, "limit": 2}}},

		domain.ScanTicket: {
			{target: "input.barcode", object: "ticket", answers: true, args: object{"input": object{"deviceId": own("gateDevice")}}},
			{
				name: "at a device", target: "input.deviceId", object: "gateDevice", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"barcode": "none"}},
			},
			{
				name: "at a scan group", target: "input.scanGroupId", object: "gateGroup", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"barcode": "none"}},
			},
		},
		domain.UploadScans: {
			{
				target: "scans.0.barcode", object: "ticket", answers: true, once: true,
				args: object{"eventId": own("gateEvent"), "deviceId": own("gateDevice"), "scans": []any{uploaded}},
			},
			{
				name: "of a device", target: "deviceId", object: "gateDevice", unknown: domain.CodeValidationFailed, once: true,
				args: object{"eventId": own("gateEvent"), "scans": []any{apitest.With(uploaded, "barcode", fresh("none "))}},
			},
		},
		domain.AnnulScan:  {{target: "id", object: "scan", usesUp: true}},
		domain.ListScans:  {{}},
		domain.WatchScans: {{}},
		domain.GetScan:    {{target: "id", object: "scan"}},
		domain.CountScans: {{}},
		domain.CountDeviceScans: {{
			target: "ids.0", object: "device", answers: true, args: object{"ids": []any{""}, "since": "2020-01-01T00:00:00Z"},
		}},
		domain.GetOccupancy: {
			{target: "eventId", object: "gateEvent"},
		},
		domain.SimulateScan: {
			{target: "input.barcode", object: "ticket", answers: true, args: object{"input": object{"scanGroupId": own("scanGroup")}}},
			{name: "by its id", target: "input.ticketId", object: "ticket", answers: true, args: object{"input": object{"scanGroupId": own("scanGroup")}}},
			{
				name: "at a device", target: "input.deviceId", object: "gateDevice", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"barcode": "none"}},
			},
			{
				name: "at a scan group", target: "input.scanGroupId", object: "scanGroup", unknown: domain.CodeValidationFailed,
				args: object{"input": object{"barcode": "none"}},
			},
		},
	},
	makers: map[string]maker{
		"scanGroup": (*apitest.Server).ScanGroup, "device": (*apitest.Server).Device, "pairingCode": (*apitest.Server).PairingCode, "scan": (*apitest.Server).Scan,
		// gateDevice is the seeded device, which also makes calls itself.
		"gateDevice": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string { return seller.DeviceID },
		// gateGroup is its scan group, the only one that a device may name.
		"gateGroup": func(_ *apitest.Server, _ *testing.T, seller demo.Seller, _ string) string { return seller.ScanGroupID },
	},
	lists: map[domain.Operation]pagedList{
		domain.ListScanGroups: {row: (*apitest.Server).ScanGroup}, domain.ListDevices: {row: (*apitest.Server).Device}, domain.ListScans: {row: (*apitest.Server).Scan},
		domain.ListDeviceTickets: {
			begin: func(_ *apitest.Server, _ *testing.T, seller demo.Seller) map[string]any {
				return apitest.With(nil, "filter.eventId", seller.EventID)
			},
			row: (*apitest.Server).Ticket,
		},
	},
	refusals: map[domain.Operation][]refusal{
		domain.CreateScanGroup: {
			{
				"no name and no mode",
				object{"name": " ", "scanConfig": object{"mode": "lock", "scanTypes": object{"checkin": false, "checkout": false}}},
				[]string{"name", "scanConfig.scanTypes"},
			},
		},
		domain.CreateDevice: {
			{"a device without a name", object{"name": ""}, []string{"name"}},
		},
		domain.UploadScans: {
			{"no scans", object{"scans": []any{}}, []string{"scans"}},
		},
		domain.ListDeviceFeed: {
			{"a negative position", object{"after": -1, "limit": 0}, []string{"limit", "after"}},
		},
	},
}

// uploaded is an offline scan with a unique time: a repeated scan would be a duplicate.
var uploaded = object{"type": "OK", "direction": "IN", "scanned_at": func() any {
	number, _ := strconv.Atoi(systemtest.Serial(""))
	return time.UnixMilli(1_750_000_000_000 + int64(number)).UTC().Format(time.RFC3339Nano)
}}

// groupThatNames returns the sample of a scan group whose configuration names another object.
func groupThatNames(path, kind string) sample {
	return sample{
		name: "that names a " + kind + " in " + path, target: "input." + path, object: kind, unknown: domain.CodeValidationFailed,
		args: object{"input": object{"name": fresh("Gate "), "scanConfig": object{
			"mode": "default", "tapAndGo": object{"enabled": true, "eventIds": []any{own("rootEvent")}},
			"events": []any{object{"eventId": own("gateEvent"), "allowedTicketTypeIds": []any{own("ticketType")}}},
		}}},
	}
}

// changing returns the sample for an existing object.
func changing(kind string, s sample) sample {
	s.args = apitest.With(s.args, "id", own(kind))
	return s
}

// deviceThatNames returns the sample of a device that names another object.
func deviceThatNames(path, kind string) sample {
	return sample{
		name: "that names a " + kind, target: "input." + path, object: kind, unknown: domain.CodeValidationFailed,
		args: object{"input": object{"name": fresh("Gate "), "events": []any{own("gateEvent")}}},
	}
}
