// Cancellation of a traded market: previewed, proposed by one operator, confirmed or dropped by another.
import type { AccountId, LaneName, MarketId } from '@sibyl/engine';
import type { LightMyRequestResponse as Response } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amountText } from '../../src/wire/amounts.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer } from '../gateway/harness.ts';
import { user } from '../ports/platform-suite.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';
import { confirmed as confirmedAs, joined } from './people.ts';
import { freeOf, pass, person, trade } from './traders.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const launch = { question: 'Will A launch B?', closes_at_ms: 1_900_000_000_000 };

let plane: OperatorHarness;
let lane: LaneName;

async function open(name: LaneName): Promise<void> {
  lane = name;
  plane = await openOperator(name);
}
afterEach(() => plane.close());

// biome-ignore lint/suspicious/noExplicitAny: answers are compared with what the tests name
type Data = Record<string, any>;

function dataOf(response: Response): Data {
  expect(response.statusCode, response.payload).toBe(200);
  return response.json().data;
}

/** By the operator token, or by who has the session. */
function send(path: string, body: object, token = plane.token): Promise<Response> {
  return plane.gateway.app.inject({
    method: 'POST',
    url: `/admin/v1/markets/${path}`,
    payload: { lane, reason: 'ticket 4711', ...body },
    headers: bearer(token),
  });
}

async function preview(id: MarketId, query = ''): Promise<Data> {
  return dataOf(await plane.get(`/markets/${id}/cancellation?lane=${lane}${query}`));
}

const terms = { cause: 'event', evidence: ['https://example.com/abandoned'] };

/** The window that lies before now. */
function lastMs(ms: number): { readonly from_ms: number; readonly to_ms: number } {
  const to_ms = plane.clock.wallMs();
  return { from_ms: to_ms - ms, to_ms };
}

const queryOf = (window: ReturnType<typeof lastMs>): string =>
  `&from_ms=${window.from_ms}&to_ms=${window.to_ms}`;

const marketOf = (id: MarketId) => plane.lane.read((state) => state.markets.get(id)!);

/** Five families trade a little, every day but the last. */
async function quietMarket(days: number): Promise<{ id: MarketId; traders: AccountId[] }> {
  const id = await plane.market('own-question', launch);
  if (lane === 'live') dataOf(await send(`${id}/approve`, {}));
  const traders: AccountId[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) traders.push(await person(plane, name, lane));
  for (let day = 0; day < days; day += 1) {
    for (const accountId of traders) {
      await trade(plane, accountId, id, 'buy', 2);
      await trade(plane, accountId, id, 'sell', 1);
    }
    await pass(plane, DAY_MS);
  }
  return { id, traders };
}

describe('[OP13] the preview of a cancellation', () => {
  beforeEach(() => open('sandbox'));

  it('shows what the cancellation pays, to the unit, and stores nothing', async () => {
    const { id, traders } = await quietMarket(6);
    await send(`${id}/halt`, {});
    const shown = await preview(id);
    expect(shown).toMatchObject({ flags: [], families: 5, holders: 5, named: null });
    expect(shown.default.sources).toEqual({ pool: 100, depth: 0, trades: 0, opening: 0 });
    expect(shown.default.window_ms).toBe(2 * DAY_MS);
    const journal = await plane.lane.read(({ seq }) => seq);
    expect(await preview(id)).toEqual(shown);
    expect(await plane.lane.read(({ seq }) => seq)).toBe(journal);
    const before = await Promise.all(traders.map((one) => freeOf(plane, one)));
    const creator = await freeOf(plane, trader);
    const { payout_vector: expected } = shown.default;
    const proposed = await send(`${id}/cancellation`, { ...terms, expected });
    expect(dataOf(proposed)).toMatchObject({ status: 'settling' });
    // In the sandbox of the server there is no notice; the engine's default has one.
    await pass(plane, DAY_MS);
    const confirmed = await send(`${id}/cancellation/ruling`, { ruling: 'upheld' });
    expect(dataOf(confirmed)).toMatchObject({ status: 'cancelled' });
    for (const [index, accountId] of traders.entries()) {
      const row = [...shown.gainers, ...shown.losers].find((one) => one.account_id === accountId);
      const paid = (await freeOf(plane, accountId)) - before[index]!;
      const promised = micro(row.payout) + micro(row.fees_returned);
      expect(amountText(paid)).toBe(amountText(promised));
    }
    expect(amountText((await freeOf(plane, trader)) - creator)).toBe(shown.pool_paid);
    expect(await marketOf(id)).toMatchObject({
      cancellation: { cause: 'event', reason: 'ticket 4711', window: null, excluded: [] },
    });
    expectError(await plane.get(`/markets/${id}/cancellation?lane=sandbox`), 'STATE_CONFLICT');
  });

  it('shows who bought when and from whom, and trades after the window by family', async () => {
    const { id, traders } = await quietMarket(6);
    const to_ms = plane.clock.wallMs();
    const window = { from_ms: to_ms - 2 * DAY_MS, to_ms };
    const [buyer, seller] = [await person(plane, 'buyer'), traders[0]!];
    const paid = await trade(plane, buyer, id, 'buy', 300);
    await pass(plane, HOUR_MS);
    const shown = await preview(id, queryOf(window));
    expect(shown.flags).toEqual(['late_trades']);
    const [late] = shown.late_trades;
    expect(late).toMatchObject({ family: buyer, bought: '300.000000', sold: '0.000000' });
    expect(micro(late.gain)).toBeLessThan(0n);
    const [loser] = shown.losers;
    expect(loser).toMatchObject({
      account_id: buyer,
      received: '0.000000',
      bought_first_at_ms: to_ms,
      bought_last_at_ms: to_ms,
      against: [{ account_id: null, bought: '300.000000' }],
    });
    // Without what went on to the creator.
    expect(micro(loser.paid)).toBeGreaterThanOrEqual(paid);
    expect(micro(loser.gain)).toBe(micro(loser.payout) - micro(loser.cost));
    expect(shown.chart.length).toBeGreaterThan(100);
    expect(micro(shown.chart.at(-1).prices[0])).toBeGreaterThan(500_000n);
    for (const { prices } of shown.chart)
      expect(micro(prices[0]) + micro(prices[1])).toBe(1_000_000n);
    expect(shown.gaps).toEqual([]);
    expect(shown.gainers.map((one: Data) => one.account_id)).toContain(seller);
  });

  it('shows times without trading, and excludes outcomes', async () => {
    const { id } = await quietMarket(3);
    const haltedAt = plane.clock.wallMs();
    await send(`${id}/halt`, {});
    await pass(plane, 5 * HOUR_MS);
    await send(`${id}/resume`, {});
    await pass(plane, HOUR_MS);
    const { gaps, default: value } = await preview(id, '&excluded=no');
    expect(gaps).toMatchObject([{ from_at_ms: haltedAt, to_at_ms: haltedAt + 5 * HOUR_MS }]);
    expect(value.payout_vector).toEqual([
      { outcome_id: 'yes', payout: '1.000000' },
      { outcome_id: 'no', payout: '0.000000' },
    ]);
    const path = `/markets/${id}/cancellation?lane=sandbox`;
    expectError(await plane.get(`${path}&excluded=maybe`), 'VALIDATION_FAILED');
    expectError(await plane.get(`${path}&from_ms=1`), 'MISSING_FIELD');
    expectError(await plane.get(`${path}&from_ms=1&to_ms=2`), 'VALIDATION_FAILED');
    expectError(await plane.get(`/markets/${id}/cancellation`), 'MISSING_FIELD');
    const nowhere = '/markets/m_0000000000000000/cancellation?lane=sandbox';
    expectError(await plane.get(nowhere), 'MARKET_NOT_FOUND');
  });

  it('[MM2] of a market with many holders lets others go first', async () => {
    const id = await plane.market('own-question', launch);
    for (let who = 0; who < 1100; who += 1) {
      const holder = await person(plane, `holder${who}`);
      await trade(plane, holder, id, 'buy', 2);
      await trade(plane, holder, id, 'sell', 2);
    }
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const shown = await preview(id);
    isOver = true;
    expect(shown.holders).toBe(1100);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('[OP78] a cancellation is proposed with the payout of its preview', () => {
  beforeEach(() => open('sandbox'));

  it('and not once the payout has changed', async () => {
    const { id, traders } = await quietMarket(6);
    const { payout_vector: expected } = (await preview(id)).default;
    await trade(plane, traders[0]!, id, 'buy', 40);
    await pass(plane, 20 * HOUR_MS);
    const path = `${id}/cancellation`;
    const window = lastMs(2 * DAY_MS);
    const refused = await send(path, { ...terms, window, expected });
    expectError(refused, 'STATE_CONFLICT');
    expect(refused.json().error.details).toMatchObject({ reason: 'payout_changed' });
    expect(await marketOf(id)).toMatchObject({ status: 'active', proposal: null });
    const wrong = [
      { outcome_id: 'yes', payout: '1' },
      { outcome_id: 'maybe', payout: '0' },
    ];
    expectError(await send(path, { ...terms, expected: wrong }), 'VALIDATION_FAILED');
    const unknown = { ...terms, cause: 'mood', expected };
    expectError(await send(path, unknown), 'VALIDATION_FAILED');
    expectError(await send(path, { ...terms }), 'MISSING_FIELD');
    expectError(await send(path, { ...terms, window: 'today', expected }), 'VALIDATION_FAILED');
  });

  it('with a named window where few traded, or where the price has moved', async () => {
    const thin = await plane.market('own-question', launch);
    const early = await person(plane, 'early');
    await trade(plane, early, thin, 'buy', 2);
    await pass(plane, 6 * DAY_MS);
    const shown = await preview(thin);
    expect(shown).toMatchObject({ flags: ['thin'], families: 0 });
    const path = `${thin}/cancellation`;
    const { payout_vector: expected } = shown.default;
    const refused = await send(path, { ...terms, expected });
    expectError(refused, 'VALIDATION_FAILED');
    expect(refused.json().error.details).toMatchObject({ field: 'window', thin: true });
    const window = lastMs(2 * DAY_MS);
    const { named } = await preview(thin, queryOf(window));
    const proposed = await send(path, { ...terms, window, expected: named.payout_vector });
    expect(dataOf(proposed)).toMatchObject({ status: 'settling' });
  });

  it('and never of a market without a trade', async () => {
    const id = await plane.market('own-question', launch);
    const expected = [
      { outcome_id: 'yes', payout: '0.5' },
      { outcome_id: 'no', payout: '0.5' },
    ];
    const refused = await send(`${id}/cancellation`, { ...terms, expected });
    expectError(refused, 'STATE_CONFLICT');
    expect(refused.json().error.details).toMatchObject({ reason: 'untraded' });
    expect(dataOf(await send(`${id}/cancel`, {}))).toMatchObject({ status: 'cancelled' });
  });

  it('G1: the window that the flags ask for leaves the honest buyer whole', async () => {
    const { id } = await quietMarket(6);
    const [friend, honest] = [await person(plane, 'friend'), await person(plane, 'honest')];
    // The band lets the price move a little at a time.
    for (let step = 0; step < 15; step += 1) {
      expect(await trade(plane, friend, id, 'buy', 100)).toBeGreaterThan(0n);
      await pass(plane, HOUR_MS / 4);
    }
    const paid = await trade(plane, honest, id, 'buy', 400);
    await trade(plane, friend, id, 'sell', 400);
    await pass(plane, DAY_MS);
    const shown = await preview(id);
    expect(shown.flags).toEqual(['moved']);
    const refused = await send(`${id}/cancellation`, {
      ...terms,
      expected: shown.default.payout_vector,
    });
    expect(refused.json().error.details).toMatchObject({ field: 'window', moved: true });
    const window = lastMs(DAY_MS);
    const { named } = await preview(id, queryOf(window));
    const proposed = { ...terms, window, expected: named.payout_vector };
    expect(dataOf(await send(`${id}/cancellation`, proposed))).toMatchObject({
      status: 'settling',
    });
    await pass(plane, DAY_MS);
    const before = await freeOf(plane, honest);
    dataOf(await send(`${id}/cancellation/ruling`, { ruling: 'upheld' }));
    const received = (await freeOf(plane, honest)) - before;
    const byDefault = 400n * micro(shown.default.payout_vector[0].payout);
    // Pinned: what the honest buyer loses by the named window, and at least by the default one.
    const losses = [paid - received, paid - byDefault];
    expect([paid, ...losses].map(amountText)).toEqual(['366.671106', '9.192451', '98.511106']);
  });
});

describe('[OP79] a cancellation is confirmed', () => {
  const path = (id: MarketId): string => `${id}/cancellation/ruling`;
  beforeEach(() => open('live'));

  /** Proposed by Ada; Bea may confirm. */
  async function proposed(others: readonly string[] = ['bea']) {
    const { id } = await quietMarket(3);
    await send(`${id}/halt`, {});
    const ada = await joined(plane, 'ada', ['market_manager']);
    const [bea = ada] = await Promise.all(
      others.map((name) => joined(plane, name, ['market_manager'])),
    );
    const { payout_vector: expected } = (await preview(id)).default;
    const body = { ...terms, expected };
    expectError(await send(`${id}/cancellation`, body), 'STATE_CONFLICT');
    const market = dataOf(await send(`${id}/cancellation`, body, ada.token));
    expect(market).toMatchObject({ status: 'settling' });
    return { id, ada, bea };
  }

  it('by another operator, after the notice, and pays then', async () => {
    const { id, ada, bea } = await proposed();
    const { data: market } = (await plane.get(`/markets?lane=live&q=${id}`)).json();
    expect(market[0].cancellation).toMatchObject({ proposed_by: ada.operatorId, cause: 'event' });
    const early = await send(path(id), { ruling: 'upheld' }, bea.token);
    expectError(early, 'STATE_CONFLICT');
    expect(early.json().error.details).toMatchObject({ reason: 'notice' });
    await pass(plane, DAY_MS);
    const again = {
      ada: await anew('ada', ada.operatorId),
      bea: await anew('bea', bea.operatorId),
    };
    expectError(await send(path(id), { ruling: 'upheld' }, again.ada), 'STATE_CONFLICT');
    expectError(await send(path(id), { ruling: 'upheld' }), 'STATE_CONFLICT');
    // The ruling on answers is another act.
    const ruled = await send(`${id}/ruling`, { ruling: 'upheld' }, again.bea);
    expectError(ruled, 'PROPOSAL_STATE_INVALID');
    const confirmed = await send(path(id), { ruling: 'upheld' }, again.bea);
    expect(dataOf(confirmed)).toMatchObject({ status: 'cancelled' });
    expectError(await send(path(id), { ruling: 'upheld' }, again.bea), 'PROPOSAL_STATE_INVALID');
  });

  it('or dropped, and the market goes on', async () => {
    const { id, bea } = await proposed();
    const dropped = await send(path(id), { ruling: 'too_early' }, bea.token);
    expect(dataOf(dropped)).toMatchObject({ status: 'active' });
    expect(await marketOf(id)).toMatchObject({ proposal: null, cancellation: null });
    expectError(await send(path(id), { ruling: 'too_early' }, bea.token), 'PROPOSAL_STATE_INVALID');
    expectError(await send(path(id), { ruling: 'void' }, bea.token), 'VALIDATION_FAILED');
  });

  it('by the proposer after a day, where no other operator could', async () => {
    const { id, ada } = await proposed([]);
    await pass(plane, DAY_MS - HOUR_MS);
    const upheld = async () =>
      send(path(id), { ruling: 'upheld' }, await anew('ada', ada.operatorId));
    expectError(await upheld(), 'STATE_CONFLICT');
    await pass(plane, HOUR_MS);
    const confirmed = await upheld();
    expect(dataOf(confirmed)).toMatchObject({ status: 'cancelled' });
  });

  it('in rounds of one template, each by itself', async () => {
    const { id, bea } = await proposed();
    const body = { lane, reason: 'ticket 4711', ruling: 'too_early' };
    const answer = await plane.gateway.app.inject({
      method: 'POST',
      url: '/admin/v1/cancellations/ruling',
      payload: { ...body, market_ids: [id, 'm_0000000000000000'] },
      headers: bearer(bea.token),
    });
    expect(dataOf(answer)).toEqual({
      rounds: [
        { market_id: id, status: 'active', error: null },
        { market_id: 'm_0000000000000000', status: 'unknown', error: 'MARKET_NOT_FOUND' },
      ],
    });
  });

  it('[OP80] by no operator whose family has shares or orders in the market, or made it', async () => {
    const { id, bea } = await proposed();
    const ruling = { ruling: 'too_early' };
    const stakeOf = async (accountId: string): Promise<unknown> => {
      const name = accountId.slice('acc_'.length);
      const known = { ...user(name), accounts: { live: accountId, sandbox: `acc_s${name}` } };
      await plane.platform.addUser(known as never);
      await plane.operators.setUser(bea.operatorId, known.userId);
      const refused = await send(path(id), ruling, bea.token);
      expectError(refused, 'STATE_CONFLICT');
      return refused.json().error.details;
    };
    expect(await stakeOf('acc_a')).toMatchObject({ reason: 'own_stake', stake: 'shares' });
    expect(await stakeOf(trader)).toMatchObject({ reason: 'own_stake', stake: 'its deposit' });
    await plane.operators.setUser(bea.operatorId, null);
    expect(dataOf(await send(path(id), ruling, bea.token))).toMatchObject({ status: 'active' });
    const { payout_vector: expected } = (await preview(id)).default;
    await plane.operators.setUser(bea.operatorId, 'usr_a');
    const anew = await send(`${id}/cancellation`, { ...terms, expected }, bea.token);
    expect(anew.json().error.details).toMatchObject({ stake: 'shares' });
  });
});

/** Sessions end after eight hours. */
async function anew(name: string, operatorId: string): Promise<string> {
  const passwordHash = 'hash of a new day';
  const change = { operatorId, verifiedHash: null, keptSessionId: null, atMs: 0, passwordHash };
  await plane.operators.changePassword(change);
  return confirmedAs(plane, name, 'a new day');
}

function micro(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
