import { closedSchema, isWebhookEventType, webhookEnvelopeOf } from '@sibyl/contract';
import { asAccountId, type OrderId } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { lots, pips, usdt } from '@sibyl/money';
import { Ajv } from 'ajv';
import { beforeEach, describe, expect, it } from 'vitest';
import { bodyOf } from '../../src/delivery/body.ts';
import { eventOf } from '../../src/delivery/event-record.ts';
import { webhookNotices } from '../../src/notices/command-notices.ts';
import { LaneMemory } from '../../src/notices/lane-memory.ts';
import type { EventRecord } from '../../src/ports/webhooks.ts';
import { endpoint } from '../ports/webhooks-suite.ts';
import { JournaledLane } from './journaled-lane.ts';

/** Amounts may or may not be written with all their places. */
const decimal = (text: string): unknown =>
  expect.stringMatching(
    new RegExp(`^${text.replace('.', '\\.')}${text.includes('.') ? '' : '(\\.0+)?'}0*$`),
  );

const NOON_MS = 1_794_744_000_000;
const ajv = new Ajv({ strict: false, validateFormats: false });

/** Everything that happened since the last call, for an endpoint that wants it all. */
class Watcher {
  readonly #lane: JournaledLane;
  readonly #memory = new LaneMemory();
  #seen = 0;

  constructor(lane: JournaledLane) {
    this.#lane = lane;
    this.#memory.begin(lane.state);
    this.#seen = lane.committed.length;
  }

  take(): EventRecord[] {
    const fresh = this.#lane.committed.slice(this.#seen);
    this.#seen = this.#lane.committed.length;
    return fresh.flatMap((committed) =>
      webhookNotices(committed, this.#memory, () => true)
        .filter((notice) => notice.variant?.(endpoint('wh_a')) !== null)
        .filter(({ only }) => only === undefined || only === this.#lane.name)
        .map((notice) =>
          eventOf(this.#lane.name, committed, notice, this.#lane.state, endpoint('wh_a')),
        ),
    );
  }

  types(): string[] {
    return this.take().map(({ type }) => type);
  }
}

function validate(event: EventRecord): void {
  if (!isWebhookEventType(event.type)) throw new Error(`unknown type ${event.type}`);
  const check = ajv.compile(closedSchema(webhookEnvelopeOf(event.type)));
  const body: unknown = JSON.parse(bodyOf(event, 1));
  expect(check(body), `${event.type}: ${ajv.errorsText(check.errors)}`).toBe(true);
}

describe('[IF3c] what the events of a command amount to', () => {
  let clock: ManualClock;
  let lane: JournaledLane;

  beforeEach(() => {
    clock = new ManualClock(NOON_MS);
    lane = new JournaledLane(clock);
    lane.open('a');
    lane.open('b');
  });

  it('money in and out is told at its end, good or bad', () => {
    const live = new JournaledLane(clock, 'live');
    const accountId = asAccountId(live.open('a'));
    const watcher = new Watcher(live);
    const amount = usdt(5_000_000n);
    const told = { type: 'report_deposit', accountId, custody: 'bank', amount } as const;
    const wire = { ...told, reference: 'tx-1', confirmations: 0, reason: null } as const;
    live.run({ ...wire, state: 'pending' });
    live.run({ ...wire, reference: 'tx-2', state: 'failed', reason: 'sent back' });
    const request = { type: 'withdraw', accountId, amount, custody: 'bank' } as const;
    for (const step of ['complete', 'fail'] as const) {
      const { answer } = live.run({ ...request, destination: 'x', hold: null });
      if (!answer.ok || answer.result.kind !== 'withdrawal') throw new Error('not taken');
      const { withdrawalId } = answer.result.withdrawal;
      const move = { type: 'advance_withdrawal', withdrawalId, reference: null } as const;
      live.run({ ...move, step: 'send', reason: null });
      const isFailure = step === 'fail';
      const reference = isFailure ? null : 'paid';
      live.run({ ...move, step, reference, reason: isFailure ? 'refused' : null });
    }
    const events = watcher.take();
    for (const event of events) validate(event);
    const types = events.map(({ type }) => type).filter((type) => type !== 'balance.low');
    expect(types).toEqual(['deposit.failed', 'withdrawal.completed', 'withdrawal.failed']);
  });

  it('a share of fees is told to whom it was credited, with what it was earned as', () => {
    const market = lane.market('acc_a');
    const accountId = asAccountId('acc_b');
    const sets = { accountId, marketId: market, lots: lots(100_000) };
    lane.run({ type: 'mint_sets', ...sets, caps: null, grant: null });
    lane.run({ type: 'mock_oracle', accountId, marketId: market, winningOutcomeId: 'yes' });
    const watcher = new Watcher(lane);
    const creator = asAccountId('acc_a');
    const credits = [{ actor: 'creator', id: 'acc_a', accountId: creator }] as const;
    lane.run({ type: 'credit_fees', credits });
    const [event, ...others] = watcher.take();
    expect(others).toEqual([]);
    validate(event!);
    expect(event).toMatchObject({ type: 'revenue.credited', aggregate: 'account:acc_a' });
    // A quarter of the fee of 11 bps on a thousand.
    expect(JSON.parse(event!.data)).toEqual({
      asset: 'USDT',
      amount: decimal('0.275'),
      role: 'creator',
      app_id: null,
      day: new Date(NOON_MS).toISOString().slice(0, 10),
    });
  });

  it('an order that rests is accepted; one that meets it tells both sides, each in its own words', () => {
    const market = lane.market('acc_a');
    const watcher = new Watcher(lane);
    const resting = { price: pips(4000), lots: lots(200_000) };
    lane.place('acc_a', market, { ...resting, clientOrderId: 'mine' });
    const [accepted] = watcher.take();
    expect(accepted).toMatchObject({
      type: 'order.accepted',
      aggregate: 'order:ord_0000000000000001',
    });
    expect(JSON.parse(accepted!.data)).toMatchObject({
      order: { status: 'pending', size: decimal('2000'), reserved: decimal('800') },
      client_order_id: 'mine',
    });
    lane.run({
      type: 'mint_sets',
      accountId: asAccountId('acc_b'),
      marketId: market,
      lots: lots(800_000),
      caps: null,
      grant: null,
    });
    watcher.take();
    lane.place('acc_b', market, {
      side: 'sell',
      orderType: 'market',
      price: null,
      lots: lots(700_000),
      timeInForce: 'ioc',
    });
    const events = watcher.take();
    for (const event of events) validate(event);
    const orders = events.filter(({ aggregate }) => aggregate.startsWith('order:'));
    const maker = orders.filter(({ aggregate }) => aggregate.endsWith('1'));
    const taker = orders.filter(({ aggregate }) => aggregate.endsWith('2'));
    expect(maker.map(({ type }) => type).at(-1)).toBe('order.filled');
    expect(maker.map(({ type }) => type)).toContain('trade.executed');
    expect(JSON.parse(maker.at(-1)!.data)).toMatchObject({
      order: { status: 'filled', filled_size: decimal('2000'), avg_fill_price: decimal('0.4') },
      change: 'filled',
      last_fill: {
        ...{ liquidity: 'maker', fee: decimal('0'), price: decimal('0.4') },
        cost: decimal('800'),
      },
    });
    const kinds = taker.map(({ type }) => type).filter((type) => type !== 'trade.executed');
    expect(kinds.slice(0, 2)).toEqual(['order.accepted', expect.stringMatching(/filled$/)]);
    // So much cannot be sold at once: the rest stays at the band.
    expect(kinds.at(-1)).toBe('order.cancelled');
    expect(JSON.parse(taker.at(-1)!.data)).toMatchObject({
      reason: 'price_band',
      order: { status: 'cancelled', cancel_reason: 'price_band' },
    });
    const positions = events.filter(({ type }) => type === 'position.updated');
    expect(positions.map(({ aggregate }) => aggregate).sort()).toEqual([
      'account:acc_a',
      'account:acc_b',
    ]);
  });

  it('tells of cancels, expiries, rejections and what an immediate order left', () => {
    const market = lane.market('acc_a');
    const watcher = new Watcher(lane);
    const low = { price: pips(100), lots: lots(10_000) };
    lane.place('acc_b', market, low);
    const accountId = asAccountId('acc_b');
    lane.run({ type: 'cancel_order', accountId, orderId: 1 as OrderId });
    expect(watcher.types()).toEqual(['order.accepted', 'order.cancelled']);
    lane.place('acc_b', market, { ...low, timeInForce: 'gtd', expiresAtMs: NOON_MS + 60_000 });
    clock.advance(61_000);
    lane.run({ type: 'tick' }, { kind: 'system' });
    const expired = watcher.take();
    expect(expired.map(({ type }) => type)).toEqual(['order.accepted', 'order.cancelled']);
    expect(JSON.parse(expired[1]!.data)).toMatchObject({
      reason: 'expired',
      order: { status: 'cancelled', cancel_reason: 'expired', reserved: decimal('0') },
    });
    lane.place('acc_b', market, { ...low, timeInForce: 'fok' });
    const [rejected] = watcher.take();
    expect(rejected?.type).toBe('order.rejected');
    expect(JSON.parse(rejected!.data)).toMatchObject({ reason: 'fok_unfillable', code: null });
    lane.place('acc_b', market, { ...low, timeInForce: 'ioc' });
    const left = watcher.take();
    expect(left.map(({ type }) => type)).toEqual(['order.accepted', 'order.cancelled']);
    for (const event of [...expired, rejected!, ...left]) validate(event);
  });

  it('tells everybody of a market from its creation to its end, and holders what they were paid', () => {
    const watcher = new Watcher(lane);
    const market = lane.market('acc_a');
    const ids = { accountId: asAccountId('acc_b'), marketId: market };
    lane.run({ type: 'mint_sets', ...ids, lots: lots(1000), caps: null, grant: null });
    lane.run({ type: 'merge_sets', ...ids, lots: lots(100) });
    lane.run({ type: 'halt_market', marketId: market, untilMs: NOON_MS + 5000, reason: 'check' });
    lane.run({ type: 'resume_market', marketId: market });
    lane.resolve('acc_a', market);
    const events = watcher.take();
    for (const event of events) validate(event);
    const types = new Set(events.map(({ type }) => type));
    for (const type of [
      'market.created',
      'market.halted',
      'market.resumed',
      'market.resolved',
      'resolution.proposed',
      'resolution.finalized',
      'position.settled',
      'position.updated',
    ]) {
      expect([...types], type).toContain(type);
    }
    // An operator's halt is no breaker.
    expect([...types]).not.toContain('circuit_breaker.changed');
    const conversions = events.filter(({ type }) => type === 'position.updated');
    expect(conversions).toHaveLength(4);
    const settled = events.filter(({ type }) => type === 'position.settled');
    expect(JSON.parse(settled[0]!.data)).toMatchObject({
      outcome_id: 'yes',
      size: decimal('9'),
      payout: decimal('9'),
    });
  });

  it('tells of cancelled markets, deposits and the mode of the lane', () => {
    const market = lane.market('acc_a');
    const watcher = new Watcher(lane);
    lane.run({ type: 'cancel_market', marketId: market, reason: 'mistake' });
    lane.deposit('acc_b', 5);
    lane.run({ type: 'set_read_only', readOnly: true, reason: 'drill' });
    const events = watcher.take();
    for (const event of events) validate(event);
    const byType = new Map(events.map((event) => [event.type, JSON.parse(event.data)]));
    expect(byType.get('market.cancelled')).toMatchObject({ to: 'cancelled', reason: 'mistake' });
    expect(byType.get('deposit.confirmed')).toMatchObject({
      amount: decimal('5'),
      state: 'confirmed',
    });
    expect(byType.get('circuit_breaker.changed')).toMatchObject({ lane: 'sandbox', state: 'open' });
  });

  it('says that a balance is low when it falls below the threshold, once', () => {
    const market = lane.market('acc_a');
    lane.open('poor');
    const watcher = new Watcher(lane);
    const accountId = asAccountId('acc_poor');
    lane.run({
      type: 'mint_sets',
      accountId,
      marketId: market,
      lots: lots(998_000),
      caps: null,
      grant: null,
    });
    lane.run({
      type: 'mint_sets',
      accountId,
      marketId: market,
      lots: lots(100),
      caps: null,
      grant: null,
    });
    const events = watcher.take().filter(({ type }) => type === 'balance.low');
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]!.data)).toEqual({
      asset: 'USDT',
      // 9,980 and 11 bps of it are gone.
      balance_free: decimal('9.022'),
      balance_reserved: decimal('0'),
      threshold: decimal('10'),
    });
    validate(events[0]!);
  });

  it('[P10] gives the same ids at a second reading, and no id twice', () => {
    const first = new JournaledLane(clock);
    const one = new Watcher(first);
    first.open('a');
    first.open('b');
    const market = first.market('acc_a');
    for (let round = 0; round < 5; round += 1) {
      first.place('acc_a', market, { lots: lots(500) });
      first.place('acc_b', market, { price: pips(9000), lots: lots(2000) });
    }
    const events = one.take();
    const again = events.length;
    const second = new Watcher(new JournaledLane(clock));
    expect(second.take()).toEqual([]);
    const memory = new LaneMemory();
    memory.begin(new JournaledLane(clock).state);
    const reread = first.committed.flatMap((committed) =>
      webhookNotices(committed, memory, () => true)
        .filter((notice) => notice.variant?.(endpoint('wh_a')) !== null)
        .map((notice) => eventOf('sandbox', committed, notice, first.state, endpoint('wh_a'))),
    );
    expect(reread.map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId));
    expect(new Set(reread.map(({ eventId }) => eventId)).size).toBe(again);
    expect(again).toBeGreaterThan(20);
  });
});
