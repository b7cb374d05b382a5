// Package document defines the JSON documents that other services hand in, by the table of their resource.
//
// The table is the resource's Go struct: a field is a member, its type says what the member holds, and a tag adds
// what Go's types can't say. Read makes a Definition of it. Package decode checks documents by it, and documentation and
// schemas can be printed from it. So the struct that is shown and the rules that hold can't drift apart.
//
//	type Lock struct {
//		By      string    `json:"by"`                              // required
//		EventID *string   `json:"eventId,omitempty" document:"id"` // optional
//		Type    *LockType `json:"type,omitempty"`                  // an enumeration: it has Names
//	}
//
// A member whose json tag says omitempty is optional. The words of the document tag, with spaces between them, are
//
//	id             1 to 64 characters (decisions 1.1)
//	uuid, email    text of that form
//	country        a code of ISO 3166-1 alpha-2, kept as it comes
//	object         of an ecmajson.Value: any object of at most 16 KiB and depth 8 (decisions 1.6)
//	longest=255    at most so many characters; 10,000 where nothing is said
//	filled         at least one character
//	made           required in the resource, but the service fills it in when it is absent
//	only=_type:7   allowed only beside a _type of 7
//
// The normal form of a document has its members in the order of the table, date-times in the one form that the wire has
// (decisions 1.2), and no members that are null (decisions 1.3).
package document
