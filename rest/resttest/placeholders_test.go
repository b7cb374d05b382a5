package resttest

import "testing"

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	const hexadecimal = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for name, test := range map[string]struct{ text, want string }{
		"ids are numbered by first appearance": {
			`"0123456789abcdef01234567","aaaaaaaaaaaaaaaaaaaaaaaa","0123456789abcdef01234567"`, `"<id 1>","<id 2>","<id 1>"`,
		},
		"secrets and their hints are replaced":   {`"key_` + hexadecimal + `","sess_012…cdef"`, `"<secret 1>","<hint>"`},
		"ids inside encoded bodies are replaced": {`"{\"webhookId\":\"0123456789abcdef01234567\"}"`, `"{\"webhookId\":\"<id 1>\"}"`},
		"UUIDs, request ids and times are replaced": {
			`"00000000-0000-7000-8000-000000000001","0123456789abcdef","2026-01-01T00:00:00.120Z"`, `"<uuid 1>","<request>","<instant>"`,
		},
		"addresses of test servers are replaced": {`"http://127.0.0.1:34567/hook"`, `"http://<address>/hook"`},
		"other words are kept": {
			`"0123456789abcdef012345678","2026-01-01T00:00:00Z","key_name",1767225600000`,
			`"0123456789abcdef012345678","2026-01-01T00:00:00Z","key_name",1767225600000`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(newPlaceholders().replace([]byte(test.text))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
