// Rules of compliance for scenes: loaded for one request, then taken back; and a flag that somebody really earned.
import type { Answer } from './http.ts';
import type { Scene } from './scene.ts';
import { waitingWithdrawal } from './withdrawal-scene.ts';
import { ACT, type Call, type Person, resting, type World } from './world.ts';

/** They stop nobody: nobody is from there. */
export const HARMLESS_RULES = { jurisdictions: [{ id: 'nowhere', countries: ['BV'] }] };

export const BOTH_LANES = ['live', 'sandbox'];

export async function underRules(
  world: World,
  rules: object,
  send: () => Promise<Answer>,
): Promise<Answer> {
  await load(world, rules);
  try {
    return await send();
  } finally {
    await load(world, HARMLESS_RULES);
  }
}

async function load(world: World, rules: object): Promise<void> {
  await world.data('loadCompliance', { body: { reason: 'a scene', rules } });
}

export async function setCountry(
  world: World,
  { accountId }: Person,
  country: string | null,
): Promise<void> {
  const body = { reason: 'a scene', country };
  await world.data('setAccountCountry', { params: { account_id: accountId }, body });
}

/** An open flag of an address that signed up too often. */
export async function raisedFlag({ world }: Scene): Promise<string> {
  const rules = { anti_abuse: { sign_ups: { id: 'burst', per_address: 1, window_minutes: 5 } } };
  const address = world.freshAddress();
  const signUp = () =>
    world.send(world.operation('register'), {
      address,
      body: { email: `${world.fresh('burst')}@example.com`, password: 'plum otter ladder 47 quay' },
    });
  await underRules(world, rules, async () => {
    await signUp();
    return signUp();
  });
  const { flags } = await world.data('listComplianceFlags', {});
  return String((flags as readonly { flag_id: string }[])[0]?.flag_id);
}

type LaneName = 'live' | 'sandbox';

/** With the withdrawal that waited for operators before; null in the sandbox. */
type Washer = Person & { readonly waiting: Call | null };

const washers = new WeakMap<World, Partial<Record<LaneName, Promise<Washer>>>>();

/** Somebody who may not trade in the lane any more, because he traded there with himself. */
export function washer(scene: Scene, lane: LaneName): Promise<Washer> {
  const known = washers.get(scene.world) ?? {};
  washers.set(scene.world, known);
  known[lane] ??= wash(scene, lane);
  return known[lane];
}

async function wash(scene: Scene, lane: LaneName): Promise<Washer> {
  const { world } = scene;
  const base = lane === 'live' ? '' : '/sandbox';
  const one = await world.person('washer', base);
  const other = await world.person('washer', base);
  for (const { accountId } of [one, other]) await world.fund(accountId, '10000', lane);
  const waiting = lane === 'live' ? await waitingWithdrawal(scene, one) : null;
  await world.data('linkAccounts', {
    body: {
      reason: 'a scene',
      account_id: one.accountId,
      other_account_id: other.accountId,
      linked: true,
    },
  });
  const washTrading = {
    id: 'wash',
    window_hours: 168,
    share_percent: 50,
    volume_min: '1',
    blocks: true,
  };
  await load(world, { anti_abuse: { wash_trading: washTrading } });
  const market = await (lane === 'live' ? liveMarket(world, one) : world.market(one));
  const size = { size: '50', price: '0.499' };
  const buy = { ...resting(market), ...size };
  await world.data('placeOrder', { token: one.session, base, body: buy });
  const sell = { market_id: market, action: 'mint', size: '50' };
  await world.data('convertPosition', { token: other.session, base, body: sell });
  await world.data('placeOrder', { token: other.session, base, body: { ...buy, side: 'sell' } });
  for (;;) {
    const { restrictions } = await world.data('getAccount', { token: one.session, base });
    if ((restrictions as readonly string[]).includes('ANTI_ABUSE_BLOCKED')) {
      return { ...one, waiting };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function liveMarket(world: World, { session: token }: Person): Promise<string> {
  const body = { template_id: 'own-question', params: world.question() };
  const made = await world.data('createMarket', { token, base: '', body });
  const { market_id: id } = made.market as { readonly market_id: string };
  const params = { market_id: id };
  await world.data('approveMarket', { params, body: { ...ACT, lane: 'live' } });
  return id;
}
