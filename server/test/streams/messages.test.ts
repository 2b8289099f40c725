// Every message of the contract that has a source is forced once, and its frame checked against its schema.
import { limits, type StreamMessageType, streamMessages } from '@sibyl/contract';
import {
  type AccountId,
  asAccountId,
  asMarketId,
  asTemplateId,
  asWithdrawalId,
  type CommandBody,
} from '@sibyl/engine';
import { lots, pips, usdt } from '@sibyl/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEMPLATES } from '../../../lane/test/random-run.ts';
import { seedTemplates } from '../../src/seed/templates.ts';
import { limitBuy } from '../limit-order.ts';
import { type Client, openStage, pause, type Stage, submit } from './stage.ts';

let stage: Stage;
let token: string;
let mine: AccountId;
let own: Client;
const seen = new Set<string>();

beforeAll(async () => {
  stage = await openStage();
  token = await stage.exchange.trader();
  own = await stage.connect();
  const { data } = await own.ask({ op: 'AUTH', id: 'a', token }, 'authenticated');
  mine = data.account_id;
  const params = ['account', 'trade_executed', 'deposit'];
  await own.ask({ method: 'SUBSCRIBE', id: 1, params }, 'subscribed');
  await own.next('account');
});

afterAll(async () => {
  for (const type of stage.seen) seen.add(type);
  const declared = Object.values(streamMessages).filter(({ since }) => since === '0.3');
  const missing = declared.map(({ type }) => type).filter((type) => !seen.has(type));
  expect(missing, 'messages that nothing forced').toEqual([]);
});

function order(marketId: string, changes: object = {}): CommandBody {
  return limitBuy(mine, asMarketId(marketId), { price: pips(1000), ...changes });
}

const market = { orderType: 'market', price: null, timeInForce: 'ioc' };

/** Time passes for the service, in steps in which everything it causes can happen. */
async function wait(ms: number, stepMs = 1_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    stage.exchange.clock.advance(stepMs);
    await pause(2);
  }
}

async function publish(id: string, changes: object): Promise<void> {
  const template = { ...TEMPLATES[1]!, id: asTemplateId(id), ...changes };
  await stage.exchange.operate({ type: 'publish_template', template });
}

async function expectAll(client: Client, types: readonly StreamMessageType[]): Promise<void> {
  for (const type of types) {
    for (let turn = 0; turn < 400 && !client.frames.some((f) => f.type === type); turn += 1) {
      await pause(5);
    }
    expect(
      client.frames.map((frame) => frame.type),
      type,
    ).toContain(type);
  }
}

/** Each stream's events are numbered without a gap. */
function expectNumbers(client: Client): void {
  const last = new Map<string, number>();
  for (const { stream, seq = 0, prev_seq: prev } of client.frames) {
    if (stream === undefined) continue;
    if (prev !== undefined) expect(prev, stream).toBe(last.get(stream) ?? 0);
    last.set(stream, seq);
  }
}

/** A round that opens in a second, of a fast template of its own. */
async function makeRound(symbol: string) {
  const { exchange } = stage;
  const fast = seedTemplates('sandbox').find(
    ({ marketType, oracleConfig }) =>
      marketType === 'fast' && oracleConfig.params.symbol === symbol,
  );
  await exchange.operate({ type: 'publish_template', template: fast! });
  const opensAtMs = exchange.clock.wallMs() + 1_000;
  const created = await exchange.operate({
    type: 'create_market',
    accountId: asAccountId('acc_platform'),
    templateId: fast!.id,
    params: { symbol, strike: '104250.00', opens_at_ms: opensAtMs },
    displayTitle: null,
    displayImageUrl: null,
  });
  if (!created.answer.ok || created.answer.result.kind !== 'market') throw new Error('no market');
  return { marketId: created.answer.result.marketId, opensAtMs };
}

describe('a fast round', () => {
  test('[IF3d] sends its price from its opening to its end, also after its lock', async () => {
    const { marketId, opensAtMs } = await makeRound('ETH');
    const client = await stage.connect();
    await client.ask({ op: 'SUBSCRIBE', params: [`fast_tick:${marketId}`] }, 'subscribed');
    await wait(182_000, 2_000);
    await submit(stage, { type: 'tick' });
    await client.next('fast_round_locked');
    const late = await stage.connect();
    await late.ask({ op: 'SUBSCRIBE', params: [`fast_tick:${marketId}`] }, 'subscribed');
    expect((await late.next('fast_tick')).data).toMatchObject({ ms_to_lock: 0 });
    await wait(30_000, 2_000);
    const isLocked = ({ ts_ms: atMs }: { readonly ts_ms: number }): boolean =>
      atMs > opensAtMs + 200_000;
    const { data } = await client.next('fast_tick', (frame) => isLocked(frame.data));
    expect(data).toMatchObject({ market_id: marketId, ms_to_lock: 0 });
    // Without a reading the round stays locked; after its end there is nothing left to show.
    await wait(120_000, 2_000);
    const last = client.frames.findLast(({ type }) => type === 'fast_tick');
    expect(last?.data.ts_ms).toBeLessThanOrEqual(opensAtMs + 300_000);
    client.socket.close();
    late.socket.close();
  });
});

describe('[IF3b] each message', () => {
  test('of the connection itself', async () => {
    const client = await stage.connect();
    await client.ask({ op: 'PING', id: 7, client_ts_ms: 5 }, 'pong');
    const set = await client.ask({ op: 'LOCALE', locale: 'de-AT' }, 'locale_set');
    expect(set.data).toMatchObject({ locale: 'de', requested: 'de-AT' });
    const error = await client.ask({ op: 'LOCALE', locale: 'not a tag' }, 'error');
    expect(error.data).toMatchObject({ code: 'VALIDATION_FAILED', op: 'LOCALE' });
    expect(error.data.message).toContain('ungültig');
    const refused = await client.ask({ op: 'SUBSCRIBE', params: ['account', 'rfq'] }, 'subscribed');
    expect(refused.data.rejected).toMatchObject([
      { code: 'AUTH_REQUIRED' },
      { code: 'AUTH_REQUIRED' },
    ]);
    await client.ask({ op: 'SUBSCRIBE', params: ['markets_snapshot'] }, 'subscribed');
    await client.next('markets_snapshot');
    await client.ask({ op: 'UNSUBSCRIBE', params: ['markets_snapshot'] }, 'unsubscribed');
    const epoch = { epoch: 'e_another', streams: { markets_snapshot: 3 } };
    await client.ask({ op: 'RESUME', ...epoch }, 'resumed');
    const resync = await client.next('resync_required');
    expect(resync.data).toMatchObject({ reason: 'epoch_changed', snapshot: true });
    await client.next('markets_snapshot');
    await wait(6_000);
    const beat = await client.next('heartbeat');
    expect(beat.data.seqs).toEqual({ markets_snapshot: resync.data.last_seq });
    for (let count = 0; count < 40; count += 1) client.send({ op: 'PING' });
    const throttled = await client.next('throttled');
    expect(throttled.data.retry_after_ms).toBeGreaterThan(0);
    client.socket.close();
  });

  test('of orders, money and positions of the owner', async () => {
    const { exchange } = stage;
    const marketId = await exchange.market('pool', 101);
    await submit(stage, order(marketId));
    const accepted = await own.next('order_accepted');
    expect(accepted.data.order).toMatchObject({ status: 'pending', size: '10.000000' });
    const orderId = Number(accepted.data.order.order_id.slice(4));
    await submit(stage, {
      type: 'amend_order',
      accountId: mine,
      orderId,
      price: pips(1100),
      lots: null,
      caps: null,
      grant: null,
    } as CommandBody);
    expect((await own.next('order_updated')).data.change).toBe('amended');
    await submit(stage, { type: 'cancel_order', accountId: mine, orderId } as CommandBody);
    expect((await own.next('order_cancelled')).data.reason).toBe('admin');
    await submit(stage, order(marketId, market));
    expect((await own.next('order_updated')).data.change).toBe('filled');
    await submit(stage, order(marketId, { lots: lots(100_000_000), price: pips(4000) }));
    const rejected = await own.next('order_rejected');
    expect(rejected.data).toMatchObject({ order: null, code: 'BALANCE_INSUFFICIENT' });
    const amount = usdt(250_000_000n);
    await submit(stage, { type: 'deposit', accountId: mine, amount, reference: 'wire-1' });
    await expectAll(own, ['trade_executed', 'position_updated', 'balance_updated', 'deposit']);
    const winningOutcomeId = 'yes';
    await submit(stage, {
      type: 'mock_oracle',
      accountId: mine,
      marketId: asMarketId(marketId),
      winningOutcomeId,
    } as CommandBody);
    await expectAll(own, ['position_settled']);
    expectNumbers(own);
  });

  test('of money in and out, step by step', async () => {
    const client = await stage.connect('/ws');
    const { data } = await client.ask({ op: 'AUTH', id: 'a', token }, 'authenticated');
    await client.ask({ method: 'SUBSCRIBE', id: 1, params: ['deposit'] }, 'subscribed');
    const accountId = asAccountId(data.account_id);
    const operate = (body: CommandBody) => stage.exchange.operate(body, 'live');
    const amount = usdt(9_000_000n);
    const told = {
      type: 'report_deposit',
      accountId,
      custody: 'bank',
      amount,
      reason: null,
    } as const;
    const steps = [
      { ...told, reference: 'tx-1', state: 'pending', confirmations: 1 },
      { ...told, reference: 'tx-1', state: 'confirmed', confirmations: 6 },
      { ...told, reference: 'tx-2', state: 'failed', confirmations: 0, reason: 'sent back' },
    ] as const;
    for (const step of steps) {
      await operate(step);
      const { state, confirmations, reference: tx_ref } = step;
      expect((await client.next('deposit')).data).toMatchObject({ state, confirmations, tx_ref });
    }
    const request = { type: 'withdraw', accountId, amount: usdt(4n), custody: 'bank' } as const;
    await operate({ ...request, destination: 'x', hold: null });
    const { data: asked } = await client.next('withdrawal_updated');
    expect(asked.state).toBe('requested');
    const withdrawalId = asWithdrawalId(asked.withdrawal_id);
    const step = {
      type: 'advance_withdrawal',
      withdrawalId,
      reference: null,
      reason: null,
    } as const;
    await operate({ ...step, step: 'send' });
    expect((await client.next('withdrawal_updated')).data.state).toBe('sent');
    await operate({ ...step, step: 'fail', reason: 'refused' });
    const failed = { state: 'failed', reason: 'refused' };
    expect((await client.next('withdrawal_updated')).data).toMatchObject(failed);
  });

  test('of the dead-man switch and of a lost connection', async () => {
    const marketId = await stage.exchange.market('book', 102);
    await submit(stage, order(marketId));
    const beat = { type: 'heartbeat', accountId: mine, timeoutMs: 5_000, marketId: null } as const;
    await submit(stage, beat);
    await wait(6_000);
    const fired = await own.next('dead_man_triggered');
    expect(fired.data).toMatchObject({ trigger: 'heartbeat', cancelled_count: 1 });
    expect(fired.data.armed_at_ms).toBeLessThan(fired.data.expired_at_ms);
    await submit(stage, order(marketId));
    const holder = await stage.connect();
    const auth = { op: 'AUTH', token, cancel_on_disconnect: true, grace_ms: 2_000 };
    await holder.ask(auth, 'authenticated');
    holder.socket.terminate();
    await pause(50);
    await wait(3_000);
    const lost = await own.next('dead_man_triggered');
    expect(lost.data).toMatchObject({ trigger: 'disconnect', cancelled_count: 1 });
  });

  test('of the ticker and the book', async () => {
    const marketId = await stage.exchange.market('pool', 103);
    const client = await stage.connect();
    const params = ['ticker', `ticker:${marketId}`, `orderbook:${marketId}`];
    await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
    await client.next('orderbook');
    await submit(stage, order(marketId, market));
    await expectAll(client, ['ticker', 'trade_print', 'candle_update', 'open_interest']);
    await expectAll(client, ['orderbook', 'orderbook_delta']);
    await wait(6_000);
    await expectAll(client, ['orderbook_checksum']);
    await wait(60_000, 10_000);
    const closed = await client.next('candle_update', ({ data }) => data.closed);
    expect(closed.data.volume).not.toBe('0');
    const rest = await stage.exchange.ask('getOrderBook', {
      params: { market_id: marketId },
      query: { outcome_id: 'yes' },
    });
    const sums = client.frames.filter(
      ({ type, data }) => type === 'orderbook_checksum' && data.outcome_id === 'yes',
    );
    expect(sums.at(-1)?.data.seq).toBe(rest.data.seq);
  });

  test('of markets from their creation to their end', async () => {
    const { exchange } = stage;
    const client = await stage.connect();
    await client.ask({ op: 'SUBSCRIBE', params: ['markets_snapshot'] }, 'subscribed');
    await client.next('markets_snapshot');
    const oracleConfig = {
      source: 'manual',
      params: {},
      challengeSec: 3_600,
      bond: usdt(10_000_000n),
    };
    await publish('asked', { requiresApproval: true, oracleConfig });
    const marketId = asMarketId(await exchange.market('asked', 1));
    await exchange.operate({ type: 'approve_market', marketId });
    await exchange.operate({ type: 'halt_market', marketId, untilMs: null, reason: 'news' });
    await exchange.operate({ type: 'resume_market', marketId });
    await wait(40_001_000, 40_001_000);
    await submit(stage, { type: 'tick' });
    const result = { kind: 'outcome', outcomeId: 'yes' } as const;
    await exchange.operate({
      type: 'propose_resolution',
      marketId,
      proposerId: null,
      result,
      evidence: ['https://example.com'],
      bond: usdt(0n),
    } as CommandBody);
    await exchange.operate({
      type: 'dispute_resolution',
      marketId,
      accountId: mine,
      evidence: ['https://example.com/no'],
      bond: usdt(10_000_000n),
    } as CommandBody);
    await exchange.operate({ type: 'rule_resolution', marketId, ruling: 'upheld', result: null });
    await expectAll(client, ['market_created', 'market_updated', 'market_status_changed']);
    await expectAll(client, ['market_halted', 'market_resumed', 'resolution_proposed']);
    await expectAll(client, ['resolution_disputed', 'market_resolved']);
    expectNumbers(client);
  });

  test('of a finer tick', async () => {
    const { exchange } = stage;
    await publish('refined', {});
    const marketId = asMarketId(await exchange.market('refined', 1));
    const client = await stage.connect();
    await client.ask({ op: 'SUBSCRIBE', params: [`orderbook:${marketId}`] }, 'subscribed');
    await exchange.operate({ type: 'set_tick_size', marketId, tickPips: pips(1) });
    const { data } = await client.next('tick_size_changed');
    expect(data).toMatchObject({ market_id: marketId, new_tick_size: '0.000100' });
  });

  test('of fast rounds', async () => {
    const { exchange } = stage;
    const client = await stage.connect();
    await client.ask({ op: 'SUBSCRIBE', params: ['fast_tick'] }, 'subscribed');
    const { marketId, opensAtMs } = await makeRound('BTC');
    await wait(2_000);
    await submit(stage, { type: 'tick' });
    const opened = await client.next('fast_round_opened');
    expect(opened.data).toMatchObject({ strike: '104250', opens_at_ms: opensAtMs });
    await wait(2_000);
    expect((await client.next('fast_tick')).data.round_id).toBe(marketId);
    const late = await stage.connect();
    await late.ask({ op: 'SUBSCRIBE', params: [`fast_tick:${marketId}`] }, 'subscribed');
    expect((await late.next('fast_tick')).data.epoch).toBe(stage.streams.epoch);
    await wait(178_000, 5_000);
    await submit(stage, { type: 'tick' });
    expect((await client.next('fast_round_locking')).data.ms_to_lock).toBeLessThanOrEqual(15_000);
    await expectAll(client, ['fast_round_locked']);
    await wait(125_000, 10_000);
    const readings = [{ source: 'sandbox_mock', value: '104300.50' }];
    await exchange.operate({ type: 'report_readings', marketId, readings });
    await wait(2_000);
    const settled = await client.next('fast_round_settled');
    expect(settled.data).toMatchObject({ settle_price: '104300.5', winning_outcome_id: 'yes' });
  });

  test('of signals, of a breaker, and of what is possible at all', async () => {
    const { exchange } = stage;
    await publish('wild', { bandPips: 500 });
    const marketId = await exchange.market('wild', 1);
    const client = await stage.connect();
    await client.ask({ op: 'AUTH', token }, 'authenticated');
    await client.ask({ op: 'SUBSCRIBE', params: ['signals'] }, 'subscribed');
    const toWindowMs = 10_000 - (exchange.clock.wallMs() % 10_000);
    await wait(toWindowMs, toWindowMs);
    // To the band in three windows of ten seconds in a row, each time from the price of the last.
    for (let window = 0; window < 3; window += 1) {
      if (window > 0) await wait(10_200, 10_200);
      await submit(stage, order(marketId, { ...market, lots: lots(60_000) }));
    }
    const signal = await client.next('signals', ({ data }) => data.kind === 'price_move');
    expect(signal.data.market_id).toBe(marketId);
    const breaker = await client.next('circuit_breaker');
    expect(breaker.data).toMatchObject({ market_id: marketId, state: 'open', lane: null });
    await exchange.operate({ type: 'set_read_only', readOnly: true, reason: 'work' });
    expect((await client.next('platform_mode')).data).toMatchObject({
      mode: 'read_only',
      reason: 'work',
    });
    await exchange.operate({ type: 'set_read_only', readOnly: false, reason: 'done' });
  });

  test('[P14] of credentials: another tier, an end that is near, an end', async () => {
    const { exchange } = stage;
    const session = await exchange.session();
    const key = await exchange.key({ session, at: '/sandbox' });
    const publicId = key.slice(0, 24);
    const client = await stage.connect();
    await client.ask({ op: 'AUTH', token: key }, 'authenticated');
    await client.ask({ op: 'SUBSCRIBE', params: ['account', 'markets_snapshot'] }, 'subscribed');
    await client.next('account');
    const change = { actor: 'test', reason: 'graduation', atMs: exchange.clock.wallMs() };
    const shown = async (): Promise<unknown> =>
      (await exchange.ask('listKeys', { token: key, at: '/sandbox' })).data[0].rate_multiplier;
    await exchange.platform.setKeyRate(publicId, 5, change);
    await exchange.platform.setKeyTier(publicId, 'read_live', change);
    const changed = await client.next('tier_changed');
    expect(changed.data).toMatchObject({
      to: 'read_live',
      reason: 'graduation',
      limits: { rate_multiplier: await shown() },
    });
    expect(changed.data.limits.rate_multiplier).toBe(5 * limits.tiers.read_live.rateMultiplier);
    const startedMs = performance.now();
    const revoked = await exchange.ask('revokeKey', {
      token: session,
      params: { key_id: publicId },
    });
    expect(revoked.error).toBe(null);
    const told = await client.next('auth_revoked');
    expect(told.data).toEqual({
      reason: 'key_revoked',
      streams: ['account'],
      message: 'The key was revoked.',
    });
    expect(await client.ended()).toBe(4001);
    // The machine may be busy.
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    const other = await stage.connect();
    const { data } = await other.ask({ op: 'AUTH', token: session }, 'authenticated');
    const leftMs = data.expires_at_ms - exchange.clock.wallMs();
    exchange.clock.advance(leftMs - 30_000);
    await wait(2_000);
    expect((await other.next('auth_expiring')).data.expires_at_ms).toBe(data.expires_at_ms);
    exchange.clock.advance(30_000);
    await wait(1_000);
    expect((await other.next('auth_revoked')).data.reason).toBe('expired');
    expect(await other.ended()).toBe(4001);
  });

  test('of the end of the service', async () => {
    const client = await stage.connect();
    const closing = stage.close();
    const maintenance = await client.next('maintenance');
    expect(maintenance.data).toMatchObject({ phase: 'started', effect: 'down' });
    expect((await client.next('going_away')).data.resume_supported).toBe(false);
    expect(await client.ended()).toBe(1001);
    await closing;
  });
});
