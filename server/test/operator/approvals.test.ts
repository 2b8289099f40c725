// Two people for what is dangerous, and the trail of everything.
import type { OperatorRole } from '@sibyl/contract';
import { asWithdrawalId } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { secondFactorsOf } from '../../src/handling/step-up.ts';
import { withdrawalsHeldUntilMs } from '../../src/handling/withdrawal-hold.ts';
import { addOperatorOffline } from '../../src/operator/offline-operators.ts';
import type { TrailRecord } from '../../src/ports/approvals.ts';
import { verifyTrail } from '../../src/stores/trail-chain.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { begunBy } from '../ports/authenticators-suite.ts';
import { key, user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
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

describe('[OP45] an act that a second operator has to agree to', () => {
  it('waits, and runs once when another agrees, however many do at the same moment', async () => {
    await join('bea', ['admin']);
    await join('cleo', ['admin']);
    const asked = (await grant('ada')).json().data;
    expect(asked).toMatchObject({ state: 'waiting', role: 'admin', confirmable_at: null, ...why });
    expect((await call('vic', `/approvals/${asked.approval_id}`)).json().data).toMatchObject({
      ...{ input: { roles: ['admin'] }, about: { operator_id: subject, roles: ['viewer'] } },
    });
    expect(await rolesOf()).toEqual(['viewer']);
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    expectError(await approve('vic', asked.approval_id), 'SCOPE_MISSING');
    const both = await Promise.all([
      approve('bea', asked.approval_id),
      approve('cleo', asked.approval_id),
    ]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await rolesOf()).toEqual(['admin']);
    const { approvals } = (await call('ada', '/approvals?state=done')).json().data;
    expect(approvals).toMatchObject([{ outcome: { data: { roles: ['admin'] } } }]);
    expectError(await approve('cleo', asked.approval_id), 'STATE_CONFLICT');
  });

  it('waits a day where nobody else could agree, announced, and is then confirmed alone', async () => {
    const asked = (await grant('ada')).json().data;
    expect(asked.confirmable_at_ms).toBe(harness.clock.wallMs() + 24 * HOUR_MS);
    expect(JSON.stringify(harness.lines)).toContain('can be confirmed alone from');
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    const bea = await join('bea', ['admin']);
    const now = async () => (await call('ada', `/approvals/${asked.approval_id}`)).json().data;
    expect(await now()).toMatchObject({ confirmable_at: null, confirmable_at_ms: null });
    await harness.operators.disableOperator(bea, 0);
    expect(await now()).toMatchObject({ confirmable_at: asked.confirmable_at });
    await nextDay();
    expect((await approve('ada', asked.approval_id)).json().data.state).toBe('done');
    expect(await rolesOf()).toEqual(['admin']);
  });

  it('is never agreed to by the token, and what the token asks for takes two people', async () => {
    await join('bea', ['admin']);
    const asked = (await grant(harness.token)).json().data;
    expect(asked.proposed_by).toBe('token');
    expectError(await approve(harness.token, asked.approval_id), 'STATE_CONFLICT');
    const taken = (await approve('ada', asked.approval_id)).json().data;
    expect(taken).toMatchObject({ state: 'waiting', proposed_by: expect.stringMatching(/^opr_/) });
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    expect((await approve('bea', asked.approval_id)).json().data.state).toBe('done');
  });

  it('is not agreed to once whoever asked for it was disabled, and can be rejected', async () => {
    const bea = await join('bea', ['admin']);
    await join('cleo', ['admin']);
    const { approval_id: id } = (await grant('bea')).json().data;
    await harness.operators.disableOperator(bea, harness.clock.wallMs());
    expectError(await approve('ada', id), 'STATE_CONFLICT');
    expect(await rolesOf()).toEqual(['viewer']);
    expect((await call('ada', `/approvals/${id}/reject`, why)).json().data.state).toBe('rejected');
  });

  it('is not agreed to once whoever asked for it has lost the role', async () => {
    const bea = await join('bea', ['admin']);
    await join('cleo', ['admin']);
    const { approval_id: id } = (await grant('bea')).json().data;
    await harness.operators.setRoles(bea, ['viewer'], 0);
    expectError(await approve('ada', id), 'STATE_CONFLICT');
    await harness.operators.setRoles(bea, ['admin'], 0);
    expect((await approve('ada', id)).json().data.state).toBe('done');
  });

  it('can be rejected or withdrawn, and expires after seven days', async () => {
    await join('bea', ['admin']);
    const ask = async (): Promise<string> => (await grant('ada')).json().data.approval_id;
    const end = (who: string, id: string) => call(who, `/approvals/${id}/reject`, why);
    expect((await end('ada', await ask())).json().data.state).toBe('withdrawn');
    const second = await ask();
    expect((await end('bea', second)).json().data.state).toBe('rejected');
    expectError(await end('bea', second), 'STATE_CONFLICT');
    const third = await harness.operators.approvals.byId(await ask());
    expect(third!.expiresAtMs - third!.createdAtMs).toBe(7 * 24 * HOUR_MS);
    expect(await rolesOf()).toEqual(['viewer']);
  });

  it('that an end of the process cut off waits again, and cannot be taken back', async () => {
    await join('bea', ['admin']);
    const { approval_id: id } = (await grant('ada')).json().data;
    const { approvals } = harness.operators;
    const decision = { by: 'opr_x', reason: 'x', atMs: harness.clock.wallMs() };
    await approvals.claim(id, decision, () => true);
    await approvals.reopen();
    expectError(await call('ada', `/approvals/${id}/reject`, why), 'STATE_CONFLICT');
    expect((await approve('bea', id)).json().data.state).toBe('done');
  });
});

describe('[OP45] an act in the live lane', () => {
  it('that could only fail is refused before anybody is asked', async () => {
    await harness.close();
    harness = await openOperator('live');
    tokens.clear();
    for (const name of ['ada', 'bea']) await join(name, ['market_manager']);
    const closesAtMs = harness.clock.wallMs() + HOUR_MS;
    const question = { question: 'Is it?', closes_at_ms: closesAtMs };
    const id = await harness.market('platform-question', question);
    const live = { ...why, lane: 'live' };
    const rule = () => call('ada', `/markets/${id}/ruling`, { ...live, ruling: 'too_early' });
    const evidence = ['https://example.com/result'];
    const propose = () =>
      call('ada', `/markets/${id}/resolution`, { ...live, winning_outcome_id: 'yes', evidence });
    expectError(await rule(), 'PROPOSAL_STATE_INVALID');
    expect((await propose()).json().data).toMatchObject({ state: 'waiting' });
    await harness.submit({ type: 'cancel_market', marketId: id, reason: 'void' });
    expectError(await rule(), 'RESOLUTION_LOCKED');
    expectError(await propose(), 'RESOLUTION_LOCKED');
    expectError(await call('ada', `/markets/${id}/cancel`, live), 'STATE_CONFLICT');
    const nowhere = await call('ada', '/markets/m_0123456789abcdef/cancel', live);
    expectError(nowhere, 'MARKET_NOT_FOUND');
    const { approvals } = (await call('ada', '/approvals')).json().data;
    expect(approvals).toHaveLength(1);
  });
});

describe('[OP46] the trail', () => {
  it('has every act with who, why and what came of it, and nothing of passwords', async () => {
    await join('bea', ['admin']);
    const { approval_id: id } = (await grant('ada')).json().data;
    await approve('bea', id);
    await call(harness.token, '/mode', { lane: 'sandbox', ...why, mode: 'normal' });
    const { data } = (await call('vic', '/trail?limit=100')).json();
    const told = data.map(({ operation, outcome }: TrailRecord) => `${operation} ${outcome}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'openOperatorSession ok',
        'setOperatorRoles proposed',
        'setOperatorRoles ok',
        'approveAct ok',
        'setPlatformMode ok',
      ]),
    );
    expect(data.at(-1)).toMatchObject({ operator_id: 'token', lane: 'sandbox', ...why });
    expect(JSON.stringify(data)).not.toContain('password');
    const page = (await call('vic', '/trail?limit=2')).json();
    expect(page.meta.next_cursor).toEqual(expect.any(String));
    const next = await call('vic', `/trail?limit=2&cursor=${page.meta.next_cursor}`);
    expect(next.json().data[0].seq).toBe(3);
    expect(await verifyTrail(harness.operators.trail, null)).toBe(data.length);
  });

  it('has who tried what they have no role for, and no look', async () => {
    expectError(await grant('vic'), 'SCOPE_MISSING');
    await call('vic', '/operators');
    const { data } = (await call('vic', '/trail?limit=100')).json();
    const vic = await harness.operators.operatorByName('vic');
    const tried = data.filter(({ operator_id: id }: { operator_id: string }) => id === subject);
    expect(tried.map(({ operation }: TrailRecord) => operation)).toEqual([
      ...['openOperatorSession', 'stepUpOperatorSession', 'setOperatorRoles'],
    ]);
    expect(tried.at(-1)).toMatchObject({
      ...{ operator_id: vic?.operatorId, roles: ['viewer'], outcome: 'SCOPE_MISSING' },
      target: `/admin/v1/operators/${subject}/roles`,
      reason: null,
    });
    expect(await verifyTrail(harness.operators.trail, null)).toBe(data.length);
  });

  it('does not verify when an entry was changed, taken out or cut off', async () => {
    await call(harness.token, '/mode', { lane: 'sandbox', ...why, mode: 'normal' });
    const { trail } = harness.operators;
    const all = await trail.read(0, 100, { operatorId: null, operation: null, lane: null });
    const planted = (entries: readonly TrailRecord[]) =>
      verifyTrail({ ...trail, head: () => trail.head(), read: async () => entries } as never, null);
    for (const field of [
      'operatorId',
      'reason',
      'outcome',
      'operation',
      'what',
      'target',
    ] as const) {
      const changed = all.map((entry, at) => (at === 1 ? { ...entry, [field]: 'x' } : entry));
      await expect(planted(changed), field).rejects.toThrow('at entry 2');
    }
    await expect(planted(all.filter((_entry, at) => at !== 1))).rejects.toThrow('at entry 2');
    await expect(planted(all.slice(0, -1))).rejects.toThrow('were written');
    await expect(planted(all)).resolves.toBe(all.length);
  });
});

describe('[WO6] a withdrawal above the limit', () => {
  beforeEach(async () => {
    await harness.close();
    harness = await openOperator('live');
    tokens.clear();
    for (const name of ['ada', 'bea']) await join(name, ['treasurer']);
    await join('vic', ['viewer']);
  });

  const live = { ...why, lane: 'live' };
  const decide = (who: string, id: string, act: 'approve' | 'reject') =>
    call(who, `/withdrawals/${id}/${act}`, live);
  const free = () =>
    harness.lane.read(({ ledger, accounts }) => ledger.balance(accounts.get(trader)!.free));

  async function held(changes: object = {}): Promise<string> {
    const { answer } = await harness.submit({
      type: 'withdraw',
      accountId: trader,
      amount: usdt(4_000_000_000n),
      custody: 'local',
      destination: 'DE89 3704',
      hold: { approval: true, untilMs: null, reason: 'above_limit' },
      ...changes,
    });
    if (!answer.ok || answer.result.kind !== 'withdrawal') throw new Error('no withdrawal');
    return answer.result.withdrawal.withdrawalId;
  }

  const step = (id: string, name: 'send' | 'complete') =>
    ({
      type: 'advance_withdrawal',
      withdrawalId: asWithdrawalId(id),
      step: name,
      reference: null,
      reason: null,
    }) as const;

  async function queue(kind: string): Promise<readonly { id: string; title: string }[]> {
    const { queues } = (await call('vic', '/queues?lane=live')).json().data;
    return queues.find((one: { kind: string }) => one.kind === kind).items;
  }

  it('waits in the queue until two treasurers have agreed', async () => {
    const id = await held();
    expect(await queue('withdrawal')).toMatchObject([
      { id, title: '4000.000000 USDT to DE89 3704' },
    ]);
    expectError(await decide('vic', id, 'approve'), 'SCOPE_MISSING');
    const asked = (await decide('ada', id, 'approve')).json().data;
    expect(asked).toMatchObject({ state: 'waiting', role: 'treasurer' });
    expect(await queue('approval')).toMatchObject([{ id: asked.approval_id }]);
    expect(await queue('withdrawal')).toHaveLength(1);
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    const done = (await approve('bea', asked.approval_id)).json().data;
    expect(done).toMatchObject({
      state: 'done',
      outcome: { data: { withdrawal_id: id, state: 'requested', needs_approval: false } },
    });
    expect([await queue('approval'), await queue('withdrawal')]).toEqual([[], []]);
    expectError(await decide('ada', id, 'approve'), 'STATE_CONFLICT');
  });

  const found = async (query: string) =>
    (await call('vic', `/withdrawals?${query}`)).json().data as Record<string, unknown>[];
  const idsOf = async (query: string) => (await found(query)).map((each) => each.withdrawal_id);

  it('[OP65] is looked up with what it waits for, by state and by owner, the newest first', async () => {
    const { platform, clock } = harness;
    const owner = { ...user('anna'), accounts: { live: trader, sandbox: 'acc_other' } };
    await platform.addUser(owner);
    const above = await held();
    const untilMs = clock.wallMs() + HOUR_MS;
    const later = await held({
      amount: usdt(5_000_000n),
      hold: { approval: false, untilMs, reason: 'credentials_changed' },
    });
    const quick = await held({ amount: usdt(6_000_000n), hold: null });
    const asked = (await decide('ada', above, 'approve')).json().data;
    expect(await found('state=open')).toMatchObject([
      { withdrawal_id: quick, state: 'requested', waits_for: null, approval_id: null },
      { withdrawal_id: later, state: 'held', waits_for: 'time', held_until_at_ms: untilMs },
      {
        ...{ withdrawal_id: above, amount: '4000.000000', destination: 'DE89 3704' },
        ...{ account_id: trader, user_id: owner.userId, custody: 'local', reason: 'above_limit' },
        ...{ waits_for: 'operator', approval_id: asked.approval_id, restriction: null },
      },
    ]);
    expect(await idsOf('state=held')).toEqual([later, above]);
    expect(await idsOf('state=requested')).toEqual([quick]);
    expect(await idsOf(`owner=${owner.userId}`)).toEqual([quick, later, above]);
    expect(await idsOf('owner=usr_nobody')).toEqual([]);
    const first = (await call('vic', '/withdrawals?limit=2')).json();
    expect(first.data).toHaveLength(2);
    const rest = `limit=2&cursor=${encodeURIComponent(first.meta.next_cursor)}`;
    expect(await idsOf(rest)).toEqual([above]);
    // At its end nothing is waited for, and what is compliance's comes before what an operator could do.
    await harness.submit(step(quick, 'send'));
    expect((await found('state=sent'))[0]).toMatchObject({ waits_for: 'custody' });
    await harness.submit({ ...step(quick, 'complete'), reference: 'tx 1' });
    expect((await found('state=completed'))[0]).toMatchObject({
      waits_for: null,
      reference: 'tx 1',
    });
    const rules = { sanctions: [{ id: 'list', emails: [owner.email] }] };
    await harness.post('/compliance', { ...why, rules });
    const stopped = (await call('vic', `/withdrawals/${above}`)).json().data;
    expect(stopped).toMatchObject({ waits_for: 'compliance', restriction: 'SANCTIONS_HIT' });
    expectError(await call('vic', '/withdrawals/wd_0000000000'), 'NOT_FOUND');
  });

  it('[OP62] is shown as it stands now to whoever is to agree that it goes out', async () => {
    const id = await held();
    const { approval_id: approvalId } = (await decide('ada', id, 'approve')).json().data;
    const shown = async () => (await call('vic', `/approvals/${approvalId}`)).json().data;
    expect(await shown()).toMatchObject({
      ...{ state: 'waiting', operation: 'approveWithdrawal', input: live },
      about: { withdrawal_id: id, amount: '4000.000000', destination: 'DE89 3704' },
    });
    await decide('bea', id, 'reject');
    expect(await shown()).toMatchObject({ about: { state: 'failed', reason: 'rejected' } });
    expectError(await call('vic', '/approvals/apr_0000000000'), 'NOT_FOUND');
  });

  it('[WO10] of somebody who is sanctioned since is not let go, and stays in the queue', async () => {
    const { platform } = harness;
    const owner = { ...user('anna'), accounts: { live: trader, sandbox: 'acc_other' } };
    await platform.addUser(owner);
    const id = await held();
    const free = await held({ amount: usdt(5_000_000n), hold: null });
    const asked = (await decide('ada', id, 'approve')).json().data;
    const rules = { sanctions: [{ id: 'list', emails: [owner.email] }] };
    expect((await harness.post('/compliance', { ...why, rules })).statusCode).toBe(200);
    expect((await approve('bea', asked.approval_id)).json().data).toMatchObject({
      state: 'failed',
      outcome: { code: 'SANCTIONS_HIT', details: { rule_id: 'list' } },
    });
    expect(await queue('withdrawal')).toMatchObject([
      { id, title: '4000.000000 USDT to DE89 3704' },
      { id: free, title: '5.000000 USDT to DE89 3704: SANCTIONS_HIT' },
    ]);
    // Nobody is asked to agree to what would be refused.
    expectError(await decide('ada', id, 'approve'), 'SANCTIONS_HIT');
    await harness.post('/compliance', { ...why, rules: {} });
    expect(await queue('withdrawal')).toMatchObject([{ id }]);
    const again = (await decide('ada', id, 'approve')).json().data;
    expect((await approve('bea', again.approval_id)).json().data.state).toBe('done');
  });

  it('is given back by one, and then never goes out', async () => {
    const id = await held();
    const asked = (await decide('ada', id, 'approve')).json().data;
    const given = (await decide('bea', id, 'reject')).json().data;
    expect(given).toMatchObject({ state: 'failed', reason: 'rejected', account_id: trader });
    expect(await free()).toBe(10_000_000_000n);
    expect((await approve('bea', asked.approval_id)).json().data).toMatchObject({
      state: 'failed',
      outcome: { code: 'STATE_CONFLICT' },
    });
    expect(await free()).toBe(10_000_000_000n);
    expectError(await decide('ada', 'wd_0000000000', 'approve'), 'NOT_FOUND');
    expectError(await decide('ada', 'wd_0000000000', 'reject'), 'NOT_FOUND');
  });
});

describe('[OP43] names that records have for others than people', () => {
  it.each(['token', 'offline', 'nobody'])('%s is no name of an operator', async (name) => {
    const { error } = (await call('ada', '/operators', { ...why, name })).json();
    expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'name' } });
    expect(await harness.operators.operatorByName(name)).toBeNull();
    const nowhere = { dataDir: '/nowhere', databaseUrl: null };
    expect(() => addOperatorOffline(nowhere, name, ['viewer'])).toThrow('may be called');
  });
});

describe('[OP60] a correction of a balance', () => {
  let asks = 0;
  const wrong = { ...why, lane: 'live', asset: 'USDT', amount: '-250', external_ref: 'ticket-1' };
  const free = () =>
    harness.lane.read(({ ledger, accounts }) => ledger.balance(accounts.get(trader)!.free));

  function correct(who: string, body: object, account: string = trader): Promise<Response> {
    asks += 1;
    return harness.gateway.app.inject({
      method: 'POST',
      url: `/admin/v1/accounts/${account}/corrections`,
      headers: { ...bearer(tokens.get(who) ?? who), 'idempotency-key': `correction-${asks}` },
      payload: body,
    });
  }

  async function begin(lane: 'live' | 'sandbox'): Promise<void> {
    await harness.close();
    harness = await openOperator(lane);
    tokens.clear();
    for (const name of ['ada', 'bea']) await join(name, ['treasurer']);
    await join('vic', ['viewer', 'support', 'market_manager']);
  }

  it('takes two treasurers, and is booked once however often it is asked for', async () => {
    await begin('live');
    const before = await free();
    expectError(await correct('vic', wrong), 'SCOPE_MISSING');
    const asked = (await correct('ada', wrong)).json().data;
    expectError(await correct('bea', wrong), 'STATE_CONFLICT');
    expect(asked).toMatchObject({ state: 'waiting', role: 'treasurer', input: wrong });
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    expect(await free()).toBe(before);
    const done = (await approve('bea', asked.approval_id)).json().data;
    expect(done.outcome.data).toMatchObject({
      ...{ account_id: trader, amount: '-250.000000', external_ref: 'ticket-1' },
      balance_free: `${(before - 250_000_000n) / 1_000_000n}.000000`,
    });
    const twice = (await correct('bea', wrong)).json().data;
    const { outcome } = (await approve('ada', twice.approval_id)).json().data;
    const notes = [expect.stringContaining('nothing was booked now')];
    expect(outcome.data).toEqual({ ...done.outcome.data, booked_before: true, notes });
    expect(await free()).toBe(before - 250_000_000n);
    const { data: trail } = (await call('vic', '/trail?operation=correctBalance')).json();
    expect(trail.at(-1)).toMatchObject({
      operator_id: expect.stringMatching(/^opr_\w+\+opr_\w+$/),
      ...{ target: `/admin/v1/accounts/${trader}/corrections`, outcome: 'ok', ...why },
    });
  });

  it('that cannot be is refused before anybody is asked', async () => {
    await begin('live');
    for (const amount of ['0', '-0', '0.0000001', '9999999999999999999999']) {
      const refused = await correct('ada', { ...wrong, amount });
      expectError(refused, 'VALIDATION_FAILED');
      expect(refused.json().error.details).toMatchObject({ field: 'amount' });
    }
    expectError(await correct('ada', wrong, 'acc_0000000000nobody'), 'NOT_FOUND');
    const amount = `-${Number(await free()) / 1e6 + 1}`;
    expectError(await correct('ada', { ...wrong, amount }), 'BALANCE_INSUFFICIENT');
    const { approvals } = (await call('ada', '/approvals')).json().data;
    expect(approvals).toEqual([]);
  });

  it('needs nobody else in the sandbox, and never takes more than is free', async () => {
    await begin('sandbox');
    const play = { ...wrong, lane: 'sandbox' };
    const before = await free();
    expectError(await correct('ada', { ...play, amount: '-10001' }), 'BALANCE_INSUFFICIENT');
    const done = (await correct('ada', { ...play, amount: '0.000001' })).json().data;
    expect(done).toMatchObject({ amount: '0.000001', lane: 'sandbox' });
    expect(await free()).toBe(before + 1n);
    expectError(await correct('ada', { ...play, amount: '5' }), 'ALREADY_EXISTS');
  });
});

describe('[OP66] second factors that a user has lost', () => {
  const remove = (who: string, userId = 'usr_rita') =>
    call(who, `/users/${userId}/remove-factors`, why);

  /** With an authenticator, recovery codes, a session and a key. */
  async function rita(): Promise<void> {
    const { platform, clock } = harness;
    const { totp, confirmation } = begunBy('usr_rita');
    await platform.addUser(user('rita'));
    await platform.profiles.change('usr_rita', { language: 'de' });
    await platform.factors.beginTotp(totp);
    await platform.factors.confirmTotp(confirmation);
    const nowMs = clock.wallMs();
    await platform.addSession({
      ...{ sessionId: 'ses_rita', tokenHash: 'hash', userId: 'usr_rita', createdAtMs: nowMs },
      ...{ expiresAtMs: nowMs + 48 * HOUR_MS, endedAtMs: null, steppedUpAtMs: nowMs },
      ...{ lastSeenAtMs: nowMs, network: '', device: '' },
    });
    await platform.addKey({ ...key('rita'), holderId: 'usr_rita', userId: 'usr_rita' });
  }
  const state = async () => {
    const { platform, clock } = harness;
    const heldUntilMs = await withdrawalsHeldUntilMs(platform, 'usr_rita', clock.wallMs());
    return {
      factors: await secondFactorsOf(platform.factors, 'usr_rita'),
      sessions: (await platform.sessions.of('usr_rita', clock.wallMs())).length,
      heldForMs: heldUntilMs === null ? null : heldUntilMs - clock.wallMs(),
    };
  };
  const before = { factors: ['totp', 'recovery_code'], sessions: 1, heldForMs: null };
  const after = { factors: [], sessions: 0, heldForMs: 24 * HOUR_MS };

  it('are removed by two admins, with the sessions; withdrawals wait, keys stay, and the user is told', async () => {
    await join('bea', ['admin']);
    await join('sue', ['support', 'treasurer', 'market_manager']);
    await rita();
    expectError(await remove('sue'), 'SCOPE_MISSING');
    const asked = (await remove('ada')).json().data;
    expect(asked).toMatchObject({ state: 'waiting', role: 'admin', confirmable_at: null, ...why });
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    expectError(await approve('sue', asked.approval_id), 'SCOPE_MISSING');
    expect(await state()).toEqual(before);
    expect(await harness.mailed()).toEqual([]);
    const done = (await approve('bea', asked.approval_id)).json().data;
    const untilMs = harness.clock.wallMs() + 24 * HOUR_MS;
    const removed = {
      ...{ user_id: 'usr_rita', totp_removed: true, passkeys_removed: 0, sessions_ended: 1 },
      withdrawals_held_until_at: new Date(untilMs).toISOString(),
      ...{ withdrawals_held_until_at_ms: untilMs, mailed: true },
    };
    expect(done).toMatchObject({ state: 'done', outcome: { data: removed } });
    expect(await state()).toEqual(after);
    expect((await harness.platform.keyById(key('rita').publicId))?.revokedAtMs).toBeNull();
    const [letter, ...more] = await harness.mailed();
    expect(more).toEqual([]);
    expect(letter).toMatchObject({
      to: 'rita@example.com',
      subject: 'Ihre zweiten Faktoren bei Sibyl wurden entfernt',
      text: expect.stringContaining('2026-11-16 12:00 UTC'),
    });
    const trail = (await call('ada', '/trail?operation=removeUserFactors')).json().data;
    expect(trail).toMatchObject([
      { outcome: 'SCOPE_MISSING' },
      { outcome: 'proposed', ...why },
      { outcome: 'ok', ...why, target: '/admin/v1/users/usr_rita/remove-factors' },
    ]);
    expect(trail[2].operator_id).toMatch(/^opr_\w+\+opr_\w+$/);
    // Neither twice, nor for whoever has none.
    expectError(await approve('bea', asked.approval_id), 'STATE_CONFLICT');
    expectError(await remove('ada'), 'STATE_CONFLICT');
  });

  it('wait a day where there is one admin, also on an exchange with the sandbox alone', async () => {
    await rita();
    const asked = (await remove('ada')).json().data;
    expect(asked.confirmable_at_ms).toBe(harness.clock.wallMs() + 24 * HOUR_MS);
    expectError(await approve('ada', asked.approval_id), 'STATE_CONFLICT');
    expect((await state()).factors).toEqual(before.factors);
    await nextDay();
    expect((await approve('ada', asked.approval_id)).json().data.state).toBe('done');
    expect(await state()).toEqual(after);
  });

  it('are not there to be removed: that is said at once, and nobody has to agree', async () => {
    await harness.platform.addUser(user('bob'));
    await harness.platform.addUser({ ...user('eve'), isDemo: true });
    expectError(await remove('ada', 'usr_bob'), 'STATE_CONFLICT');
    expectError(await remove('ada', 'usr_eve'), 'NOT_FOUND');
    expectError(await remove('ada', 'usr_none'), 'NOT_FOUND');
    expectError(await call('ada', '/users/usr_bob/remove-factors', {}), 'MISSING_FIELD');
    expect((await call('ada', '/approvals')).json().data.approvals).toEqual([]);
  });
});
