// A small market maker: quotes both sides of one market, quotes anew after a fill or when the price has moved, and leaves
// nothing behind when it ends, whichever way it ends.
//   KEY=sk_... node scripts/run.mjs sdk/examples/market-maker.ts
import {
  createClient,
  createSocket,
  DeadManSwitch,
  formatAmount,
  Limiter,
  OrderTracker,
  parseAmount,
  roundPrice,
} from '@sibyl/sdk';

// SIBYL_URL is the server itself, as for the command line; this trades in its sandbox.
const baseUrl = new URL('/sandbox', process.env.SIBYL_URL ?? 'http://localhost:8080').href;
const token = process.env.KEY;
if (token === undefined) {
  console.error(
    'Set KEY to an API key with the permission trade; the README shows how to get one.',
  );
  process.exit(2);
}
const seconds = Number(process.env.SECONDS ?? '60');

const SIZE = '5';
/** How far from the middle each side quotes, and how far the middle may move before that is done anew. */
const DISTANCE = parseAmount('0.02');
const TOLERANCE = parseAmount('0.005');
const ONE = parseAmount('1');
const CHECK_EVERY_MS = 500;

// Waits where the service would refuse, so that a busy minute delays quotes instead of losing them.
const client = createClient({ baseUrl, token, limiter: new Limiter() });
const socket = createSocket({ baseUrl, token });
const [market] = (await client.markets.list({ status: 'active', category: 'technology' })).items;
if (market === undefined) throw new Error('no market is open');
const marketId = market.market_id;

const tracker = new OrderTracker(client, socket, {
  onChange: (order) => {
    console.log(
      `${order.outcome_id} ${order.price} ${order.status} ${order.filled_size}/${order.size}`,
    );
  },
  onFault: (error) => console.log(`could not ask: ${error}`),
});
const book = socket.orderBook(marketId, 'yes');
// If this program dies, the service cancels its orders.
const guard = new DeadManSwitch(client, {
  timeoutMs: 15_000,
  marketId,
  onFault: (error, leftMs) => console.log(`no sign of life for ${leftMs} ms more: ${error}`),
});

await socket.connect();
await Promise.all([book.ready, tracker.ready]);
await guard.start();
let isOver = false;
// A terminal may send it more than once; whoever is leaving stays until nothing is left behind.
process.on('SIGINT', () => {
  isOver = true;
});
const timer = setTimeout(() => {
  isOver = true;
}, seconds * 1_000);
let quotedAt: bigint | null = null;
while (!isOver) {
  try {
    await updateQuotes();
  } catch (error) {
    console.log(`not quoted: ${error}`);
  }
  await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
}
clearTimeout(timer);
await leave();
tracker.close();
book.close();
socket.close();
console.log(`done, ${tracker.open.length} orders left`);

/** Tries until nothing is left behind: meanwhile the switch stays armed and ends the orders if all else fails. */
async function leave(): Promise<void> {
  for (;;) {
    try {
      await client.orders.cancelAll({ market_id: marketId });
      await guard.stop();
      return;
    } catch (error) {
      console.log(`not gone yet: ${error}`);
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    }
  }
}

async function updateQuotes(): Promise<void> {
  const middle = middleOf();
  if (middle === null || !socket.identity) return;
  const open = tracker.open.filter((order) => order.market_id === marketId);
  const isMoved = quotedAt === null || distance(middle, quotedAt) > TOLERANCE;
  if (!isMoved && open.length === 2) return;
  if (open.length > 0) await client.orders.cancelAll({ market_id: marketId });
  // Buying NO at 0.38 is selling YES at 0.62: both sides need only money.
  await Promise.all([quote('yes', middle - DISTANCE), quote('no', ONE - middle - DISTANCE)]);
  quotedAt = middle;
}

async function quote(outcomeId: string, price: bigint): Promise<void> {
  if (price <= 0n || market === undefined) return;
  await tracker.place({
    market_id: marketId,
    outcome_id: outcomeId,
    side: 'buy',
    order_type: 'limit',
    price: roundPrice(market, formatAmount(price)),
    size: SIZE,
    post_only: true,
  });
}

/** Null while the book is not whole: who quotes on an old price pays for it. */
function middleOf(): bigint | null {
  const { bestBid, bestAsk, isSynced } = book;
  if (!isSynced || socket.isStale || bestBid === null || bestAsk === null) return null;
  return (parseAmount(bestBid[0]) + parseAmount(bestAsk[0])) / 2n;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
