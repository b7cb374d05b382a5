// A receiver to try webhooks with: node docs/listener.mjs [port] [key] [file]
//
// It verifies the signature, refuses the first call of each delivery with 500 to make the server retry, accepts the
// others, prints one line a call and keeps the last body in the file.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port = '9900', key = 'first-webhook-key', file = 'data/webhook-body.json'] = process.argv.slice(2);
const sign = (bytes) => createHmac('sha256', key).update(bytes).digest('hex');
// Lengths in bytes: a header may hold characters that are longer in UTF-8, and timingSafeEqual throws when they differ.
const same = (given, right) => {
  const [a, b] = [Buffer.from(given.toLowerCase()), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};
const seen = new Set();

async function receive(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const signature = request.headers['x-service-signature'] ?? '';
  const verified = same(signature, sign(body));
  if (!verified) {
    response.writeHead(401).end();
    console.log(JSON.stringify({ verified, signature }));
    return;
  }
  const parsed = JSON.parse(body);
  // Some receivers sign what their JSON parser gives back, not the bytes: that works as well.
  const reprinted = same(signature, sign(JSON.stringify(parsed)));
  const status = seen.has(parsed.id) ? 200 : 500;
  seen.add(parsed.id);
  writeFileSync(file, body);
  response.writeHead(status).end();
  console.log(JSON.stringify({ type: parsed.type, id: parsed.id, status, verified, reprinted, signature }));
}

const server = createServer((request, response) => {
  // What fails, such as a call that breaks off, costs one answer and not the process.
  receive(request, response).catch((error) => {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}/hook`));
