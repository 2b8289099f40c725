// A custody service to begin from: signed questions, books in a file, each payout once. It moves no money by itself: put the
// call of your bank where it says so. Runs as it is: PORT=9100 CUSTODY_SECRET=… BOOKS=books.jsonl node custody-service.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PORT = '9100', CUSTODY_SECRET = '', BOOKS = 'books.jsonl', OPENING = '0' } = process.env;
const TOO_OLD_MS = 300_000;
const PLACES = 6;

/** What was paid, by payout_id, in millionths. */
const paid = new Map<string, bigint>();
for (const line of existsSync(BOOKS) ? readFileSync(BOOKS, 'utf8').split('\n') : []) {
  if (line !== '') paid.set(JSON.parse(line).payout_id, units(JSON.parse(line).amount));
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    const answer = isSigned(request.headers, body) ? answerTo(request.url, JSON.parse(body)) : null;
    response.writeHead(answer === null ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  process.stdout.write(`custody at http://127.0.0.1:${port}\n`);
});

function answerTo(path: string | undefined, asked: Record<string, string & string[]>) {
  if (path === '/checks') {
    const accepted = asked.destination?.startsWith('DE') === true;
    return accepted ? { accepted } : { accepted, reason: 'we pay to German accounts only' };
  }
  if (path === '/books') {
    const sum = [...paid.values()].reduce((total, amount) => total + amount, 0n);
    const known = asked.payout_ids?.filter((id) => paid.has(id));
    return { balance: text(units(OPENING) - sum), paid: known };
  }
  if (path !== '/payouts') return null;
  const { payout_id: id = '', amount = '0', destination } = asked;
  if (!paid.has(id)) {
    // On the disk before the bank is told: whatever happens after this line, it is never paid again.
    appendFileSync(BOOKS, `${JSON.stringify({ payout_id: id, amount, destination })}\n`, {
      flush: true,
    });
    paid.set(id, units(amount));
    // Here the bank is told, under the same id, and asked again after a crash; until it has agreed the answer is pending.
  }
  return { payout_id: id, state: 'paid', reference: `bank ${id}` };
}

function isSigned(headers: Record<string, unknown>, body: string): boolean {
  const timestamp = String(headers['x-sibyl-timestamp']);
  const expected = createHmac('sha256', CUSTODY_SECRET).update(`${timestamp}.${body}`).digest();
  const given = Buffer.from(String(headers['x-sibyl-signature']), 'hex');
  const isFresh = Math.abs(Date.now() - Number(timestamp)) < TOO_OLD_MS;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

function units(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(PLACES, '0'));
}

function text(amount: bigint): string {
  const digits = String(amount).padStart(PLACES + 1, '0');
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}
