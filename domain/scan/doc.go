// Package scan decides who is admitted at a gate. It manages scan groups and devices, records scans, counts who is
// inside, and tells devices what has changed.
//
// # Terms
//
//   - scan group: the events and ticket types that may be scanned, and the settings of its devices.
//   - device: called an access user in the API. It calls with its own token.
//   - scan zone: a part of an event that a ticket can be inside of. Having no zone counts as a zone of its own.
//   - pass: an approved scan that was not annulled. Passes determine who is inside.
//   - late: uploaded after a later scan of the same ticket was counted.
//
// # The decision
//
// Decide is a pure function. Scans at the gate, the conflict flags of offline scans, and the simulation all use it
// (GATE-13). Its rules have a fixed order, and the first one that fails is the reason. In detail:
//
//   - An omitted field is false, and an omitted list is empty. An event with neither allowAllTicketTypes nor
//     allowedTicketTypeIds admits no ticket.
//   - A ticket of a ROOT or GROUP event opens the events below it, except its excludedEventIds.
//   - A ticket without a time slot, or with an empty one, passes the slot check. If the slot's start is not a date-time,
//     the check fails.
//   - RESERVED and BLANK tickets are invalid.
//   - Time windows apply to both directions. Rules about the ticket apply to entries, and to exits of tickets that are
//     not inside (GATE-1).
//   - A device that may not use the event is declined with EVENT_NOT_ASSIGNED, as is a device without a scan group.
//
// # Who is inside
//
// What counts is the sequence of a ticket's passes at one event and zone, sorted by time, whatever order they arrived
// in. An exit with no one inside has no effect. Of passes at the same time, an entry comes first if no one is inside,
// otherwise an exit. Scans at the gate get strictly ascending times per ticket and zone, so only offline scans can be
// late. Then the sequence is counted again.
package scan
