// Two people stay two: who counts as one who could approve, and what the second one is shown.
import type { OperatorRole } from '@sibyl/contract';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator } from './harness.ts';
import { confirmed, joined } from './people.ts';

const HOUR_MS = 3_600_000;
const why = { reason: 'ticket 4711' };

let harness: OperatorHarness;
const tokens = new Map<string, string>();

async function join(name: string, roles: readonly OperatorRole[]): Promise<string> {
  const { operatorId, token } = await joined(harness, name, roles);
  tokens.set(name, token);
  return operatorId;
}

function call(who: string, path: string, body?: object): Promise<Response> {
  return harness.gateway.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/admin/v1${path}`,
    headers: bearer(tokens.get(who) ?? who),
    ...(body === undefined ? {} : { payload: body }),
  });
}

/** A day later, when Ada has signed in again. */
async function nextDay(): Promise<void> {
  harness.clock.advance(24 * HOUR_MS);
  const ada = await harness.operators.operatorByName('ada');
  await harness.operators.changePassword({
    ...{ operatorId: ada!.operatorId, verifiedHash: null, keptSessionId: null, atMs: 0 },
    passwordHash: 'hash of a new day',
  });
  tokens.set('ada', await confirmed(harness, 'ada', 'a new day'));
}

let subject: string;
beforeEach(async () => {
  harness = await openOperator();
  tokens.clear();
  await join('ada', ['admin']);
  subject = await join('vic', ['viewer']);
});
afterEach(() => harness.close());

const grant = (who: string) =>
  call(who, `/operators/${subject}/roles`, { ...why, roles: ['admin'] });
const approve = (who: string, id: string) => call(who, `/approvals/${id}/approve`, why);
const rolesOf = async () => (await harness.operators.operatorById(subject))?.roles;

describe('an act that a second operator has to agree to', () => {
  it('[OP81] takes two people for seven days after one of them was disabled or lost the role', async () => {
    const bea = await join('bea', ['admin', 'treasurer']);
    const ends: Readonly<Record<string, object>> = {
      [`/operators/${bea}/roles`]: { ...why, roles: ['treasurer'] },
      [`/operators/${bea}/disable`]: why,
    };
    for (const [path, body] of Object.entries(ends)) {
      expect((await call('ada', path, body)).statusCode).toBe(200);
      const asked = (await grant('ada')).json().data;
      expect(asked).toMatchObject({ state: 'waiting', confirmable_at: null });
      await nextDay();
      expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
      expect((await call('ada', `/approvals/${asked.approval_id}/reject`, why)).statusCode).toBe(
        200,
      );
    }
    expect(await rolesOf()).toEqual(['viewer']);
    for (let days = 0; days < 7; days += 1) await nextDay();
    expect((await grant('ada')).json().data.confirmable_at_ms).toBe(
      harness.clock.wallMs() + 24 * HOUR_MS,
    );
  });

  it('[OP82] is not confirmed alone: the loss of an operator who could is in the log', async () => {
    const bea = await join('bea', ['treasurer']);
    const lines = () => JSON.stringify(harness.lines).split('lost power').length - 1;
    await call('ada', `/operators/${subject}/disable`, why);
    expect(lines()).toBe(0);
    await call('ada', `/operators/${bea}/disable`, why);
    expect(lines()).toBe(1);
    // The first time stands.
    harness.clock.advance(1);
    await call('ada', `/operators/${bea}/disable`, why);
    expect(lines()).toBe(1);
  });

  it('[OP62] shows the record as it was when it was asked for, and as it is now', async () => {
    await join('bea', ['admin']);
    const asked = (await grant('ada')).json().data;
    await harness.operators.setRoles(subject, ['viewer', 'support'], 0);
    const shown = (await call('bea', `/approvals/${asked.approval_id}`)).json().data;
    expect(shown.about_then).toMatchObject({ operator_id: subject, roles: ['viewer'] });
    expect(shown.about).toMatchObject({ roles: expect.arrayContaining(['support']) });
    expect(shown.input).toEqual({ ...why, roles: ['admin'] });
  });
});
