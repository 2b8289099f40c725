// The accounts and records of the conformance suite, made once: whose records are asked for, who asks, and with what credential.
import { listOf } from './judge.ts';
import { type Person, World } from './world.ts';

export interface Scene {
  readonly world: World;
  /** Owns what the requests are about. */
  readonly owner: Person;
  /** Somebody else, with as much money. */
  readonly other: Person;
  /** Has no money. */
  readonly poor: Person;
  /** Changes its password. */
  readonly changer: Person;
  readonly keys: {
    readonly readOnly: string;
    readonly tradeOnly: string;
    readonly revoked: string;
    readonly expired: string;
    /** Minted at the live address by a user of a live tier. */
    readonly live: string;
    /** A self_serve key of the owner: capped, and led to the sandbox. */
    readonly capped: string;
  };
  readonly endedSession: string;
  /** Binary and active, with a history. */
  readonly marketId: string;
  readonly lockedMarketId: string;
}

export async function openScene(): Promise<Scene> {
  const world = await World.open();
  const owner = await world.person('owner');
  const other = await world.person('other');
  const poor = await world.person('poor');
  const changer = await world.person('changer');
  const trader = await world.person('trader', '');
  await world.data('setAccountTier', {
    params: { account_id: trader.accountId },
    body: { reason: 'a scene', tier: 'trade_full' },
  });
  const revoked = await world.mint(owner.session, ['read', 'trade']);
  await world.data('revokeKey', { token: owner.key, params: { key_id: revoked } });
  const expired = await world.mint(owner.session, ['read', 'trade'], '/sandbox', {
    expires_at_ms: Date.now() + 400,
  });
  const keys = {
    readOnly: await world.mint(owner.session, ['read']),
    tradeOnly: await world.mint(owner.session, ['trade']),
    live: await world.mint(trader.session, ['read', 'trade'], ''),
    capped: await world.mint(owner.session, ['read', 'trade'], ''),
    revoked,
    expired,
  };
  const marketId = await activeMarket(world);
  await endow({ world, owner, other, marketId });
  return {
    world,
    owner,
    other,
    poor,
    changer,
    keys,
    endedSession: await endedSession(world, owner),
    marketId,
    lockedMarketId: await firstMarket(world, { status: 'locked', category: 'technology' }),
  };
}

/** Money and a history for both: two of everything that is listed. */
export async function endow({
  world,
  owner,
  other,
  marketId,
}: Pick<Scene, 'world' | 'owner' | 'other' | 'marketId'>): Promise<void> {
  for (const person of [owner, other]) {
    await world.fund(person.accountId, '1000000');
    await giveHistory(world, person, marketId);
  }
}

export async function freshSession(world: World, { email, password }: Person): Promise<string> {
  const session = await world.data('logIn', { body: { email, password } });
  return String(session.session_token);
}

async function endedSession(world: World, person: Person): Promise<string> {
  const token = await freshSession(world, person);
  await world.data('logOut', { token });
  return token;
}

function activeMarket(world: World): Promise<string> {
  return firstMarket(world, { status: 'active', category: 'technology' });
}

async function firstMarket(world: World, query: Record<string, string>): Promise<string> {
  const [market] = listOf(await world.checked('listMarkets', { query }));
  if (market === undefined) throw new Error(`no market of ${JSON.stringify(query)}`);
  return String(market.market_id);
}

/** Two of everything that is listed, so that there is a second page. */
async function giveHistory(world: World, person: Person, marketId: string): Promise<void> {
  const token = person.key;
  for (const outcomeId of ['yes', 'no']) {
    const body = { market_id: marketId, outcome_id: outcomeId, side: 'buy' };
    await world.data('placeOrder', { token, body: { ...body, order_type: 'market', size: '3' } });
    await world.openOrder(person, marketId);
  }
}
