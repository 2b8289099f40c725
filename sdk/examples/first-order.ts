// From nothing to a filled order: an anonymous key, test money, a market, five shares.
//   node scripts/run.mjs sdk/examples/first-order.ts
import { createSandboxClient } from '@sibyl/sdk';

// SIBYL_URL is the server itself, as for the command line; this trades in its sandbox.
const baseUrl = new URL('/sandbox', process.env.SIBYL_URL ?? 'http://localhost:8080').href;
const client = await createSandboxClient({ baseUrl, token: process.env.KEY });
const [market] = (await client.markets.list({ status: 'active', category: 'technology' })).items;
if (market === undefined) throw new Error('no market is open');
const order = await client.orders.place({
  market_id: market.market_id,
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '5',
});
console.log(`${market.title}: ${order.status} at ${order.avg_fill_price}, fee ${order.fee_paid}`);
