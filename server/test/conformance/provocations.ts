// How each declared error code is brought about: by rules for what operations share, by a table for the rest.
import { type AnyOperation, type ErrorCode, errors } from '@sibyl/contract';
import type { Answer } from './http.ts';
import { dataOf, verdictOf } from './judge.ts';
import { requests, template } from './requests.ts';
import type { Scene } from './scene.ts';
import { ACT, allOperations, type Call, type Person, resting } from './world.ts';

type How = (scene: Scene, operation: AnyOperation) => Promise<Answer>;

export async function requestOf(scene: Scene, { id }: AnyOperation, by?: Person): Promise<Call> {
  const build = requests[id];
  if (build === undefined) throw new Error(`there is no request of ${id}`);
  return build(scene, by ?? scene.owner);
}

/** The ordinary request with something changed. */
const but =
  (change: Call | ((scene: Scene, call: Call) => Call)): How =>
  async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const changed = typeof change === 'function' ? change(scene, call) : change;
    return scene.world.send(operation, { ...call, ...changed });
  };

const withParameter = (value: string): How =>
  but((_scene, { params = {} }) => ({
    params: Object.fromEntries(Object.keys(params).map((name) => [name, value])),
  }));

const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  order_id: 'ord_00000zzzzz',
  key_id: 'sk_test_0000000000000000',
  account_id: 'acc_0000000000000000',
  market_id: 'm_0000000000000000',
  template_id: 'no-such-template',
  webhook_id: 'wh_0000000000000000',
};

export const unknownIds: How = but((_scene, { params = {} }) => ({
  params: Object.fromEntries(Object.keys(params).map((name) => [name, UNKNOWN_IDS[name] ?? ''])),
}));

/** Provoked on every operation that declares them. */
export const sharedProvocations: Readonly<Partial<Record<ErrorCode, How>>> = {
  AUTH_REQUIRED: but({ token: null }),
  AUTH_INVALID: but({ token: 'sk_live_0000000000000000_'.padEnd(68, 'x') }),
  WRONG_ENV_KEY: but(({ owner }) => ({ token: owner.key, base: '' })),
  TOKEN_EXPIRED: but(({ world }) => ({ token: world.prologue.expiredSession })),
  TOKEN_REVOKED: but(({ endedSession }) => ({ token: endedSession })),
  TOKEN_INVALID: but({ token: 'oat_of_no_app' }),
  SCOPE_MISSING: (scene, operation) => {
    const { keys } = scene;
    const token = operation.permission === 'read' ? keys.tradeOnly : keys.readOnly;
    return but({ token })(scene, operation);
  },
  ID_MALFORMED: withParameter('nonsense'),
  ID_INVALID_KIND: withParameter('app_1'),
  NOT_FOUND: unknownIds,
  IDEMPOTENCY_KEY_MISSING: but({ key: null }),
  IDEMPOTENCY_KEY_MALFORMED: but({ key: 'short' }),
  IDEMPOTENCY_BODY_MISMATCH: async (scene, operation) => {
    const call = { ...(await requestOf(scene, operation)), key: scene.world.fresh('mismatch-') };
    dataOf(await scene.world.send(operation, call));
    // Of a body every byte counts; without one, the query does.
    const other =
      call.body === undefined ? { query: 'again=1' } : { raw: JSON.stringify(call.body, null, 1) };
    return scene.world.send(operation, { ...call, ...other });
  },
  IDEMPOTENCY_IN_FLIGHT: async (scene, operation) => {
    const { world, owner } = scene;
    for (let round = 1; round <= 60; round += 1) {
      const request = await requestOf(scene, operation);
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
    await scene.world.setMode('read_only');
    try {
      return await scene.world.send(operation, call);
    } finally {
      await scene.world.setMode('normal');
    }
  },
  MAINTENANCE: async (scene, operation) => {
    const call = await requestOf(scene, operation);
    await scene.world.maintain({ phase: 'started', effect: 'down' });
    try {
      return await scene.world.send(operation, call);
    } finally {
      await scene.world.maintain({ phase: 'ended' });
    }
  },
  SANDBOX_ONLY: but(({ owner }) => ({ token: owner.session, base: '' })),
};

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

export interface Provocation {
  readonly operation: string;
  readonly code: ErrorCode;
  readonly how: How;
}

const NOWHERE = UNKNOWN_IDS.market_id ?? '';

/** Sends the ordinary request about another market. */
const inMarket = (choose: (scene: Scene) => Promise<string> | string): How => {
  return async (scene, operation) => {
    const call = await requestOf(scene, operation);
    const marketId = await choose(scene);
    if (call.params?.market_id !== undefined) {
      return scene.world.send(operation, { ...call, params: { market_id: marketId } });
    }
    if (call.body === undefined) {
      return scene.world.send(operation, { ...call, query: { market_id: marketId } });
    }
    return scene.world.send(operation, { ...call, body: moved(call.body, marketId) });
  };
};

/** A batch of one, all or none, so that the fault of the item is that of the whole. */
function moved(body: unknown, marketId: string): unknown {
  const fields = body as Record<string, unknown>;
  return 'items' in fields ? batchOf(resting(marketId)) : { ...fields, market_id: marketId };
}

function batchOf(order: object): object {
  return { items: [{ action: 'place', order }], all_or_none: true };
}

async function halted({ world, owner }: Scene): Promise<string> {
  const marketId = await world.market(owner);
  await world.halt(marketId);
  return marketId;
}

async function settled({ world, owner }: Scene): Promise<string> {
  const marketId = await world.market(owner);
  const body = { market_id: marketId, winning_outcome_id: 'yes' };
  await world.data('settleWithMockOracle', { token: owner.key, body });
  return marketId;
}

async function proposed({ world, owner }: Scene): Promise<string> {
  const marketId = await world.market(owner);
  const body = { ...ACT, winning_outcome_id: 'yes', evidence: ['https://example.com'] };
  await world.data('proposeResolution', { params: { market_id: marketId }, body });
  return marketId;
}

/** Twice the same call, the second refused. */
const twice = (change: Call = {}): How => {
  return async (scene, operation) => {
    const call = { ...(await requestOf(scene, operation)), ...change };
    dataOf(await scene.world.send(operation, call));
    return scene.world.send(operation, call);
  };
};

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

/** As many shares as one account may hold. */
async function fillUp({ world, owner }: Scene, marketId: string): Promise<void> {
  await world.fund(owner.accountId, '1000000000');
  const body = { action: 'mint', market_id: marketId, size: '1000000000' };
  await world.data('convertPosition', { token: owner.key, body });
}

async function filledUp(scene: Scene): Promise<string> {
  const marketId = await scene.world.market(scene.owner);
  await fillUp(scene, marketId);
  return marketId;
}

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
    how: amendingOrder(({ owner }) => owner, fillUp, { size: '3' }),
  },
  { operation: 'cancelOrder', code: 'STATE_CONFLICT', how: twice() },
  { operation: 'cancelAllOrders', code: 'MARKET_NOT_FOUND', how: inMarket(() => NOWHERE) },
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
  ...['getMarket', 'listCandles', 'getOrderBook', 'listTrades'].map(
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
    how: but({ body: { template_id: 'product-launch', params: { company: 7 } } }),
  },
  { operation: 'createMarket', code: 'BALANCE_INSUFFICIENT', how: byPoor() },
  {
    operation: 'mintKey',
    code: 'SCOPE_NOT_ALLOWED',
    how: but({ body: { permissions: ['read', 'withdraw'] } }),
  },
  { operation: 'mintSandboxKey', code: 'SANDBOX_KEY_DAILY_LIMIT', how: twice() },
  { operation: 'useFaucet', code: 'RATE_LIMITED', how: twice() },
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
    operation: 'register',
    code: 'ALREADY_EXISTS',
    how: but(({ owner }) => ({ body: { email: owner.email, password: owner.password } })),
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

const operatorActs: readonly Provocation[] = [
  {
    operation: 'setMaintenance',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const call: Call = { body: { reason: 'conformance', phase: 'ended' } };
      await world.send(operation, call);
      return world.send(operation, call);
    },
  },
  {
    operation: 'rebuildHistory',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      await world.historyIsQuiet();
      const call: Call = { body: ACT };
      const [, second] = await world.sendTogether([
        [operation, call],
        [operation, call],
      ]);
      return second!;
    },
  },
  ...['halt', 'resume', 'approve', 'cancel'].flatMap((act): readonly Provocation[] => [
    { operation: `${act}Market`, code: 'MARKET_NOT_FOUND', how: unknownIds },
    {
      operation: `${act}Market`,
      code: 'STATE_CONFLICT',
      how: act === 'halt' ? inMarket(settled) : twice(),
    },
  ]),
  { operation: 'cancelMarket', code: 'RESOLUTION_LOCKED', how: inMarket(settled) },
  { operation: 'proposeResolution', code: 'MARKET_NOT_FOUND', how: unknownIds },
  { operation: 'proposeResolution', code: 'RESOLUTION_LOCKED', how: inMarket(settled) },
  { operation: 'proposeResolution', code: 'RESOLUTION_CHALLENGE_OPEN', how: twice() },
  {
    operation: 'proposeResolution',
    code: 'STATE_CONFLICT',
    how: inMarket(({ world, owner }) => world.unapprovedMarket(owner)),
  },
  {
    operation: 'proposeResolution',
    code: 'RESOLUTION_EVIDENCE_MISSING',
    how: but({ body: { ...ACT, winning_outcome_id: 'yes', evidence: [] } }),
  },
  { operation: 'ruleResolution', code: 'MARKET_NOT_FOUND', how: unknownIds },
  ...(
    [
      ['PROPOSAL_STATE_INVALID', (scene: Scene) => scene.world.market(scene.owner)],
      ['RESOLUTION_CHALLENGE_OPEN', proposed],
      ['RESOLUTION_LOCKED', settled],
    ] as const
  ).map(
    ([code, choose]): Provocation => ({
      operation: 'ruleResolution',
      code,
      how: async (scene, operation) =>
        scene.world.send(operation, {
          params: { market_id: await choose(scene) },
          body: { ...ACT, ruling: 'upheld' },
        }),
    }),
  ),
  {
    operation: 'creditDeposit',
    code: 'ALREADY_EXISTS',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      dataOf(await scene.world.send(operation, call));
      return scene.world.send(operation, call);
    },
  },
  {
    operation: 'setKeyTier',
    code: 'STATE_CONFLICT',
    how: but(({ keys }) => ({ params: { key_id: keys.revoked.slice(0, 24) } })),
  },
  {
    operation: 'createBackup',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      for (;;) {
        const call: Call = { body: { reason: 'conformance' } };
        const answers = await Promise.all([1, 2, 3].map(() => world.send(operation, call)));
        const refused = answers.find((answer) => verdictOf(answer) !== 'ok');
        if (refused !== undefined) return refused;
      }
    },
  },
  ...(
    [
      ['TEMPLATE_SCHEMA_INVALID', { params_schema: { type: 'array' } }],
      ['TEMPLATE_DISPLAY_KEY_MISSING', { display_defaults: { title_template: '{absent}?' } }],
      ['ORACLE_ADAPTER_UNKNOWN', { oracle_config: { source: 'tea_leaves' } }],
      ['CONFLICT', { version: 7 }],
    ] as const
  ).map(
    ([code, change]): Provocation => ({
      operation: 'publishTemplate',
      code,
      how: async ({ world }, operation) =>
        world.send(operation, {
          body: { ...ACT, template: { ...template(world.fresh('bad-')), ...change } },
        }),
    }),
  ),
  { operation: 'deprecateTemplate', code: 'STATE_CONFLICT', how: twice() },
];

export const provocations: readonly Provocation[] = [
  ...orders,
  ...batches,
  ...others,
  ...webhooks,
  ...operatorActs,
];

/** Which code belongs to which operation alone, by the contract. */
export function declaredNow({ errors: codes }: AnyOperation): readonly ErrorCode[] {
  return codes.filter((code) => errors[code].since !== 'later');
}

/** Declared by all: provoked once, not once for each. */
export function isCommon(code: ErrorCode): boolean {
  return allOperations.every(({ errors: codes }) => codes.includes(code));
}
