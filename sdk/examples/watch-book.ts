// The best prices of a market as they change, from a book that verifies itself.
//   node scripts/run.mjs sdk/examples/watch-book.ts
import { createClient, createSocket, type Level } from '@sibyl/sdk';

// SIBYL_URL is the server itself, as for the command line; this reads its sandbox.
const baseUrl = new URL('/sandbox', process.env.SIBYL_URL ?? 'http://localhost:8080').href;
const seconds = Number(process.env.SECONDS ?? '60');
const client = createClient({ baseUrl });
const [market] = (await client.markets.list({ status: 'active', category: 'technology' })).items;
if (market === undefined) throw new Error('no market is open');

const socket = createSocket({ baseUrl });
socket.on('state', (state) => console.log(`connection ${state}`));
const book = socket.orderBook(market.market_id, 'yes', {
  onChange: ({ bestBid, bestAsk }) => console.log(`${shown(bestBid)} | ${shown(bestAsk)}`),
});
await socket.connect();
setTimeout(() => {
  book.close();
  socket.close();
}, seconds * 1_000);

function shown(level: Level | null): string {
  return level === null ? 'nobody' : `${level[1]} at ${level[0]}`;
}
