// Operators who have signed in and confirmed their session.
import type { OperatorRole } from '@sibyl/contract';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { newOperator } from '../../src/operator/new-operator.ts';
import { bearer, quickPasswords } from '../gateway/harness.ts';
import type { OperatorHarness } from './harness.ts';

export async function joined(
  harness: OperatorHarness,
  name: string,
  roles: readonly OperatorRole[],
): Promise<{ readonly operatorId: string; readonly token: string }> {
  const parts = { passwords: quickPasswords, random: systemRandom, clock: harness.clock };
  const { operator, password } = (await newOperator(parts, name, roles))!;
  await harness.operators.addOperator(operator);
  return { operatorId: operator.operatorId, token: await confirmed(harness, name, password) };
}

export async function confirmed(
  { gateway }: OperatorHarness,
  name: string,
  password: string,
): Promise<string> {
  const ask = { method: 'POST', url: '/admin/v1/sessions', payload: { name, password } } as const;
  const token: string = (await gateway.app.inject(ask)).json().data.session_token;
  const proof = { payload: { password }, headers: bearer(token) };
  await gateway.app.inject({ method: 'POST', url: '/admin/v1/session/step-up', ...proof });
  return token;
}
