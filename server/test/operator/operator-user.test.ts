// The user of the exchange that an operator is.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator } from './harness.ts';
import { joined } from './people.ts';

const why = { reason: 'ticket 4711' };
const linked = user('0000000000000007');

let harness: OperatorHarness;
beforeEach(async () => {
  harness = await openOperator();
  await harness.platform.addUser(linked);
});
afterEach(() => harness.close());

it('[OP77] is linked by one admin, and changed or removed by two', async () => {
  const ada = await joined(harness, 'ada', ['admin']);
  const { operatorId } = await joined(harness, 'vic', ['viewer']);
  const send = (path: string, payload: object, token = ada.token) =>
    harness.gateway.app.inject({
      method: 'POST',
      url: `/admin/v1${path}`,
      payload: { ...why, ...payload },
      headers: bearer(token),
    });
  const link = (userId: string | null) =>
    send(`/operators/${operatorId}/user`, { user_id: userId });
  const linkOf = async () => (await harness.operators.operatorById(operatorId))?.userId;
  expectError(await link('usr_0000000000000000'), 'NOT_FOUND');
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await link(linked.userId)).json().data).toMatchObject({ user_id: linked.userId });
  }
  const bea = await joined(harness, 'bea', ['admin']);
  const asked = (await link(null)).json().data;
  expect(asked).toMatchObject({ state: 'waiting', operation: 'setOperatorUser' });
  expect(await linkOf()).toBe(linked.userId);
  const agreed = await send(`/approvals/${asked.approval_id}/approve`, {}, bea.token);
  expect(agreed.json().data).toMatchObject({ state: 'done' });
  expect(await linkOf()).toBe(null);
});
