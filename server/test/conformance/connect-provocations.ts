// How the codes of OAuth are brought about.
import type { ErrorCode } from '@sibyl/contract';
import { limits } from '@sibyl/contract';
import { applicant, createdApp, disabledApp } from './builder-scene.ts';
import { CALLBACK, grantBody, redeemable, renewable } from './connect-scene.ts';
import { partnerKey } from './delegation-scene.ts';
import { newcomer } from './enrolled.ts';
import { verdictOf } from './judge.ts';
import type { PlantedGrant } from './planted-grants.ts';
import { but, type How, type Provocation, requestOf } from './provoking.ts';
import type { Scene } from './scene.ts';

/** The ordinary request with more said in its body. */
const saying = (more: object): How =>
  but((_scene, { body }) => ({ body: { ...Object(body), ...more } }));

/** The same request, once it was answered. */
const again: How = async ({ world, owner }, operation) => {
  const body = await redeemable(world, owner.session);
  await world.send(operation, { token: null, body });
  return world.send(operation, { token: null, body });
};

const renewing = (plant: (scene: Scene) => PlantedGrant): How => {
  return async (scene, operation) => {
    const { clientId, refresh } = plant(scene);
    const body = { grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId };
    return scene.world.send(operation, { token: null, body });
  };
};

const reusing: How = async ({ world, owner }, operation) => {
  const body = await renewable(world, owner.session);
  await world.send(operation, { token: null, body });
  return world.send(operation, { token: null, body });
};

const widening: How = async ({ world, owner }, operation) => {
  const body = { ...(await renewable(world, owner.session)), scope: 'orders:trade' };
  return world.send(operation, { token: null, body });
};

const tooLate: How = async ({ world }, operation) => {
  const { clientId, code } = world.prologue.planted.expired;
  const asked = { code, redirect_uri: CALLBACK, code_verifier: 'x'.repeat(43) };
  const body = { grant_type: 'authorization_code', ...asked, client_id: clientId };
  return world.send(operation, { token: null, body });
};

const ofClients: readonly Provocation[] = [
  ...['exchangeToken', 'revokeToken'].map((operation): Provocation => {
    return { operation, code: 'AUTH_INVALID', how: saying({ client_secret: 'acs_of_nobody' }) };
  }),
  ...(
    [
      ['PKCE_INVALID', saying({ code_verifier: 'x'.repeat(43) })],
      ['REDIRECT_URI_MISMATCH', saying({ redirect_uri: `${CALLBACK}/` })],
      ['TOKEN_INVALID', saying({ code: 'oac_of_nobody' })],
      ['AUTH_CODE_EXPIRED', tooLate],
      ['AUTH_CODE_CONSUMED', again],
      ['REFRESH_TOKEN_REUSED', reusing],
      ['SCOPE_NOT_ALLOWED', widening],
      ['TOKEN_EXPIRED', renewing(({ world }) => world.prologue.planted.expired)],
      ['TOKEN_REVOKED', renewing(({ world }) => world.prologue.planted.revoked)],
      ['APP_DISABLED', renewing(({ world }) => world.prologue.planted.disabled)],
      ['APP_NOT_APPROVED', renewing(({ world }) => world.prologue.planted.draft)],
    ] as const satisfies readonly (readonly [ErrorCode, How])[]
  ).map(([code, how]): Provocation => ({ operation: 'exchangeToken', code, how })),
];

/** A draft of somebody else's, which nobody but them connects. */
const ofDraft: How = async (scene, operation) => {
  const { session } = await applicant(scene.world);
  const { app_id: client_id } = await createdApp(scene.world, session);
  return saying({ client_id })(scene, operation);
};

const ofDisabled: How = async (scene, operation) =>
  saying({ client_id: await disabledApp(scene.world) })(scene, operation);

const tooMany: How = async ({ world }, operation) => {
  const { session: token } = await newcomer(world);
  for (let count = 0; count <= limits.oauth.grantsMax; count += 1) {
    const answer = await world.send(operation, { token, body: await grantBody(world) });
    if (verdictOf(answer) !== 'ok') return answer;
  }
  throw new Error('there is room for any number of grants');
};

const unproved: How = async (scene, operation) => {
  const { world } = scene;
  const { userId } = await partnerKey(world);
  const expires_at_ms = Date.now() + 3_600_000;
  const body = { kind: 'delegation', partner_id: userId, expires_at_ms, scopes: ['account:read'] };
  const call = await requestOf(scene, operation);
  return world.send(operation, { ...call, token: world.prologue.staleSession, base: '', body });
};

const ofUsers: readonly Provocation[] = (
  [
    ['SCOPE_NOT_ALLOWED', saying({ scopes: ['delegation:trade'] })],
    ['REDIRECT_URI_MISMATCH', saying({ redirect_uri: 'https://elsewhere.example/' })],
    ['APP_NOT_APPROVED', ofDraft],
    ['APP_DISABLED', ofDisabled],
    ['CONFLICT', tooMany],
    ['STEP_UP_MFA_REQUIRED', unproved],
  ] as const satisfies readonly (readonly [ErrorCode, How])[]
).map(([code, how]): Provocation => ({ operation: 'createGrant', code, how }));

export const connectProvocations: readonly Provocation[] = [...ofClients, ...ofUsers];
