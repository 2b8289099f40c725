import { randomBytes } from 'node:crypto';
import { operatorOperations } from '@sibyl/contract';
import { asTemplateId, decodeCommand, findHolding, freeShares, stateHash } from '@sibyl/engine';
import { recordsOf } from '@sibyl/lane';
import { lots } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import { clockOffset } from '../../src/operator/clock.ts';
import { operatorTokenOf } from '../../src/operator/token.ts';
import { amountText } from '../../src/wire/amounts.ts';
import { templateView } from '../../src/wire/template-view.ts';
import { expectError, expectHeaders } from '../gateway/expect.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';

const act = { lane: 'sandbox', reason: 'ticket 4711' } as const;
const launch = { question: 'Will A launch B?', closes_at_ms: 1_800_000_000_000 };

let plane: OperatorHarness;
beforeEach(async () => {
  plane = await openOperator();
});
afterEach(() => plane.close());

async function lastCommand(): Promise<Record<string, unknown>> {
  let last = '';
  for await (const page of plane.journal.read(1))
    last = page.map(recordsOf).at(-1)?.at(-1)?.body ?? last;
  return { ...decodeCommand(last) };
}

function dataOf(response: Response): Record<string, unknown> {
  expect(response.statusCode, response.payload).toBe(200);
  expectHeaders(response);
  return response.json().data;
}

describe('[OA8] a reason', () => {
  it.each(['     ', 'x y', '\t\n\r'])(
    'is refused where too little of it can be seen: %j',
    async (reason) => {
      const body = { ...act, mode: 'read_only', reason };
      expectError(await plane.post('/mode', body), 'VALIDATION_FAILED');
    },
  );
});

describe('[OP1] the bearer', () => {
  it('is asked for, and only the right one is taken', async () => {
    const { app } = plane.gateway;
    const url = '/admin/v1/reconciliation?lane=sandbox';
    expectError(await app.inject({ url }), 'AUTH_REQUIRED');
    const headers = { authorization: `Bearer ${plane.token}x` };
    expectError(await app.inject({ url, headers }), 'AUTH_INVALID');
    // [OA8] Whoever tries is seen, though nothing was to be changed.
    expect(plane.lines.at(-1)).toMatchObject({
      level: 40,
      msg: 'the operator was refused',
      code: 'AUTH_INVALID',
    });
    dataOf(await plane.get('/reconciliation?lane=sandbox'));
  });

  it('is that of the environment, else none', () => {
    const secrets = new KeyedSecrets(randomBytes(32));
    expect(operatorTokenOf(null, 'support', secrets)).toBe(null);
    const given = operatorTokenOf(plane.token, 'admin', secrets);
    expect(given).toEqual({ hash: secrets.digest('operator', plane.token), role: 'admin' });
  });
});

describe('[OP2] every act is journaled with actor and reason', () => {
  it('read-only mode pauses trading and resumes it', async () => {
    const mode = await plane.post('/mode', { ...act, mode: 'read_only' });
    expect(dataOf(mode)).toMatchObject({ lane: 'sandbox', mode: 'read_only' });
    expect(await lastCommand()).toMatchObject({
      type: 'set_read_only',
      readOnly: true,
      actor: { kind: 'operator', name: 'token', reason: 'ticket 4711' },
    });
    expect(await plane.lane.read((state) => state.readOnly)).toBe(true);
    dataOf(await plane.post('/mode', { ...act, mode: 'normal' }));
    expect(await plane.lane.read((state) => state.readOnly)).toBe(false);
  });

  it('a market is halted and resumed; what makes no sense is STATE_CONFLICT', async () => {
    const id = await plane.market('own-question', launch);
    expect(dataOf(await plane.post(`/markets/${id}/halt`, act))).toMatchObject({ halted: true });
    expect(await lastCommand()).toMatchObject({ type: 'halt_market', marketId: id });
    expect(dataOf(await plane.post(`/markets/${id}/resume`, act))).toMatchObject({ halted: false });
    expectError(await plane.post(`/markets/${id}/resume`, act), 'STATE_CONFLICT');
    expectError(await plane.post('/markets/m_0000000000000000/halt', act), 'MARKET_NOT_FOUND');
    expectError(await plane.post('/markets/nonsense/halt', act), 'ID_MALFORMED');
    const mute = { lane: 'sandbox' };
    expectError(await plane.post(`/markets/${id}/halt`, mute), 'MISSING_FIELD');
  });

  it('a market that waits is approved; one that should not be is cancelled', async () => {
    const id = await plane.market('yes-no-question', {
      question: 'Is it?',
      closes_at_ms: launch.closes_at_ms,
    });
    const approved = dataOf(await plane.post(`/markets/${id}/approve`, act));
    expect(approved).toMatchObject({ approved: true, status: 'active' });
    const cancelled = dataOf(await plane.post(`/markets/${id}/cancel`, act));
    expect(cancelled).toMatchObject({ status: 'cancelled' });
    expectError(await plane.post(`/markets/${id}/cancel`, act), 'STATE_CONFLICT');
  });
});

describe('[OP11] which clock is right', () => {
  const HOUR_MS = 3_600_000;

  async function part(byMs: number): Promise<void> {
    plane.clock.setWall(plane.clock.wallMs() + byMs);
    plane.clock.advance(1_000);
    await plane.submit({ type: 'tick' });
    expect(await plane.lane.read((state) => state.readOnly)).toBe(true);
  }

  it('is decided once for a key: the wall clock, and trading goes on', async () => {
    await part(HOUR_MS);
    const decision = { ...act, decision: 'accept' };
    const decided = dataOf(await plane.post('/clock', decision, 'clock-key-1'));
    expect(decided).toMatchObject({ lane: 'sandbox', decision: 'accept', offset_ms: 0 });
    expect(decided.decided_at_ms).toBe(plane.clock.wallMs());
    expect(await lastCommand()).toMatchObject({
      type: 'set_read_only',
      readOnly: false,
      actor: { kind: 'operator', reason: act.reason },
    });
    expect(await plane.lane.read((state) => state.readOnly)).toBe(false);
    expect(plane.lane.status().clockDifferenceMs).toBeNull();
    await part(HOUR_MS);
    const again = await plane.post('/clock', decision, 'clock-key-1');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(plane.lane.status().clockDifferenceMs).toBe(HOUR_MS);
  });

  it('or journal time, and the offset is remembered for the next start', async () => {
    await part(HOUR_MS);
    const decided = dataOf(await plane.post('/clock', { ...act, decision: 'keep' }));
    expect(decided).toMatchObject({ decision: 'keep', offset_ms: HOUR_MS });
    expect(await clockOffset(plane.platform, 'sandbox')).toBe(HOUR_MS);
    expect(await clockOffset(plane.platform, 'live')).toBe(0);
    expect(plane.lane.status().clockDifferenceMs).toBeNull();
    dataOf(await plane.post('/clock', { ...act, decision: 'accept' }));
    expect(await clockOffset(plane.platform, 'sandbox')).toBe(0);
    expect(plane.lane.nowMs()).toBe(plane.clock.wallMs());
  });

  it('and is one of the two, of a lane that is run here', async () => {
    expectError(await plane.post('/clock', { ...act, decision: 'maybe' }), 'VALIDATION_FAILED');
    const elsewhere = { ...act, lane: 'live', decision: 'keep' };
    expectError(await plane.post('/clock', elsewhere), 'SERVICE_UNAVAILABLE');
  });
});

describe('[OP3] resolutions', () => {
  const evidence = ['https://example.com/result'];

  it('a proposal opens the window, a second waits, and the end of the window settles', async () => {
    const id = await plane.market('own-question', launch);
    const path = `/markets/${id}/resolution`;
    expectError(await plane.post(path, { ...act, evidence }), 'MISSING_FIELD');
    const early = { ...act, ruling: 'upheld' };
    expectError(await plane.post(`/markets/${id}/ruling`, early), 'PROPOSAL_STATE_INVALID');
    const proposal = { ...act, winning_outcome_id: 'yes', evidence };
    expectError(
      await plane.post(path, { ...proposal, evidence: [] }),
      'RESOLUTION_EVIDENCE_MISSING',
    );
    expectError(
      await plane.post(path, { ...proposal, winning_outcome_id: 'maybe' }),
      'VALIDATION_FAILED',
    );
    expect(dataOf(await plane.post(path, proposal))).toMatchObject({ status: 'settling' });
    expectError(await plane.post(path, proposal), 'RESOLUTION_CHALLENGE_OPEN');
    const ruling = { ...act, ruling: 'upheld' };
    expectError(await plane.post(`/markets/${id}/ruling`, ruling), 'RESOLUTION_CHALLENGE_OPEN');
    // In the hour after a start the window of an hour does not run.
    plane.clock.advance(3_600_001);
    await plane.submit({ type: 'tick' });
    expectError(await plane.post(path, proposal), 'RESOLUTION_CHALLENGE_OPEN');
    plane.clock.advance(3_600_000);
    await plane.submit({ type: 'tick' });
    expectError(await plane.post(path, proposal), 'RESOLUTION_LOCKED');
  });

  it('[OP48] a dispute is shown with its evidence and ruled on, with a payout for every outcome where it is split', async () => {
    const id = await plane.market('own-question', launch);
    await plane.submit({
      type: 'mint_sets',
      accountId: trader,
      marketId: id,
      lots: lots(10_000),
      caps: null,
      grant: null,
    });
    dataOf(
      await plane.post(`/markets/${id}/resolution`, {
        ...act,
        winning_outcome_id: 'yes',
        evidence,
      }),
    );
    const disputed = await plane.submit({
      type: 'dispute_resolution',
      marketId: id,
      accountId: trader,
      evidence: ['https://example.com/another'],
      bond: 100_000_000n as never,
    });
    expect(disputed.answer.ok).toBe(true);
    // Whoever rules sees both sides, and whose they are.
    const [found] = (await plane.get(`/markets?lane=sandbox&q=${id}`)).json().data;
    expect(found).toMatchObject({
      ...{ proposed_by: null, resolution: { evidence } },
      dispute: {
        ...{ raised_by: trader, bond: '100.000000', evidence: ['https://example.com/another'] },
        ruling_due_at_ms: found.dispute.raised_at_ms + 7 * 86_400_000,
      },
    });
    const path = `/markets/${id}/ruling`;
    const half = (payout: string): object => ({
      ...act,
      ruling: 'overturned',
      payout_vector: [
        { outcome_id: 'yes', payout },
        { outcome_id: 'no', payout: '0.4' },
      ],
    });
    expectError(await plane.post(path, { ...act, ruling: 'overturned' }), 'MISSING_FIELD');
    expectError(await plane.post(path, half('0.60005')), 'VALIDATION_FAILED');
    expectError(await plane.post(path, half('0.5')), 'VALIDATION_FAILED');
    expect(dataOf(await plane.post(path, half('0.6')))).toMatchObject({ status: 'resolved' });
    const held = await plane.lane.read((state) => {
      const holding = findHolding(state, trader, id);
      return holding === undefined ? 0n : freeShares(state, holding, 0);
    });
    expect(held).toBe(0n);
  });
});

describe('[OP4] deposits', () => {
  const deposit = { ...act, asset: 'USDT', amount: '250.5', external_ref: 'wire-0001' };
  const path = `/accounts/${trader}/deposits`;
  const free = (): Promise<bigint> =>
    plane.lane.read((state) => state.ledger.balance(state.accounts.get(trader)!.free));

  it('one reference counts once, whatever the key', async () => {
    const before = await free();
    expectError(await plane.post(path, deposit), 'IDEMPOTENCY_KEY_MISSING');
    const first = await plane.post(path, deposit, 'deposit-key-1');
    expect(dataOf(first)).toMatchObject({
      amount: amountText(250_500_000n),
      external_ref: 'wire-0001',
    });
    const again = await plane.post(path, deposit, 'deposit-key-1');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json().data).toEqual(first.json().data);
    const other = await plane.post(path, deposit, 'deposit-key-2');
    const notes = [expect.stringContaining(`already, at ${first.json().data.created_at}`)];
    const toldAgain = { ...first.json().data, booked_before: true, notes };
    expect(dataOf(other)).toEqual(toldAgain);
    const more = { ...deposit, amount: '1' };
    expectError(await plane.post(path, more, 'deposit-key-1'), 'IDEMPOTENCY_BODY_MISMATCH');
    const differing = await plane.post(path, more, 'deposit-key-3');
    expectError(differing, 'ALREADY_EXISTS');
    expect(differing.json().error.details).toMatchObject({
      ...{ field: 'external_ref', stored: { amount: '250.500000' }, sent: { amount: '1.000000' } },
    });
    plane.clock.advance(40 * 86_400_000);
    expect(dataOf(await plane.post(path, deposit, 'deposit-key-1'))).toEqual(toldAgain);
    await plane.platform.putSetting('deposit sandbox wire-0000', '{"isBooked":true}');
    const old = { ...deposit, external_ref: 'wire-0000' };
    expectError(await plane.post(path, old, 'deposit-key-4'), 'ALREADY_EXISTS');
    expect((await free()) - before).toBe(250_500_000n);
  });

  it('one that was cut off is carried out when it is asked for again', async () => {
    const before = await free();
    const submit = plane.lane.submit.bind(plane.lane);
    plane.lane.submit = () => Promise.reject(new Error('crash'));
    expect((await plane.post(path, deposit, 'deposit-key-1')).statusCode).toBe(500);
    plane.lane.submit = submit;
    expect((await free()) - before).toBe(0n);
    dataOf(await plane.post(path, deposit, 'deposit-key-1'));
    expect((await free()) - before).toBe(250_500_000n);
  });

  it('two requests at once about one reference book it once', async () => {
    const before = await free();
    const answers = await Promise.all(
      ['key-00001', 'key-00002', 'key-00003'].map((key) => plane.post(path, deposit, key)),
    );
    const ids = answers.map((answer) => dataOf(answer).deposit_id);
    expect(new Set(ids).size).toBe(1);
    expect((await free()) - before).toBe(250_500_000n);
  });

  it('amounts and accounts are checked', async () => {
    const post = (body: object, at = path): Promise<Response> => plane.post(at, body, 'key-00001');
    for (const amount of ['0', '-1', '0.0000001']) {
      expectError(await post({ ...deposit, amount }), 'VALIDATION_FAILED');
    }
    expectError(await post(deposit, '/accounts/acc_nobody/deposits'), 'NOT_FOUND');
    expectError(await post({ ...deposit, lane: 'live' }), 'SERVICE_UNAVAILABLE');
  });
});

describe('[OP5] acts are idempotent', () => {
  it('the same key gives the recorded answer, another body is refused', async () => {
    const id = await plane.market('own-question', launch);
    dataOf(await plane.post(`/markets/${id}/halt`, act, 'halt-key-1'));
    dataOf(await plane.post(`/markets/${id}/resume`, act, 'resume-key-1'));
    const again = await plane.post(`/markets/${id}/halt`, act, 'halt-key-1');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json().data.halted).toBe(true);
    const isHalted = await plane.lane.read(({ markets }) => markets.get(id)?.halted);
    expect(isHalted).toBe(false);
    const other = { ...act, reason: 'another one' };
    expectError(
      await plane.post(`/markets/${id}/halt`, other, 'halt-key-1'),
      'IDEMPOTENCY_BODY_MISMATCH',
    );
  });
});

describe('[OP8] tiers and multipliers', () => {
  const publicId = 'sk_live_0123456789abcdef';
  const why = { reason: 'verified' };
  beforeEach(async () => {
    await plane.platform.addUser({
      userId: 'usr_ada',
      email: 'ada@example.com',
      passwordHash: '',
      displayName: null,
      referralCode: 'ada',
      referrerId: null,
      tier: 'self_serve',
      rateMultiplier: 1,
      accounts: { live: 'acc_live', sandbox: 'acc_sandbox' },
      isDemo: false,
      createdAtMs: 1,
    });
    await plane.platform.addKey({
      publicId,
      salt: '',
      keyHash: '',
      holderId: 'usr_ada',
      userId: 'usr_ada',
      label: 'bot',
      permissions: ['read'],
      tier: 'self_serve',
      mintedAt: 'live',
      bornSelfServe: true,
      rateMultiplier: 1,
      accounts: { live: 'acc_live', sandbox: 'acc_sandbox' },
      createdAtMs: 1,
      expiresAtMs: null,
      revokedAtMs: null,
      lastUsedAtMs: null,
      mintedBy: null,
      isSteppedUp: true,
      allowedNetworks: [],
      partnerScopes: [],
    });
  });

  it('of a key change at once, and the change is recorded', async () => {
    const path = `/keys/${publicId}/tier`;
    const body = { ...why, tier: 'trade_capped', rate_multiplier: 5 };
    expect(dataOf(await plane.post(path, body, 'tier-key-1'))).toMatchObject({
      key_id: publicId,
      tier: 'trade_capped',
      rate_multiplier: 5,
      environment: 'live',
    });
    const again = await plane.post(path, body, 'tier-key-1');
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = { ...why, tier: 'genesis' };
    expectError(await plane.post(path, other, 'tier-key-1'), 'IDEMPOTENCY_BODY_MISMATCH');
    const changes = await plane.platform.tierChanges(publicId);
    expect(changes.map(({ actor, field, to }) => [actor, field, to])).toEqual([
      ['token', 'tier', 'trade_capped'],
      ['token', 'rate_multiplier', '5'],
    ]);
    expectError(await plane.post(path, why), 'MISSING_FIELD');
    expectError(await plane.post('/keys/sk_live_aaaaaaaaaaaaaaaa/tier', body), 'NOT_FOUND');
    await plane.platform.revokeKey(publicId, 1);
    expectError(await plane.post(path, body), 'STATE_CONFLICT');
  });

  it('[DG5] a key of a partner gets what it may do for others, and no other key does', async () => {
    const path = `/keys/${publicId}/partner-scopes`;
    const body = { ...why, partner_scopes: ['delegation:trade'] };
    const refused = await plane.post(path, body);
    expectError(refused, 'STATE_CONFLICT');
    expect(refused.json().error.details).toEqual({ tier: 'self_serve' });
    expect(refused.json().error.message).toContain('set-key-tier');
    await plane.platform.setKeyTier(publicId, 'institutional', {
      actor: 'x',
      reason: 'x',
      atMs: 1,
    });
    expect(dataOf(await plane.post(path, body)).partner_scopes).toEqual(['delegation:trade']);
    expectError(
      await plane.post(path, { ...body, partner_scopes: ['offline'] }),
      'VALIDATION_FAILED',
    );
    // Whoever is no partner any more keeps nothing by it, and it can still be taken back.
    await plane.platform.setKeyTier(publicId, 'genesis', { actor: 'x', reason: 'x', atMs: 2 });
    const none = { ...why, partner_scopes: [] };
    expect(dataOf(await plane.post(path, none)).partner_scopes).toEqual([]);
    expectError(
      await plane.post('/keys/sk_live_aaaaaaaaaaaaaaaa/partner-scopes', none),
      'NOT_FOUND',
    );
    await plane.platform.revokeKey(publicId, 1);
    expectError(await plane.post(path, none), 'STATE_CONFLICT');
  });

  it('of a user count for keys and sessions to come', async () => {
    const body = { ...why, tier: 'trade_full', rate_multiplier: 3 };
    expect(dataOf(await plane.post('/accounts/acc_live/tier', body))).toEqual({
      account_id: 'acc_live',
      user_id: 'usr_ada',
      tier: 'trade_full',
      rate_multiplier: 3,
    });
    expectError(await plane.post('/accounts/acc_nobody/tier', body), 'NOT_FOUND');
  });
});

describe('[OP6] templates', () => {
  const { template } = operatorOperations.publishTemplate.example.body;
  const input = { ...template, id: 'fresh-one' };

  it('a template is published, continued and deprecated', async () => {
    expect(dataOf(await plane.post('/templates', { ...act, template: input }))).toMatchObject({
      id: 'fresh-one',
      version: 1,
    });
    expectError(await plane.post('/templates', { ...act, template: input }), 'CONFLICT');
    dataOf(await plane.post('/templates', { ...act, template: { ...input, version: 2 } }));
    const deprecated = await plane.post('/templates/fresh-one/deprecate', act);
    expect(dataOf(deprecated)).toMatchObject({ version: 2, status: 'deprecated' });
    expectError(await plane.post('/templates/fresh-one/deprecate', act), 'STATE_CONFLICT');
    expectError(await plane.post('/templates/unknown/deprecate', act), 'NOT_FOUND');
  });

  it('[OA11] fees up to the bounds of the engine are taken, and what is above them is told as a field', async () => {
    const publish = (id: string, settle_bps: number) => {
      const fee_schedule = { ...template.fee_schedule, settle_bps };
      return plane.post('/templates', { ...act, template: { ...input, id, fee_schedule } });
    };
    expect(dataOf(await publish('dear', 1_000))).toMatchObject({ id: 'dear' });
    const refused = await publish('too-dear', 1_001);
    expectError(refused, 'VALIDATION_FAILED');
    expect(refused.json().error.details.field).toBe('template.fee_schedule.settle_bps');
  });

  it('titles in other languages come with it and are given back', async () => {
    const translations = {
      de: { title_template: 'Frage: {question}', subtitle_template: '{question}' },
      'zh-Hant': { title_template: '{question}' },
    };
    const spoken = {
      ...input,
      id: 'spoken',
      display_defaults: { ...input.display_defaults, translations },
    };
    dataOf(await plane.post('/templates', { ...act, template: spoken }));
    const shown = await plane.lane.read((state) =>
      templateView(state.templates.get(asTemplateId('spoken'))![0]!, state.parameters, null),
    );
    expect(shown.display_defaults.translations).toEqual(translations);
    const display = { ...input.display_defaults, translations: { German: translations.de } };
    const wrong = { ...spoken, id: 'wrong', display_defaults: display };
    expectError(await plane.post('/templates', { ...act, template: wrong }), 'VALIDATION_FAILED');
  });

  it('outcomes of a multi template come with it', async () => {
    const outcomes = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
      { id: 'c', label: '{question}' },
    ];
    const multi = { ...input, outcome_schema: 'multi', outcomes };
    dataOf(await plane.post('/templates', { ...act, template: multi }));
    expectError(
      await plane.post('/templates', {
        ...act,
        template: { ...input, id: 'bare', outcome_schema: 'multi' },
      }),
      'VALIDATION_FAILED',
    );
  });

  it('what cannot work is refused with its own code', async () => {
    const refused = (change: object): Promise<Response> =>
      plane.post('/templates', { ...act, template: { ...input, ...change } });
    expectError(await refused({ oracle_config: { source: 'entrails' } }), 'ORACLE_ADAPTER_UNKNOWN');
    expectError(
      await refused({ display_defaults: { title_template: '{nothing}' } }),
      'TEMPLATE_DISPLAY_KEY_MISSING',
    );
    expectError(await refused({ params_schema: { $ref: '#' } }), 'TEMPLATE_SCHEMA_INVALID');
  });
});

describe('[OP9] backups', () => {
  it('are made one at a time, and a repeated key makes no second one', async () => {
    const body = { reason: 'before the upgrade' };
    const [first, second] = await Promise.all([
      plane.post('/backups', body, 'backup-key-1'),
      plane.post('/backups', body, 'backup-key-2'),
    ]);
    expect(dataOf(first)).toMatchObject({ folder: '/backups/1', lanes: [] });
    expectError(second, 'STATE_CONFLICT');
    const again = await plane.post('/backups', body, 'backup-key-1');
    expect(again.headers['idempotency-replayed']).toBe('true');
    dataOf(await plane.post('/backups', body));
  });
});

describe('[OP7] the report', () => {
  it('balances, names the state and shows where the money is', async () => {
    const id = await plane.market('own-question', launch);
    await plane.submit({
      type: 'mint_sets',
      accountId: trader,
      marketId: id,
      lots: lots(10_000),
      caps: null,
      grant: null,
    });
    const report = await plane.reconciled();
    expect(report).toMatchObject({ lane: 'sandbox', balanced: true, sum: amountText(0n) });
    expect(report.state_hash).toBe(await plane.lane.read(stateHash));
    const totals = report.totals as { account: string; total: string }[];
    expect(totals).toContainEqual({
      account: 'external_faucet',
      total: amountText(-10_000_000_000n),
    });
    expect(totals).toContainEqual({ account: 'market_escrow', total: amountText(600_000_000n) });
    // The fee of the conversion waits in the market.
    const fee = 110_000n;
    expect(totals).toContainEqual({
      account: 'user_free',
      total: amountText(9_400_000_000n - fee),
    });
    const waiting = totals.filter(({ account }) => account.startsWith('market_fees_'));
    expect(waiting.map(({ account, total }) => [account.slice(12), total])).toEqual([
      ['creator', amountText(fee / 4n)],
      ['oracle', amountText(fee / 10n)],
      ['insurance', amountText(fee / 10n)],
      ['treasury', amountText((fee * 11n) / 20n)],
    ]);
    const head = await plane.journal.head();
    const checks = report.invariants as { rule: string; detail: string | null }[];
    expect(checks.find(({ rule }) => rule === 'journal_head')?.detail).toContain(head.hash);
  });

  it('says so when something does not hold', async () => {
    await plane.lane.read((state) => {
      state.accounts.get(trader)!.realized += 1n;
    });
    const report = await plane.reconciled();
    expect(report.balanced).toBe(false);
    const checks = report.invariants as { holds: boolean; detail: string | null }[];
    expect(checks.filter(({ holds }) => !holds).map(({ detail }) => detail)).toEqual([
      expect.stringContaining('PO3'),
    ]);
  });
});
