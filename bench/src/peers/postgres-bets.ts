// The peer "one PostgreSQL transaction per bet": the usual design, behind the same HTTP front.
import type { OrderInput } from '@sibyl/contract';
import { startPostgres } from '@sibyl/storage/testing';
import { Pool, type PoolClient } from 'pg';
import { onAllCores } from '../harness/all-cores.ts';
import { openFront } from '../http/front.ts';
import type { Roster } from '../http/orders.ts';

const POOL_CONNECTIONS = 16;
const FUNDS = 1_000_000_000_000;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const PIPS = 10_000;

const TABLES = `
create table users (id integer primary key, token text not null unique, balance bigint not null);
create table markets (id integer primary key, name text not null unique, volume bigint not null);
create table bets (
  id bigint generated always as identity primary key,
  user_id integer not null references users, market_id integer not null references markets,
  client_order_id text not null, outcome text not null, price integer not null, shares bigint not null,
  created_at timestamptz not null default now()
);
create index bets_by_user on bets (user_id, created_at);
create index bets_by_market on bets (market_id, created_at);
create table ledger (
  id bigint generated always as identity primary key,
  user_id integer not null, bet_id bigint not null, amount bigint not null
);
`;

export async function servePostgresBets(roster: Roster): Promise<number> {
  endOnSignals();
  // This process is held to one core; the database may use them all.
  const { host, port, user } = await startPostgres({ isSynced: true, command: onAllCores });
  const pool = new Pool({ host, port, user, database: 'postgres', max: POOL_CONNECTIONS });
  await pool.query(TABLES);
  await pool.query({
    text: 'insert into users select n, t, $2 from unnest($1::text[]) with ordinality as a(t, n)',
    values: [roster.tokens.map((token) => `Bearer ${token}`), FUNDS],
  });
  await pool.query({
    text: 'insert into markets select n, m, 0 from unnest($1::text[]) with ordinality as a(m, n)',
    values: [roster.markets],
  });
  return await openFront((order, token) => place(pool, order, token));
}

/** The database ends with this process. */
function endOnSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(0));
  }
}

async function place(pool: Pool, order: OrderInput, token: string): Promise<number> {
  const client = await pool.connect();
  try {
    for (;;) {
      try {
        return await transact(client, order, token);
      } catch (error) {
        await client.query('rollback');
        if (!isWorthRetrying(error)) throw error;
      }
    }
  } finally {
    client.release();
  }
}

async function transact(client: PoolClient, order: OrderInput, token: string): Promise<number> {
  const price = Math.round(Number(order.price) * PIPS);
  const shares = Number(order.size);
  const cost = price * shares;
  await client.query('begin isolation level serializable');
  const user = await client.query({
    name: 'user',
    text: 'select id, balance from users where token = $1 for update',
    values: [token],
  });
  const userId = user.rows[0]?.id;
  if (Number(user.rows[0]?.balance) < cost) throw new Error('the balance does not suffice');
  const market = await client.query({
    name: 'market',
    text: 'select id from markets where name = $1 for update',
    values: [order.market_id],
  });
  const marketId = market.rows[0]?.id;
  await client.query({
    name: 'pay',
    text: 'update users set balance = balance - $2 where id = $1',
    values: [userId, cost],
  });
  await client.query({
    name: 'trade',
    text: 'update markets set volume = volume + $2 where id = $1',
    values: [marketId, cost],
  });
  const bet = await client.query({
    name: 'bet',
    text: 'insert into bets (user_id, market_id, client_order_id, outcome, price, shares) values ($1, $2, $3, $4, $5, $6) returning id',
    values: [userId, marketId, order.client_order_id, order.outcome_id, price, shares],
  });
  const betId = Number(bet.rows[0]?.id);
  await client.query({
    name: 'ledger',
    text: 'insert into ledger (user_id, bet_id, amount) values ($1, $2, $3)',
    values: [userId, betId, -cost],
  });
  await client.query('commit');
  return betId;
}

function isWorthRetrying(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}
