// How the suite brings about the codes of subaccounts: held, named twice, not yet empty, too many.
import { verdictOf } from './judge.ts';
import { FROZEN_SUBACCOUNT } from './prologue.ts';
import { batchOf, but, type How, type Provocation, requestOf, twice } from './provoking.ts';
import { openSubaccount } from './requests.ts';
import type { Scene } from './scene.ts';
import { ACT, type Call, resting } from './world.ts';

/** One of the owner's with some money. */
async function funded(scene: Scene, amount = '10'): Promise<string> {
  const { world, owner } = scene;
  const to = await openSubaccount(scene, owner);
  const body = { from: owner.accountId, to, amount };
  await world.data('transferFunds', { token: owner.key, body });
  return to;
}

async function set({ world, owner }: Scene, subaccountId: string, body: object): Promise<void> {
  const params = { subaccount_id: subaccountId };
  await world.data('changeSubaccount', { token: owner.key, params, body });
}

/** Sends a request about a subaccount that its owner has frozen, and lets it go again. */
const onFrozen =
  (change: (scene: Scene, id: string, call: Call) => Call): How =>
  async (scene, operation) => {
    const id = await openSubaccount(scene, scene.owner);
    const call = await requestOf(scene, operation);
    await set(scene, id, { status: 'frozen' });
    const answer = await scene.world.send(operation, { ...call, ...change(scene, id, call) });
    await set(scene, id, { status: 'active' });
    return answer;
  };

const inBody = onFrozen((_scene, id, { body }) => ({
  body: { ...Object(body), subaccount_id: id },
}));

/** Tries to close one in which something is left; what makes it so is undone afterwards. */
const closing =
  (fill: (scene: Scene, id: string) => Promise<void>, empty: typeof fill): How =>
  async (scene, operation) => {
    const id = await funded(scene);
    await fill(scene, id);
    const call = { token: scene.owner.key, params: { subaccount_id: id } };
    const answer = await scene.world.send(operation, { ...call, body: { status: 'closed' } });
    await empty(scene, id);
    return answer;
  };

const nothing = async (): Promise<void> => undefined;

async function convert({ world, owner, marketId }: Scene, id: string, action: string) {
  const body = { action, market_id: marketId, size: '1', subaccount_id: id };
  await world.data('convertPosition', { token: owner.key, body });
}

/** A market of the subaccount's own holds its deposit. */
async function stake(scene: Scene, id: string): Promise<void> {
  const { world, owner } = scene;
  const key = await world.mint(owner.session, ['read', 'trade'], '/sandbox', { subaccount_id: id });
  const stake = { from: owner.accountId, to: id, amount: '1000' };
  await world.data('transferFunds', { token: owner.key, body: stake });
  const body = { template_id: 'own-question', params: world.question() };
  await world.data('createMarket', { token: key, body });
  const { balance_free: free } = await world.data('getAccount', { token: key });
  const back = { from: id, to: owner.accountId, amount: String(free) };
  await world.data('transferFunds', { token: owner.key, body: back });
  await world.data('revokeKey', { token: owner.session, params: { key_id: key.slice(0, 24) } });
}

const oneTooMany: How = async ({ world }, operation) => {
  const token = await world.strangersKey();
  for (let count = 0; count <= 32; count += 1) {
    const answer = await world.send(operation, { token, body: { label: `number ${count}` } });
    if (verdictOf(answer) !== 'ok') return answer;
  }
  throw new Error('there is room for any number of subaccounts');
};

/** Freezing has cancelled it: an account that is held is told so first. */
const amendingFrozen: How = async (scene, operation) => {
  const { world, owner, marketId } = scene;
  const id = await funded(scene);
  const terms = { ...resting(marketId), subaccount_id: id };
  const { order_id: orderId } = await world.data('placeOrder', { token: owner.key, body: terms });
  await set(scene, id, { status: 'frozen' });
  const answer = await world.send(operation, {
    token: owner.key,
    params: { order_id: String(orderId) },
    query: { subaccount_id: id },
    body: { size: '1' },
  });
  await set(scene, id, { status: 'active' });
  return answer;
};

/** Of the sandbox, frozen by an operator. */
const byFrozenThere: How = async (scene, operation) => {
  const { world } = scene;
  const token = await world.strangersKey();
  const { account_id } = await world.data('getAccount', { token });
  const params = { account_id: String(account_id) };
  await world.data('freezeAccount', { params, body: ACT });
  return but({ token })(scene, operation);
};

const byFrozen = but(({ world }) => ({ token: world.prologue.frozenSession, base: '' }));

export const familyProvocations: readonly Provocation[] = [
  { operation: 'createSubaccount', code: 'SUBACCOUNT_LABEL_TAKEN', how: twice() },
  { operation: 'createSubaccount', code: 'SUBACCOUNT_FROZEN', how: byFrozen },
  { operation: 'createSubaccount', code: 'RISK_LIMIT_BREACH', how: oneTooMany },
  {
    operation: 'changeSubaccount',
    code: 'SUBACCOUNT_LABEL_TAKEN',
    how: async (scene, operation) => {
      const id = await openSubaccount(scene, scene.owner);
      const label = scene.world.fresh('label ');
      await set(scene, id, { label });
      return but({ body: { label } })(scene, operation);
    },
  },
  {
    operation: 'changeSubaccount',
    code: 'SUBACCOUNT_FROZEN',
    how: but(({ world }) => ({
      token: world.prologue.frozenSession,
      base: '',
      params: { subaccount_id: FROZEN_SUBACCOUNT },
    })),
  },
  { operation: 'changeSubaccount', code: 'SUBACCOUNT_HAS_BALANCE', how: closing(nothing, nothing) },
  {
    operation: 'changeSubaccount',
    code: 'SUBACCOUNT_HAS_POSITIONS',
    how: closing(
      (scene, id) => convert(scene, id, 'mint'),
      (scene, id) => convert(scene, id, 'merge'),
    ),
  },
  {
    operation: 'changeSubaccount',
    code: 'SUBACCOUNT_HAS_OPEN_ORDERS',
    how: closing(
      async ({ world, owner, marketId }, id) => {
        const body = { ...resting(marketId), subaccount_id: id };
        await world.data('placeOrder', { token: owner.key, body });
      },
      async ({ world, owner }, id) => {
        await world.data('cancelAllOrders', { token: owner.key, query: { subaccount_id: id } });
      },
    ),
  },
  { operation: 'changeSubaccount', code: 'STATE_CONFLICT', how: closing(stake, nothing) },
  {
    operation: 'transferFunds',
    code: 'BALANCE_INSUFFICIENT',
    how: but((_scene, { body }) => ({ body: { ...Object(body), amount: '1000000000' } })),
  },
  {
    operation: 'transferFunds',
    code: 'SUBACCOUNT_FROZEN',
    how: onFrozen((_scene, id, { body }) => ({ body: { ...Object(body), to: id } })),
  },
  ...['placeOrder', 'heartbeat', 'convertPosition'].map(
    (operation): Provocation => ({ operation, code: 'SUBACCOUNT_FROZEN', how: inBody }),
  ),
  {
    operation: 'batchOrders',
    code: 'SUBACCOUNT_FROZEN',
    how: onFrozen(({ marketId }, id) => ({
      body: { ...batchOf(resting(marketId)), subaccount_id: id },
    })),
  },
  { operation: 'amendOrder', code: 'SUBACCOUNT_FROZEN', how: amendingFrozen },
  { operation: 'createMarket', code: 'SUBACCOUNT_FROZEN', how: byFrozen },
  ...['useFaucet', 'resetSandbox', 'settleWithMockOracle'].map(
    (operation): Provocation => ({ operation, code: 'SUBACCOUNT_FROZEN', how: byFrozenThere }),
  ),
];
