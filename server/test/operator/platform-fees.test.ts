// What is the platform's of fees: paid by two, once, and no more than there is.
import { platformFund } from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { joined } from './people.ts';

const why = { reason: 'fees of November' };
const HOUR_MS = 3_600_000;

let harness: OperatorHarness;
let asks = 0;
const tokens = new Map<string, string>();

beforeEach(async () => {
  harness = await openOperator('live');
  await earn();
  for (const name of ['ada', 'bea']) {
    tokens.set(name, (await joined(harness, name, ['treasurer'])).token);
  }
  tokens.set('vic', (await joined(harness, 'vic', ['support'])).token);
});
afterEach(() => harness.close());

/** Somebody makes a thousand sets and pays the fee for it; the market is answered and nobody objects. */
async function earn(): Promise<void> {
  const params = { question: 'Will it?', closes_at_ms: harness.clock.wallMs() + 24 * HOUR_MS };
  const marketId = await harness.market('own-question', params);
  await harness.submit({ type: 'approve_market', marketId });
  const sets = { accountId: trader, marketId, lots: lots(100_000) };
  await harness.submit({ type: 'mint_sets', ...sets, caps: null, grant: null });
  const result = { kind: 'outcome', outcomeId: 'yes' } as const;
  const answer = { marketId, proposerId: null, result, evidence: ['seen'], bond: usdt(0n) };
  await harness.submit({ type: 'propose_resolution', ...answer });
  harness.clock.advance(3 * HOUR_MS);
  await harness.submit({ type: 'tick' });
}

const fund = () => harness.lane.read((state) => platformFund(state, 'treasury'));
const free = () =>
  harness.lane.read(({ ledger, accounts }) => ledger.balance(accounts.get(trader)!.free));

function post(who: string, path: string, body: object): Promise<Response> {
  asks += 1;
  return harness.gateway.app.inject({
    method: 'POST',
    url: `/admin/v1${path}`,
    headers: { ...bearer(tokens.get(who)!), 'idempotency-key': `payment-${asks}` },
    payload: body,
  });
}

const payment = { ...why, lane: 'live', fund: 'treasury', amount: '0.25', external_ref: 'nov' };
const pay = (who: string, changes: object = {}, account: string = trader) =>
  post(who, `/accounts/${account}/platform-fees`, { ...payment, ...changes });
const approve = (who: string, id: string) => post(who, `/approvals/${id}/approve`, why);

it('[RV6] takes two treasurers, and is paid once for its reference', async () => {
  const [held, had] = [await fund(), await free()];
  expect(held).toBeGreaterThan(500_000n);
  expectError(await pay('vic'), 'SCOPE_MISSING');
  const asked = (await pay('ada')).json().data;
  expect(asked).toMatchObject({ state: 'waiting', role: 'treasurer' });
  expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
  expect(await fund()).toBe(held);
  const { outcome } = (await approve('bea', asked.approval_id)).json().data;
  expect(outcome.data).toMatchObject({ account_id: trader, fund: 'treasury', amount: '0.250000' });
  expect([await fund(), await free()]).toEqual([held - 250_000n, had + 250_000n]);
  const again = (await pay('bea')).json().data;
  await approve('ada', again.approval_id);
  const other = (await pay('bea', { amount: '0.1' })).json().data;
  const refused = (await approve('ada', other.approval_id)).json().data;
  expect(refused.outcome).toMatchObject({ code: 'ALREADY_EXISTS' });
  expect([await fund(), await free()]).toEqual([held - 250_000n, had + 250_000n]);
});

it('[RV6] what cannot be paid is refused before anybody is asked', async () => {
  expectError(await pay('ada', { amount: '1000000' }), 'BALANCE_INSUFFICIENT');
  expectError(await pay('ada', { fund: 'insurance', amount: '1000000' }), 'BALANCE_INSUFFICIENT');
  expectError(await pay('ada', {}, 'acc_0000000000nobody'), 'NOT_FOUND');
  for (const amount of ['0', '-1', '0.0000001']) {
    expectError(await pay('ada', { amount }), 'VALIDATION_FAILED');
  }
  expectError(await pay('ada', { fund: 'oracle' }), 'VALIDATION_FAILED');
  await harness.submit({ type: 'freeze_account', accountId: trader, frozen: true });
  expectError(await pay('ada'), 'SUBACCOUNT_FROZEN');
});
