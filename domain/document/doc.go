// Package document defines the JSON documents of other services by tables of their fields.
//
// A table is read from the resource's Go struct: the type of a struct field says what the document's field holds, and a
// tag adds what Go's types can't express. Read returns the table as a Definition. Package decode checks documents against
// it, and documentation and schemas are printed from it. So the struct that is returned and the rules can't drift apart.
//
//	type Lock struct {
//		By      string    `json:"by"`                              // required
//		EventID *string   `json:"eventId,omitempty" document:"id"` // optional
//		Type    *LockType `json:"type,omitempty"`                  // an enumeration: it has Names
//	}
//
// A field whose json tag has omitempty is optional. The document tag holds any of these words, separated by spaces:
//
//	id             1 to 64 characters
//	uuid, email    text of that form
//	country        an ISO 3166-1 alpha-2 code, stored in upper case
//	countrytext    text that should be such a code
//	slottime       a date-time that may lack seconds, or an empty text
//	object         for an ecmajson.Value: any object of at most 16 KiB and depth 8
//	longest=255    maximum length in characters; the default is 10,000
//	filled         at least one character
//	made           required in the resource, but filled in by the service if omitted
//	only=_type:7   allowed only together with a _type of 7
//
// The normal form of a document has its fields in the order of the table, date-times as on the wire, and no null fields
// (VALUE-2, VALUE-4).
package document
