// What an operator decides about markets: making them, rulings that come too late or too early.
import { operatorOperations } from '@sibyl/contract';
import {
  type AccountId,
  asAccountId,
  decodeCommand,
  type MarketId,
  type Outcome,
} from '@sibyl/engine';
import { recordsOf } from '@sibyl/lane';
import { usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../src/gateway/log.ts';
import { raiseAlarms } from '../../src/operator/alarms.ts';
import { amountText } from '../../src/wire/amounts.ts';
import { expectError, expectHeaders } from '../gateway/expect.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import {
  freeOf as balanceOf,
  person as newPerson,
  pass as passOn,
  trade as tradeOn,
} from './traders.ts';

const HOUR_MS = 3_600_000;
const act = { lane: 'sandbox', reason: 'ticket 4711' } as const;
const launch = { question: 'Will A launch B?', closes_at_ms: 1_800_000_000_000 };
const evidence = ['https://example.com/result'];
const bond = usdt(100_000_000n);

let plane: OperatorHarness;
beforeEach(async () => {
  plane = await openOperator();
});
afterEach(() => plane.close());

function dataOf(response: Response): Record<string, unknown> {
  expect(response.statusCode, response.payload).toBe(200);
  expectHeaders(response);
  return response.json().data;
}

async function lastCommand(): Promise<Record<string, unknown>> {
  let last = '';
  for await (const page of plane.journal.read(1))
    last = page.map(recordsOf).at(-1)?.at(-1)?.body ?? last;
  return { ...decodeCommand(last) };
}

const freeOf = (accountId: AccountId): Promise<bigint> => balanceOf(plane, accountId);

const marketOf = (id: MarketId) => plane.lane.read((state) => state.markets.get(id)!);

const person = (name: string): Promise<AccountId> => newPerson(plane, name);
const trade = (accountId: AccountId, marketId: MarketId, side: 'buy' | 'sell', shares: number) =>
  tradeOn(plane, accountId, marketId, side, shares);
const pass = (ms: number): Promise<void> => passOn(plane, ms);

const propose = (id: MarketId): Promise<Response> =>
  plane.post(`/markets/${id}/resolution`, { ...act, winning_outcome_id: 'yes', evidence });

const dispute = (marketId: MarketId, accountId: AccountId): Promise<Outcome> =>
  plane.submit({ type: 'dispute_resolution', marketId, accountId, evidence, bond });

describe('[OP12] markets of the platform', () => {
  const body = { ...act, template_id: 'platform-question', params: launch };

  it('[OA8] are made from templates that accounts may not use, at the platform’s cost', async () => {
    const poor = await plane.post('/markets', body);
    expectError(poor, 'BALANCE_INSUFFICIENT');
    expect(poor.json().error.details).toMatchObject({ free: amountText(0n) });
    const accountId = asAccountId('acc_platform');
    const amount = usdt(1_000_000_000_000n);
    await plane.submit({ type: 'deposit', accountId, amount, reference: `start ${accountId}` });
    const made = dataOf(await plane.post('/markets', body, 'market-key-1'));
    expect(made).toMatchObject({ status: 'active', approved: true });
    expect(plane.lines.at(-2)).toMatchObject({ msg: 'the operator was refused' });
    expect(plane.lines.at(-1)).toMatchObject({
      msg: 'the operator acted',
      market: made.market_id,
      lane: 'sandbox',
      reason: act.reason,
      what: expect.stringContaining('template_id=platform-question'),
    });
    expect(await lastCommand()).toMatchObject({
      type: 'create_market',
      accountId: 'acc_platform',
      actor: { kind: 'operator', name: 'token', reason: 'ticket 4711' },
    });
    const market = await marketOf(made.market_id as MarketId);
    expect(market).toMatchObject({ creator: { id: 'acc_platform' }, title: launch.question });
    const paid = amount - (await freeOf(accountId));
    expect(paid).toBe(market.template.definition.minCreatorDeposit);
    const again = await plane.post('/markets', body, 'market-key-1');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.json().data.market_id).toBe(made.market_id);
    expect(dataOf(await plane.post('/markets', body)).market_id).toBe(made.market_id);
    expect(amount - (await freeOf(accountId))).toBe(paid);
  });

  it('or for an account, at its cost; a title needs no approval', async () => {
    const before = await freeOf(trader);
    const own = { ...body, template_id: 'own-question', account_id: trader, display_title: 'B?' };
    const made = dataOf(await plane.post('/markets', own));
    expect(made).toMatchObject({ status: 'active', approved: true });
    const market = await marketOf(made.market_id as MarketId);
    expect(market).toMatchObject({ title: 'B?', renderedTitle: launch.question });
    expect(before - (await freeOf(trader))).toBe(500_000_000n);
  });

  it('and in live for no other account: its money is nobody’s to stake but its owner’s', async () => {
    await plane.close();
    plane = await openOperator('live');
    const before = await freeOf(trader);
    const named = { ...body, lane: 'live', template_id: 'own-question', account_id: trader };
    const refused = await plane.post('/markets', named);
    expectError(refused, 'VALIDATION_FAILED');
    expect(refused.json().error.details).toMatchObject({ field: 'account_id' });
    expect(await freeOf(trader)).toBe(before);
    const accountId = asAccountId('acc_platform');
    const amount = usdt(1_000_000_000n);
    await plane.submit({ type: 'deposit', accountId, amount, reference: 'start' });
    const own = dataOf(await plane.post('/markets', { ...named, account_id: accountId }));
    expect(await marketOf(own.market_id as MarketId)).toMatchObject({ creator: { id: accountId } });
    expect(await freeOf(trader)).toBe(before);
  });

  it('what cannot be is refused with the field', async () => {
    const wrong = await plane.post('/markets', { ...body, params: { ...launch, question: 7 } });
    expectError(wrong, 'MARKET_TEMPLATE_PARAM_INVALID');
    expect(wrong.json().error.details).toMatchObject({ field: 'params.question' });
    const far = { ...launch, closes_at_ms: plane.clock.wallMs() + 1827 * 24 * HOUR_MS };
    const late = await plane.post('/markets', { ...body, params: far });
    expect(late.json().error.details).toMatchObject({ field: 'params.closes_at_ms' });
    expectError(await plane.post('/markets', { ...body, account_id: 'acc_nobody' }), 'NOT_FOUND');
    const unknown = { ...body, template_id: 'none' };
    expectError(await plane.post('/markets', unknown), 'MARKET_TEMPLATE_UNKNOWN');
  });
});

describe('[OP14] a ruling that an answer came too early', () => {
  it('gives a market back that nobody disputed, and trading goes on', async () => {
    const id = await plane.market('own-question', launch);
    const ruling = { ...act, ruling: 'too_early' };
    const path = `/markets/${id}/ruling`;
    expectError(await plane.post(path, ruling), 'PROPOSAL_STATE_INVALID');
    expect(dataOf(await propose(id))).toMatchObject({ status: 'settling' });
    expectError(await plane.post(path, { ...act, ruling: 'void' }), 'RESOLUTION_CHALLENGE_OPEN');
    const wrong = { ...act, ruling: 'overturned', winning_outcome_id: 'maybe' };
    expectError(await plane.post(path, wrong), 'VALIDATION_FAILED');
    expect(dataOf(await plane.post(path, ruling))).toMatchObject({ status: 'active' });
    expect(await lastCommand()).toMatchObject({ type: 'rule_resolution', ruling: 'too_early' });
    await trade(trader, id, 'buy', 1);
    await pass(3 * HOUR_MS);
    expect(await marketOf(id)).toMatchObject({ status: 'active', proposal: null });
    expect(dataOf(await propose(id))).toMatchObject({ status: 'settling' });
  });

  it('also after a dispute, whose bond comes back, and after the close as locked', async () => {
    const closes = { ...launch, closes_at_ms: plane.clock.wallMs() + HOUR_MS };
    const id = await plane.market('own-question', closes);
    const objector = await person('objector');
    dataOf(await propose(id));
    expect((await dispute(id, objector)).answer.ok).toBe(true);
    expect(await freeOf(objector)).toBeLessThan(10_000_000_000n);
    await pass(2 * HOUR_MS);
    const ruled = await plane.post(`/markets/${id}/ruling`, { ...act, ruling: 'too_early' });
    expect(dataOf(ruled)).toMatchObject({ status: 'locked' });
    expect(await freeOf(objector)).toBe(10_000_000_000n);
  });
});

describe('[OP15] what waits for an operator for days', () => {
  const said: [string, string, unknown][] = [];
  const queued = async (kind: string): Promise<readonly { title: string; due_at: unknown }[]> => {
    const { queues } = dataOf(await plane.get('/queues?lane=sandbox')) as {
      queues: readonly { kind: string; items: readonly { title: string; due_at: unknown }[] }[];
    };
    return queues.find((queue) => queue.kind === kind)?.items ?? [];
  };
  beforeEach(() => {
    said.length = 0;
    const write = (level: string, message: string, fields: unknown) =>
      said.push([level, message, fields]);
    plane.lane.onCommitted(raiseAlarms('sandbox', { write } as unknown as Log));
  });

  it('is in the log: a dispute after three days, whose proposal stands after seven', async () => {
    const id = await plane.market('own-question', launch);
    dataOf(await propose(id));
    const since = new Date(plane.clock.wallMs()).toISOString();
    expect((await dispute(id, trader)).answer.ok).toBe(true);
    await pass(72 * HOUR_MS - 1_000);
    expect(said).toEqual([]);
    await pass(1_000);
    const alarm = { lane: 'sandbox', market: id, reason: `since ${since}` };
    expect(said[0]).toEqual(['warn', 'a dispute or a cancellation waits for a ruling', alarm]);
    expect(await marketOf(id)).toMatchObject({ status: 'settling' });
    await pass(96 * HOUR_MS);
    expect(await marketOf(id)).toMatchObject({ status: 'resolved' });
  });

  it('and a cancellation, which the queue shows and nothing carries out', async () => {
    const id = await plane.market('own-question', launch);
    await trade(trader, id, 'buy', 2);
    await pass(72 * HOUR_MS);
    const to_ms = plane.clock.wallMs();
    const window = { from_ms: to_ms - 24 * HOUR_MS, to_ms };
    const look = `from_ms=${window.from_ms}&to_ms=${to_ms}`;
    const shown = await plane.get(`/markets/${id}/cancellation?lane=sandbox&${look}`);
    const { named } = dataOf(shown) as { named: { payout_vector: unknown } };
    const body = { cause: 'other', evidence, window, expected: named.payout_vector };
    dataOf(await plane.post(`/markets/${id}/cancellation`, { ...act, ...body }));
    const titles = async () => (await queued('cancellation')).map(({ title }) => title);
    expect(await titles()).toEqual([expect.stringMatching(/ \(notice until 20.*\)$/)]);
    await pass(24 * HOUR_MS);
    expect(await titles()).toEqual([expect.stringMatching(/ \(to confirm\)$/)]);
    await pass(48 * HOUR_MS);
    expect(await titles()).toEqual([expect.stringMatching(/ \(ruling overdue\)$/)]);
    expect(said).toHaveLength(1);
    await pass(10 * 24 * HOUR_MS);
    expect(said).toHaveLength(11);
    expect(await marketOf(id)).toMatchObject({ status: 'settling' });
  });

  it('and a locked market without an answer, which stays locked', async () => {
    const closes = { ...launch, closes_at_ms: plane.clock.wallMs() + HOUR_MS };
    const id = await plane.market('own-question', closes);
    await trade(trader, id, 'buy', 2);
    await pass(HOUR_MS + 9 * 24 * HOUR_MS);
    expect(said.map(([, message]) => message)).toContain('a locked market waits for an answer');
    expect(await queued('proposal_missing')).toMatchObject([{ due_at: null }]);
    expect(await marketOf(id)).toMatchObject({ status: 'locked' });
  });
});

describe('[OP69] the time to object to an answer', () => {
  const live = { lane: 'live', reason: 'ticket 4711' } as const;
  const { template } = operatorOperations.publishTemplate.example.body;
  const normal = { ...template, id: 'quick', version: 1, market_type: 'normal' };
  const publish = (challengeSec: number | undefined, change: object = {}, where: object = live) => {
    const time = challengeSec === undefined ? {} : { challenge_sec: challengeSec };
    const input = { ...normal, oracle_config: { source: 'manual', ...time }, ...change };
    return plane.post('/templates', { ...where, template: input });
  };

  it('is never shorter in live than the setting says, whatever template or parameter would have it so', async () => {
    await plane.close();
    plane = await openOperator('live');
    for (const tooShort of [0, 3599]) {
      const refused = await publish(tooShort);
      expectError(refused, 'VALIDATION_FAILED');
      const field = 'oracle_config.challenge_sec';
      expect(refused.json().error.details).toEqual({ field, expected: 'at least 3600' });
    }
    dataOf(await publish(3600));
    dataOf(await publish(undefined, { id: 'usual' }));
    const set = (value: number) =>
      plane.post('/parameters', { ...live, part: 'resolution', values: { challenge_ms: value } });
    expectError(await set(3_599_000), 'VALIDATION_FAILED');
    dataOf(await set(3_600_000));
  });

  it('may be none in rounds that a source answers, and in the sandbox', async () => {
    const round = {
      ...{
        id: 'rounds',
        market_type: 'fast',
        oracle_config: { source: 'price_feed', challenge_sec: 0 },
      },
      round_config: { duration_sec: 60, lock_offset_ms: 1000 },
    };
    expect(dataOf(await publish(0, {}, act))).toMatchObject({ id: 'quick' });
    await plane.close();
    plane = await openOperator('live');
    expect(dataOf(await publish(0, round))).toMatchObject({ id: 'rounds' });
    const byHand = {
      ...round,
      id: 'by-hand',
      oracle_config: { source: 'manual', challenge_sec: 0 },
    };
    expectError(await publish(0, byHand), 'VALIDATION_FAILED');
  });

  it('is not evaded by an answer by hand to such a round', async () => {
    await plane.close();
    plane = await openOperator('live');
    const hasty = { oracle_config: { source: 'price_feed', challenge_sec: 0 } };
    const round = { market_type: 'fast', round_config: { duration_sec: 60, lock_offset_ms: 1000 } };
    dataOf(await publish(0, { id: 'rounds', ...hasty, ...round }));
    const id = await plane.market('rounds', launch);
    const body = { ...live, winning_outcome_id: 'yes', evidence };
    const refused = await plane.post(`/markets/${id}/resolution`, body);
    expectError(refused, 'STATE_CONFLICT');
    expect(refused.json().error.details).toMatchObject({ market_id: id, challenge_sec: 0 });
  });

  it('stands in the queue of what waits, and with the market', async () => {
    await plane.close();
    plane = await openOperator('live');
    const id = await plane.market('platform-question', launch);
    const body = { ...live, winning_outcome_id: 'yes', evidence };
    dataOf(await plane.post(`/markets/${id}/resolution`, body));
    const { queues } = dataOf(await plane.get('/queues?lane=live')) as {
      queues: readonly { kind: string; items: readonly { title: string }[] }[];
    };
    const titles = queues.find(({ kind }) => kind === 'approval')?.items.map(({ title }) => title);
    expect(titles).toEqual([expect.stringMatching(/ \(objections for 7200 s\)$/)]);
    const found = await plane.get(`/markets?lane=live&q=${id}`);
    expect(found.json().data).toMatchObject([{ market_id: id, challenge_sec: 7200 }]);
  });
});
