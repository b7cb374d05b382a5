# Verify a webhook's signature: python3 verify.py SIGNATURE KEY < body
import hashlib
import hmac
import sys


def verify(body: bytes, signature: str, key: str) -> bool:
    """Checks a signature of body, the bytes received: request.get_data() in Flask, request.body in Django."""
    right = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(right.encode(), signature.lower().encode(errors="replace"))


print(str(verify(sys.stdin.buffer.read(), sys.argv[1], sys.argv[2])).lower())
