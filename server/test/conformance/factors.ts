// How the codes of second factors and of the step-up are brought about.
import { limits } from '@sibyl/contract';
import { SoftPasskey } from '../gateway/soft-passkey.ts';
import {
  addPasskey,
  answerOf,
  mailedToken,
  newcomer,
  proofOf,
  resetToken,
  withPasskey,
  withTotp,
} from './enrolled.ts';
import { but, type How, type Provocation, requestOf } from './provoking.ts';
import type { Scene } from './scene.ts';
import { PASSWORD } from './settings.ts';
import type { Call } from './world.ts';

const byStale = (more: Call = {}): How =>
  but(({ world }) => ({ token: world.prologue.staleSession, base: '', ...more }));

const asEnrolled: How = async (scene, operation) => {
  const { email } = await withTotp(scene.world);
  return scene.world.send(operation, { token: null, body: { email, password: PASSWORD } });
};

async function staleKey({ world }: Scene): Promise<string> {
  return world.mint(world.prologue.staleSession, ['read', 'trade']);
}

export const factorProvocations: readonly Provocation[] = [
  ...['logIn', 'register'].map(
    (operation): Provocation => ({ operation, code: 'STEP_UP_MFA_REQUIRED', how: asEnrolled }),
  ),
  ...[
    'enrolTotp',
    'confirmTotp',
    'removeTotp',
    'renewRecoveryCodes',
    'changePassword',
    'closeAccount',
    'beginPasskey',
    'addPasskey',
    'removePasskey',
    'excludeSelf',
  ].map((operation): Provocation => ({ operation, code: 'STEP_UP_MFA_REQUIRED', how: byStale() })),
  {
    operation: 'mintKey',
    code: 'STEP_UP_MFA_REQUIRED',
    how: byStale({ body: { permissions: ['withdraw'] } }),
  },
  {
    operation: 'drawSigningSecret',
    code: 'STEP_UP_MFA_REQUIRED',
    how: async (scene, operation) => {
      const token = await staleKey(scene);
      return scene.world.send(operation, { token, params: { key_id: token.slice(0, 24) } });
    },
  },
  {
    operation: 'rotateWebhookSecret',
    code: 'STEP_UP_MFA_REQUIRED',
    how: async (scene, operation) => {
      const token = await staleKey(scene);
      const body = scene.world.webhookBody();
      const { webhook_id: id } = await scene.world.data('createWebhook', { token, body });
      return scene.world.send(operation, { token, params: { webhook_id: String(id) } });
    },
  },
  {
    operation: 'stepUp',
    code: 'STEP_UP_MFA_REQUIRED',
    how: but({ body: { otp: '000000' } }),
  },
  {
    operation: 'stepUp',
    code: 'PASSWORD_INCORRECT',
    // A session that was proved a moment ago is not asked again.
    how: async (scene, operation) => {
      const { email } = await newcomer(scene.world);
      const body = { email, password: PASSWORD };
      const { session_token: session } = await scene.world.data('logIn', { token: null, body });
      return scene.world.send(operation, {
        token: String(session),
        body: { password: 'not this one' },
      });
    },
  },
  {
    operation: 'enrolTotp',
    code: 'STATE_CONFLICT',
    how: async (scene, operation) => {
      const { session } = await withTotp(scene.world);
      return scene.world.send(operation, { token: session });
    },
  },
  ...[
    'enrolTotp',
    'beginPasskey',
    'updateProfile',
    'sendVerification',
    'exportData',
    'closeAccount',
  ].map(
    (operation): Provocation => ({
      operation,
      code: 'SCOPE_NOT_ALLOWED',
      how: async (scene, definition) => {
        const visit = { token: null, address: scene.world.freshAddress(), body: {} };
        const { session_token: token } = await scene.world.data('openDemo', visit);
        return but({ token: String(token) })(scene, definition);
      },
    }),
  ),
  {
    operation: 'sendVerification',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const { email, session } = await newcomer(world);
      await world.data('confirmEmail', { body: { token: await mailedToken(world, email) } });
      return world.send(operation, { token: session });
    },
  },
  {
    operation: 'closeAccount',
    code: 'PASSWORD_INCORRECT',
    how: but({ body: { password: 'not this one' } }),
  },
  {
    operation: 'closeAccount',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const { session } = await newcomer(world);
      const { account_id: accountId } = await world.data('getAccount', {
        token: session,
        base: '',
      });
      await world.fund(String(accountId), '1', 'live');
      return world.send(operation, { token: session, body: { password: PASSWORD } });
    },
  },
  {
    operation: 'resetPassword',
    code: 'PASSWORD_TOO_WEAK',
    how: but((_scene, { body }) => ({ body: { ...(body as object), new_password: 'short' } })),
  },
  {
    operation: 'resetPassword',
    code: 'STEP_UP_MFA_REQUIRED',
    how: async ({ world }, operation) => {
      const token = await resetToken(world, await withTotp(world));
      const body = { token, new_password: PASSWORD };
      return world.send(operation, { token: null, body });
    },
  },
  {
    operation: 'addPasskey',
    code: 'ALREADY_EXISTS',
    how: async ({ world }, operation) => {
      const { session, passkey } = await withPasskey(world);
      const response = await answerOf(world, session, passkey);
      return world.send(operation, { token: session, body: { label: 'again', response } });
    },
  },
  {
    operation: 'addPasskey',
    code: 'STATE_CONFLICT',
    how: async ({ world }, operation) => {
      const { session } = await withPasskey(world);
      for (let count = 1; count < limits.factors.passkeysMax; count += 1)
        await addPasskey(world, session, new SoftPasskey());
      const response = await answerOf(world, session, new SoftPasskey());
      return world.send(operation, { token: session, body: { label: 'more', response } });
    },
  },
  {
    operation: 'logInWithPasskey',
    code: 'PASSWORD_INCORRECT',
    how: async ({ world }, operation) => {
      const response = await proofOf(world, new SoftPasskey());
      return world.send(operation, { token: null, body: { response } });
    },
  },
  {
    operation: 'logInWithPasskey',
    code: 'SCOPE_NOT_ALLOWED',
    how: but((_scene, { body }) => ({ body: { ...(body as object), cookie: true } })),
  },
  ...['confirmTotp', 'removeTotp', 'renewRecoveryCodes'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: async (scene, definition) => {
        const { session } = await newcomer(scene.world);
        const call = await requestOf(scene, definition);
        return scene.world.send(definition, { ...call, token: session });
      },
    }),
  ),
];
