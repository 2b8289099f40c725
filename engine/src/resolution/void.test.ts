// Cancellations that operators propose and confirm, and what they pay.
import { type Pips, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  active,
  cancelTraded,
  codeOf,
  DAY,
  dispute,
  HOUR,
  locked,
  OTHER,
  propose,
  rule,
  voiding,
} from '../../test/resolution.ts';
import {
  accountName,
  makeWorld,
  NO_REBATES,
  OPERATOR,
  ofType,
  PLAIN_PARAMETERS,
  posted,
  spelled,
  type World,
} from '../../test/world.ts';
import { apply } from '../engine.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { shownPrices } from '../market/mid.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, CommandBody, ProposeVoidRounds } from '../state/command.ts';
import { keptOf } from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';
import { fairValue } from './fair-value.ts';
import { previewVoid, type VoidPreview } from './void-preview.ts';

const DAWN = 100 * DAY;
const NOTICE = { ...PLAIN_PARAMETERS, resolution: DEFAULT_PARAMETERS.resolution };
const ACCOUNT: Actor = { kind: 'account', accountId: accountName('t'), keyId: null };

function refusal(world: World, body: CommandBody, actor?: Actor): object {
  const { answer } = world.run(body, actor);
  if (answer.ok) return { code: 'ok' };
  return { code: answer.rejection.code, ...answer.rejection.details };
}

/** Everything but the place in the order of commands. */
const rest = (world: World): string => [...encodeSnapshot(world.state)].slice(1).join('\n');

function preview(world: World, market: Market, payout: readonly Pips[]): VoidPreview {
  const steps = previewVoid(world.state, market, payout, 'event', 20);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

describe('[VD9] a proposal to cancel', () => {
  test('locks an active market and fixes what it pays', () => {
    const { world, market } = active({}, NOTICE);
    world.place('t', market, 'buy 5 yes @ 0.1');
    world.pass(HOUR / 2);
    const command = voiding(world, market, { reason: 'The match was called off.' });
    const { events } = world.do(command);
    expect(events.map(({ type }) => type)).toEqual([
      'resolution_proposed',
      'order_cancelled',
      'ledger_posted',
      'market_status_changed',
      'market_status_changed',
    ]);
    const terms = { cause: 'event', reason: 'The match was called off.', window: null };
    expect(events[0]).toMatchObject({
      proposerId: null,
      payout: command.expected,
      windowEndsAtMs: world.nowMs + DAY,
      cancellation: { ...terms, excluded: [] },
    });
    expect(market).toMatchObject({ status: 'settling', proposal: { operator: 'test' } });
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(stateHash(restored)).toBe(stateHash(world.state));
    checkAll(restored);
  });

  test('with another payout than expected changes nothing, not by a pip', () => {
    const { world, market } = active();
    world.pass(1000);
    const { expected } = voiding(world, market);
    const [yes, no] = expected as unknown as [number, number];
    const before = rest(world);
    const off = voiding(world, market, { expected: [yes + 1, no - 1] as Pips[] });
    expect(refusal(world, off)).toMatchObject({
      code: 'STATE_CONFLICT',
      reason: 'payout_changed',
    });
    expect(refusal(world, { ...off, expected: [10_000] as Pips[] })).toMatchObject({
      reason: 'payout_changed',
    });
    expect(rest(world)).toBe(before);
    expect(codeOf(world, { ...off, expected })).toBe('ok');
  });

  test('is an operator’s by name, and complete', () => {
    const { world, market } = locked();
    const command = voiding(world, market);
    expect(codeOf(world, command, ACCOUNT)).toBe('NOT_FOUND');
    expect(codeOf(world, command, { kind: 'system' })).toBe('NOT_FOUND');
    const fields = {
      cause: 'weather',
      reason: 'x'.repeat(1001),
      window: { fromMs: 5, toMs: 5 },
      excluded: ['maybe'],
      expected: null,
    };
    for (const [field, value] of Object.entries(fields)) {
      const wrong = { ...command, [field]: value } as CommandBody;
      expect(refusal(world, wrong)).toMatchObject({ code: 'VALIDATION_FAILED', field });
    }
    for (const excluded of [['yes', 'yes'], ['yes', 'no'], 'yes']) {
      const wrong = { ...command, excluded } as CommandBody;
      expect(refusal(world, wrong)).toMatchObject({ field: 'excluded' });
    }
    expect(codeOf(world, { ...command, reason: '' })).toBe('VALIDATION_FAILED');
    expect(codeOf(world, { ...command, evidence: [''] })).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, { ...command, marketId: 'm_none' as never })).toBe('MARKET_NOT_FOUND');
    expect(codeOf(world, command)).toBe('ok');
  });

  test('waits for other proposals, and ends with the market', () => {
    const { world, market } = locked();
    world.do(propose(market));
    expect(codeOf(world, voiding(world, market))).toBe('PROPOSAL_STATE_INVALID');
    world.do(dispute(market));
    expect(codeOf(world, voiding(world, market))).toBe('RESOLUTION_CHALLENGE_OPEN');
    world.do(rule(market, 'void'));
    const command = voiding(world, market);
    world.do(command);
    expect(codeOf(world, command)).toBe('PROPOSAL_STATE_INVALID');
    world.do(rule(market, 'upheld'), OTHER);
    expect(codeOf(world, command)).toBe('RESOLUTION_LOCKED');
    const paramsSchema = { properties: { opens_at_ms: { type: 'integer' } } } as never;
    const params = { opens_at_ms: world.nowMs + DAY };
    const later = world.market({ template: { paramsSchema }, params });
    expect(codeOf(world, voiding(world, later))).toBe('STATE_CONFLICT');
  });

  test('excludes outcomes: they pay nothing', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 100, outcomes: 3 });
    world.place('t', market, 'buy 10 o2');
    world.pass(HOUR);
    const events = cancelTraded(world, market, { excluded: ['o2'] });
    expect(ofType(events, 'market_cancelled')).toMatchObject([{ excluded: ['o2'] }]);
    expect(market.payout?.[2]).toBe(0);
    expect(market.cancellation).toMatchObject({ cause: 'event', excluded: ['o2'] });
    checkAll(world.state);
  });
});

describe('[VD10] a confirmation', () => {
  function proposed() {
    const scene = active({}, NOTICE);
    scene.world.pass(1000);
    scene.world.do(voiding(scene.world, scene.market));
    return scene;
  }

  test('comes after the notice, from another operator', () => {
    const { world, market } = proposed();
    const windowEndsAtMs = world.nowMs + DAY;
    world.pass(DAY - 1);
    expect(refusal(world, rule(market, 'upheld'), OTHER)).toMatchObject({
      code: 'STATE_CONFLICT',
      reason: 'notice',
      window_ends_at_ms: windowEndsAtMs,
    });
    expect(world.pass(1).events).toEqual([]);
    const same = refusal(world, rule(market, 'upheld'), OPERATOR);
    expect(same).toMatchObject({ code: 'STATE_CONFLICT', reason: 'same_operator' });
    expect(codeOf(world, rule(market, 'upheld'), { kind: 'system' })).toBe('STATE_CONFLICT');
    expect(codeOf(world, rule(market, 'upheld'), ACCOUNT)).toBe('NOT_FOUND');
    expect(codeOf(world, rule(market, 'upheld'), OTHER)).toBe('ok');
    expect(market.status).toBe('cancelled');
  });

  test('comes from the proposer where no other operator is able', () => {
    const { world, market } = proposed();
    world.pass(DAY);
    world.do({ ...rule(market, 'upheld'), alone: true } as CommandBody);
    expect(market.status).toBe('cancelled');
  });

  test('waits for as long as the notice stands still', () => {
    const { world, market } = proposed();
    world.do({ type: 'set_read_only', readOnly: true, reason: 'x' });
    world.pass(DAY);
    world.do({ type: 'set_read_only', readOnly: false, reason: 'x' });
    expect(refusal(world, rule(market, 'upheld'), OTHER)).toMatchObject({ reason: 'notice' });
    world.pass(DAY);
    expect(codeOf(world, rule(market, 'upheld'), OTHER)).toBe('ok');
  });

  test('is announced as missing after 72 hours, and every day', () => {
    const { world, market } = proposed();
    const sinceMs = world.nowMs;
    const overdue = (ms: number) => ofType(world.pass(ms).events, 'ruling_overdue');
    expect(overdue(3 * DAY - 1)).toEqual([]);
    expect(overdue(1)).toEqual([{ type: 'ruling_overdue', marketId: market.id, sinceMs }]);
    expect(overdue(DAY - 1)).toEqual([]);
    expect(overdue(1)).toHaveLength(1);
    expect(overdue(30 * DAY)).toHaveLength(30);
    expect(market.status).toBe('settling');
    checkAll(world.state);
    checkAll(decodeSnapshot(encodeSnapshot(world.state)));
  });

  test('too early drops the proposal at any time, and the market trades again', () => {
    const { world, market } = proposed();
    expect(codeOf(world, rule(market, 'void'))).toBe('PROPOSAL_STATE_INVALID');
    expect(codeOf(world, rule(market, 'overturned', { kind: 'outcome', outcomeId: 'no' }))).toBe(
      'PROPOSAL_STATE_INVALID',
    );
    expect(codeOf(world, dispute(market))).toBe('PROPOSAL_STATE_INVALID');
    world.do(rule(market, 'too_early'));
    expect(market).toMatchObject({ status: 'active', proposal: null });
    expect(world.place('t', market, 'buy 1 yes').order.status).toBe('filled');
    expect(ofType(world.pass(7 * DAY).events, 'ruling_overdue')).toEqual([]);
    checkAll(world.state);
  });
});

/** Vector A: T buys 100 at 6 h, A buys 500 at 12 h, T sells 100 at 20 h; the stop is at 24 h. */
function vectorA() {
  const world = makeWorld({ parameters: NO_REBATES, nowMs: DAWN });
  world.open('t a');
  const feeSchedule = { makerBps: 8, takerBps: 20, settleBps: 100 };
  const template = { feeSchedule, durationSec: (10 * DAY) / 1000 };
  const market = world.market({ deposit: 1000, template });
  world.pass(6 * HOUR);
  world.place('t', market, 'buy 100 yes');
  world.pass(6 * HOUR);
  world.place('a', market, 'buy 500 yes');
  world.pass(8 * HOUR);
  world.place('t', market, 'sell 100 yes');
  world.pass(4 * HOUR);
  return { world, market };
}

describe('[VD13][VD14] paying', () => {
  test('vector A: shares at the payout, fees as kept, no settle fee, the rest to the pool', () => {
    const { world, market } = vectorA();
    const money = world.state.ledger.balance(market.escrow);
    expect(money).toBe(1_271_553_303n);
    const free = ['t', 'a', 'maker'].map((name) => world.free(name));
    const insured = world.state.ledger.balance(world.state.insurance);
    const seen = preview(world, market, [5941, 4059] as Pips[]);
    expect(seen).toMatchObject({ holders: 2, feesReturned: 773_351n, poolPaid: 974_503_303n });
    expect([seen.losers.length, seen.gainers]).toEqual([0, [seen.gainers[0]]]);
    expect(seen.gainers[0]).toMatchObject({ accountId: 'acc_a', payout: 297_050_000n });
    const events = cancelTraded(world, market);
    const paid = ['t', 'a', 'maker'].map((name, index) => world.free(name) - free[index]!);
    expect(paid).toEqual([218_018n, 297_605_333n, 974_503_303n]);
    expect(world.state.ledger.balance(world.state.insurance)).toBe(insured);
    const id = market.id;
    expect(ofType(events, 'market_cancelled')).toEqual([
      {
        type: 'market_cancelled',
        marketId: id,
        payout: [5941, 4059],
        cause: 'event',
        reason: 'called off',
        window: null,
        excluded: [],
        feesReturned: 773_351n,
        poolPaid: 974_503_303n,
        excess: 0n,
      },
    ]);
    expect(market).toMatchObject({ payout: [5941, 4059], cancellation: { cause: 'event' } });
    checkAll(world.state);
  });

  test('[VD18] entry by entry: fees to the escrow, holders as they first traded, the pool, the end', () => {
    const { world, market } = vectorA();
    const id = market.id;
    const events = cancelTraded(world, market);
    const from = events.findIndex(({ type }) => type === 'resolution_ruled');
    const entry = (reason: string, postings: readonly { account: string; amount: bigint }[]) => ({
      type: 'ledger_posted',
      reason,
      reference: id,
      ...posted(postings),
    });
    const fees = ofType(events, 'ledger_posted').find(({ reason }) => reason === 'refund')!;
    expect(fees.accounts.at(-1)).toBe(`market:${id}:escrow`);
    expect(fees.amounts.at(-1)).toBe(773_351n);
    const pool = 1_000_000_000n;
    expect(pool).toBe(market.deposit);
    expect(spelled(events.slice(from)).map((event) => (event as { type: string }).type)).toEqual([
      'resolution_ruled',
      'ledger_posted',
      'ledger_posted',
      'ledger_posted',
      'position_settled',
      'ledger_posted',
      'market_cancelled',
      'market_status_changed',
    ]);
    expect(spelled(events.slice(from + 2, from + 5))).toEqual([
      entry('settlement', [
        { account: `market:${id}:escrow`, amount: -218_018n },
        { account: 'user:acc_t:free', amount: 218_018n },
      ]),
      entry('settlement', [
        { account: `user:acc_a:free:${id}.0`, amount: -500_000_000n },
        { account: `market:${id}:issue:${id}.0`, amount: 500_000_000n },
        { account: `market:${id}:escrow`, amount: -297_605_333n },
        { account: 'user:acc_a:free', amount: 297_605_333n },
      ]),
      expect.objectContaining({
        type: 'position_settled',
        accountId: 'acc_a',
        lots: 50_000,
        payout: 297_050_000n,
        settleFee: 0n,
        feesReturned: 555_333n,
      }),
    ]);
    expect(events.at(-1)).toMatchObject({ from: 'settling', to: 'cancelled' });
  });

  test('what holders have kept is what the market has unvested, builder fees and conversions too', () => {
    const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
    world.open('a b');
    const market = world.market({ deposit: 1000, outcomes: 3 });
    const builder = { appId: 'app', feeBps: 50, capBps: 50 };
    world.mint('a', market, 100);
    world.place('a', market, 'sell 40 o1 @ 0.5');
    world.place('b', market, 'buy 60 o1 @ 0.6', { builder });
    world.place('a', market, 'sell 10 o2');
    let unvested = 0n;
    for (const { account } of market.unvested.values()) {
      unvested += world.state.ledger.balance(account);
    }
    const kept = ['a', 'b'].map((name) => keptOf(world.holding(name, market)!));
    expect(kept[0]! + kept[1]!).toBe(unvested);
    world.pass(HOUR);
    const events = cancelTraded(world, market);
    expect(ofType(events, 'market_cancelled')).toMatchObject([{ feesReturned: unvested }]);
    checkAll(world.state);
  });

  test('5,001 holders are paid in chunks, and a restart between them changes nothing', () => {
    const world = makeWorld();
    const market = world.market({ deposit: 100 });
    for (let holder = 0; holder < 5_001; holder += 1) {
      world.open(`h${holder}`, 1);
      world.mint(`h${holder}`, market, 1);
    }
    world.do(voiding(world, market));
    const paid = [
      ofType(world.do(rule(market, 'upheld'), OTHER).events, 'position_settled').length,
    ];
    while (market.closing !== null) {
      const restored = decodeSnapshot(encodeSnapshot(world.state));
      const tick = { type: 'tick', actor: { kind: 'system' }, seq: world.state.seq + 1 } as const;
      const there = apply(restored, { ...tick, atMs: world.nowMs + 1 });
      const { events } = world.pass(1);
      expect(there.events.length).toBe(events.length);
      expect(stateHash(restored)).toBe(stateHash(world.state));
      paid.push(ofType(events, 'position_settled').length);
    }
    expect(paid).toEqual([5_000, 5_000, 2]);
    expect([market.status, world.free('h5000')]).toEqual(['cancelled', 1_000_000n]);
    checkAll(world.state);
  }, 60_000);
});

describe('[VD15] the pool', () => {
  test('of a creator whose question failed gets at most the deposit, and insurance the excess', () => {
    const paidFor = (cause: 'event' | 'question') => {
      const { world, market } = vectorA();
      const window = { fromMs: DAWN, toMs: DAWN + DAY };
      // All of the day: between the prices that A and T paid, so that the pool has gained.
      world.place('a', market, 'buy 1500 yes');
      const insured = world.state.ledger.balance(world.state.insurance);
      const [end] = ofType(cancelTraded(world, market, { cause, window }), 'market_cancelled');
      const excess = world.state.ledger.balance(world.state.insurance) - insured;
      expect(excess).toBe(end!.excess);
      checkAll(world.state);
      return { paid: end!.poolPaid, excess };
    };
    const event = paidFor('event');
    expect(event.excess).toBe(0n);
    expect(event.paid).toBeGreaterThan(1_000_000_000n);
    expect(paidFor('question')).toEqual({
      paid: 1_000_000_000n,
      excess: event.paid - 1_000_000_000n,
    });
  });
});

describe('[VD16] a market without a trade', () => {
  test('is cancelled at once, with its deposit in full, whatever was asked and offered', () => {
    const world = makeWorld();
    world.open('t');
    const market = world.market({ deposit: 100 });
    world.place('t', market, 'buy 10 yes @ 0.2');
    world.pass(HOUR);
    const { events } = world.do({ type: 'cancel_market', marketId: market.id, reason: 'mistake' });
    expect(ofType(events, 'market_cancelled')).toMatchObject([
      { payout: [5000, 5000], cause: 'untraded', reason: 'mistake', poolPaid: 100_000_000n },
    ]);
    expect([world.free('maker'), world.reserved('t')]).toEqual([101_000_000n, 0n]);
    checkAll(world.state);
  });

  test('is none once it had a fill or a conversion, also one that was undone', () => {
    const world = makeWorld();
    world.open('t');
    for (const deposit of [0, 100]) {
      const market = world.market({ deposit, creator: 't' });
      world.mint('t', market, 10);
      const sets = { accountId: accountName('t'), marketId: market.id, lots: 1000 as never };
      world.do({ type: 'merge_sets', ...sets });
      const cancel = { type: 'cancel_market', marketId: market.id, reason: 'x' } as const;
      expect(refusal(world, cancel)).toMatchObject({ code: 'STATE_CONFLICT', reason: 'traded' });
      cancelTraded(world, market);
      expect(market.status).toBe('cancelled');
    }
    checkAll(world.state);
  });
});

describe('[VD17] rounds', () => {
  const roundConfig = { durationSec: 900, lockOffsetMs: 0 };
  const paramsSchema = { properties: { at: { type: 'integer' } } } as never;

  /** So many rounds of a quarter of an hour that have traded and are locked. */
  function rounds(count: number): { world: World; markets: readonly Market[] } {
    const world = makeWorld({ nowMs: DAWN });
    world.open('t');
    const template = { marketType: 'fast', roundConfig, durationSec: 900, paramsSchema } as const;
    const first = world.market({ deposit: 100, template, params: { at: 0 } });
    const markets = [first];
    world.deposit('maker', 1000);
    for (let at = 1; at < count; at += 1) {
      const { result } = world.do({
        type: 'create_market',
        accountId: first.creator.id,
        templateId: first.template.definition.id,
        params: { at },
        displayTitle: null,
        displayImageUrl: null,
      });
      if (result.kind === 'market') markets.push(world.marketOf(result.marketId));
    }
    world.pass(300_000);
    for (const market of markets) world.place('t', market, 'buy 20 yes');
    world.pass(600_000);
    return { world, markets };
  }

  /** The source's last reading came at six minutes: a third of the quarter is five. */
  function proposal(markets: readonly Market[], toMs: number): ProposeVoidRounds {
    const shown = Math.round(Number(shownPrices(markets[0]!)[0]) / 100);
    return {
      type: 'propose_void_rounds',
      rounds: markets.map(({ id }) => ({
        marketId: id,
        expected: [shown, 10_000 - shown] as Pips[],
      })),
      cause: 'source',
      reason: 'The source stopped.',
      evidence: ['e'],
      toMs,
    };
  }

  test('share one proposal, each with its own payout of the third before the last reading', () => {
    const { world, markets } = rounds(3);
    const toMs = DAWN + 720_000;
    const { events } = world.do(proposal(markets, toMs));
    const all = ofType(events, 'resolution_proposed');
    expect(all).toHaveLength(3);
    for (const { cancellation } of all) {
      expect(cancellation).toMatchObject({ window: { fromMs: toMs - 300_000, toMs } });
    }
    for (const market of markets) {
      world.do(rule(market, 'upheld'), OTHER);
      expect(market).toMatchObject({ status: 'cancelled', cancellation: { cause: 'source' } });
    }
    checkAll(world.state);
  });

  test('are all proposed or none', () => {
    const { world, markets } = rounds(3);
    const command = proposal(markets, DAWN + 720_000);
    const before = rest(world);
    const [a, b, c] = command.rounds;
    const off = { ...c!, expected: [5000, 5000] as Pips[] };
    expect(refusal(world, { ...command, rounds: [a!, b!, off] })).toMatchObject({
      code: 'STATE_CONFLICT',
      reason: 'payout_changed',
      market_id: c!.marketId,
    });
    const other = world.market({ deposit: 100, creator: 't' });
    const wrong: readonly Partial<ProposeVoidRounds>[] = [
      { rounds: [] },
      { rounds: [a!, a!] },
      { rounds: Array(101).fill(a) },
      { rounds: [a!, { marketId: other.id, expected: [] }] },
      { toMs: -1 },
      { toMs: DAWN },
      { cause: 'rain' as never },
    ];
    for (const change of wrong) {
      expect(codeOf(world, { ...command, ...change })).toBe('VALIDATION_FAILED');
    }
    expect(codeOf(world, command, ACCOUNT)).toBe('NOT_FOUND');
    expect(markets.every(({ status }) => status === 'locked')).toBe(true);
    expect(before).not.toBe('');
    expect(codeOf(world, command)).toBe('ok');
  });

  test('do not trade: an active one is halted first', () => {
    const { world, markets } = rounds(1);
    const [first] = markets;
    const params = { at: 9 };
    const { result } = world.do({
      type: 'create_market',
      accountId: first!.creator.id,
      templateId: first!.template.definition.id,
      params,
      displayTitle: null,
      displayImageUrl: null,
    });
    if (result.kind !== 'market') throw new Error('a create gives a market');
    const market = world.marketOf(result.marketId);
    world.pass(600_000);
    const window = { fromMs: world.nowMs - 200_000, toMs: world.nowMs };
    const command = proposal([market], window.toMs);
    expect(codeOf(world, command)).toBe('STATE_CONFLICT');
    world.do({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'x' });
    expect(codeOf(world, command)).toBe('ok');
    expect(market.status).toBe('settling');
  });
});

describe('[VD7][VD14] a market that was halted and recovered', () => {
  test('pays by a window across both, and every fee', () => {
    const world = makeWorld({ nowMs: DAWN, parameters: DEFAULT_PARAMETERS });
    world.open('t u', 100_000);
    const market = world.market({ deposit: 500 });
    const free = world.free('t') + world.free('u') + world.free('maker') + 500_000_000n;
    world.place('t', market, 'buy 200 yes');
    world.pass(20 * HOUR);
    world.do({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'x' });
    world.pass(5 * HOUR);
    world.do({ type: 'resume_market', marketId: market.id });
    world.place('u', market, 'buy 300 no');
    world.nowMs += 7 * HOUR;
    world.do({ type: 'recover' });
    world.pass(20 * HOUR);
    const window = { fromMs: DAWN, toMs: world.nowMs };
    const value = fairValue(world.state, market, window);
    expect(value).toMatchObject({ windowMs: 40 * HOUR });
    cancelTraded(world, market, { window });
    expect(world.free('t') + world.free('u') + world.free('maker')).toBe(free);
    expect(usdt(0n)).toBe(world.state.ledger.balance(world.state.insurance));
    checkAll(world.state);
  });
});
