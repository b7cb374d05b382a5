package access

import (
	"fmt"
	"io"
	"strconv"

	"ticketgate/domain"
	"ticketgate/domain/code"
	"ticketgate/domain/ids"
	"ticketgate/domain/moment"
	"ticketgate/domain/optional"
	"ticketgate/domain/texts"
)

// ImportState is how far an import is.
type ImportState string

// The states of an import. Rows come in while it is reading; what it would do is known from staged on.
const (
	Reading   ImportState = "reading"
	Staged    ImportState = "staged"
	Committed ImportState = "committed"
	Canceled  ImportState = "canceled"
	Undone    ImportState = "undone"
)

// ImportStates lists every state.
func ImportStates() []ImportState { return []ImportState{Reading, Staged, Committed, Canceled, Undone} }

// ImportMode says what the rows are: further entries, or all that the list shall have.
type ImportMode string

// The modes of an import.
const (
	Add     ImportMode = "add"
	FullSet ImportMode = "full-set"
)

// ImportModes lists every mode.
func ImportModes() []ImportMode { return []ImportMode{Add, FullSet} }

// MarshalGQL writes the mode as REST spells it, which no GraphQL name can.
func (m ImportMode) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(m))) }

// UnmarshalGQL reads any string, and null as none; whether it is a mode is checked with its path by the operation.
func (m *ImportMode) UnmarshalGQL(v any) error {
	if v == nil {
		return nil
	}
	text, ok := v.(string)
	if !ok {
		return moment.MisfitError("must be " + string(Add) + " or " + string(FullSet))
	}
	*m = ImportMode(text)
	return nil
}

// ImportKept says how many days an import can be looked at and undone.
const ImportKept = 7

// Import is a file of entries on its way into a list.
type Import struct {
	ID       string      `json:"_id"`
	ListID   string      `json:"listId"`
	SellerID ids.Seller  `json:"sellerId"`
	State    ImportState `json:"state"`
	Mode     ImportMode  `json:"mode"`
	Preset   Preset      `json:"preset"`
	// TrimCodes and KeepSuspicious say how codes are read that look damaged (IMPORT-1).
	TrimCodes      bool   `json:"trimCodes"`
	KeepSuspicious bool   `json:"keepSuspicious"`
	Counts         Counts `json:"counts"`
	// TextParts is how many parts of a CSV text have come in. It is 0 if the rows come otherwise.
	TextParts int `json:"-"`
	// Samples are the first codes of the file under every preset.
	Samples []Sample `json:"samples"`
	// Result is what committing changed, and Undo what undoing took back.
	Result      *Result          `json:"result,omitempty"`
	Undo        *UndoResult      `json:"undo,omitempty"`
	CreatedBy   domain.Creator   `json:"createdBy"`
	CreatedAt   moment.DateTime  `json:"createdAt"`
	CommittedAt *moment.DateTime `json:"committedAt,omitempty"`
	UndoneAt    *moment.DateTime `json:"undoneAt,omitempty"`
}

// Counts is what an import would do, every row counted once besides Warnings.
type Counts struct {
	// Rows is all of the file's; those of the next five and the stale ones add up to it.
	Rows int `json:"rows"`
	// New codes are not in the list yet.
	New int `json:"new"`
	// Same codes are in it with just what the row says.
	Same int `json:"same"`
	// Conflict codes are in it with something else.
	Conflict int `json:"conflict"`
	// Bad rows can't become an entry.
	Bad int `json:"bad"`
	// Duplicate rows repeat an earlier one.
	Duplicate int `json:"duplicate"`
	// Removed entries of the list are not in a full set.
	Removed int `json:"removed"`
	// Warnings is the number of rows that are fine and look like a mistake.
	Warnings int `json:"warnings"`
	// Stale rows are older than the entry that the list has (IMPORT-4).
	Stale int `json:"stale"`
	// Trimmed rows had blanks at an end of their code.
	Trimmed int `json:"trimmed"`
}

// handling returns how the codes of the import are read.
func (i *Import) handling() code.Handling {
	how, _ := code.HandlingOf(i.TrimCodes, i.KeepSuspicious)
	return how
}

// Result is how many entries of the list an import has changed.
type Result struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
}

// UndoResult is how many of these changes were taken back; Kept are entries that were changed again since, and stay.
type UndoResult struct {
	Removed  int `json:"removed"`
	Restored int `json:"restored"`
	Kept     int `json:"kept"`
}

// MaxLines is how many lines of each kind a report lists; all are counted.
const MaxLines = 1000

// Report is an import with the lines that a person should look at, the first MaxLines of each kind.
type Report struct {
	Import
	BadLines      []ImportLine `json:"badLines"`
	ConflictLines []ImportLine `json:"conflictLines"`
	WarningLines  []ImportLine `json:"warningLines"`
	RemovedCodes  []string     `json:"removedCodes"`
}

// ImportLine is one line of the file and what is to be said of it. The code is empty where it can't be read.
type ImportLine struct {
	Line         int    `json:"line"`
	ExternalCode string `json:"externalCode,omitempty"`
	Reason       string `json:"reason"`
}

// ShownCode is the code, or null.
func (l ImportLine) ShownCode() *string { return texts.Shown(l.ExternalCode) }

// ImportOptions say how a file is to be read.
type ImportOptions struct {
	Mode   ImportMode
	Preset Preset
	// TrimCodes removes blanks from both ends of codes, and KeepSuspicious takes codes exactly as they are (IMPORT-1).
	TrimCodes, KeepSuspicious bool
	// More says that the rows are only the first.
	More bool
}

// checked fills in what was not said, and says what is wrong with the rest.
func (o ImportOptions) checked() (ImportOptions, error) {
	var problems domain.Problems
	if o.Mode == "" {
		o.Mode = Add
	}
	if o.Mode != Add && o.Mode != FullSet {
		problems.Add("mode", fmt.Sprintf("must be add or full-set, not %q", string(o.Mode)))
	}
	o.Preset = o.Preset.orDefault()
	if !o.Preset.valid() {
		problems.Add("preset", "must be one of as-read, reversed, upper and 88040000+reversed")
	}
	if _, ok := code.HandlingOf(o.TrimCodes, o.KeepSuspicious); !ok {
		problems.Add("trimCodes", code.Contradiction)
	}
	return o, problems.Err()
}

// ConflictRule says what becomes of codes that the list has with something else.
type ConflictRule string

// The rules for conflicts.
const (
	FailOnConflict   ConflictRule = "fail"
	SkipConflicts    ConflictRule = "skip"
	UpdateOnConflict ConflictRule = "update"
)

// defaultRemoveShare is the share of a list that a full set may remove unasked.
const defaultRemoveShare = 0.2

// Commit is how a staged import is to be committed.
type Commit struct {
	// OnConflict is fail when absent, and update for a full set: that says what each entry shall be.
	OnConflict optional.Value[ConflictRule] `json:"onConflict"`
	// SkipBad leaves bad rows out; otherwise one bad row stops the whole.
	SkipBad optional.Value[bool] `json:"skipBad"`
	// MaxRemoveShare is the greatest share of the list's entries that may go, 0.2 when absent.
	MaxRemoveShare optional.Value[float64] `json:"maxRemoveShare"`
	// ConfirmRemovals lets any share go, of what the preview has shown.
	ConfirmRemovals optional.Value[bool] `json:"confirmRemovals"`
}

// check says what is wrong with the words of a commit.
func (c Commit) check() error {
	var problems domain.Problems
	switch c.OnConflict.Or(FailOnConflict) {
	case FailOnConflict, SkipConflicts, UpdateOnConflict:
	default:
		problems.Add("onConflict", "must be fail, skip or update")
	}
	if share := c.MaxRemoveShare.Or(0); !(share >= 0 && share <= 1) { // also not a number
		problems.Add("maxRemoveShare", "must be a number from 0 to 1")
	}
	return problems.Err()
}

// onConflict is the rule that holds for an import.
func (c Commit) onConflict(mode ImportMode) ConflictRule {
	if mode == FullSet {
		return c.OnConflict.Or(UpdateOnConflict)
	}
	return c.OnConflict.Or(FailOnConflict)
}

// Weights are what the removals of a full set are weighed against.
type Weights struct {
	// Present is the number of the list's entries.
	Present int
	// Unread is the number of bad rows whose code can't be read or is damaged: each may be about any entry.
	Unread int
	// Unseen is the number of removals that the preview has not shown: their entries came into the list since.
	Unseen int
}

// refuse says why an import with these counts may not be committed, or nothing.
func (c Commit) refuse(mode ImportMode, counts Counts, against Weights) error {
	if counts.Bad > 0 && !c.SkipBad.Or(false) {
		return domain.InvalidState(rows(counts.Bad) + " bad; correct the file, or commit with skipBad to leave them out")
	}
	if counts.Conflict > 0 && c.onConflict(mode) == FailOnConflict {
		return domain.InvalidState(rows(counts.Conflict) + " in conflict with the list; commit with onConflict skip or update")
	}
	if against.Unseen > 0 { // nobody can have meant them, whatever was confirmed
		return domain.InvalidState(fmt.Sprintf(
			"The list has changed since the preview: %s that it did not show would be removed; hand the full set in again and "+
				"look at what would go", entries(against.Unseen)))
	}
	if c.ConfirmRemovals.Or(false) || counts.Removed == 0 {
		return nil
	}
	if against.Unread > 0 {
		return domain.InvalidState(fmt.Sprintf(
			"%s bad and without a code that can be read, and %s that may be theirs would be removed; "+
				"correct the file, or commit with confirmRemovals if that is meant", rows(against.Unread), entries(counts.Removed)))
	}
	share := c.MaxRemoveShare.Or(defaultRemoveShare)
	if float64(counts.Removed) > share*float64(against.Present) {
		return domain.InvalidState(fmt.Sprintf(
			"This would remove %d of %s, more than %.4g %%; commit with confirmRemovals if that is meant",
			counts.Removed, entries(against.Present), 100*share))
	}
	return nil
}

func rows(count int) string {
	if count == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", count)
}

func entries(count int) string {
	if count == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", count)
}
