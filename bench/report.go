package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report is the result of a run.
type report struct {
	head                  string
	options               options
	rows                  []row
	loadBefore, loadAfter string
	took                  time.Duration
}

// String returns the table and an explanation of each row. It includes the load average, because every figure is worse
// on a busy machine.
func (r report) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s\nload average %s before, %s after %s; medians of %d round(s) of %s, figure and baseline in turns\n\n",
		r.head, r.loadBefore, r.loadAfter, r.took.Round(time.Second), r.options.rounds, r.options.duration)
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	line(table, []string{"benchmark", "figure", "p50", "p99", "baseline", "p50", "p99", "ratio", "load average"})
	for _, measured := range r.rows {
		line(table, measured.cells())
		for _, another := range measured.more {
			line(table, measured.cellsOf(another))
		}
	}
	_ = table.Flush()
	text.WriteByte('\n')
	for _, measured := range r.rows {
		text.WriteString(measured.explanation() + "\n")
	}
	return text.String()
}

// line writes one line of a table. Tables are formatted in memory, so writing can't fail.
func line(table io.Writer, cells []string) {
	_, _ = io.WriteString(table, strings.Join(cells, "\t")+"\n")
}

// none is the content of an empty cell.
const none = "-"

// cells returns the cells of a row in the order of the header.
func (r row) cells() []string {
	baseline, ratio := none, none
	if r.against != "" {
		baseline = r.unit.format(r.baseline.value)
		ratio = fmt.Sprintf("%.3f", r.figure.value/r.baseline.value)
	}
	return []string{
		r.name, r.unit.format(r.figure.value), milli(r.figure.p50), milli(r.figure.p99),
		baseline, milli(r.baseline.p50), milli(r.baseline.p99), ratio,
		r.loadBefore + " → " + r.loadAfter,
	}
}

// cellsOf returns the cells of an additional baseline, which is printed below the row.
func (r row) cellsOf(another compared) []string {
	return []string{
		"", "", "", "", r.unit.format(another.figure.value), milli(another.figure.p50), milli(another.figure.p99),
		fmt.Sprintf("%.3f", r.figure.value/another.figure.value), another.against,
	}
}

// explanation describes the values of figure and baseline, followed by all remarks.
func (r row) explanation() string {
	baseline := ""
	if r.against != "" {
		baseline = strings.TrimSuffix("baseline: "+r.against+", "+r.baseline.remark, ", ")
	}
	parts := make([]string, 0, 4+len(r.more))
	parts = append(parts, r.name+": "+r.what, r.remark, r.figure.remark, baseline)
	for _, another := range r.more {
		parts = append(parts, strings.TrimSuffix("next to: "+another.against+", "+another.figure.remark, ", "))
	}
	return joined(parts...)
}

// joined joins remarks, without empty ones.
func joined(remarks ...string) string {
	return strings.Join(slices.DeleteFunc(remarks, func(remark string) bool { return remark == "" }), "; ")
}

// format formats a value with three significant digits, or with all digits before the decimal point if there are more.
func (u unit) format(value float64) string {
	digits := 0
	switch {
	case value < 1:
		digits = 3
	case value < 10:
		digits = 2
	case value < 100:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, value, u)
}

// milli formats a time in milliseconds. It returns "-" for zero, which means that no individual times were measured.
func milli(d time.Duration) string {
	if d == 0 {
		return none
	}
	return milliseconds.format(inMilliseconds(d))
}

// inMilliseconds returns a time in milliseconds with its fraction, unlike Duration.Milliseconds.
func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
