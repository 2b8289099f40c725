// How the codes of withdrawals and of destinations are brought about.
import { limits } from '@sibyl/contract';
import { dataOf, verdictOf } from './judge.ts';
import { but, type Provocation, refusedFor, requestOf } from './provoking.ts';
import { PASSWORD } from './settings.ts';
import { destinationBody, provedSession } from './withdrawal-scene.ts';

export const withdrawalProvocations: readonly Provocation[] = [
  { operation: 'createWithdrawal', code: 'PROD_ONLY', how: but({ base: '/sandbox' }) },
  {
    operation: 'createWithdrawal',
    code: 'STEP_UP_MFA_REQUIRED',
    how: but(({ world }) => ({ token: world.prologue.staleSession })),
  },
  {
    operation: 'createWithdrawal',
    code: 'BALANCE_INSUFFICIENT',
    how: but((_scene, { body }) => ({ body: { ...Object(body), amount: '1000000000' } })),
  },
  {
    operation: 'createWithdrawal',
    code: 'STATE_CONFLICT',
    how: async ({ world }) => world.prologue.tooNew,
  },
  {
    operation: 'createWithdrawal',
    code: 'UPSTREAM_ERROR',
    how: async ({ world }) => world.prologue.withoutCustody,
  },
  {
    operation: 'createWithdrawal',
    code: 'SUBACCOUNT_FROZEN',
    how: async ({ world }, operation) => {
      const frozen = { token: world.prologue.frozenSession, base: '' } as const;
      await world.data('stepUp', { ...frozen, body: { password: PASSWORD } });
      const body = { label: 'bank', destination: 'DE89 3704' };
      const { destination_id } = await world.data('addDestination', { ...frozen, body });
      return world.send(operation, { ...frozen, body: { destination_id, amount: '1' } });
    },
  },
  ...['approveWithdrawal', 'rejectWithdrawal'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: but(({ world }) => ({ params: { withdrawal_id: world.prologue.sentWithdrawal } })),
    }),
  ),
  ...['takeWithdrawal', 'markWithdrawalPaid'].map(
    (operation): Provocation => ({
      operation,
      code: 'STATE_CONFLICT',
      how: refusedFor(({ world }) => ({
        params: { withdrawal_id: world.prologue.sentWithdrawal },
      })),
    }),
  ),
  {
    operation: 'markWithdrawalPaid',
    code: 'ALREADY_EXISTS',
    how: async (scene, operation) => {
      const first = await requestOf(scene, operation);
      dataOf(await scene.world.send(operation, first));
      return but({ body: first.body })(scene, operation);
    },
  },
  {
    operation: 'cancelWithdrawal',
    code: 'STATE_CONFLICT',
    how: but(({ world }) => ({
      token: world.prologue.frozenSession,
      params: { withdrawal_id: world.prologue.sentWithdrawal },
    })),
  },
  {
    operation: 'addDestination',
    code: 'STEP_UP_MFA_REQUIRED',
    how: but(({ world }) => ({ token: world.prologue.staleSession, base: '' })),
  },
  {
    operation: 'addDestination',
    code: 'ALREADY_EXISTS',
    how: async (scene, operation) => {
      const call = await requestOf(scene, operation);
      dataOf(await scene.world.send(operation, call));
      return scene.world.send(operation, call);
    },
  },
  {
    operation: 'addDestination',
    code: 'STATE_CONFLICT',
    how: async (scene, operation) => {
      const token = await provedSession(scene, scene.changer);
      for (let count = 0; count <= limits.withdrawals.destinationsMax; count += 1) {
        const call = { token, body: destinationBody(scene) };
        const answer = await scene.world.send(operation, call);
        if (verdictOf(answer) !== 'ok') return answer;
      }
      throw new Error('there is room for any number of destinations');
    },
  },
  {
    operation: 'addDestination',
    code: 'SCOPE_NOT_ALLOWED',
    how: async (scene, operation) => {
      const visit = { token: null, address: scene.world.freshAddress(), body: {} };
      const { session_token: token } = await scene.world.data('openDemo', visit);
      return but({ token: String(token) })(scene, operation);
    },
  },
];
