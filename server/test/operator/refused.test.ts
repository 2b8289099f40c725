// Acts that are refused over and over: whoever tries is in the trail, and does not fill it.
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyTrail } from '../../src/stores/trail-chain.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { joined } from './people.ts';

const HOUR_MS = 3_600_000;
const why = { lane: 'live', reason: 'ticket 4711' };

let harness: OperatorHarness;
let vic: string;
let sue: string;
beforeEach(async () => {
  harness = await openOperator('live');
  vic = (await joined(harness, 'vic', ['viewer'])).token;
  sue = (await joined(harness, 'sue', ['support'])).token;
});
afterEach(() => harness.close());

function freeze(token: string): Promise<Response> {
  const url = `/admin/v1/accounts/${trader}/freeze`;
  const headers = bearer(token);
  return harness.gateway.app.inject({ method: 'POST', url, headers, payload: why });
}

async function entries(operation: string): Promise<readonly { outcome: string; what: string }[]> {
  return (await harness.get(`/trail?limit=200&operation=${operation}`)).json().data;
}

it('[OP74] for want of a role are entries ten times, and then at each doubling with how many there were', async () => {
  for (let times = 0; times < 100; times += 1) expectError(await freeze(vic), 'SCOPE_MISSING');
  const told = await entries('freezeAccount');
  expect(new Set(told.map(({ outcome }) => outcome))).toEqual(new Set(['SCOPE_MISSING']));
  const again = told.slice(10).map(({ what }) => JSON.parse(what));
  expect(again.map(({ refused_times: times }) => times)).toEqual([20, 40, 80]);
  expect(again[0].since).toBe(new Date(harness.clock.wallMs()).toISOString());
  // Nobody else's are counted with them, and what is done is an entry as ever.
  expect((await freeze(sue)).statusCode).toBe(200);
  expect((await entries('freezeAccount')).at(-1)).toMatchObject({ outcome: 'ok', what: '' });
  const all = (await harness.get('/trail?limit=200')).json().data;
  expect(await verifyTrail(harness.operators.trail, null)).toBe(all.length);
});

it('[OP74] for want of a proof leave no note behind, and are entries again an hour later', async () => {
  harness.clock.advance(HOUR_MS / 4);
  for (let times = 0; times < 15; times += 1) {
    expectError(await freeze(sue), 'STEP_UP_MFA_REQUIRED');
  }
  expect(await entries('freezeAccount')).toHaveLength(10);
  expect(await harness.operators.trail.begun()).toEqual([]);
  for (let quarter = 0; quarter < 4; quarter += 1) {
    harness.clock.advance(HOUR_MS / 4);
    await harness.gateway.app.inject({ url: '/admin/v1/session', headers: bearer(sue) });
  }
  expectError(await freeze(sue), 'STEP_UP_MFA_REQUIRED');
  expect(await entries('freezeAccount')).toHaveLength(11);
});
