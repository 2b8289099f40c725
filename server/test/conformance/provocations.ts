// How the suite brings about each declared error code: by rules for what operations share, by a table for the rest.
import { type AnyOperation, type ErrorCode, errors, limits } from '@sibyl/contract';
import { builderProvocations, byStranger, fromElsewhere } from './builder-provocations.ts';
import { complianceProvocations } from './compliance-provocations.ts';
import { connectProvocations } from './connect-provocations.ts';
import { delegationProvocations } from './delegation-provocations.ts';
import { factorProvocations } from './factors.ts';
import { familyProvocations } from './family-provocations.ts';
import { dataOf, verdictOf } from './judge.ts';
import { operatorProvocations, unprovedOperator } from './operator-provocations.ts';
import {
  batchOf,
  but,
  type How,
  halted,
  inMarket,
  NOWHERE,
  type Provocation,
  refusedFor,
  requestOf,
  settled,
  twice,
  UNKNOWN_IDS,
  unknownIds,
  unusedRequestOf,
} from './provoking.ts';
import { openSubaccount } from './requests.ts';
import type { Scene } from './scene.ts';
import { withdrawalProvocations } from './withdrawals.ts';
import { allOperations, type Call, type Person, resting } from './world.ts';

const withParameter = (value: string): How =>
  refusedFor((_scene, { params = {} }) => ({
    params: Object.fromEntries(Object.keys(params).map((name) => [name, value])),
  }));

const NO_SUBACCOUNT = 'sub_0000000000000000';
const UNKNOWN_SUBACCOUNT = { subaccount_id: NO_SUBACCOUNT };

/** About the caller's own account in the lane, and nothing else that could be unknown. */
const OF_THE_ACCOUNT = new Set([
  'useFaucet',
  'resetSandbox',
  'settleWithMockOracle',
  'createMarket',
]);

/** Where no path names a record, the body does; what has neither is about an account that is not open in the lane. */
const unknownRecords: How = (scene, operation) => {
  if (operation.path.includes('{')) return unknownIds(scene, operation);
  const { query, body } = operation.input;
  if (operation.id === 'getBuilder') return byStranger(scene, operation);
  if (operation.id === 'createSubaccount' || OF_THE_ACCOUNT.has(operation.id)) {
    return but(({ world }) => ({ token: world.prologue.absentSession }))(scene, operation);
  }
  if (operation.id === 'transferFunds') {
    return but((_scene, call) => ({ body: { ...Object(call.body), to: NO_SUBACCOUNT } }))(
      scene,
      operation,
    );
  }
  if (body !== null && 'token' in body.properties) {
    const token = 'x'.repeat(43);
    return but((_scene, call) => ({ body: { ...Object(call.body), token } }))(scene, operation);
  }
  if (query !== null && 'email' in query.properties) {
    return but({ query: { email: 'nobody.at.all@example.com' } })(scene, operation);
  }
  if (operation.id === 'createWithdrawal') {
    const { destination_id } = UNKNOWN_IDS;
    return but((_scene, call) => ({ body: { ...Object(call.body), destination_id } }))(
      scene,
      operation,
    );
  }
  if (body !== null && 'subaccount_id' in body.properties) {
    return but((_scene, call) => ({ body: { ...Object(call.body), ...UNKNOWN_SUBACCOUNT } }))(
      scene,
      operation,
    );
  }
  if (query !== null && 'subaccount_id' in query.properties) {
    return but({ query: UNKNOWN_SUBACCOUNT })(scene, operation);
  }
  if (operation.method === 'GET' || operation.auth === 'session')
    return but(({ world }) => ({
      token: world.prologue.absentSession,
    }))(scene, operation);
  const named =
    operation.id === 'attachChainData'
      ? { record: 'account', id: UNKNOWN_IDS.account_id }
      : { account_id: UNKNOWN_IDS.account_id };
  return but((_scene, { body }) => ({ body: { ...(body as object), ...named } }))(scene, operation);
};

/** One that the operation knows, or one that nothing looks at. */
async function otherQuery(scene: Scene, { id }: AnyOperation): Promise<string> {
  if (id !== 'cancelOrder') return 'again=1';
  return `subaccount_id=${await openSubaccount(scene, scene.owner)}`;
}

/** Provoked on every operation that declares them. */
export const sharedProvocations: Readonly<Partial<Record<ErrorCode, How>>> = {
  AUTH_REQUIRED: refusedFor({ token: null }),
  AUTH_INVALID: refusedFor({ token: 'sk_live_0000000000000000_'.padEnd(68, 'x') }),
  WRONG_ENV_KEY: refusedFor(({ owner }) => ({ token: owner.key, base: '' })),
  TOKEN_INVALID: refusedFor({ token: 'oat_of_no_app' }),
  TOKEN_EXPIRED: refusedFor(({ world }) => ({ token: world.prologue.planted.expired.access })),
  TOKEN_REVOKED: refusedFor(({ world }) => ({ token: world.prologue.planted.revoked.access })),
  APP_DISABLED: refusedFor(({ world }) => ({ token: world.prologue.planted.disabled.access })),
  SCOPE_MISSING: async (scene, operation) => {
    const { keys, world } = scene;
    if (operation.group === 'Operator') {
      return refusedFor({ token: await world.operatorSession('viewer') })(scene, operation);
    }
    // Real money is asked for at the live address.
    if (operation.prodOnly) return refusedFor({ token: keys.live })(scene, operation);
    if (operation.auth === 'session') {
      return refusedFor({ token: keys.readOnly, base: '/sandbox' })(scene, operation);
    }
    const token = operation.permission === 'read' ? keys.tradeOnly : keys.readOnly;
    return refusedFor({ token })(scene, operation);
  },
  STEP_UP_MFA_REQUIRED: unprovedOperator,
  ID_MALFORMED: withParameter('nonsense'),
  ID_INVALID_KIND: (scene, operation) =>
    withParameter(operation.path.includes('{app_id}') ? 'ord_1' : 'app_1')(scene, operation),
  NOT_FOUND: unknownRecords,
  IDEMPOTENCY_KEY_MISSING: refusedFor({ key: null }),
  IDEMPOTENCY_KEY_MALFORMED: refusedFor({ key: 'short' }),
  IDEMPOTENCY_BODY_MISMATCH: async (scene, operation) => {
    const call = { ...(await requestOf(scene, operation)), key: scene.world.fresh('mismatch-') };
    dataOf(await scene.world.send(operation, call));
    // Of a body every byte counts; without one, the query does.
    const other =
      call.body === undefined
        ? { query: await otherQuery(scene, operation) }
        : { raw: JSON.stringify(call.body, null, 1) };
    return scene.world.send(operation, { ...call, ...other });
  },
  IDEMPOTENCY_IN_FLIGHT: async (scene, operation) => {
    const { world, owner } = scene;
    for (let round = 1; round <= 60; round += 1) {
      const request = await slowRequestOf(scene, operation);
      // A session may have been in either lane, so both are looked at.
      const session = request.token === owner.key ? { token: owner.session } : {};
      const call = { ...request, ...session, key: world.fresh('in-flight-') };
      const beats = keepBusy(scene);
      const again = [operation, call] as const;
      const answers = await world.sendTogether([again, again, again]);
      await beats;
      const early = answers.find((answer) => verdictOf(answer) === 'IDEMPOTENCY_IN_FLIGHT');
      if (early !== undefined) return early;
    }
    throw new Error('no two requests met');
  },
  READ_ONLY_MODE: async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const lane = operation.prodOnly ? 'live' : 'sandbox';
    await scene.world.setMode('read_only', lane);
    try {
      return await scene.world.send(operation, call);
    } finally {
      await scene.world.setMode('normal', lane);
    }
  },
  MAINTENANCE: async (scene, operation) => {
    const call = await unusedRequestOf(scene, operation);
    await scene.world.maintain({ phase: 'started', effect: 'down' });
    try {
      return await scene.world.send(operation, call);
    } finally {
      await scene.world.maintain({ phase: 'ended' });
    }
  },
  WIDGET_ORIGIN_BLOCKED: fromElsewhere,
  SANDBOX_ONLY: refusedFor(({ owner }) => ({ token: owner.session, base: '' })),
};

/** What waits for a second operator waits for no journal: in the sandbox it is a command, whatever comes of it. */
async function slowRequestOf(scene: Scene, operation: AnyOperation): Promise<Call> {
  const request = await requestOf(scene, operation);
  const { marketId } = scene;
  const body = { ...(request.body as object), lane: 'sandbox' };
  if (operation.id === 'approveWithdrawal') return { ...request, body };
  if (operation.id !== 'ruleResolution') return request;
  return { ...request, params: { market_id: marketId }, body };
}

/** Writes of keys and webhooks wait for no journal; only a busy lane that they look at delays them. */
async function keepBusy({ world, owner }: Scene): Promise<void> {
  const beat = { token: owner.session, body: { timeout_ms: 300_000 } };
  const bases = ['', '/sandbox', '', '/sandbox', '', '/sandbox'] as const;
  await Promise.all(bases.map((base) => world.data('heartbeat', { ...beat, base })));
}

/** Codes of every operation: provoked once, on the operation named. */
export const commonProvocations: readonly Provocation[] = [
  { operation: 'placeOrder', code: 'BAD_REQUEST', how: but({ raw: '{"market_id":' }) },
  { operation: 'placeOrder', code: 'VALIDATION_FAILED', how: but({ body: { ...resting('m_') } }) },
  { operation: 'placeOrder', code: 'MISSING_FIELD', how: but({ body: {} }) },
  {
    operation: 'getHealth',
    code: 'RATE_LIMITED',
    how: async ({ world }) => world.prologue.rateLimited,
  },
  {
    operation: 'mintSandboxKey',
    code: 'SERVICE_UNAVAILABLE',
    how: async ({ world }) => world.prologue.withoutSandbox,
  },
  {
    operation: 'register',
    code: 'UPSTREAM_TIMEOUT',
    how: async ({ world }) => world.prologue.withoutJournal,
  },
  {
    operation: 'listKeys',
    code: 'INTERNAL_ERROR',
    how: but(({ world }) => ({ token: world.prologue.damagedSession, base: '' })),
  },
];

const amendingOrder = (
  owner: (scene: Scene) => Person,
  before: (scene: Scene, marketId: string) => Promise<unknown>,
  body: object,
): How => {
  return async (scene, operation) => {
    const { world } = scene;
    const person = owner(scene);
    const marketId = await world.market(scene.owner);
    const order = await world.openOrder(person, marketId);
    await before(scene, marketId);
    return world.send(operation, { token: person.key, params: { order_id: order }, body });
  };
};

/** As many shares as one family may hold, less those that it has an order for. */
async function fillUp({ world, owner }: Scene, marketId: string, less = 0): Promise<void> {
  await world.fund(owner.accountId, '1001100000');
  const body = { action: 'mint', market_id: marketId, size: String(1_000_000_000 - less) };
  await world.data('convertPosition', { token: owner.key, body });
}

async function filledUp(scene: Scene): Promise<string> {
  const marketId = await scene.world.market(scene.owner);
  await fillUp(scene, marketId);
  return marketId;
}

/** One market more than a family may have open in live. */
const oneTooMany: How = async ({ world, keys }, operation) => {
  const live = { token: keys.live, base: '' } as const;
  const { account_id: accountId } = await world.data('getAccount', live);
  await world.fund(String(accountId), '20000', 'live');
  for (let count = 0; count <= 20; count += 1) {
    const body = { template_id: 'own-question', params: world.question() };
    const answer = await world.send(operation, { ...live, body });
    if (verdictOf(answer) !== 'ok') return answer;
  }
  throw new Error('there is room for any number of markets');
};

/** A key with the caps of its tier. */
const capped = ({ owner, keys }: Scene): Person => ({ ...owner, key: keys.capped });
const nothing = async (): Promise<void> => undefined;
const large = { price: '0.01', size: '5000' };
const byPoor = (change: (scene: Scene) => Call = () => ({})): How =>
  but((scene) => ({ token: scene.poor.key, ...change(scene) }));

const named = (scene: Scene): object => ({
  ...resting(scene.marketId),
  client_order_id: scene.world.fresh('name-'),
});

const orders: readonly Provocation[] = [
  { operation: 'placeOrder', code: 'MARKET_NOT_FOUND', how: inMarket(() => NOWHERE) },
  {
    operation: 'placeOrder',
    code: 'MARKET_CLOSED',
    how: inMarket((scene) => scene.lockedMarketId),
  },
  { operation: 'placeOrder', code: 'MARKET_HALTED', how: inMarket(halted) },
  {
    operation: 'placeOrder',
    code: 'MARKET_NOT_APPROVED',
    how: inMarket(({ world, owner }) => world.unapprovedMarket(owner)),
  },
  { operation: 'placeOrder', code: 'BALANCE_INSUFFICIENT', how: byPoor() },
  {
    operation: 'placeOrder',
    code: 'TIER_LIMIT_EXCEEDED',
    how: but(({ keys, marketId }) => ({
      token: keys.capped,
      body: { ...resting(marketId), ...large },
    })),
  },
  { operation: 'placeOrder', code: 'RISK_LIMIT_BREACH', how: inMarket(filledUp) },
  {
    operation: 'placeOrder',
    code: 'ALREADY_EXISTS',
    how: (scene, operation) => twice({ body: named(scene) })(scene, operation),
  },
  {
    operation: 'amendOrder',
    code: 'STATE_CONFLICT',
    how: amendingOrder(
      ({ owner }) => owner,
      ({ world, owner }, marketId) =>
        world.data('cancelAllOrders', { token: owner.key, query: { market_id: marketId } }),
      { size: '1' },
    ),
  },
  {
    operation: 'amendOrder',
    code: 'MARKET_HALTED',
    how: amendingOrder(
      ({ owner }) => owner,
      ({ world }, id) => world.halt(id),
      { size: '1' },
    ),
  },
  {
    operation: 'amendOrder',
    code: 'BALANCE_INSUFFICIENT',
    how: async (scene, operation) => {
      await scene.world.fund(scene.poor.accountId, '1');
      const how = amendingOrder(({ poor }) => poor, nothing, large);
      const answer = await how(scene, operation);
      await scene.world.data('resetSandbox', { token: scene.poor.key });
      return answer;
    },
  },
  {
    operation: 'amendOrder',
    code: 'TIER_LIMIT_EXCEEDED',
    how: amendingOrder(capped, nothing, large),
  },
  {
    operation: 'amendOrder',
    code: 'RISK_LIMIT_BREACH',
    how: amendingOrder(
      ({ owner }) => owner,
      (scene, marketId) => fillUp(scene, marketId, 2),
      { size: '3' },
    ),
  },
  { operation: 'cancelOrder', code: 'STATE_CONFLICT', how: twice() },
  { operation: 'cancelAllOrders', code: 'MARKET_NOT_FOUND', how: inMarket(() => NOWHERE) },
  {
    operation: 'heartbeat',
    code: 'MARKET_NOT_FOUND',
    how: but({ body: { timeout_ms: 10_000, scope: 'market', market_id: NOWHERE } }),
  },
];

const batches: readonly Provocation[] = [
  { operation: 'batchOrders', code: 'MARKET_NOT_FOUND', how: inMarket(() => NOWHERE) },
  {
    operation: 'batchOrders',
    code: 'MARKET_CLOSED',
    how: inMarket((scene) => scene.lockedMarketId),
  },
  { operation: 'batchOrders', code: 'MARKET_HALTED', how: inMarket(halted) },
  {
    operation: 'batchOrders',
    code: 'BALANCE_INSUFFICIENT',
    how: byPoor(({ marketId }) => ({ body: batchOf(resting(marketId)) })),
  },
  {
    operation: 'batchOrders',
    code: 'TIER_LIMIT_EXCEEDED',
    how: but(({ keys, marketId }) => ({
      token: keys.capped,
      body: batchOf({ ...resting(marketId), ...large }),
    })),
  },
  { operation: 'batchOrders', code: 'RISK_LIMIT_BREACH', how: inMarket(filledUp) },
  {
    operation: 'batchOrders',
    code: 'ALREADY_EXISTS',
    how: (scene, operation) => twice({ body: batchOf(named(scene)) })(scene, operation),
  },
  {
    operation: 'batchOrders',
    code: 'STATE_CONFLICT',
    how: async (scene, operation) => {
      const { world, owner, marketId } = scene;
      const order = await world.openOrder(owner, marketId);
      const item = { action: 'cancel', order_id: order };
      const call = { token: owner.key, body: { items: [item], all_or_none: true } };
      dataOf(await world.send(operation, call));
      return world.send(operation, call);
    },
  },
];

const others: readonly Provocation[] = [
  { operation: 'getCancellationPrice', code: 'STATE_CONFLICT', how: inMarket(settled) },
  ...['getMarket', 'getCancellationPrice', 'listCandles', 'getOrderBook', 'listTrades'].map(
    (operation): Provocation => ({ operation, code: 'MARKET_NOT_FOUND', how: unknownIds }),
  ),
  {
    operation: 'createMarket',
    code: 'MARKET_TEMPLATE_UNKNOWN',
    how: but({ body: { template_id: 'none', params: {} } }),
  },
  {
    operation: 'createMarket',
    code: 'MARKET_TEMPLATE_PARAM_INVALID',
    how: but({ body: { template_id: 'own-question', params: { question: 7 } } }),
  },
  { operation: 'createMarket', code: 'BALANCE_INSUFFICIENT', how: byPoor() },
  {
    operation: 'createMarket',
    code: 'MARKET_NOT_APPROVED',
    how: but(({ world }) => ({
      body: { template_id: 'platform-question', params: world.question() },
    })),
  },
  { operation: 'createMarket', code: 'RISK_LIMIT_BREACH', how: oneTooMany },
  {
    operation: 'mintKey',
    code: 'SCOPE_NOT_ALLOWED',
    how: but({ body: { permissions: ['read', 'withdraw'] } }),
  },
  {
    operation: 'mintKey',
    code: 'CONFLICT',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation, scene.poor);
      // One is in use already.
      for (let count = 1; count < limits.keys.activeMax; count += 1)
        dataOf(await scene.world.send(operation, call));
      return scene.world.send(operation, call);
    },
  },
  { operation: 'mintSandboxKey', code: 'SANDBOX_KEY_DAILY_LIMIT', how: twice() },
  { operation: 'useFaucet', code: 'RATE_LIMITED', how: twice() },
  {
    operation: 'resetSandbox',
    code: 'STATE_CONFLICT',
    how: async ({ world }) => world.prologue.tooLarge,
  },
  { operation: 'settleWithMockOracle', code: 'MARKET_NOT_FOUND', how: inMarket(() => NOWHERE) },
  { operation: 'settleWithMockOracle', code: 'STATE_CONFLICT', how: twice() },
  { operation: 'convertPosition', code: 'MARKET_NOT_FOUND', how: inMarket(() => NOWHERE) },
  {
    operation: 'convertPosition',
    code: 'MARKET_CLOSED',
    how: inMarket((scene) => scene.lockedMarketId),
  },
  { operation: 'convertPosition', code: 'MARKET_HALTED', how: inMarket(halted) },
  { operation: 'convertPosition', code: 'BALANCE_INSUFFICIENT', how: byPoor() },
  {
    operation: 'convertPosition',
    code: 'TIER_LIMIT_EXCEEDED',
    how: but(({ keys, marketId }) => ({
      token: keys.capped,
      body: { action: 'mint', market_id: marketId, size: '10.01' },
    })),
  },
  { operation: 'convertPosition', code: 'RISK_LIMIT_BREACH', how: inMarket(filledUp) },
  {
    operation: 'register',
    code: 'PASSWORD_INCORRECT',
    how: but(({ poor }) => ({ body: { email: poor.email, password: 'plum otter 47 ladder' } })),
  },
  {
    operation: 'register',
    code: 'PASSWORD_TOO_WEAK',
    how: but({ body: { email: 'weak@example.com', password: 'password12' } }),
  },
  {
    operation: 'logIn',
    code: 'PASSWORD_INCORRECT',
    how: but(({ changer }) => ({ body: { email: changer.email, password: 'not this one' } })),
  },
  // Nobody but a page of the exchange may ask for the cookie.
  ...['register', 'logIn', 'openDemo'].map(
    (operation): Provocation => ({
      operation,
      code: 'SCOPE_NOT_ALLOWED',
      how: but((_scene, { body }) => ({ body: { ...(body as object), cookie: true } })),
    }),
  ),
  ...['resumeSession', 'mintSandboxKey'].map(
    (operation): Provocation => ({
      operation,
      code: 'SCOPE_NOT_ALLOWED',
      how: but({ headers: { origin: 'https://elsewhere.example' } }),
    }),
  ),
  {
    operation: 'changePassword',
    code: 'PASSWORD_INCORRECT',
    how: but({ body: { current_password: 'not this one', new_password: 'plum otter 47 ladder' } }),
  },
  {
    operation: 'changePassword',
    code: 'PASSWORD_TOO_WEAK',
    how: but(({ changer }) => ({
      body: { current_password: changer.password, new_password: 'password12' },
    })),
  },
];

const webhooks: readonly Provocation[] = [
  { operation: 'createWebhook', code: 'ALREADY_EXISTS', how: twice() },
  {
    operation: 'createWebhook',
    code: 'SCOPE_NOT_ALLOWED',
    how: async (scene, operation) => {
      const visit = { token: null, address: scene.world.freshAddress(), body: {} };
      const { session_token: token } = await scene.world.data('openDemo', visit);
      return but({ token: String(token) })(scene, operation);
    },
  },
  ...['createWebhook', 'updateWebhook'].flatMap((operation): readonly Provocation[] => [
    {
      operation,
      code: 'WEBHOOK_URL_INVALID',
      how: but({ body: { url: 'https://user:word@example.com/', event_types: ['order.filled'] } }),
    },
    {
      operation,
      code: 'WEBHOOK_EVENT_UNKNOWN',
      how: but({ body: { url: 'http://127.0.0.1:9/x', event_types: ['order.eaten'] } }),
    },
  ]),
  { operation: 'rotateWebhookSecret', code: 'STATE_CONFLICT', how: twice() },
  {
    operation: 'drawSigningSecret',
    code: 'STATE_CONFLICT',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      const body = { reason: 'conformance', enabled: false };
      await scene.world.data('setKeySigning', { params: call.params ?? {}, body });
      return scene.world.send(operation, call);
    },
  },
  {
    operation: 'replayWebhook',
    code: 'WEBHOOK_EVENT_UNKNOWN',
    how: but({ body: { event_type: 'order.eaten' } }),
  },
  {
    operation: 'replayWebhook',
    code: 'STATE_CONFLICT',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      const { params = {}, token = null } = call;
      await scene.world.data('updateWebhook', { params, token, body: { status: 'paused' } });
      return scene.world.send(operation, call);
    },
  },
];

export const provocations: readonly Provocation[] = [
  ...orders,
  ...batches,
  ...others,
  ...webhooks,
  ...builderProvocations,
  ...connectProvocations,
  ...delegationProvocations,
  ...factorProvocations,
  ...familyProvocations,
  ...operatorProvocations,
  ...complianceProvocations,
  ...withdrawalProvocations,
];

/** Which code belongs to which operation alone, by the contract. */
export function declaredNow({ errors: codes }: AnyOperation): readonly ErrorCode[] {
  return codes.filter((code) => errors[code].since !== 'later');
}

/** Declared by all: provoked once, not once for each. */
export function isCommon(code: ErrorCode): boolean {
  return allOperations.every(({ errors: codes }) => codes.includes(code));
}
