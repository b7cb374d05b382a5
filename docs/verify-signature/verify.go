//go:build ignore

// Verify a webhook's signature: go run verify.go SIGNATURE KEY < body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// verify reports whether signature is valid for body, the bytes received, before any JSON parsing.
func verify(body []byte, signature, key string) bool {
	given, err := hex.DecodeString(signature) // upper or lower case
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(verify(body, os.Args[1], os.Args[2]))
}
