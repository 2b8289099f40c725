// How the codes of builders and apps are brought about.
import { limits } from '@sibyl/contract';
import { APPLICATION, appBody, createdApp, submittedApp, widgetKey } from './builder-scene.ts';
import { newcomer } from './enrolled.ts';
import { but, type How, type Provocation, requestOf, twice } from './provoking.ts';

/** The ordinary request with more said in its body. */
const saying = (more: object): How =>
  but((_scene, { body }) => ({ body: { ...Object(body), ...more } }));

const elsewhere = { origin: 'https://elsewhere.example' };

/** A page that the app does not name. */
export const fromElsewhere: How = async (scene, operation) => {
  const token = await widgetKey(scene);
  return but({ token, headers: elsewhere })(scene, operation);
};

const ofApps: readonly Provocation[] = [
  ...['createApp', 'updateApp'].flatMap((operation): readonly Provocation[] => [
    { operation, code: 'BUILDER_FEE_ABOVE_CAP', how: saying({ builder_fee_bps: 101 }) },
    { operation, code: 'SCOPE_NOT_ALLOWED', how: saying({ allowed_scopes: ['delegation:trade'] }) },
  ]),
  { operation: 'createApp', code: 'BUILDER_NOT_APPROVED', how: saying({ submit: true }) },
  { operation: 'createApp', code: 'CONFLICT', how: twice() },
  {
    operation: 'createApp',
    code: 'OPERATOR_AGREEMENT_MISSING',
    how: async (scene, operation) => {
      const { session: token } = await newcomer(scene.world);
      return scene.world.send(operation, { token, body: appBody(scene.world) });
    },
  },
  { operation: 'updateApp', code: 'BUILDER_NOT_APPROVED', how: saying({ action: 'submit' }) },
  { operation: 'updateApp', code: 'STATE_CONFLICT', how: saying({ action: 'withdraw' }) },
  {
    operation: 'updateApp',
    code: 'CONFLICT',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      const { name } = await createdApp(scene.world, String(call.token));
      return scene.world.send(operation, { ...call, body: { name } });
    },
  },
  {
    operation: 'rotateAppSecret',
    code: 'APP_NOT_APPROVED',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      await scene.world.data('updateApp', { ...call, body: { action: 'disable' } });
      return scene.world.send(operation, call);
    },
  },
  { operation: 'rotateAppSecret', code: 'STATE_CONFLICT', how: twice() },
  {
    operation: 'rotateAppSecret',
    code: 'STEP_UP_MFA_REQUIRED',
    how: async ({ world }, operation) => {
      const token = await world.mint(world.prologue.staleSession, ['read', 'trade']);
      await world.data('applyForTrack', { token, body: APPLICATION });
      const { app_id: id } = await createdApp(world, token);
      return world.send(operation, { token, params: { app_id: String(id) } });
    },
  },
];

/** Whoever is nobody: a key that anybody gets. */
export const byStranger: How = async (scene, operation) =>
  but({ token: await scene.world.strangersKey() })(scene, operation);

const ofBuilders: readonly Provocation[] = [
  { operation: 'applyForTrack', code: 'ALREADY_EXISTS', how: twice() },
  { operation: 'applyForTrack', code: 'SCOPE_NOT_ALLOWED', how: byStranger },
  {
    operation: 'applyForTrack',
    code: 'OPERATOR_AGREEMENT_MISSING',
    how: saying({ agreement: { version: '2020-01', accepted: true } }),
  },
  {
    operation: 'mintKey',
    code: 'BUILDER_NOT_APPROVED',
    how: async ({ world }, operation) => {
      const { session: token, accountId } = await world.person('long', '');
      const tier = { reason: 'a scene', tier: 'trade_full' };
      await world.data('setAccountTier', { params: { account_id: accountId }, body: tier });
      const body = { expires_at_ms: Date.now() + limits.liveKeyMaxMs + 3_600_000 };
      return world.send(operation, { token, base: '', body });
    },
  },
];

const takenName: How = async (scene, operation) => {
  const { world } = scene;
  const call = await requestOf(scene, operation);
  await world.data('approveApp', call);
  const params = { app_id: await submittedApp(world) };
  return world.send(operation, { ...call, params });
};

const ofReviewers: readonly Provocation[] = [
  ...['approveBuilder', 'rejectBuilder', 'approveApp', 'rejectApp', 'disableApp', 'enableApp'].map(
    (operation): Provocation => ({ operation, code: 'STATE_CONFLICT', how: twice() }),
  ),
  {
    operation: 'setLoadTest',
    code: 'STATE_CONFLICT',
    how: but({ body: { reason: 'conformance', multiplier: null } }),
  },
  { operation: 'approveApp', code: 'CONFLICT', how: takenName },
];

export const builderProvocations: readonly Provocation[] = [
  ...ofApps,
  ...ofBuilders,
  ...ofReviewers,
];
