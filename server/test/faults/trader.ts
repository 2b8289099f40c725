// A user with play money who sends random orders to two markets of the sandbox.
import type { SibylClient } from '@sibyl/sdk';
import type { Draw } from '../../../lane/test/workload.ts';

export interface Trader {
  /** Of a session. */
  readonly token: string;
  readonly markets: readonly string[];
}

export async function openTrader(client: SibylClient, name: string): Promise<Trader> {
  const { session_token: token } = await client.sessions.register({
    email: `${name}@example.com`,
    password: 'correct horse battery staple',
  });
  const owner = client.withToken(token);
  await owner.sandbox.faucet();
  const { items } = await owner.markets.list({ status: 'active', market_type: 'normal' });
  const binary = items.filter(({ outcomes }) => outcomes.some(({ id }) => id === 'yes'));
  return { token, markets: binary.slice(0, 2).map(({ market_id: id }) => id) };
}

export function drawMarket(draw: Draw, { markets }: Trader): string {
  return markets[draw(markets.length)] ?? '';
}

/** An order by this client_order_id. */
export function drawOrder(draw: Draw, trader: Trader, name: string): object {
  const order = {
    market_id: drawMarket(draw, trader),
    outcome_id: draw(2) === 0 ? 'yes' : 'no',
    side: 'buy',
    size: String(1 + draw(5)),
    client_order_id: name,
  };
  if (draw(3) === 0) return { ...order, order_type: 'market' };
  const price = `0.${String(20 + draw(70))}`;
  return { ...order, order_type: 'limit', time_in_force: 'gtc', price };
}
