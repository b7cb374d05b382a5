// Verify a webhook's signature: node verify.ts SIGNATURE KEY < body
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

// body is the bytes received: in Express, those of express.raw({ type: 'application/json' }).
export function verify(body: Buffer, signature: string, key: string): boolean {
  const right = createHmac('sha256', key).update(body).digest();
  // Either case, and nothing behind it: Buffer.from stops without a word at the first character that is not a digit.
  return /^[0-9a-f]{64}$/i.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), right);
}

const [signature, key] = process.argv.slice(2) as [string, string];
console.log(verify(readFileSync(0), signature, key));
