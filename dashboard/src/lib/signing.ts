/** Returns a new signing key: 32 random bytes in hexadecimal. */
export function newSigningKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
