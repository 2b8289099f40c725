import { type Lots, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  makeWorld,
  ofType,
  PLAIN_PARAMETERS,
  START_MS,
  type World,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import type { CommandBody } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { shownPrices } from './mid.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const opening = { paramsSchema: { properties: { opens_at_ms: { type: 'integer' } } } };
const asAccount = (name: string) =>
  ({ kind: 'account', accountId: accountName(name), keyId: null }) as const;

function codeOf(world: World, body: CommandBody, actor?: Parameters<World['run']>[1]): string {
  const { answer } = world.run(body, actor);
  return answer.ok ? 'ok' : answer.rejection.code;
}

function halt(market: Market, untilMs: number | null = null): CommandBody {
  return { type: 'halt_market', marketId: market.id, untilMs, reason: 'news' };
}

describe('[MK5] opening', () => {
  test('a scheduled market becomes active at its time, whoever comes', () => {
    const world = makeWorld();
    world.open('t');
    const params = { opens_at_ms: START_MS + MINUTE };
    const market = world.market({ deposit: 100, template: opening, params });
    expect(world.place('t', market, 'buy 1 yes').refusal).toBe('MARKET_CLOSED');
    world.nowMs += MINUTE;
    const placed = world.place('t', market, 'buy 1 yes');
    expect(placed.order.status).toBe('filled');
    expect(placed.outcome.events[0]).toEqual({
      type: 'market_status_changed',
      marketId: market.id,
      from: 'scheduled',
      to: 'active',
    });
  });

  test('unapproved it waits, and opens with the approval once its time has come', () => {
    const world = makeWorld();
    world.open('t maker');
    const template = { ...opening, requiresApproval: true };
    const late = world.market({ deposit: 100, template });
    const early = world.market({
      deposit: 100,
      template,
      params: { opens_at_ms: START_MS + MINUTE },
    });
    expect(late.status).toBe('scheduled');
    expect(world.place('t', late, 'buy 1 yes').refusal).toBe('MARKET_NOT_APPROVED');
    const approve = (market: Market) => ({ type: 'approve_market', marketId: market.id }) as const;
    expect(codeOf(world, approve(early), asAccount('t'))).toBe('NOT_FOUND');
    expect(world.do(approve(early)).events.map((event) => event.type)).toEqual(['market_approved']);
    expect(world.do(approve(late)).events.map((event) => event.type)).toEqual([
      'market_approved',
      'market_status_changed',
    ]);
    expect([early.status, late.status]).toEqual(['scheduled', 'active']);
    expect(codeOf(world, approve(late))).toBe('STATE_CONFLICT');
    world.pass(MINUTE);
    expect(early.status).toBe('active');
  });

  test('never approved, it is cancelled at its lock time and the deposit returns', () => {
    const world = makeWorld();
    const template = { requiresApproval: true, durationSec: 60 };
    const market = world.market({ deposit: 100, template });
    const { events } = world.pass(MINUTE);
    expect(ofType(events, 'market_cancelled')).toMatchObject([{ reason: 'not_approved' }]);
    expect(market.status).toBe('cancelled');
    expect(world.free('maker')).toBe(101_000_000n);
    checkAll(world.state);
  });
});

describe('[MK6] the lock', () => {
  test.each([false, true])('cancels orders and releases reserves, halted: %s', (halted) => {
    const world = makeWorld();
    world.open('t u');
    const market = world.market({ deposit: 100, template: { durationSec: 60 } });
    const before = [world.free('t'), world.free('u')];
    world.place('u', market, 'buy 5 no @ 0.2');
    world.place('t', market, 'buy 10 yes @ 0.1');
    world.place('u', market, 'buy 5 yes @ 0.2');
    if (halted) world.do(halt(market, START_MS + 2 * MINUTE));
    const { events } = world.pass(MINUTE);
    expect(
      ofType(events, 'order_cancelled').map(({ reason, accountId }) => [reason, accountId]),
      // Bids before asks, the better first; buying the second outcome is an ask of the first.
    ).toEqual([
      ['market_locked', 'acc_u'],
      ['market_locked', 'acc_t'],
      ['market_locked', 'acc_u'],
    ]);
    expect([world.free('t'), world.free('u')]).toEqual(before);
    expect(market).toMatchObject({ status: 'locked', halted: false, openOrders: 0 });
    expect(world.place('t', market, 'buy 1 yes').refusal).toBe('MARKET_CLOSED');
    expect(world.pass(MINUTE).events).toEqual([]);
    checkAll(world.state);
  });

  test('[CM4] stands when it fell due inside a command that is refused', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 100, template: { durationSec: 60 } });
    world.place('t', market, 'buy 10 yes @ 0.1');
    world.nowMs += MINUTE;
    const placed = world.place('t', market, 'buy 1 yes');
    expect(placed.refusal).toBe('MARKET_CLOSED');
    expect(placed.outcome.events.map((event) => event.type)).toEqual([
      'order_cancelled',
      'ledger_posted',
      'market_status_changed',
    ]);
    expect(market.status).toBe('locked');
    expect(world.reserved('t')).toBe(0n);
    checkAll(world.state);
  });
});

describe('[MK7] halts', () => {
  test('stop orders, amends and conversions, not cancels, until resumed', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 100 });
    const resting = world.place('t', market, 'buy 10 yes @ 0.1');
    expect(codeOf(world, halt(market), asAccount('t'))).toBe('NOT_FOUND');
    expect(world.do(halt(market)).events).toEqual([
      { type: 'market_halted', marketId: market.id, reason: 'news', untilMs: null },
    ]);
    expect(world.place('t', market, 'buy 1 yes').refusal).toBe('MARKET_HALTED');
    expect(world.amend('t', resting.id, 0.2, null).refusal).toBe('MARKET_HALTED');
    const accountId = accountName('t');
    const sets = { accountId, marketId: market.id, lots: 1 as Lots, caps: null, grant: null };
    const convert: CommandBody = { type: 'mint_sets', ...sets };
    expect(codeOf(world, convert)).toBe('MARKET_HALTED');
    expect(world.cancel('t', resting.id).answer.ok).toBe(true);
    world.do({ type: 'resume_market', marketId: market.id });
    expect(world.place('t', market, 'buy 1 yes').order.status).toBe('filled');
    expect(codeOf(world, { type: 'resume_market', marketId: market.id })).toBe('STATE_CONFLICT');
  });

  test('end at their time; a later halt moves it', () => {
    const world = makeWorld();
    const market = world.market({ deposit: 100 });
    expect(codeOf(world, halt(market, world.nowMs))).toBe('VALIDATION_FAILED');
    world.do(halt(market, world.nowMs + 1000));
    world.do(halt(market, world.nowMs + 3000));
    world.pass(1000);
    expect(market.halted).toBe(true);
    expect(world.pass(2000).events).toEqual([{ type: 'market_resumed', marketId: market.id }]);
    world.do(halt(market, world.nowMs + 1000));
    world.do(halt(market));
    world.pass(10_000);
    expect(market.halted).toBe(true);
  });

  test('are for active markets only', () => {
    const world = makeWorld();
    const params = { opens_at_ms: START_MS + MINUTE };
    const market = world.market({ template: { ...opening, durationSec: 60 }, params });
    expect(codeOf(world, halt(market))).toBe('STATE_CONFLICT');
    world.pass(2 * MINUTE);
    expect(market.status).toBe('locked');
    expect(codeOf(world, halt(market))).toBe('STATE_CONFLICT');
    expect(codeOf(world, { type: 'resume_market', marketId: market.id })).toBe('STATE_CONFLICT');
  });
});

describe('ends', () => {
  test('[MK9] final markets: RESOLUTION_LOCKED for resolution commands, STATE_CONFLICT for others', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 100 });
    const marketId = market.id;
    world.do({ type: 'cancel_market', marketId, reason: 'x' });
    expect(world.place('t', market, 'buy 1 yes').refusal).toBe('MARKET_CLOSED');
    const result = { kind: 'outcome', outcomeId: 'yes' } as const;
    const bond = usdt(10_000_000n);
    const evidence = ['e'];
    const accountId = accountName('t');
    const locked: readonly CommandBody[] = [
      { type: 'propose_resolution', marketId, proposerId: null, result, evidence, bond },
      { type: 'dispute_resolution', marketId, accountId, evidence, bond },
      { type: 'rule_resolution', marketId, ruling: 'void', result: null },
      { type: 'report_readings', marketId, readings: [{ source: 's', value: 'yes' }] },
    ];
    for (const body of locked) expect(codeOf(world, body)).toBe('RESOLUTION_LOCKED');
    const conflicts: readonly CommandBody[] = [
      { type: 'cancel_market', marketId, reason: 'x' },
      { type: 'approve_market', marketId },
      halt(market),
      { type: 'resume_market', marketId },
      { type: 'mock_oracle', marketId, accountId, winningOutcomeId: 'yes' },
    ];
    for (const body of conflicts) expect(codeOf(world, body)).toBe('STATE_CONFLICT');
  });

  test('[MK12] a creator cancels a scheduled market, an operator any', () => {
    const world = makeWorld();
    world.open('t');
    const params = { opens_at_ms: START_MS + MINUTE };
    const scheduled = world.market({ deposit: 100, template: opening, params });
    const active = world.market({ deposit: 100, creator: 't' });
    const cancel = (market: Market) =>
      ({ type: 'cancel_market', marketId: market.id, reason: 'x' }) as const;
    expect(codeOf(world, cancel(scheduled), asAccount('t'))).toBe('NOT_FOUND');
    expect(codeOf(world, cancel(scheduled), asAccount('maker'))).toBe('ok');
    expect(codeOf(world, cancel(active), asAccount('t'))).toBe('NOT_FOUND');
    expect(codeOf(world, cancel(active))).toBe('ok');
    expect([scheduled.status, active.status]).toEqual(['cancelled', 'cancelled']);
  });

  test('[MK12] is not cancelled by one operator once it has traded', () => {
    const world = makeWorld();
    world.open('t');
    world.open('buyer');
    const quiet = world.market({ deposit: 100 });
    const traded = world.market({ deposit: 100, creator: 't' });
    const cancel = (market: Market) =>
      ({ type: 'cancel_market', marketId: market.id, reason: 'x' }) as const;
    world.place('buyer', traded, 'buy 1 yes');
    const { answer } = world.run(cancel(traded));
    expect(answer).toMatchObject({
      ok: false,
      rejection: { code: 'STATE_CONFLICT', details: { status: 'active', reason: 'traded' } },
    });
    expect(codeOf(world, cancel(quiet))).toBe('ok');
    expect([quiet.status, traded.status]).toEqual(['cancelled', 'active']);
  });

  test('[MK13][VD12] without a proposal it stays locked, with an alarm after seven days and each day', () => {
    const world = makeWorld();
    const market = world.market({ deposit: 100, template: { durationSec: 60 } });
    world.pass(MINUTE + 7 * DAY - 1);
    expect(world.pass(1).events).toEqual([{ type: 'proposal_overdue', marketId: market.id }]);
    expect(world.pass(DAY - 1).events).toEqual([]);
    expect(ofType(world.pass(1).events, 'proposal_overdue')).toHaveLength(1);
    expect(ofType(world.pass(365 * DAY).events, 'proposal_overdue')).toHaveLength(365);
    expect(market.status).toBe('locked');
    checkAll(world.state);
  });

  test('[MK13][VD12] a sandbox may cancel it by the default window, not within an hour of a recovery', () => {
    const { resolution } = PLAIN_PARAMETERS;
    const parameters = { ...PLAIN_PARAMETERS, resolution: { ...resolution, autoVoid: true } };
    const world = makeWorld({ parameters });
    world.open('t');
    const market = world.market({ deposit: 100, template: { durationSec: 60 } });
    world.place('t', market, 'buy 10 yes');
    const shown = Math.round(Number(shownPrices(market)[0]) / 100);
    world.pass(MINUTE + 7 * DAY - 1);
    world.do({ type: 'recover' });
    world.pass(1);
    expect(market.status).toBe('locked');
    world.pass(3_600_000 - 2);
    expect(market.status).toBe('locked');
    const { events } = world.pass(1);
    expect(ofType(events, 'market_cancelled')).toMatchObject([
      { cause: 'no_proposal', reason: 'no_proposal', payout: [shown, 10_000 - shown] },
    ]);
    const live = makeWorld({ lane: 'live', parameters });
    const other = live.market({ deposit: 100, template: { durationSec: 60 } });
    live.pass(MINUTE + 7 * DAY);
    expect(other.status).toBe('locked');
  });
});
