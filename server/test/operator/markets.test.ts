// What an operator decides about markets: making them, looking before a cancellation, rulings that come too late or too early.
import { operatorOperations } from '@sibyl/contract';
import {
  type AccountId,
  asAccountId,
  decodeCommand,
  type MarketId,
  type Outcome,
} from '@sibyl/engine';
import { recordsOf } from '@sibyl/lane';
import { lots, usdt } from '@sibyl/money';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Log } from '../../src/gateway/log.ts';
import { raiseAlarms } from '../../src/operator/alarms.ts';
import { amountText } from '../../src/wire/amounts.ts';
import { expectError, expectHeaders } from '../gateway/expect.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';

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

const freeOf = (accountId: AccountId): Promise<bigint> =>
  plane.lane.read((state) => state.ledger.balance(state.accounts.get(accountId)!.free));

const marketOf = (id: MarketId) => plane.lane.read((state) => state.markets.get(id)!);

async function person(name: string): Promise<AccountId> {
  const accountId = asAccountId(`acc_${name}`);
  const who = { accountId, mode: 'sandbox', parentId: null, referrerId: null } as const;
  await plane.submit({ type: 'open_account', ...who });
  await plane.submit({ type: 'faucet', accountId, keyId: null });
  return accountId;
}

/** At the market, in shares of yes; what the account paid into the market, without what went on to its creator. */
async function trade(
  accountId: AccountId,
  marketId: MarketId,
  side: 'buy' | 'sell',
  shares: number,
): Promise<bigint> {
  const before = (await freeOf(accountId)) + (await freeOf(trader));
  const { answer } = await plane.submit({
    type: 'place_order',
    accountId,
    marketId,
    outcomeId: 'yes',
    side,
    orderType: 'market',
    price: null,
    lots: lots(100 * shares),
    timeInForce: 'fok',
    expiresAtMs: null,
    postOnly: false,
    reduceOnly: false,
    stpMode: 'cancel_resting',
    maxCost: null,
    validUntilMs: null,
    clientOrderId: null,
    builder: null,
    caps: null,
    grant: null,
    execution: 'hybrid',
  });
  expect(answer.ok).toBe(true);
  return before - (await freeOf(accountId)) - (await freeOf(trader));
}

const propose = (id: MarketId): Promise<Response> =>
  plane.post(`/markets/${id}/resolution`, { ...act, winning_outcome_id: 'yes', evidence });

const dispute = (marketId: MarketId, accountId: AccountId): Promise<Outcome> =>
  plane.submit({ type: 'dispute_resolution', marketId, accountId, evidence, bond });

/** Time passes in steps of an hour at most, and the lane does by itself what is due. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR_MS) {
    plane.clock.advance(Math.min(left, HOUR_MS));
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

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

describe('[OP13] a look before a cancellation', () => {
  it('shows who gains, and the cancellation pays just that', async () => {
    const id = await plane.market('own-question', launch);
    const [early, late] = [await person('early'), await person('late')];
    const path = `/markets/${id}/cancellation?lane=sandbox`;
    expect(dataOf(await plane.get(path))).toEqual({
      market_id: id,
      money: '500.000000',
      deposit: '500.000000',
      returned: '500.000000',
      in_full: true,
      holders: 0,
      gainers: [],
    });
    const bought = await trade(early, id, 'buy', 40);
    const paidIn = await trade(late, id, 'buy', 40);
    const sold = await trade(early, id, 'sell', 40);
    const gain = -(bought + sold);
    expect(gain).toBeGreaterThan(0n);
    const shown = dataOf(await plane.get(path));
    expect(shown).toMatchObject({
      deposit: '500.000000',
      holders: 2,
      gainers: [
        {
          account_id: early,
          net_paid: amountText(-gain),
          refund: '0.000000',
          gain: amountText(gain),
        },
      ],
    });
    const free = () => Promise.all([early, late, trader].map(freeOf));
    const before = await free();
    dataOf(await plane.post(`/markets/${id}/cancel`, act));
    const [kept, refund, returned] = (await free()).map((after, who) => after - before[who]!);
    expect(kept).toBe(0n);
    expect(shown.returned).toBe(amountText(returned!));
    expect(shown.in_full).toBe(refund === paidIn);
    expect(shown.in_full).toBe(false);
    // All that is there is paid: what the others put in, less what was taken out.
    expect(shown.money).toBe(amountText(500_000_000n + paidIn - gain));
    expect(shown.money).toBe(amountText(returned! + refund!));
    expectError(await plane.get(path), 'STATE_CONFLICT');
  });

  it('is of a market that there is, in a lane that is named', async () => {
    const id = await plane.market('own-question', launch);
    expectError(await plane.get(`/markets/${id}/cancellation`), 'MISSING_FIELD');
    const nowhere = '/markets/m_0000000000000000/cancellation?lane=sandbox';
    expectError(await plane.get(nowhere), 'MARKET_NOT_FOUND');
  });
});

it('[MM2] a look before a cancellation of a market with many holders lets others go first', async () => {
  const turnsOf = async (id: string): Promise<number> => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const shown = dataOf(await plane.get(`/markets/${id}/cancellation?lane=sandbox`));
    isOver = true;
    expect(shown.holders).toBe(id === many ? 1100 : 0);
    return turns;
  };
  const few = await plane.market('own-question', launch);
  const many = await plane.market('own-question', { ...launch, question: 'Will many trade?' });
  for (let who = 0; who < 1100; who += 1) {
    // Whoever has traded counts, and the price stays where it was.
    const holder = await person(`holder${who}`);
    await trade(holder, many, 'buy', 2);
    await trade(holder, many, 'sell', 2);
  }
  // Twice over all of them, with a turn for others after each thousand.
  expect(await turnsOf(many)).toBe((await turnsOf(few)) + 2);
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

describe('[OP15] a dispute that nobody rules on', () => {
  it('is told of in the log after three days, and ends in a cancellation after seven', async () => {
    const said: [string, string, unknown][] = [];
    const log = {
      write: (level: string, message: string, fields: unknown) => {
        said.push([level, message, fields]);
      },
    } as unknown as Log;
    plane.lane.onCommitted(raiseAlarms('sandbox', log));
    const id = await plane.market('own-question', launch);
    dataOf(await propose(id));
    const disputedAt = new Date(plane.clock.wallMs()).toISOString();
    expect((await dispute(id, trader)).answer.ok).toBe(true);
    const paid = await freeOf(trader);
    await pass(72 * HOUR_MS - 1_000);
    expect(said).toEqual([]);
    await pass(1_000);
    const alarm = { lane: 'sandbox', market: id, reason: `disputed since ${disputedAt}` };
    expect(said).toEqual([['warn', 'a dispute waits for a ruling', alarm]]);
    expect(await marketOf(id)).toMatchObject({ status: 'settling' });
    await pass(96 * HOUR_MS);
    expect(await marketOf(id)).toMatchObject({ status: 'cancelled' });
    expect(await freeOf(trader)).toBeGreaterThan(paid);
    expect(said).toHaveLength(1);
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
