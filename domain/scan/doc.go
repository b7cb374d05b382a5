// Package scan is what happens at a gate: scan groups, the devices that scan, the decision whether a ticket may pass, the
// scans themselves, who is inside, and what devices are told of changes.
//
// # Words
//
//   - scan group: which events and ticket types may be scanned, and how a device behaves (spec 2.4).
//   - device: an access user on the wire (decisions 6.3); it calls with a token of its own.
//   - scan zone: what a ticket is inside or outside of. No zone is a zone of its own.
//   - pass: an approved scan that was not annulled, as far as it counts for who is inside.
//   - late: handed in after a later scan of the same ticket was counted already.
//
// # The decision
//
// Decide is one pure function. The scan at the gate, the conflict flag of scans that were made offline, and the
// simulator ask it, so that all three give the same answer. Rules stand in the order of decisions 6.4; the first that
// fails is the reason.
//
// What decisions 6 leave open is decided here:
//
//   - A member that is absent is false, and an absent list is empty: an event with neither allowAllTicketTypes nor
//     allowedTicketTypeIds lets no ticket in.
//   - A ticket of a ROOT or GROUP event opens the events below it, but those of its excludedEventIds.
//   - A ticket without a time slot, or with an empty one, is not held to one; a slot whose start is no date-time can't be kept.
//   - RESERVED and BLANK tickets are not valid either.
//   - Time windows hold for both directions; what a ticket is good for only for entries and stray exits (GATE-1).
//   - A device that may not use the event is declined with EVENT_NOT_ASSIGNED, as one without a scan group is.
//
// # Who is inside
//
// What counts is the sorted sequence of passes of one ticket at one event in one zone, never the order in which they
// arrived. A check-out with nobody inside earns nothing. Of two passes at the same instant the check-out counts first,
// which never lets more people in. Scans at the gate are stored with strictly ascending times per ticket and zone, so
// that only offline scans can come late; then the sequence is counted again.
package scan
