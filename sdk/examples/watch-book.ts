// The best prices of a market as they change, from a book that verifies itself.
//   node scripts/run.mjs sdk/examples/watch-book.ts
import { createClient, createSocket, type Level } from '@sibyl/sdk';

const baseUrl = process.env.SIBYL_URL ?? 'http://localhost:8080/sandbox';
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
