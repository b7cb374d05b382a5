# Verify a webhook's signature: ruby verify.rb SIGNATURE KEY < body
require 'openssl'

# body is the bytes received: request.raw_post in Rails, request.body.read in Rack.
def verify(body, signature, key)
  # Binary, because downcase raises an error for text that is invalid in its encoding.
  OpenSSL.secure_compare(OpenSSL::HMAC.hexdigest('SHA256', key, body), signature.b.downcase)
end

puts verify($stdin.binmode.read, ARGV[0], ARGV[1])
