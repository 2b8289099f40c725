// A custody service to begin from: signed questions, books in a file, each payout once, each deposit reported until it is
// taken. It moves no money by itself: put the calls of your bank where it says so. It needs Node 24, which npm start installs
// beside the exchange; in the folder of the exchange, after a first npm start, it runs as it is:
// PORT=9100 CUSTODY_SECRET=… BOOKS=books.jsonl EXCHANGE_URL=http://127.0.0.1:8081 node scripts/run.mjs docs/examples/custody-service.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const { PORT = '9100', CUSTODY_SECRET = '', BOOKS = 'books.jsonl', OPENING = '0' } = process.env;
const { EXCHANGE_URL = 'http://127.0.0.1:8081' } = process.env;
const TOO_OLD_MS = 300_000;
const PAUSE_MAX_MS = 3_600_000;
const PLACES = 6;

interface Received {
  readonly account_id: string;
  readonly amount: string;
  readonly reference: string;
}

/** What was paid, by payout_id, in millionths. */
const paid = new Map<string, bigint>();
/** What came in, by reference, and of that what the exchange has taken. */
const received = new Map<string, Received>();
const taken = new Set<string>();
let signedAtMs = 0;

for (const line of existsSync(BOOKS) ? readFileSync(BOOKS, 'utf8').split('\n') : []) {
  if (line === '') continue;
  const entry = JSON.parse(line);
  if ('payout_id' in entry) paid.set(entry.payout_id, units(entry.amount));
  else if ('account_id' in entry) received.set(entry.reference, entry);
  else taken.add(entry.taken);
}
for (const deposit of received.values()) void report(deposit);

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

// Here the bank tells what came in; until then, each line of standard input does: acc_0123456789abcdef 250 wire-1
createInterface({ input: process.stdin }).on('line', (line) => {
  const [account_id = '', amount = '', reference = ''] = line.trim().split(/\s+/);
  if (reference === '' || received.has(reference)) return;
  const deposit = { account_id, amount, reference };
  note(deposit);
  received.set(reference, deposit);
  void report(deposit);
});

/** Again and again until the exchange has taken it, at any age: it credits a reference once. */
async function report({ account_id, amount, reference }: Received): Promise<void> {
  const body = JSON.stringify({ account_id, asset: 'USDT', amount, reference, state: 'confirmed' });
  for (let waitMs = 1_000; !taken.has(reference); waitMs = Math.min(2 * waitMs, PAUSE_MAX_MS)) {
    // Each try is signed anew: the exchange takes no call twice.
    signedAtMs = Math.max(Date.now(), signedAtMs + 1);
    const headers = {
      'content-type': 'application/json',
      'x-sibyl-timestamp': String(signedAtMs),
      'x-sibyl-signature': signatureOf(String(signedAtMs), body).toString('hex'),
    };
    const url = `${EXCHANGE_URL}/custody/v1/deposits`;
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (answer?.status === 200) {
      note({ taken: reference });
      taken.add(reference);
      process.stdout.write(`taken ${reference}\n`);
      return;
    }
    const why = answer === null ? 'no answer' : await answer.text().catch(() => 'no whole answer');
    process.stderr.write(`not taken ${reference}: ${why}\n`);
    await pause(waitMs);
  }
}

function answerTo(path: string | undefined, asked: Record<string, string & string[]>) {
  if (path === '/checks') {
    const accepted = asked.destination?.startsWith('DE') === true;
    return accepted ? { accepted } : { accepted, reason: 'we pay to German accounts only' };
  }
  if (path === '/books') {
    const known = asked.payout_ids?.filter((id) => paid.has(id));
    return { balance: text(held()), paid: known };
  }
  const { payout_id: id, amount, destination } = asked;
  if (path !== '/payouts' || id === undefined || amount === undefined) return null;
  if (!paid.has(id)) {
    // On the disk before the bank is told: whatever happens after this line, it is never paid again.
    note({ payout_id: id, amount, destination });
    paid.set(id, units(amount));
    // Here the bank is told, under the same id, and asked again after a crash; until it has agreed the answer is pending.
  }
  return { payout_id: id, state: 'paid', reference: `bank ${id}` };
}

/** What the exchange has taken and what was paid: money that nobody has heard of yet is in neither book. */
function held(): bigint {
  let sum = units(OPENING);
  for (const { reference, amount } of received.values()) {
    if (taken.has(reference)) sum += units(amount);
  }
  for (const amount of paid.values()) sum -= amount;
  return sum;
}

function note(entry: object): void {
  appendFileSync(BOOKS, `${JSON.stringify(entry)}\n`, { flush: true });
}

function isSigned(headers: Record<string, unknown>, body: string): boolean {
  const timestamp = String(headers['x-sibyl-timestamp']);
  const expected = signatureOf(timestamp, body);
  const given = Buffer.from(String(headers['x-sibyl-signature']), 'hex');
  const isFresh = Math.abs(Date.now() - Number(timestamp)) < TOO_OLD_MS;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

function signatureOf(timestamp: string, body: string): Buffer {
  return createHmac('sha256', CUSTODY_SECRET).update(`${timestamp}.${body}`).digest();
}

function units(amount: string): bigint {
  const [whole = '0', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(PLACES, '0'));
}

function text(amount: bigint): string {
  const digits = String(amount).padStart(PLACES + 1, '0');
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
}
