<?php
// Verify a webhook's signature: php verify.php SIGNATURE KEY < body

// body is the bytes received: file_get_contents('php://input').
function verify(string $body, string $signature, string $key): bool
{
    return hash_equals(hash_hmac('sha256', $body, $key), strtolower($signature));
}

echo verify(stream_get_contents(STDIN), $argv[1], $argv[2]) ? "true\n" : "false\n";
