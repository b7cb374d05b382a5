package resttest

import "testing"

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	const hexadecimal = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for name, test := range map[string]struct{ text, want string }{
		"numbers ids by their first appearance": {
			`"0123456789abcdef01234567","aaaaaaaaaaaaaaaaaaaaaaaa","0123456789abcdef01234567"`, `"<id 1>","<id 2>","<id 1>"`,
		},
		"knows secrets and their hints":   {`"key_` + hexadecimal + `","sess_012…cdef"`, `"<secret 1>","<hint>"`},
		"finds ids inside encoded bodies": {`"{\"webhookId\":\"0123456789abcdef01234567\"}"`, `"{\"webhookId\":\"<id 1>\"}"`},
		"knows UUIDs, requests, instants": {
			`"00000000-0000-7000-8000-000000000001","0123456789abcdef","2026-01-01T00:00:00.120Z"`, `"<uuid 1>","<request>","<instant>"`,
		},
		"knows the addresses of test servers": {`"http://127.0.0.1:34567/hook"`, `"http://<address>/hook"`},
		"leaves other words alone": {
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
