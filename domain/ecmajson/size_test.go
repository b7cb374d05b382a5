package ecmajson

import "testing"

func TestSizeApproximatesThePrint(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `"text"`, `12345678`, `[]`, `{}`, `[1,2,3]`, `{"a":[true,{"bc":"def"}],"longer name":"and a longer text"}`,
	} {
		value, err := Parse([]byte(text), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := value.Size(); got < len(text)-4 || got > len(text)+12 {
			t.Errorf("%s: got %d, want about %d", text, got, len(text))
		}
	}
}
