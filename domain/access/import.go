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

// ImportState is the state of an import.
type ImportState string

// The states of an import. While it is reading, rows are added. Once it is staged, its effects are known.
const (
	Reading   ImportState = "reading"
	Staged    ImportState = "staged"
	Committed ImportState = "committed"
	Canceled  ImportState = "canceled"
	Undone    ImportState = "undone"
)

// ImportStates returns all states.
func ImportStates() []ImportState { return []ImportState{Reading, Staged, Committed, Canceled, Undone} }

// ImportMode says whether the rows are added to the list, or are its complete new content.
type ImportMode string

// The modes of an import.
const (
	Add     ImportMode = "add"
	FullSet ImportMode = "full-set"
)

// ImportModes returns all modes.
func ImportModes() []ImportMode { return []ImportMode{Add, FullSet} }

// MarshalGQL writes the mode as REST does. Its hyphen is not allowed in GraphQL names.
func (m ImportMode) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(m))) }

// UnmarshalGQL reads any string. Null leaves it unchanged. The operation validates it, so that the error has its path.
func (m *ImportMode) UnmarshalGQL(v any) error {
	if v == nil {
		return nil
	}
	text, ok := v.(string)
	if !ok {
		return moment.MisfitError("must be one of " + string(Add) + ", " + string(FullSet))
	}
	*m = ImportMode(text)
	return nil
}

// ImportKept is the number of days for which an import can be viewed and undone.
const ImportKept = 7

// Import is an import of entries into a list.
type Import struct {
	ID       string      `json:"_id"`
	ListID   string      `json:"listId"`
	SellerID ids.Seller  `json:"sellerId"`
	State    ImportState `json:"state"`
	Mode     ImportMode  `json:"mode"`
	Preset   Preset      `json:"preset"`
	// TrimCodes and KeepSuspicious decide how codes that look damaged are read (IMPORT-1).
	TrimCodes      bool   `json:"trimCodes"`
	KeepSuspicious bool   `json:"keepSuspicious"`
	Counts         Counts `json:"counts"`
	// TextParts is the number of received parts of a CSV text, or 0 if the rows are sent in another way.
	TextParts int `json:"-"`
	// Samples are the first codes of the file, converted by every preset.
	Samples []Sample `json:"samples"`
	// Result counts the changes of the commit, Undo those that the undo reverted.
	Result      *Result          `json:"result,omitempty"`
	Undo        *UndoResult      `json:"undo,omitempty"`
	CreatedBy   domain.Creator   `json:"createdBy"`
	CreatedAt   moment.DateTime  `json:"createdAt"`
	CommittedAt *moment.DateTime `json:"committedAt,omitempty"`
	UndoneAt    *moment.DateTime `json:"undoneAt,omitempty"`
}

// Counts holds the number of rows by the effect that a commit would have. Except for Warnings and Trimmed, each row is
// counted once.
type Counts struct {
	// Rows is the number of rows in the file: the sum of the next five counts and Stale.
	Rows int `json:"rows"`
	// New is the number of rows whose code is not in the list.
	New int `json:"new"`
	// Same is the number of rows that equal the entry in the list.
	Same int `json:"same"`
	// Conflict is the number of rows that differ from the entry in the list.
	Conflict int `json:"conflict"`
	// Bad is the number of rows that can't become an entry.
	Bad int `json:"bad"`
	// Duplicate is the number of rows that repeat an earlier one.
	Duplicate int `json:"duplicate"`
	// Removed is the number of entries in the list that a full set lacks.
	Removed int `json:"removed"`
	// Warnings is the number of valid rows that look like a mistake.
	Warnings int `json:"warnings"`
	// Stale is the number of rows that are older than the entry in the list (IMPORT-4).
	Stale int `json:"stale"`
	// Trimmed is the number of rows whose code had leading or trailing blanks.
	Trimmed int `json:"trimmed"`
}

// handling returns how the codes of the import are read.
func (i *Import) handling() code.Handling {
	how, _ := code.HandlingOf(i.TrimCodes, i.KeepSuspicious)
	return how
}

// Result is the number of entries that an import changed.
type Result struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
}

// UndoResult is the number of changes that were undone. Kept counts entries that were changed since and stay as they
// are.
type UndoResult struct {
	Removed  int `json:"removed"`
	Restored int `json:"restored"`
	Kept     int `json:"kept"`
}

// MaxLines is the maximum number of lines of each kind in a report. The counts include all lines.
const MaxLines = 1000

// Report is an import with the lines to review, up to MaxLines of each kind.
type Report struct {
	Import
	BadLines      []ImportLine `json:"badLines"`
	ConflictLines []ImportLine `json:"conflictLines"`
	WarningLines  []ImportLine `json:"warningLines"`
	RemovedCodes  []string     `json:"removedCodes"`
}

// ImportLine is a line of the file with a remark. The code is empty if it can't be read.
type ImportLine struct {
	Line         int    `json:"line"`
	ExternalCode string `json:"externalCode,omitempty"`
	Reason       string `json:"reason"`
}

// ShownCode returns the code, or nil.
func (l ImportLine) ShownCode() *string { return texts.Shown(l.ExternalCode) }

// ImportOptions decide how a file is read.
type ImportOptions struct {
	Mode   ImportMode
	Preset Preset
	// TrimCodes removes blanks from both ends of codes. KeepSuspicious accepts codes exactly as they are (IMPORT-1).
	TrimCodes, KeepSuspicious bool
	// More announces that more rows will follow.
	More bool
}

// checked returns the options with defaults, or all of their errors.
func (o ImportOptions) checked() (ImportOptions, error) {
	var errs domain.FieldErrors
	if o.Mode == "" {
		o.Mode = Add
	}
	if o.Mode != Add && o.Mode != FullSet {
		errs.Add("mode", "must be one of add, full-set")
	}
	o.Preset = o.Preset.orDefault()
	if !o.Preset.valid() {
		errs.Add("preset", "must be one of as-read, reversed, upper, 88040000+reversed")
	}
	if _, ok := code.HandlingOf(o.TrimCodes, o.KeepSuspicious); !ok {
		errs.Add("trimCodes", code.Contradiction)
	}
	return o, errs.Err()
}

// ConflictRule is the treatment of rows that differ from the entry in the list.
type ConflictRule string

// The rules for conflicts.
const (
	FailOnConflict   ConflictRule = "fail"
	SkipConflicts    ConflictRule = "skip"
	UpdateOnConflict ConflictRule = "update"
)

// defaultRemoveShare is the share of a list that a full set may remove without confirmation.
const defaultRemoveShare = 0.2

// Commit says how to commit a staged import.
type Commit struct {
	// OnConflict is fail by default, or update for a full set, which defines the whole content of the list.
	OnConflict optional.Value[ConflictRule] `json:"onConflict"`
	// SkipBad skips bad rows. Otherwise one bad row prevents the commit.
	SkipBad optional.Value[bool] `json:"skipBad"`
	// MaxRemoveShare is the maximum share of the list's entries to remove, 0.2 by default.
	MaxRemoveShare optional.Value[float64] `json:"maxRemoveShare"`
	// ConfirmRemovals allows any share of removals that the preview showed.
	ConfirmRemovals optional.Value[bool] `json:"confirmRemovals"`
}

// check returns all errors of the input.
func (c Commit) check() error {
	var errs domain.FieldErrors
	switch c.OnConflict.Or(FailOnConflict) {
	case FailOnConflict, SkipConflicts, UpdateOnConflict:
	default:
		errs.Add("onConflict", "must be one of fail, skip, update")
	}
	if share := c.MaxRemoveShare.Or(0); !(share >= 0 && share <= 1) { // rejects NaN too
		errs.Add("maxRemoveShare", "must be a number from 0 to 1")
	}
	return errs.Err()
}

// onConflict returns the rule for an import with this mode.
func (c Commit) onConflict(mode ImportMode) ConflictRule {
	if mode == FullSet {
		return c.OnConflict.Or(UpdateOnConflict)
	}
	return c.OnConflict.Or(FailOnConflict)
}

// Effects are the numbers that limit the removals of a full set.
type Effects struct {
	// Present is the number of entries in the list.
	Present int
	// Unread is the number of bad rows with an unreadable or damaged code. Each may refer to any entry.
	Unread int
	// Unseen is the number of removals that the preview did not show, of entries that were added since.
	Unseen int
}

// refuse returns why an import with these counts can't be committed, or nil.
func (c Commit) refuse(mode ImportMode, counts Counts, against Effects) error {
	if counts.Bad > 0 && !c.SkipBad.Or(false) {
		return domain.InvalidState(rows(counts.Bad) + " invalid. Correct the file, or commit with skipBad to skip them")
	}
	if counts.Conflict > 0 && c.onConflict(mode) == FailOnConflict {
		return domain.InvalidState(rows(counts.Conflict) + " in conflict with the list. Commit with onConflict skip or update")
	}
	if against.Unseen > 0 { // can't have been confirmed
		return domain.InvalidState(fmt.Sprintf(
			"The list has changed since the preview: %s that it did not show would be removed. Import the full set again and "+
				"review the removals", entries(against.Unseen)))
	}
	if c.ConfirmRemovals.Or(false) || counts.Removed == 0 {
		return nil
	}
	if against.Unread > 0 {
		return domain.InvalidState(fmt.Sprintf(
			"%s invalid and without a readable code, and %s that may belong to them would be removed. "+
				"Correct the file, or commit with confirmRemovals if this is intended", rows(against.Unread), entries(counts.Removed)))
	}
	share := c.MaxRemoveShare.Or(defaultRemoveShare)
	if float64(counts.Removed) > share*float64(against.Present) {
		return domain.InvalidState(fmt.Sprintf(
			"This would remove %d of %s, more than %.4g %%. Commit with confirmRemovals if this is intended",
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
