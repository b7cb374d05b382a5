package ecmajson

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestCheckNumberKeepsOrRefuses(t *testing.T) {
	const (
		large = "is too large for a number: the largest is 1.7976931348623157e+308"
		small = "is too close to zero for a number: the smallest is 5e-324"
		long  = "has more digits than a number can hold (at most 17): send fewer, or a string where one is allowed"
	)
	changed := func(to string) string {
		return "would be changed to " + to + " by readers of JSON: send that, or a string where one is allowed"
	}
	zeros := strings.Repeat("0", 1000)
	tests := []struct {
		literal, printed, refusal string
	}{
		// The examples of VALUE-3.
		{"0.1", "0.1", ""},
		{"10.50", "10.5", ""},
		{"1e21", "1e+21", ""},
		{"9007199254740994", "9007199254740994", ""},
		{"9007199254740993", "", changed("9007199254740992")},
		{"0.12345678901234567890", "", long},
		{"1e400", "", large},
		{"1e-400", "", small},
		{"-0", "0", ""},
		// Zeros in any spelling.
		{"0", "0", ""},
		{"-0.0", "0", ""},
		{"0e999999999999999999999", "0", ""},
		{"-0.00E-5", "0", ""},
		// Integers at the limit of a double's precision.
		{"9007199254740991", "9007199254740991", ""},
		{"9007199254740992", "9007199254740992", ""},
		{"-9007199254740991", "-9007199254740991", ""},
		{"-9007199254740993", "", changed("-9007199254740992")},
		{"9007199254740992.5", "", changed("9007199254740992")},
		{"99999999999999999", "", changed("100000000000000000")},
		{"123456789012345", "123456789012345", ""},
		{"1234567890123456", "1234567890123456", ""},
		{"12345678901234567", "", changed("12345678901234568")},
		// One value in several spellings.
		{"1.0", "1", ""},
		{"1.5e3", "1500", ""},
		{"1500E-3", "1.5", ""},
		{"0.00001e+6", "10", ""},
		{"100e-2", "1", ""},
		{"1." + zeros, "1", ""},
		{"0." + zeros + "1e1001", "1", ""},
		{"1" + zeros + "e-1000", "1", ""},
		{"5e0", "5", ""},
		// Values at which the print changes its form.
		{"123456789012345680000", "123456789012345680000", ""},
		{"123456789012345678901", "", long},
		{"999999999999999900000", "999999999999999900000", ""},
		{"1000000000000000000000", "1e+21", ""},
		{"0.000001", "0.000001", ""},
		{"0.0000001", "1e-7", ""},
		{"1.5E-10", "1.5e-10", ""},
		{"-1.25e-7", "-1.25e-7", ""},
		{"1e100", "1e+100", ""},
		// The ends of the range.
		{"5e-324", "5e-324", ""},
		{"4.9e-324", "", changed("5e-324")},
		{"2e-324", "", small},
		{"1.7976931348623157e308", "1.7976931348623157e+308", ""},
		{"1.7976931348623159e308", "", large},
		{"-1e400000", "", large},
		{"2.2250738585072014e-308", "2.2250738585072014e-308", ""},
		{"-2.225073858507201e-308", "-2.225073858507201e-308", ""},
		{"2.2250738585072011e-308", "", changed("2.225073858507201e-308")},
		{"1.005e-308", "1.005e-308", ""},
		{"5.133635385146443e-308", "5.133635385146443e-308", ""},
		{"1e-307", "1e-307", ""},
		{"1e-323", "1e-323", ""},
		{"2.4703282292062328e-324", "", changed("5e-324")},
		{"2.4703282292062327e-324", "", small},
		{"9e307", "9e+307", ""},
		{"2e308", "", large},
		{"0.1000000000000000055511151231257827", "", long},
		{"0.30000000000000004", "0.30000000000000004", ""},
		{"0.30000000000000002", "", changed("0.30000000000000004")},
	}
	for _, test := range tests {
		t.Run("judges "+test.literal[:min(len(test.literal), 30)], func(t *testing.T) {
			number, err := CheckNumber(test.literal)
			if test.refusal != "" {
				if err == nil || err.Error() != test.refusal {
					t.Fatalf("CheckNumber(%s) = %v, %v\nwant %s", test.literal, number, err, test.refusal)
				}
				return
			}
			if got := string(AppendNumber(nil, number)); err != nil || got != test.printed || math.Signbit(number) && number == 0 {
				t.Fatalf("CheckNumber(%s) prints %s, %v, want %s", test.literal, got, err, test.printed)
			}
			if got := read(t, test.literal).Number(); got != test.printed {
				t.Errorf("Parse(%s) prints %s, want %s", test.literal, got, test.printed)
			}
		})
	}
}

func TestCheckNumberRefusesInvalidNumbers(t *testing.T) {
	for _, literal := range []string{
		"", " 1", "1 ", "+1", "01", "1.", ".5", "1e", "0x10", "1_000", "Inf", "NaN", "1f", "--1", "1,5", "١", "1e5.5",
	} {
		number, err := CheckNumber(literal)
		if err == nil || !strings.HasPrefix(err.Error(), "is not a JSON number: ") {
			t.Errorf("CheckNumber(%q) = %v, %v", literal, number, err)
		}
	}
}

func TestAppendNumberPrintsAsECMAScript(t *testing.T) {
	for number, want := range map[float64]string{
		0: "0", -1: "-1", 0.1: "0.1", 1.0 / 3: "0.3333333333333333", 1e20: "100000000000000000000",
		1e21: "1e+21", 1.2e21: "1.2e+21", 1e-6: "0.000001", 1e-7: "1e-7", 1.5e-9: "1.5e-9", 1e-10: "1e-10",
		123456789012345680000: "123456789012345680000", -1e21: "-1e+21", 1 << 53: "9007199254740992",
		math.MaxFloat64: "1.7976931348623157e+308", math.SmallestNonzeroFloat64: "5e-324",
		math.Inf(1): "null", math.Inf(-1): "null",
	} {
		if got := string(AppendNumber([]byte("x"), number)); got != "x"+want {
			t.Errorf("AppendNumber(%v) = %s, want %s", number, got, want)
		}
	}
	if got := string(AppendNumber(nil, math.Copysign(0, -1))); got != "0" {
		t.Errorf("-0 prints %s", got)
	}
	if got := string(AppendNumber(nil, math.NaN())); got != "null" {
		t.Errorf("NaN prints %s", got)
	}
}

func TestCheckNumberReadsBackEverySmallDouble(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 324))
	for range 20_000 {
		number := math.Float64frombits(random.Uint64N(1<<53) >> random.IntN(53)) // subnormal, and a little above
		literal := strconv.FormatFloat(number, 'e', -1, 64)
		if got, err := CheckNumber(literal); err != nil || got != number {
			t.Fatalf("CheckNumber(%s) = %v, %v", literal, got, err)
		}
	}
}

// FuzzCheckNumber compares with exact fractions: a number must be accepted exactly if its print is the number written.
func FuzzCheckNumber(f *testing.F) {
	for _, seed := range []string{"10.50", "9007199254740993", "1e21", "-0", "5e-324", "4.9e-324", "0.12345678901234567890", "1e-400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, literal string) {
		number, err := CheckNumber(literal)
		if !json.Valid([]byte(literal)) || strings.Trim(literal, "0123456789+-.eE") != "" {
			if err == nil {
				t.Fatalf("accepted %q, which is not a JSON number", literal)
			}
			return
		}
		if _, exponent := splitExponent(literal); max(exponent, -exponent) > 2000 {
			return // exact fractions would fill the memory
		}
		written, ok := new(big.Rat).SetString(literal)
		if !ok {
			t.Fatalf("no fraction for %q", literal)
		}
		nearest, _ := written.Float64()
		if err == nil && nearest != number {
			t.Fatalf("CheckNumber(%q) = %v, the nearest double is %v", literal, number, nearest)
		}
		printed := new(big.Rat)
		if !math.IsInf(nearest, 0) {
			printed.SetString(string(AppendNumber(nil, nearest)))
		}
		if same := printed.Cmp(written) == 0; same != (err == nil) {
			t.Fatalf("CheckNumber(%q): %v, but printed and written are equal: %v", literal, err, same)
		}
	})
}
