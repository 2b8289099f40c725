// An app on this machine: somebody allows it on the consent page, it buys five shares for them with play money, and gives
// back what it was allowed. docs/APPS.md says how to register it.
//   CLIENT_ID=app_... CLIENT_SECRET=acs_... node scripts/run.mjs sdk/examples/connected-app.ts
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@sibyl/sdk';

// SIBYL_URL is the server itself, as for the command line; the app trades in its sandbox.
const { origin } = new URL(process.env.SIBYL_URL ?? 'http://localhost:8080');
const baseUrl = `${origin}/sandbox`;
const { CLIENT_ID: id, CLIENT_SECRET: secret } = process.env;
if (id === undefined || secret === undefined) {
  console.error('Set CLIENT_ID and CLIENT_SECRET to those of your app.');
  process.exit(2);
}
const verifier = randomBytes(32).toString('base64url');
const state = randomBytes(16).toString('base64url');

// Registered as http://127.0.0.1/callback: on this machine any port will do.
const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
const answered = new Promise<URLSearchParams>((resolve) => {
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', redirect);
    // An answer to something else that was asked is not ours.
    const isOurs = pathname === '/callback' && searchParams.get('state') === state;
    response.writeHead(isOurs ? 200 : 404, { connection: 'close' }).end('You can close this page.');
    if (isOurs) resolve(searchParams);
  });
});
const asked = new URLSearchParams({
  response_type: 'code',
  client_id: id,
  redirect_uri: redirect,
  state,
  scope: 'account:read orders:trade offline',
  environment: 'sandbox',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
});
console.log(`Open ${origin}/connect/authorize?${asked}`);
const answer = await answered;
server.close();
const code = answer.get('code');
if (code === null) throw new Error(`not allowed: ${answer.get('error')}`);

const { oauth } = createClient({ baseUrl: origin });
const app = { client_id: id, client_secret: secret };
const tokens = await oauth.token({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirect,
  code_verifier: verifier,
  ...app,
});
const { markets } = createClient({ baseUrl });
const [market] = (await markets.list({ status: 'active', category: 'technology' })).items;
if (market === undefined) throw new Error('no market is open');
const user = createClient({ baseUrl, token: tokens.access_token });
const order = await user.orders.place({
  market_id: market.market_id,
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '5',
});
console.log(`${market.title}: ${order.status} at ${order.avg_fill_price}, fee ${order.fee_paid}`);

// An access token lasts 15 minutes; each refresh token is good once and brings the next.
const next = await oauth.token({
  grant_type: 'refresh_token',
  refresh_token: tokens.refresh_token,
  ...app,
});
await oauth.revoke({ token: next.refresh_token, ...app });
console.log('given back');
