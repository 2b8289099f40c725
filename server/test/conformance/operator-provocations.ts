// How each code of the operator plane is brought about.
import { mailedToken, newcomer, operatorWithTotp } from './enrolled.ts';
import { dataOf, verdictOf } from './judge.ts';
import { FROZEN_SUBACCOUNT } from './prologue.ts';
import {
  but,
  type How,
  inMarket,
  type Provocation,
  proposed,
  refusedFor,
  requestOf,
  settled,
  twice,
  unknownIds,
} from './provoking.ts';
import { template } from './requests.ts';
import type { Scene } from './scene.ts';
import { OPERATOR_TOKEN, PASSWORD } from './settings.ts';
import { ACT, type Call } from './world.ts';

/** In the sandbox nobody has to confirm a session. */
function inLive(body: unknown): object {
  const fields = body as Readonly<Record<string, unknown>>;
  return 'lane' in fields ? { ...fields, lane: 'live' } : fields;
}

/** Not confirmed; without the second factor that is required; or, about the own sign-in, without a code of the one that is there. */
export const unprovedOperator: How = async (scene, operation) => {
  const { world } = scene;
  if (operation.stepUp) {
    const body = world.prologue.operator;
    const opened = await world.data('openOperatorSession', { token: null, body });
    return refusedFor((_scene, call) => ({
      token: String(opened.session_token),
      ...(call.body === undefined ? {} : { body: inLive(call.body) }),
    }))(scene, operation);
  }
  const unenrolled = world.prologue.unenrolled.get(operation.id);
  if (unenrolled !== undefined) return unenrolled;
  const { name, password, session } = await operatorWithTotp(world);
  if (operation.id === 'openOperatorSession') {
    return world.send(operation, { token: null, body: { name, password } });
  }
  if (operation.id === 'stepUpOperatorSession') {
    return world.send(operation, { token: session, body: { password } });
  }
  // One more session, which nobody has confirmed.
  const { recovery_codes: codes } = await world.data('renewOperatorRecoveryCodes', {
    token: session,
  });
  const body = { name, password, recovery_code: (codes as readonly string[])[0] };
  const opened = await world.data('openOperatorSession', { token: null, body });
  return but({ token: String(opened.session_token) })(scene, operation);
};

export const operatorProvocations: readonly Provocation[] = [
  {
    operation: 'openOperatorSession',
    code: 'PASSWORD_INCORRECT',
    how: but({ body: { name: 'admin', password: 'wrong' } }),
  },
  { operation: 'approveAct', code: 'STATE_CONFLICT', how: but({ token: OPERATOR_TOKEN }) },
  { operation: 'rejectAct', code: 'STATE_CONFLICT', how: twice() },
  {
    operation: 'stepUpOperatorSession',
    code: 'PASSWORD_INCORRECT',
    how: but({ body: { password: 'wrong' } }),
  },
  ...[
    'closeOperatorSession',
    'changeOperatorPassword',
    'stepUpOperatorSession',
    'getOperatorFactor',
    'enrolOperatorTotp',
    'confirmOperatorTotp',
    'removeOperatorTotp',
    'renewOperatorRecoveryCodes',
  ].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: but({ token: OPERATOR_TOKEN }),
    }),
  ),
  {
    operation: 'resetOperatorFactor',
    code: 'STATE_CONFLICT',
    how: async (scene, operation) => {
      const params = { operator_id: await scene.world.operatorId() };
      return scene.world.send(operation, { params, body: { reason: 'conformance' } });
    },
  },
  {
    operation: 'createVerificationLink',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const { email, userId } = await newcomer(world);
      await world.data('confirmEmail', { body: { token: await mailedToken(world, email) } });
      const params = { user_id: userId };
      return world.send(operation, { params, body: { reason: 'conformance' } });
    },
  },
  {
    operation: 'createResetLink',
    code: 'STATE_CONFLICT',
    // The first one waits for a second operator: two operators credited more than either may alone.
    how: async (scene, operation) => {
      const { userId, session } = await newcomer(scene.world);
      const { account_id: id } = await scene.world.data('getAccount', { token: session, base: '' });
      for (const token of [OPERATOR_TOKEN, await scene.world.operatorSession()])
        await scene.world.fund(String(id), '600000000', 'live', token);
      const params = { user_id: userId };
      return twice({ params, body: { reason: 'conformance' } })(scene, operation);
    },
  },
  {
    operation: 'removeUserFactors',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const params = { user_id: (await newcomer(world)).userId };
      return world.send(operation, { params, body: { reason: 'conformance' } });
    },
  },
  {
    operation: 'changeOperatorPassword',
    code: 'PASSWORD_INCORRECT',
    how: but({ body: { current_password: 'wrong', new_password: PASSWORD } }),
  },
  {
    operation: 'changeOperatorPassword',
    code: 'PASSWORD_TOO_WEAK',
    how: but(({ world }) => ({
      body: { current_password: world.prologue.operator.password, new_password: 'short' },
    })),
  },
  {
    operation: 'addOperator',
    code: 'ALREADY_EXISTS',
    how: but({ body: { reason: 'conformance', name: 'admin' } }),
  },
  ...['setOperatorRoles', 'disableOperator'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: async (scene, asked) => {
        const token = await scene.world.operatorSession();
        const { operator_id: first } = await scene.world.data('getOperatorIdentity', { token });
        const body = { reason: 'conformance', roles: ['viewer'] };
        const { reason } = body;
        const change = asked.id === 'setOperatorRoles' ? { body } : { body: { reason } };
        return but({ params: { operator_id: String(first) }, ...change })(scene, asked);
      },
    }),
  ),
  {
    operation: 'setOperatorUser',
    code: 'STATE_CONFLICT',
    how: async (scene, asked) => {
      const call = await requestOf(scene, asked);
      dataOf(await scene.world.send(asked, call));
      return twice({ ...call, body: { reason: 'conformance', user_id: null } })(scene, asked);
    },
  },
  ...['setUserScopes', 'ruleResolution'].map(
    (operation): Provocation => ({ operation, code: 'STATE_CONFLICT', how: twice() }),
  ),
  ...['creditDeposit', 'correctBalance'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: async (scene, asked) => {
        const params = { account_id: 'acc_platform' };
        const money = {
          asset: 'USDT',
          amount: '1000000001',
          external_ref: scene.world.fresh('twice-'),
        };
        const call = { params, body: { ...ACT, lane: 'live', ...money } };
        return twice(call)(scene, asked);
      },
    }),
  ),
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
  ...['setTickSize', 'clarifyMarket'].flatMap((operation): readonly Provocation[] => [
    { operation, code: 'MARKET_NOT_FOUND', how: unknownIds },
    { operation, code: 'STATE_CONFLICT', how: inMarket(settled) },
  ]),
  {
    operation: 'attachChainData',
    code: 'MARKET_NOT_FOUND',
    how: but({ body: { ...ACT, record: 'market', id: 'm_0000000000000000', chain_data: null } }),
  },
  ...['previewCancellation', 'proposeCancellation'].flatMap((operation): readonly Provocation[] => [
    { operation, code: 'MARKET_NOT_FOUND', how: unknownIds },
    { operation, code: 'STATE_CONFLICT', how: inMarket(settled) },
  ]),
  { operation: 'confirmCancellation', code: 'MARKET_NOT_FOUND', how: unknownIds },
  { operation: 'confirmCancellation', code: 'PROPOSAL_STATE_INVALID', how: inMarket(settled) },
  ...['confirmCancellation', 'proposeRounds', 'confirmRounds'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      // The operator token decides on no market of live.
      how: refusedFor((_scene, { body }) => ({ token: OPERATOR_TOKEN, body: inLive(body) })),
    }),
  ),
  {
    operation: 'proposeRounds',
    code: 'MARKET_NOT_FOUND',
    how: but((_scene, { body }) => {
      const { rounds, ...rest } = body as { rounds: readonly object[] };
      const unknown = rounds.map((round) => ({ ...round, market_id: 'm_0000000000000000' }));
      return { body: { ...rest, rounds: unknown } };
    }),
  },
  {
    operation: 'createPlatformMarket',
    code: 'MARKET_TEMPLATE_UNKNOWN',
    how: but({ body: { ...ACT, template_id: 'none', params: {} } }),
  },
  {
    operation: 'createPlatformMarket',
    code: 'MARKET_TEMPLATE_PARAM_INVALID',
    how: but({ body: { ...ACT, template_id: 'platform-question', params: { question: 7 } } }),
  },
  {
    operation: 'createPlatformMarket',
    code: 'BALANCE_INSUFFICIENT',
    how: but(({ poor }, { body }) => ({
      body: { ...(body as object), account_id: poor.accountId },
    })),
  },
  {
    operation: 'createPlatformMarket',
    code: 'SUBACCOUNT_FROZEN',
    how: async (scene, operation) => {
      const { world } = scene;
      const accountId = await world.strangersAccount();
      await world.data('freezeAccount', { params: { account_id: accountId }, body: ACT });
      const { body } = await requestOf(scene, operation);
      const named = { ...(body as object), account_id: accountId };
      return world.send(operation, { body: named });
    },
  },
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
    operation: 'payPlatformFees',
    code: 'STATE_CONFLICT',
    how: async (scene, asked) => {
      const params = { account_id: 'acc_platform' };
      const payment = {
        fund: 'insurance',
        amount: '1',
        external_ref: scene.world.fresh('twice-'),
      };
      return twice({ params, body: { ...ACT, lane: 'live', ...payment } })(scene, asked);
    },
  },
  {
    operation: 'payPlatformFees',
    code: 'BALANCE_INSUFFICIENT',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      const body = Object.assign({}, call.body, { amount: '1000000000' });
      return scene.world.send(operation, { ...call, body });
    },
  },
  {
    operation: 'payPlatformFees',
    code: 'SUBACCOUNT_FROZEN',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      const body = Object.assign({}, call.body, { lane: 'live', fund: 'insurance' });
      const params = { account_id: FROZEN_SUBACCOUNT };
      return scene.world.send(operation, { ...call, params, body });
    },
  },
  ...['creditDeposit', 'correctBalance', 'payPlatformFees'].map(
    (operation): Provocation => ({ operation, code: 'ALREADY_EXISTS', how: anotherAmount }),
  ),
  {
    operation: 'correctBalance',
    code: 'BALANCE_INSUFFICIENT',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      const body = Object.assign({}, call.body, { amount: '-1000000000' });
      return scene.world.send(operation, { ...call, body });
    },
  },
  ...['setKeyTier', 'setKeySigning', 'setPartnerScopes'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: but(({ keys }) => ({ params: { key_id: keys.revoked.slice(0, 24) } })),
    }),
  ),
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

/** Under a reference that is taken. */
async function anotherAmount(
  ...[scene, operation]: Parameters<Provocation['how']>
): ReturnType<Provocation['how']> {
  const call = await requestOf(scene, operation);
  dataOf(await scene.world.send(operation, call));
  const body = Object.assign({}, call.body, { amount: '2' });
  return scene.world.send(operation, { ...call, body });
}
