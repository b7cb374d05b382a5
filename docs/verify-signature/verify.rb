# Verify a webhook's signature: ruby verify.rb SIGNATURE KEY < body
require 'openssl'

# Takes the bytes of the body as they came: request.raw_post in Rails, request.body.read in Rack.
def verify(body, signature, key)
  # As bytes: text that is not valid in its encoding has no other case, and downcase raises.
  OpenSSL.secure_compare(OpenSSL::HMAC.hexdigest('SHA256', key, body), signature.b.downcase)
end

puts verify($stdin.binmode.read, ARGV[0], ARGV[1])
