package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ticketgate/domain/access"
)

// exitRefused is the exit code for an import that was read but changed nothing. Rows are invalid or in conflict, too
// many entries would be removed, or the user did not confirm.
const exitRefused = 3

// errRefused makes a command exit with exitRefused.
var errRefused = errors.New("the list was not changed")

// importOptions are the flags of `entries import`.
type importOptions struct {
	list, url, key, format, preset, onConflict string
	fullSet, skipBad, confirmRemovals, yes     bool
	trimCodes, keepSuspicious                  bool
}

func (s *shell) entriesCommand() *cobra.Command {
	parent := &cobra.Command{
		Use: "entries", Short: "Import entries into access lists, and undo imports", Args: noArguments,
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	parent.AddCommand(s.entriesImportCommand(), s.entriesUndoCommand())
	return parent
}

func (s *shell) entriesImportCommand() *cobra.Command {
	options := &importOptions{}
	command := &cobra.Command{
		Use:   "import FILE",
		Short: "Import a CSV or NDJSON file into an access list",
		Long: "Sends the file to the API, shows what would change, and applies it after you confirm. The import is all-or-nothing.\n" +
			"Importing the same file again changes nothing. If FILE is -, the standard input is read.\n\n" +
			"A row is invalid if its code starts or ends with blanks, or seems damaged by a spreadsheet, such as 1.23E+11.\n\n" +
			"With --full-set, removing more than a fifth of the list's entries also needs --confirm-removals.\n\n" +
			"Exit codes: 0 imported or no changes, 1 failed, 2 invalid usage or file not found, 3 the list was not changed.",
		Example: "  ticketgate entries import members.csv --list 6a…\n" +
			"  ticketgate entries import cards.csv --list 6a… --preset 88040000+reversed --full-set --yes\n" +
			"  members-export | ticketgate entries import - --list 6a… --format ndjson --yes",
		Args: oneArgument("the file"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.importEntries(command.Context(), arguments[0], options)
		},
	}
	flags := command.Flags()
	options.addTo(command)
	flags.StringVar(&options.format, "format", "", "csv or ndjson; if omitted, detected from the file's name or content")
	flags.StringVar(&options.preset, "preset", "as-read", "how to convert card codes: as-read, reversed, upper or 88040000+reversed")
	flags.StringVar(&options.onConflict, "on-conflict", "",
		"what to do with codes whose stored entry differs: fail, skip or update")
	flags.BoolVar(&options.fullSet, "full-set", false, "replace the list: remove entries that are not in the file")
	flags.BoolVar(&options.trimCodes, "trim-codes", false, "remove leading and trailing blanks from codes")
	flags.BoolVar(&options.keepSuspicious, "keep-suspicious", false,
		"accept codes as they are, even if a spreadsheet seems to have damaged them")
	flags.BoolVar(&options.skipBad, "skip-bad", false, "skip invalid rows instead of stopping")
	flags.BoolVar(&options.confirmRemovals, "confirm-removals", false,
		"with --full-set: allow any number of removals, even all entries")
	flags.BoolVar(&options.yes, "yes", false, "import without asking for confirmation")
	return command
}

func (s *shell) entriesUndoCommand() *cobra.Command {
	options := &importOptions{}
	command := &cobra.Command{
		Use:   "undo IMPORT",
		Short: "Undo an import into an access list",
		Long: "Removes the entries that the import added and restores those that it changed or removed, within seven days. Entries\n" +
			"changed since the import are kept. IMPORT is the id that `entries import` printed. Undoing again changes nothing.",
		Example: "  ticketgate entries undo 6a… --list 6a…",
		Args:    oneArgument("the id of the import"),
		RunE: func(command *cobra.Command, arguments []string) error {
			return s.undoImport(command.Context(), arguments[0], options)
		},
	}
	options.addTo(command)
	return command
}

// addTo adds the flags that identify an import and its API.
func (o *importOptions) addTo(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&o.list, "list", "", "the id of the access list")
	flags.StringVar(&o.url, "url", "http://127.0.0.1:8080", "the address of the API")
	flags.StringVar(&o.key, "key", "", "an API key with accessLists:update; "+keyFlagHelp)
}

// importEntries stages the file, shows the report, asks for confirmation and commits.
func (s *shell) importEntries(ctx context.Context, file string, options *importOptions) error {
	api, err := s.importAPI(options)
	if err != nil {
		return err
	}
	in, size, err := openFile(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	bar := newProgressBar(s.stderr, size)
	text := bufio.NewReader(bar.reading(in))
	staged, err := api.stage(ctx, text, formatOf(options.format, file, text), options)
	bar.end()
	if err != nil {
		return err
	}
	s.printReport(staged)
	if staged.Counts.New+staged.Counts.Conflict+staged.Counts.Removed+staged.Counts.Bad == 0 {
		s.sayf("no changes: the list already has all entries\n")
		return api.cancel(ctx, staged)
	}
	if !options.yes && !s.agreed() {
		return errors.Join(errRefused, api.cancel(ctx, staged))
	}
	done, err := api.commit(ctx, staged, options)
	if err != nil {
		return errors.Join(err, api.cancel(ctx, staged))
	}
	s.sayf("committed %s: %d added, %d changed, %d removed\n",
		done.ID, done.Result.Added, done.Result.Changed, done.Result.Removed)
	return nil
}

// undoImport undoes an import and prints the result.
func (s *shell) undoImport(ctx context.Context, id string, options *importOptions) error {
	api, err := s.importsOf(options)
	if err != nil {
		return err
	}
	if err := checkSegment("IMPORT", id); err != nil {
		return err
	}
	undone, err := api.undo(ctx, id)
	if err != nil {
		return err
	}
	s.sayf("undone %s: %d removed, %d restored, %d kept\n",
		undone.ID, undone.Undo.Removed, undone.Undo.Restored, undone.Undo.Kept)
	return nil
}

// importAPI checks the flags that don't depend on the file, and returns a client.
func (s *shell) importAPI(options *importOptions) (*importClient, error) {
	switch {
	case !slices.Contains([]string{"", "fail", "skip", "update"}, options.onConflict):
		return nil, usageError{fmt.Errorf("--on-conflict must be fail, skip or update, not %q", options.onConflict)}
	case options.trimCodes && options.keepSuspicious:
		return nil, usageError{errors.New("--trim-codes and --keep-suspicious can't be combined")}
	case !slices.Contains([]string{"", "csv", "ndjson"}, options.format):
		return nil, usageError{fmt.Errorf("--format must be csv or ndjson, not %q", options.format)}
	case !slices.Contains(access.Presets(), access.Preset(options.preset)):
		return nil, usageError{fmt.Errorf("--preset must be as-read, reversed, upper or 88040000+reversed, not %q", options.preset)}
	}
	return s.importsOf(options)
}

// importsOf returns a client for imports into the list of the flags.
func (s *shell) importsOf(options *importOptions) (*importClient, error) {
	key := s.apiKey(options.key)
	switch {
	case options.list == "":
		return nil, usageError{errors.New("--list is required")}
	case key == "":
		return nil, usageError{errors.New("an API key is required; set TICKETGATE_API_KEY or --key")}
	}
	if err := errors.Join(checkSegment("--list", options.list), checkAPI(options.url)); err != nil {
		return nil, err
	}
	return newImportClient(options.url, key, options.list), nil
}

// openFile opens a file and returns its size, which is 0 for standard input. If that fails, it returns a usage error,
// before anything is sent.
func openFile(name string) (*os.File, int64, error) {
	if name == "-" {
		return os.Stdin, 0, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, 0, usageError{err}
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder, not a file", name)
	}
	if err != nil {
		return nil, 0, usageError{errors.Join(err, file.Close())}
	}
	return file, info.Size(), nil
}

// formatOf returns the media type of a file, determined by the flag, the file's name or the first bytes of its content.
// If a CSV file looks like JSON, the API refuses it and explains how to send it.
func formatOf(flag, name string, text *bufio.Reader) string {
	const csv, ndjson = "text/csv", "application/x-ndjson"
	switch extension := strings.ToLower(filepath.Ext(name)); {
	case flag == "csv", flag == "" && extension == ".csv":
		return csv
	case flag == "ndjson", extension == ".ndjson", extension == ".jsonl":
		return ndjson
	}
	const enough = 512
	begin, _ := text.Peek(enough) // a read error is reported when the file is read
	begin = bytes.TrimSpace(bytes.TrimPrefix(begin, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(begin, []byte("{")) {
		return ndjson
	}
	return csv
}

// printReport prints the facts on which the user decides whether to commit.
func (s *shell) printReport(report access.Report) {
	c := report.Counts
	s.sayf("%s: %d new, %d unchanged, %d in conflict, %d invalid, %d duplicate",
		counted(c.Rows, "row", "rows"), c.New, c.Same, c.Conflict, c.Bad, c.Duplicate)
	if c.Stale > 0 {
		s.sayf(", %d outdated", c.Stale)
	}
	if c.Trimmed > 0 {
		s.sayf("; %s trimmed", counted(c.Trimmed, "code", "codes"))
	}
	if report.Mode == access.FullSet {
		s.sayf("; %s to be removed", counted(c.Removed, "entry", "entries"))
	}
	s.sayf("\n")
	s.printLines("invalid", c.Bad, report.BadLines)
	s.printLines("in conflict", c.Conflict, report.ConflictLines)
	s.printLines("warning", c.Warnings, report.WarningLines)
	s.printRemoved(c.Removed, report.RemovedCodes)
	for _, sample := range report.Samples {
		s.sayf("  %s", strconv.Quote(sample.Code))
		for _, result := range sample.Results {
			if result.Code != "" {
				s.sayf("  %s: %s", result.Preset, strconv.Quote(result.Code))
			}
		}
		s.sayf("\n")
	}
}

// counted returns a number with the singular or plural of its noun.
func counted(n int, item, many string) string {
	if n == 1 {
		return "1 " + item
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (s *shell) printLines(what string, count int, lines []access.ImportLine) {
	const shown = 10
	for _, line := range lines[:min(shown, len(lines))] {
		s.sayf("  line %d, %s: %s %s\n", line.Line, what, strconv.Quote(line.ExternalCode), inFlags.Replace(line.Reason))
	}
	if count > shown {
		s.sayf("  and %d more %s\n", count-shown, what)
	}
}

// printRemoved prints the first entries that a full set would remove.
func (s *shell) printRemoved(count int, codes []string) {
	const shown = 20
	for _, code := range codes[:min(shown, len(codes))] {
		s.sayf("  to be removed: %s\n", strconv.Quote(code))
	}
	if count > shown {
		s.sayf("  and %d more to be removed\n", count-shown)
	}
}

// agreed asks for confirmation on a terminal. Without a terminal, it returns false.
func (s *shell) agreed() bool {
	if !isTerminal(os.Stdin) {
		warn(s.stderr, "no terminal to ask for confirmation; use --yes to import without asking")
		return false
	}
	fmt.Fprint(s.stderr, "Commit import? [y/N] ")
	var answer string
	_, _ = fmt.Fscanln(os.Stdin, &answer)
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progressBar shows on a terminal which part of a file was sent. Without a terminal, it shows nothing.
type progressBar struct {
	to         io.Writer
	size, sent int64
	drawn      time.Time
}

func newProgressBar(to io.Writer, size int64) *progressBar {
	if file, ok := to.(*os.File); !ok || !isTerminal(file) {
		to = nil
	}
	return &progressBar{to: to, size: size}
}

func (b *progressBar) reading(in io.Reader) io.Reader { return io.TeeReader(in, b) }

// Write counts the bytes of part as sent. It redraws the bar at most ten times a second.
func (b *progressBar) Write(part []byte) (int, error) {
	const width, every = 30, 100 * time.Millisecond
	b.sent += int64(len(part))
	if b.to == nil || time.Since(b.drawn) < every {
		return len(part), nil
	}
	b.drawn = time.Now()
	if b.size > 0 {
		done := int(min(b.sent, b.size) * width / b.size)
		fmt.Fprintf(b.to, "\r[%s%s] %3d %%", strings.Repeat("=", done), strings.Repeat(" ", width-done), min(b.sent, b.size)*100/b.size)
	} else {
		fmt.Fprintf(b.to, "\r%d bytes", b.sent)
	}
	return len(part), nil
}

// end clears the line of the bar.
func (b *progressBar) end() {
	if b.to != nil && !b.drawn.IsZero() {
		fmt.Fprintf(b.to, "\r%s\r", strings.Repeat(" ", 40))
	}
}
