// Acts of an operator on what runs: halted lanes, frozen accounts, finer ticks, clarifications, settlement metadata.
import { operatorOperations } from '@sibyl/contract';
import { asAccountId, asTemplateId, type CommandBody, decodeCommand } from '@sibyl/engine';
import { recordsOf } from '@sibyl/lane';
import { lots, pips, usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountView } from '../../src/modules/account/queries.ts';
import type { FlagRecord } from '../../src/ports/compliance.ts';
import { marketView } from '../../src/wire/market-view.ts';
import { templateView } from '../../src/wire/template-view.ts';
import { expectError } from '../gateway/expect.ts';
import { linkIn } from '../mailbox.ts';
import { user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';

const act = { lane: 'sandbox', reason: 'ticket 4711' } as const;
const launch = { question: 'Will A launch B?', closes_at_ms: 1_800_000_000_000 };

let plane: OperatorHarness;
beforeEach(async () => {
  plane = await openOperator();
});
afterEach(() => plane.close());

function dataOf(response: Response): Record<string, unknown> {
  expect(response.statusCode, response.payload).toBe(200);
  return response.json().data;
}

async function lastCommand(): Promise<Record<string, unknown>> {
  let last = '';
  for await (const page of plane.journal.read(1))
    last = page.map(recordsOf).at(-1)?.at(-1)?.body ?? last;
  return { ...decodeCommand(last) };
}

function order(marketId: string, price: number): CommandBody {
  return {
    type: 'place_order',
    accountId: trader,
    marketId,
    outcomeId: 'yes',
    side: 'buy',
    orderType: 'limit',
    price: pips(price),
    lots: lots(100),
    timeInForce: 'gtc',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    keyId: null,
    builder: null,
    caps: null,
    grant: null,
    execution: 'hybrid',
    acceptPrice: false,
  } as unknown as CommandBody;
}

const bigints = (_name: string, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value;

async function codeOf(body: CommandBody): Promise<string | null> {
  const actor = { kind: 'account', accountId: trader, keyId: null } as const;
  const { answer } = await plane.lane.submit({ body, actor, requestId: 'r' });
  return answer.ok ? null : answer.rejection.code;
}

describe('[AO1] a lane', () => {
  it('is halted and resumed, and a decision about clocks does not end the halt', async () => {
    const id = await plane.market('own-question', launch);
    const halted = dataOf(await plane.post('/mode', { ...act, mode: 'cancel_only' }));
    expect(halted).toMatchObject({ lane: 'sandbox', mode: 'cancel_only' });
    expect(await lastCommand()).toMatchObject({
      type: 'set_read_only',
      cancelOnly: true,
      // What everyone reads says nothing of why.
      reason: 'halted by the operator',
      actor: { kind: 'operator', name: 'token', reason: 'ticket 4711' },
    });
    expect(await codeOf(order(id, 4000))).toBe('READ_ONLY_MODE');
    const laneNow = async () => (dataOf(await plane.get('/platform')).lanes as object[])[0];
    expect(await laneNow()).toMatchObject({
      ...{ mode: 'cancel_only', mode_reason: 'ticket 4711', mode_set_by: 'token' },
      mode_message: 'halted by the operator',
      mode_set_at_ms: halted.changed_at_ms,
    });
    dataOf(await plane.post('/clock', { ...act, decision: 'keep' }));
    const mode = await plane.lane.read(({ readOnly, cancelOnly }) => [readOnly, cancelOnly]);
    expect(mode).toEqual([true, true]);
    dataOf(await plane.post('/mode', { ...act, mode: 'normal' }));
    expect(await codeOf(order(id, 4000))).toBeNull();
    expect(await laneNow()).toMatchObject({ mode: 'normal', mode_reason: null, mode_set_by: null });
  });

  it('[AO10] shows a public message of an act, and never its reason', async () => {
    const id = await plane.market('own-question', launch);
    const told: string[] = [];
    plane.lane.onCommitted((batch) => {
      for (const { outcome } of batch) told.push(JSON.stringify(outcome.events, bigints));
    });
    const secret = { lane: 'sandbox', reason: 'a secret of ours' };
    const message = 'Prices of a wrong day.';
    for (const more of [{}, { message }]) {
      dataOf(await plane.post('/mode', { ...secret, ...more, mode: 'read_only' }));
      dataOf(await plane.post('/mode', { ...secret, ...more, mode: 'normal' }));
      dataOf(await plane.post(`/markets/${id}/halt`, { ...secret, ...more }));
      dataOf(await plane.post(`/markets/${id}/resume`, secret));
    }
    dataOf(await plane.post(`/markets/${id}/cancel`, secret));
    dataOf(await plane.post('/clock', { ...secret, decision: 'keep' }));
    const all = told.join();
    expect(all).not.toContain('secret');
    for (const words of [
      'paused by the operator',
      'halted by the operator',
      'cancelled by the operator',
    ]) {
      expect(all).toContain(words);
    }
    expect(all.split(message)).toHaveLength(1 + 3);
    const blank = await plane.post('/mode', { ...secret, mode: 'read_only', message: ' ' });
    expectError(blank, 'VALIDATION_FAILED');
  });
});

describe('[AO2] an account', () => {
  const viewer = {
    caps: null,
    grant: null,
    tier: null,
    permissions: ['read', 'trade'],
    perMinute: {},
    announced: [],
  } as never;

  it('is frozen with a message that its owner reads, at once, and unfrozen', async () => {
    const id = await plane.market('own-question', launch);
    expect(await codeOf(order(id, 4000))).toBeNull();
    const message = 'Please write to support.';
    const freeze = () =>
      plane.post(`/accounts/${trader}/freeze`, { ...act, message }, 'freeze-0001');
    const frozen = dataOf(await freeze());
    expect(frozen).toMatchObject({ frozen: true, message, orders_cancelled: 1 });
    const again = await freeze();
    expect(dataOf(again)).toEqual(frozen);
    expect(await codeOf(order(id, 4000))).toBe('SUBACCOUNT_FROZEN');
    const shown = await plane.lane.read((state) => accountView(state, trader, viewer, null));
    expect(shown.restrictions).toEqual(['SUBACCOUNT_FROZEN']);
    const operations = ['trade', 'create_market', 'withdraw'];
    const reasons = [{ code: 'SUBACCOUNT_FROZEN', reason: message, operations }];
    expect(shown.restriction_reasons).toMatchObject(reasons);
    const free = dataOf(await plane.post(`/accounts/${trader}/unfreeze`, act));
    expect(free).toMatchObject({ frozen: false, message: null, orders_cancelled: 0 });
    expect(await codeOf(order(id, 4000))).toBeNull();
    expectError(await plane.post('/accounts/acc_nobody/freeze', act), 'NOT_FOUND');
    expectError(await plane.post('/accounts/acc_nobody/unfreeze', act), 'NOT_FOUND');
    expectError(await plane.post('/accounts/m_0123456789abcdef/freeze', act), 'ID_INVALID_KIND');
  });
});

describe('[AO11] the reason of an act on one owner', () => {
  const reason = 'a secret of ours';
  const message = 'Please write to support.';
  const why = { lane: 'sandbox', reason } as const;

  it('stays out of what the owner reads of a freeze', async () => {
    const shown = () =>
      plane.lane.read((state) => state.accounts.get(asAccountId(trader))?.frozenReason);
    const told: string[] = [];
    plane.lane.onCommitted((batch) => {
      for (const { outcome } of batch) told.push(JSON.stringify(outcome.events, bigints));
    });
    for (const words of [undefined, message]) {
      const body = words === undefined ? why : { ...why, message: words };
      expect(dataOf(await plane.post(`/accounts/${trader}/freeze`, body)).message).toBe(
        words ?? null,
      );
      expect(await shown()).toBe(words ?? null);
      expect(await lastCommand()).toMatchObject({ actor: { reason } });
      dataOf(await plane.post(`/accounts/${trader}/unfreeze`, why));
    }
    expect(told.join()).toContain(message);
    expect(told.join()).not.toContain('secret');
    const closing = { ...why, message: 'closed by its owner' };
    expectError(await plane.post(`/accounts/${trader}/freeze`, closing), 'VALIDATION_FAILED');
  });

  it('stays out of the changes of a tier, which messages and webhooks tell', async () => {
    const accounts = { live: 'acc_adalive', sandbox: 'acc_adatest' };
    await plane.platform.addUser({ ...user('ada'), accounts });
    const path = '/accounts/acc_adalive/tier';
    dataOf(await plane.post(path, { reason, tier: 'trade_capped' }));
    dataOf(await plane.post(path, { reason, message, tier: 'trade_full' }));
    const told = { name: 'Ada', website: null, about: 'A desk.', agreementVersion: '1' };
    const application = { userId: 'usr_ada', track: 'genesis', ...told, atMs: 1 } as const;
    await plane.platform.builders.apply(application);
    dataOf(await plane.post('/builders/usr_ada/approve', { reason, note: 'Welcome.' }));
    const changes = await plane.platform.tierChanges('usr_ada');
    expect(changes.map((change) => change.reason)).toEqual([
      'changed_by_operator',
      message,
      'Welcome.',
    ]);
    const { data } = (await plane.get('/trail?operation=setAccountTier')).json();
    expect(data).toMatchObject([{ reason }, { reason }]);
  });
});

it('[AO9] the account of the platform is never frozen', async () => {
  const refused = await plane.post('/accounts/acc_platform/freeze', act);
  expectError(refused, 'VALIDATION_FAILED');
  expect(refused.json().error.details).toMatchObject({ field: 'account_id' });
  const isFrozen = await plane.lane.read(
    ({ accounts }) => accounts.get(asAccountId('acc_platform'))!.frozen,
  );
  expect(isFrozen).toBe(false);
});

describe('[AO3] a market', () => {
  it('gets a finer tick, never a coarser one, and its orders stay', async () => {
    const id = await plane.market('own-question', launch);
    expect(await codeOf(order(id, 4000))).toBeNull();
    expect(await codeOf(order(id, 4001))).toBe('VALIDATION_FAILED');
    dataOf(await plane.post(`/markets/${id}/tick-size`, { ...act, tick_size: '0.0001' }));
    expect(await codeOf(order(id, 4001))).toBeNull();
    expect(await plane.lane.read((state) => state.orders.size)).toBe(2);
    for (const tick_size of ['0.0001', '0.001', '0.01', '0.00005', '0', '-1', '2']) {
      const refused = await plane.post(`/markets/${id}/tick-size`, { ...act, tick_size });
      expectError(refused, 'VALIDATION_FAILED');
    }
  });

  it('is clarified, and everybody reads it', async () => {
    const id = await plane.market('own-question', launch);
    const text = 'A test flight counts as a launch.';
    dataOf(await plane.post(`/markets/${id}/clarifications`, { ...act, text }));
    const shown = await plane.lane.read((state) => marketView(state, state.markets.get(id)!));
    expect(shown.clarifications).toMatchObject([{ text }]);
    const blank = await plane.post(`/markets/${id}/clarifications`, { ...act, text: '  ' });
    expectError(blank, 'VALIDATION_FAILED');
  });
});

describe('[AO4] settlement metadata', () => {
  it('is attached to a market and an account, and taken off', async () => {
    const id = await plane.market('own-question', launch);
    const chain = { chain: 'test', tx: '0x01' };
    const attach = (record: string, of: string, chain_data: object | null) =>
      plane.post('/chain-data', { ...act, record, id: of, chain_data });
    expect(dataOf(await attach('market', id, chain))).toMatchObject({ id, chain_data: chain });
    dataOf(await attach('account', trader, chain));
    const viewer = {
      caps: null,
      grant: null,
      tier: null,
      permissions: [],
      perMinute: {},
      announced: [],
    } as never;
    const shown = () =>
      plane.lane.read((state) => [
        marketView(state, state.markets.get(id)!).chain_data,
        accountView(state, trader, viewer, null).chain_data,
      ]);
    expect(await shown()).toEqual([chain, chain]);
    dataOf(await attach('market', id, null));
    expect(await shown()).toEqual([null, chain]);
    expectError(await attach('market', 'm_0000000000000000', chain), 'MARKET_NOT_FOUND');
    for (const [record, of] of [
      ['account', 'acc_nobody'],
      ['trade', 'trd_0000000000000001'],
      ['trade', 'nonsense'],
    ] as const) {
      expectError(await attach(record, of, chain), 'NOT_FOUND');
    }
    expectError(await attach('market', id, { a: 'x'.repeat(4096) }), 'VALIDATION_FAILED');
  });
});

describe('[AO5] parameters', () => {
  it('are read, changed part by part, and every version is shown', async () => {
    const before = dataOf(await plane.get('/parameters?lane=sandbox'));
    expect(before).toMatchObject({ version: 1, versions: [], values: { band: { pips: 2000 } } });
    const values = { open_orders_per_market: 100, open_notional_max: '5000' };
    const body = { ...act, part: 'risk', values };
    const changed = dataOf(await plane.post('/parameters', body, 'parameters-1'));
    const shown = { open_orders_per_market: 100, open_notional_max: '5000.000000' };
    expect(changed).toMatchObject({
      version: 2,
      values: { risk: shown },
      versions: [{ version: 2, part: 'risk', values: shown, actor: 'token', reason: act.reason }],
    });
    expect(await lastCommand()).toMatchObject({ type: 'set_parameters', part: 'risk' });
    dataOf(await plane.post('/parameters', { ...act, part: 'band', values: { pips: 1500 } }));
    expect(dataOf(await plane.post('/parameters', body, 'parameters-1'))).toEqual(changed);
    expect(dataOf(await plane.get('/parameters?lane=sandbox'))).toMatchObject({ version: 3 });
  });

  it.each([
    ['values.open_notional_max', 'risk', { open_notional_max: 'much' }],
    ['values.open_notional_max', 'risk', { open_notional_max: 5 }],
    ['values.unheard_of', 'risk', { unheard_of: 1 }],
    ['values.halt_every_ms', 'band', { halt_ms: 86_400_000 }],
    ['values', 'fee', {}],
    ['part', 'faucet', { amount: '1' }],
  ])('that cannot be are refused by their names: %s', async (field, part, values) => {
    const refused = await plane.post('/parameters', { ...act, part, values });
    expectError(refused, 'VALIDATION_FAILED');
    expect(refused.json().error.details.field).toBe(field);
    expect(refused.payload).not.toContain('haltMs');
  });
});

describe('[AO6] the queues', () => {
  it('count and list what waits: markets to approve, proposals, and markets without one', async () => {
    const waits = await plane.market('yes-no-question', {
      question: 'Is it?',
      closes_at_ms: launch.closes_at_ms,
    });
    const proposed = await plane.market('own-question', launch);
    const evidence = ['https://example.com/result'];
    const answer = { ...act, winning_outcome_id: 'yes', evidence };
    dataOf(await plane.post(`/markets/${proposed}/resolution`, answer));
    const queues = dataOf(await plane.get('/queues?lane=sandbox'));
    expect(queues).toMatchObject({
      lane: 'sandbox',
      count: 2,
      queues: [
        // With how long an answer can be objected to, which whoever approves decides on.
        {
          ...{ kind: 'market_approval', count: 1 },
          items: [{ id: waits, title: 'Is it? (objections for 3600 s)' }],
        },
        { kind: 'proposal_missing', count: 0 },
        { kind: 'proposal', count: 1, items: [{ id: proposed }] },
        { kind: 'dispute', count: 0 },
        { kind: 'cancellation', count: 0 },
        { kind: 'withdrawal', count: 0 },
        { kind: 'payout', count: 0 },
        { kind: 'payout_taken', count: 0 },
        { kind: 'deposit', count: 0 },
        { kind: 'custody', count: 0 },
        { kind: 'flag', count: 0 },
        { kind: 'builder', count: 0 },
        { kind: 'app', count: 0 },
        { kind: 'approval', count: 0 },
      ],
    });
    await plane.submit({
      type: 'dispute_resolution',
      marketId: proposed,
      accountId: trader,
      evidence,
      bond: usdt(100_000_000n),
    });
    dataOf(await plane.post(`/markets/${waits}/approve`, act));
    const flag: FlagRecord = {
      ...{ flagId: 'flg_01J0000000000001', ruleId: 'wash', subject: 'usr_1', lane: null },
      kind: 'wash_trading',
      ...{ detail: '80 % with linked accounts', blocks: true, raisedAtMs: plane.clock.wallMs() },
      ...{ clearedAtMs: null, clearedBy: null, clearReason: null },
    };
    await plane.platform.compliance.raiseFlag(flag);
    const later = dataOf(await plane.get('/queues?lane=sandbox'));
    const dueMs = plane.clock.wallMs() + 7 * 86_400_000;
    expect(later).toMatchObject({
      count: 2,
      queues: [
        ...[{ count: 0 }, { count: 0 }, { count: 0 }],
        { kind: 'dispute', items: [{ id: proposed, due_at_ms: dueMs }] },
        ...Array.from({ length: 6 }, () => ({ count: 0 })),
        {
          kind: 'flag',
          items: [{ id: 'flg_01J0000000000001', title: `wash_trading: ${flag.detail}` }],
        },
        ...[{ count: 0 }, { count: 0 }, { count: 0 }],
      ],
    });
    dataOf(
      await plane.post('/compliance/flags/flg_01J0000000000001/clear', { reason: act.reason }),
    );
    expect(dataOf(await plane.get('/queues?lane=sandbox'))).toMatchObject({ count: 1 });
  });
});

describe('[OP6] a template', () => {
  it('is published with all that it can have, and shown so', async () => {
    const { template } = operatorOperations.publishTemplate.example.body;
    const whole = {
      ...template,
      id: 'whole',
      version: 1,
      tick_size: '0.01',
      min_size: '5',
      duration_sec: 3600,
      prior: ['0.3', '0.7'],
      display_defaults: {
        title_template: '{question}',
        subtitle_template: 'about {question}',
        description: 'Decided by {question}.',
      },
    };
    dataOf(await plane.post('/templates', { ...act, template: whole }));
    const shown = await plane.lane.read((state) =>
      templateView(state.templates.get(asTemplateId('whole'))!.at(-1)!, state.parameters, null),
    );
    expect(shown).toMatchObject({
      ...{ tick_size: '0.010000', min_size: '5.000000', duration_sec: 3600 },
      prior: ['0.300000', '0.700000'],
      display_defaults: whole.display_defaults,
    });
    for (const [field, change] of [
      ['tick_size', { tick_size: '0.0003' }],
      ['tick_size', { tick_size: '0.00001' }],
      ['min_size', { min_size: '0.001' }],
      ['prior', { prior: ['0.3', '0.6'] }],
      ['prior', { prior: ['0.33333', '0.66667'] }],
    ] as const) {
      const wrong = { ...whole, id: 'wrong', ...change };
      const refused = await plane.post('/templates', { ...act, template: wrong });
      expectError(refused, 'VALIDATION_FAILED');
      expect(refused.json().error.details.field).toBe(field);
    }
  });
});

describe('[AO7] ceilings of the tiers', () => {
  it('are set with a reason, shown with their versions, and kept', async () => {
    const body = { reason: 'ticket 4711', tier: 'trade_capped' };
    const raised = { ...body, order_notional_max: '500' };
    const data = dataOf(await plane.post('/tiers', raised, 'ceilings-1'));
    expect(data).toMatchObject({ versions: [{ version: 2, actor: 'token' }] });
    expect(dataOf(await plane.post('/tiers', raised, 'ceilings-1'))).toEqual(data);
    dataOf(await plane.post('/tiers', { ...body, daily_notional_max: '1000' }));
    const shown = dataOf(await plane.get('/tiers'));
    const capped = (shown.tiers as { tier: string }[]).find(({ tier }) => tier === body.tier);
    expect(capped).toMatchObject({
      order_notional_max: '500.000000',
      daily_notional_max: '2500.000000',
      pending: { version: 3, daily_notional_max: '1000.000000' },
    });
    expect(await plane.platform.setting('tier ceilings')).toContain('ticket 4711');
    expectError(await plane.post('/tiers', body), 'MISSING_FIELD');
    for (const wrong of [
      { ...raised, tier: 'self_serve' },
      { ...raised, order_notional_max: '0' },
      { ...raised, order_notional_max: '-1' },
      { ...body, rate_multiplier: 51 },
    ]) {
      expectError(await plane.post('/tiers', wrong), 'VALIDATION_FAILED');
    }
  });
});

describe('[AO8] quotas of the categories', () => {
  it('are set with a reason, and shown with who set them, when and from when on', async () => {
    const body = { reason: 'ticket 4711', holder: 'key', category: 'read', per_minute: 40 };
    const data = dataOf(await plane.post('/quotas', body, 'quotas-1'));
    expect(dataOf(await plane.post('/quotas', body, 'quotas-1'))).toEqual(data);
    const nowMs = plane.clock.wallMs();
    const version = {
      ...{ version: 2, ...body, actor: 'token' },
      ...{ announced_at_ms: nowMs, effective_at_ms: nowMs + 90 * 86_400_000 },
    };
    const shown = dataOf(await plane.get('/quotas'));
    expect(shown.versions).toMatchObject([version]);
    const quotas = shown.quotas as { holder: string; category: string }[];
    expect(quotas.map(({ category }) => category)).not.toContain('cancel');
    expect(quotas.find(({ category }) => category === 'read')).toMatchObject({
      ...{ holder: 'key', per_minute: 60, pending: version },
    });
    for (const wrong of [
      { ...body, per_minute: 0 },
      { ...body, per_minute: 100_001 },
      { ...body, per_minute: 1.5 },
      { ...body, category: 'cancel' },
      { ...body, holder: 'everybody' },
    ]) {
      expectError(await plane.post('/quotas', wrong), 'VALIDATION_FAILED');
    }
    expectError(await plane.post('/quotas', { ...body, per_minute: undefined }), 'MISSING_FIELD');
  });
});

it('[MF18] where mail is sent a link goes to its user alone, and no operator sees it', async () => {
  const { platform } = plane;
  await platform.addUser({ ...user('ada'), email: 'ada@example.com' });
  const reason = 'ticket 4711';
  for (const kind of ['reset', 'verification']) {
    const answer = await plane.post(`/users/usr_ada/${kind}-link`, { reason });
    expect(dataOf(answer)).toMatchObject({ url: null, mailed: true });
  }
  const letters = await plane.mailed();
  expect(letters.map(({ to }) => to)).toEqual(['ada@example.com', 'ada@example.com']);
  const links = letters.map(({ text }) => linkIn(text));
  const [reset, verify] = ['/reset#', '/verify#'].map((page) =>
    links.find(({ url }) => url.includes(page)),
  );
  expect(reset).toBeDefined();
  const hash = plane.links.hashOf('verify_email', verify?.token ?? '');
  expect(await platform.links.confirmEmail(hash, plane.clock.wallMs())).toBe('usr_ada');
  const trail = await plane.get('/trail');
  expect(trail.payload).not.toContain(reset?.token);
  expect(trail.payload).not.toContain(verify?.token);
});

it('[MF27] operators mail a user three links of a kind within an hour, and no more', async () => {
  for (const name of ['ada', 'bob']) await plane.platform.addUser(user(name));
  const ask = (kind: 'reset' | 'verification', userId = 'usr_ada') =>
    plane.post(`/users/${userId}/${kind}-link`, { reason: 'ticket 4711' });
  for (const _time of [1, 2, 3]) expect((await ask('reset')).statusCode).toBe(200);
  const refused = await ask('reset');
  expectError(refused, 'RATE_LIMITED');
  expect(refused.json().error.details).toMatchObject({ retry_after_sec: 3600 });
  expect((await ask('reset', 'usr_bob')).statusCode).toBe(200);
  expect((await ask('verification')).statusCode).toBe(200);
  expect(await plane.mailed()).toHaveLength(5);
  plane.clock.advance(3_600_000);
  expect((await ask('reset')).statusCode).toBe(200);
});

describe('[MF18] a link that an operator hands out', () => {
  const reason = 'ticket 4711: called back';
  beforeEach(async () => {
    await plane.close();
    plane = await openOperator('sandbox', undefined, false, false);
  });

  it('sets a password, for a user who was found by the address, and the trail has no secret of it', async () => {
    await plane.platform.addUser({ ...user('ada'), email: 'Ada@example.com' });
    await plane.platform.addUser({ ...user('eve'), isDemo: true });
    const found = dataOf(await plane.get('/users?email=ada%40example.com'));
    expect(found).toMatchObject({ user_id: 'usr_ada' });
    expectError(await plane.get('/users?email=nobody%40example.com'), 'NOT_FOUND');
    const { url, expires_at_ms: untilMs } = dataOf(
      await plane.post('/users/usr_ada/reset-link', { reason }),
    );
    expect(untilMs).toBe(plane.clock.wallMs() + 3_600_000);
    const { token } = linkIn(String(url));
    expect(url).toBe(`https://sibyl.example/reset#${token}`);
    for (const nobody of ['usr_eve', 'usr_none'])
      expectError(await plane.post(`/users/${nobody}/reset-link`, { reason }), 'NOT_FOUND');
    expectError(await plane.post('/users/usr_ada/reset-link', {}), 'MISSING_FIELD');
    const trail = await plane.get('/trail?operation=createResetLink');
    expect(trail.json().data).toMatchObject([
      { operator_id: 'token', target: '/admin/v1/users/usr_ada/reset-link', reason, outcome: 'ok' },
      { outcome: 'NOT_FOUND' },
      { outcome: 'NOT_FOUND' },
    ]);
    expect(trail.payload).not.toContain(token);
    expect(JSON.stringify(plane.lines)).not.toContain(token);
  });

  it('that verifies an address is handed out the same way, for as long as nobody has opened one', async () => {
    const { platform, clock } = plane;
    await platform.addUser(user('ada'));
    await platform.addUser({ ...user('eve'), isDemo: true });
    const ask = (userId = 'usr_ada') =>
      plane.post(`/users/${userId}/verification-link`, { reason });
    for (const nobody of ['usr_eve', 'usr_none']) expectError(await ask(nobody), 'NOT_FOUND');
    const [first, second] = [dataOf(await ask()), dataOf(await ask())];
    expect(first.expires_at_ms).toBe(clock.wallMs() + 24 * 3_600_000);
    const { token } = linkIn(String(second.url));
    expect(second.url).toBe(`https://sibyl.example/verify#${token}`);
    const open = (url: unknown) => {
      const hash = plane.links.hashOf('verify_email', linkIn(String(url)).token);
      return platform.links.confirmEmail(hash, clock.wallMs());
    };
    expect(await open(second.url)).toBe('usr_ada');
    expect((await platform.profiles.of('usr_ada'))?.emailVerifiedAtMs).toBe(clock.wallMs());
    // Neither it nor one from before counts again, and there is nothing left to hand out.
    for (const { url } of [first, second]) expect(await open(url)).toBeNull();
    expectError(await ask(), 'STATE_CONFLICT');
    const trail = await plane.get('/trail?operation=createVerificationLink');
    expect(trail.json().data.map((entry: { outcome: string }) => entry.outcome)).toEqual([
      ...['NOT_FOUND', 'NOT_FOUND', 'ok', 'ok', 'STATE_CONFLICT'],
    ]);
    expect(trail.payload).not.toContain(token);
    expect(JSON.stringify(plane.lines)).not.toContain(token);
  });
});
