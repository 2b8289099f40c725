import { type Usdt, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  type MarketOptions,
  makeWorld,
  ofType,
  posted,
  type World,
} from '../../test/world.ts';
import type { Actor, CommandBody, ResolutionResult } from '../command.ts';
import { checkAll } from '../invariants.ts';
import { postingsOf } from '../ledger/postings.ts';
import type { Market } from '../market/market.ts';

const WINDOW = 7_200_000;
const BOND = usdt(10_000_000n);
const YES: ResolutionResult = { kind: 'outcome', outcomeId: 'yes' };
const NO: ResolutionResult = { kind: 'outcome', outcomeId: 'no' };

function codeOf(world: World, body: CommandBody, actor?: Actor): string {
  const { answer } = world.run(body, actor);
  return answer.ok ? 'ok' : answer.rejection.code;
}

function propose(market: Market, changes: object = {}): CommandBody {
  const proposerId = accountName('p');
  const base = { marketId: market.id, proposerId, result: YES, evidence: ['e'], bond: BOND };
  return { type: 'propose_resolution', ...base, ...changes };
}

function dispute(market: Market, changes: object = {}): CommandBody {
  const accountId = accountName('d');
  const base = { marketId: market.id, accountId, evidence: ['no'], bond: BOND };
  return { type: 'dispute_resolution', ...base, ...changes };
}

function rule(
  market: Market,
  ruling: 'upheld' | 'overturned' | 'void',
  result: ResolutionResult | null = null,
): CommandBody {
  return { type: 'rule_resolution', marketId: market.id, ruling, result };
}

function prepare(options: MarketOptions = {}) {
  const world = makeWorld();
  world.open('p d t', 1000);
  const market = world.market({ deposit: 100, ...options });
  world.place('t', market, 'buy 10 yes');
  return { world, market };
}

function oracle(changes: object) {
  const base = { source: 'manual', params: {}, challengeSec: null, bond: null };
  return { template: { oracleConfig: { ...base, ...changes } } };
}

const insuranceOf = (world: World) => world.state.ledger.balance(world.state.insurance);

describe('[RS1] proposals', () => {
  test('lock an active market, take the bond and open the window', () => {
    const { world, market } = prepare();
    world.place('t', market, 'buy 10 yes @ 0.1');
    const { events } = world.do(propose(market));
    expect(events.map((event) => event.type)).toEqual([
      'resolution_proposed',
      'ledger_posted',
      'order_cancelled',
      'ledger_posted',
      'market_status_changed',
      'market_status_changed',
    ]);
    expect(events[0]).toMatchObject({
      payout: [10_000, 0],
      bond: BOND,
      windowEndsAtMs: world.nowMs + WINDOW,
    });
    expect(events[1]).toMatchObject({
      reason: 'bond',
      reference: market.id,
      ...posted([
        { account: 'user:acc_p:free', amount: -BOND },
        { account: `oracle:${market.id}:bond:proposer`, amount: BOND },
      ]),
    });
    expect(world.account('p').staked).toBe(BOND);
    expect(market.status).toBe('settling');
    checkAll(world.state);
  });

  test('need evidence, the least bond and the money for it', () => {
    const { world, market } = prepare();
    expect(codeOf(world, propose(market, { evidence: [] }))).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, propose(market, { evidence: [''] }))).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, propose(market, { bond: BOND - 1n }))).toBe('ORACLE_BOND_INSUFFICIENT');
    expect(codeOf(world, propose(market, { bond: usdt(2000_000_000n) }))).toBe(
      'BALANCE_INSUFFICIENT',
    );
    expect(codeOf(world, propose(market, { evidence: [], proposerId: null }))).toBe(
      'RESOLUTION_EVIDENCE_MISSING',
    );
    expect(market.status).toBe('active');
  });

  test.each([
    ['an unknown outcome', { kind: 'outcome', outcomeId: 'maybe' }],
    ['a payout of another sum', { kind: 'payout', payout: [5000, 4000] }],
    ['a negative part', { kind: 'payout', payout: [-1, 10_001] }],
    ['a payout of another length', { kind: 'payout', payout: [10_000] }],
    ['a value for a binary market', { kind: 'value', value: '1' }],
    ['nothing known', { kind: 'guess' }],
  ])('not %s', (_, result) => {
    const { world, market } = prepare();
    expect(codeOf(world, propose(market, { result }))).toBe('VALIDATION_FAILED');
  });

  test("an operator's posts none, whatever it says", () => {
    const { world, market } = prepare();
    const { events } = world.do(propose(market, { proposerId: null }));
    expect(ofType(events, 'ledger_posted')).toEqual([]);
    expect(market.proposal).toMatchObject({ bond: 0n, proposerId: null });
    const account = { kind: 'account', accountId: accountName('p'), keyId: null } as const;
    expect(codeOf(world, propose(market, { proposerId: null }), account)).toBe('NOT_FOUND');
    expect(codeOf(world, propose(market, { proposerId: accountName('d') }), account)).toBe(
      'NOT_FOUND',
    );
  });

  test("the template's window and bond hold, but a stranger can always be challenged", () => {
    const short = prepare(oracle({ challengeSec: 60, bond: 5_000_000n }));
    short.world.do(propose(short.market, { bond: 5_000_000n }));
    expect(short.market.proposal?.windowEndsAtMs).toBe(short.world.nowMs + 60_000);
    const none = prepare(oracle({ challengeSec: 0 }));
    none.world.do(propose(none.market));
    expect(none.market).toMatchObject({ status: 'settling' });
    expect(none.market.proposal?.windowEndsAtMs).toBe(none.world.nowMs + WINDOW);
    const operator = prepare(oracle({ challengeSec: 0 }));
    operator.world.do(propose(operator.market, { proposerId: null }));
    expect(operator.market.status).toBe('resolved');
    const automatic = prepare(oracle({ source: 'price_feed' }));
    automatic.world.do(propose(automatic.market));
    expect(automatic.market.status).toBe('settling');
  });
});

describe('[RS2] disputes', () => {
  test('post an equal bond in the window', () => {
    const { world, market } = prepare();
    expect(codeOf(world, dispute(market))).toBe('PROPOSAL_STATE_INVALID');
    world.do(propose(market, { bond: usdt(20_000_000n) }));
    expect(codeOf(world, dispute(market, { evidence: [] }))).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, dispute(market))).toBe('ORACLE_BOND_INSUFFICIENT');
    const { events } = world.do(dispute(market, { bond: usdt(500_000_000n) }));
    expect(events[0]).toMatchObject({ type: 'resolution_disputed', bond: 20_000_000n });
    expect(world.free('d')).toBe(980_000_000n);
    const again = dispute(market, { accountId: accountName('t'), bond: usdt(20_000_000n) });
    expect(codeOf(world, again)).toBe('DISPUTE_ALREADY_OPEN');
    world.pass(WINDOW);
    expect(market.status).toBe('settling');
    checkAll(world.state);
  });

  test('come too late once the window has ended', () => {
    const { world, market } = prepare();
    world.do(propose(market));
    world.nowMs += WINDOW;
    expect(codeOf(world, dispute(market))).toBe('RESOLUTION_LOCKED');
    expect(market.status).toBe('resolved');
  });

  test('of a proposal without a bond post the least', () => {
    const { world, market } = prepare();
    world.do(propose(market, { proposerId: null }));
    world.do(dispute(market));
    expect(world.account('d').staked).toBe(BOND);
    const insured = insuranceOf(world);
    const { events } = world.do(rule(market, 'upheld'));
    const [award] = ofType(events, 'ledger_posted').filter(({ reason }) => reason === 'bond_award');
    expect(postingsOf(award!).at(-1)).toEqual({ account: 'insurance', amount: BOND });
    expect(insuranceOf(world) - insured).toBeGreaterThanOrEqual(BOND);
    expect(world.account('d').realized).toBe(-BOND);
    checkAll(world.state);
  });
});

describe('[RS3] the window', () => {
  test('undisputed it resolves at its end and returns the bond', () => {
    const { world, market } = prepare();
    world.do(propose(market));
    expect(codeOf(world, propose(market))).toBe('PROPOSAL_STATE_INVALID');
    world.pass(WINDOW - 1);
    expect(market.status).toBe('settling');
    const { events } = world.pass(1);
    expect(events[0]).toMatchObject({ type: 'ledger_posted', reason: 'bond_return' });
    expect(market).toMatchObject({ status: 'resolved', payout: [10_000, 0] });
    expect(world.free('p')).toBe(1000_000_000n);
    expect(world.account('p').staked).toBe(0n);
    checkAll(world.state);
  });

  test('while disputed a new proposal waits', () => {
    const { world, market } = prepare();
    world.do(propose(market));
    world.do(dispute(market));
    expect(codeOf(world, propose(market))).toBe('RESOLUTION_CHALLENGE_OPEN');
  });

  test('a void proposal cancels the market', () => {
    const { world, market } = prepare();
    const before = world.free('t');
    world.do(propose(market, { result: { kind: 'void' } }));
    const { events } = world.pass(WINDOW);
    expect(ofType(events, 'market_cancelled')).toMatchObject([{ reason: 'void', rule: 'refund' }]);
    expect(world.free('t')).toBeGreaterThan(before);
    expect(market.proposal?.state).toBe('void');
    checkAll(world.state);
  });
});

describe('[RS4] rulings', () => {
  function disputed(bond: Usdt = usdt(10_000_001n)) {
    const { world, market } = prepare();
    world.do(propose(market, { bond }));
    world.do(dispute(market, { bond }));
    return { world, market, insured: insuranceOf(world) };
  }

  /** What bonds, not settlement and vesting, brought to insurance. */
  function awarded(events: ReturnType<World['do']>['events']): bigint {
    const awards = ofType(events, 'ledger_posted').filter(({ reason }) => reason === 'bond_award');
    return awards
      .flatMap(postingsOf)
      .filter(({ account }) => account === 'insurance')
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  test('upheld: half of the challenger’s bond to the proposer, the odd micro to insurance', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'upheld'));
    expect(events[0]).toMatchObject({ type: 'resolution_ruled', payout: [10_000, 0] });
    expect(world.free('p')).toBe(1000_000_000n + 5_000_000n);
    expect(world.free('d')).toBe(1000_000_000n - 10_000_001n);
    expect(awarded(events)).toBe(5_000_001n);
    expect(market).toMatchObject({ status: 'resolved', payout: [10_000, 0] });
    checkAll(world.state);
  });

  test('overturned: the mirror image, with the new result', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'overturned', NO));
    expect(world.free('d')).toBe(1000_000_000n + 5_000_000n);
    expect(world.free('p')).toBe(1000_000_000n - 10_000_001n);
    expect(awarded(events)).toBe(5_000_001n);
    expect(market.payout).toEqual([0, 10_000]);
    checkAll(world.state);
  });

  test('void: both bonds return and the market is cancelled', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'void'));
    expect([world.free('p'), world.free('d')]).toEqual([1000_000_000n, 1000_000_000n]);
    expect(
      events.map((event) => (event.type === 'ledger_posted' ? event.reason : event.type)),
    ).toEqual([
      'resolution_ruled',
      'bond_return',
      'bond_return',
      'refund',
      'refund',
      'position_settled',
      'refund',
      'market_cancelled',
      'market_status_changed',
    ]);
    checkAll(world.state);
  });

  test('are an operator’s, on a dispute, and complete', () => {
    const { world, market } = disputed();
    const account = { kind: 'account', accountId: accountName('d'), keyId: null } as const;
    expect(codeOf(world, rule(market, 'overturned', NO), account)).toBe('NOT_FOUND');
    expect(codeOf(world, rule(market, 'overturned'))).toBe('VALIDATION_FAILED');
    expect(codeOf(world, rule(market, 'upheld', NO))).toBe('VALIDATION_FAILED');
    expect(codeOf(world, rule(market, 'overturned', { kind: 'void' }))).toBe('VALIDATION_FAILED');
    const calm = prepare();
    calm.world.do(propose(calm.market));
    expect(codeOf(calm.world, rule(calm.market, 'upheld'))).toBe('PROPOSAL_STATE_INVALID');
  });

  test('[MK12] a cancellation by the operator returns both bonds too', () => {
    const { world, market } = disputed();
    world.do({ type: 'cancel_market', marketId: market.id, reason: 'court order' });
    expect([world.free('p'), world.free('d')]).toEqual([1000_000_000n, 1000_000_000n]);
    expect(market.status).toBe('cancelled');
    checkAll(world.state);
  });
});

describe('[RS5] the mock oracle', () => {
  const mock = (market: Market, winningOutcomeId = 'yes'): CommandBody => ({
    type: 'mock_oracle',
    accountId: accountName('t'),
    marketId: market.id,
    winningOutcomeId,
  });

  test('resolves in one turn, from active or locked', () => {
    const { world, market } = prepare();
    const free = world.free('t');
    world.do(mock(market));
    expect(market.status).toBe('resolved');
    expect(world.free('t') - free).toBe(10_000_000n);
    expect(codeOf(world, mock(market))).toBe('STATE_CONFLICT');
    const late = prepare({ template: { durationSec: 60 } });
    late.world.pass(60_000);
    expect(late.market.status).toBe('locked');
    late.world.do(mock(late.market));
    expect(late.market.status).toBe('resolved');
  });

  test('refuses unknown outcomes, other sources and other lanes', () => {
    const { world, market } = prepare();
    expect(codeOf(world, mock(market, 'maybe'))).toBe('VALIDATION_FAILED');
    const manual = prepare(oracle({}));
    expect(codeOf(manual.world, mock(manual.market))).toBe('MARKET_NOT_FOUND');
    world.do(propose(market));
    expect(codeOf(world, mock(market))).toBe('STATE_CONFLICT');
    const live = makeWorld({ lane: 'live' });
    live.open('t');
    const there = live.market(oracle({}));
    expect(codeOf(live, mock(there))).toBe('SANDBOX_ONLY');
  });
});

describe('[RS6] readings', () => {
  const strike = { paramsSchema: { properties: { strike: { type: 'string', maxLength: 40 } } } };
  const fast = {
    marketType: 'fast',
    roundConfig: { durationSec: 60, lockOffsetMs: 5000 },
    ...oracle({ source: 'price_feed' }).template,
    ...strike,
  } as const;

  function report(market: Market, ...values: readonly string[]): CommandBody {
    const readings = values.map((value, index) => ({ source: `s${index}`, value }));
    return { type: 'report_readings', marketId: market.id, readings };
  }

  test.each([
    ['64000.50', [10_000, 0]],
    ['64000.5', [10_000, 0]],
    ['64000.499999999999999999', [0, 10_000]],
  ])('a fast round at %s against a strike of 64000.5', (value, payout) => {
    const { world, market } = prepare({ template: fast, params: { strike: '64000.5' } });
    expect(codeOf(world, report(market, value))).toBe('STATE_CONFLICT');
    world.pass(55_000);
    expect(market.status).toBe('locked');
    const { events } = world.do(report(market, value, `${value}`));
    expect(market).toMatchObject({ status: 'resolved', payout });
    expect(ofType(events, 'market_status_changed').map(({ to }) => to)).toEqual([
      'settling',
      'resolved',
    ]);
    expect(ofType(events, 'resolution_proposed')[0]?.evidence).toEqual([
      `s0=${value}`,
      `s1=${value}`,
    ]);
    checkAll(world.state);
  });

  test('that disagree change nothing; equal numbers written differently agree', () => {
    const { world, market } = prepare({ template: fast, params: { strike: '1' } });
    world.pass(55_000);
    const { answer, events } = world.run(report(market, '1', '1.000000000000000001'));
    expect(answer).toMatchObject({ rejection: { code: 'ORACLE_DISAGREEMENT' } });
    expect(events).toEqual([]);
    expect(market.status).toBe('locked');
    world.do(report(market, '2', '2.0'));
    expect(market.status).toBe('resolved');
  });

  test('are well formed, of distinct sources, and not an account’s', () => {
    const { world, market } = prepare({ template: fast, params: { strike: '1' } });
    world.pass(55_000);
    for (const values of [[], ['one'], ['1e3']]) {
      expect(codeOf(world, report(market, ...values))).toBe('VALIDATION_FAILED');
    }
    const readings = ['1', '1'].map((value) => ({ source: 's', value }));
    const same: CommandBody = { type: 'report_readings', marketId: market.id, readings };
    expect(codeOf(world, same)).toBe('VALIDATION_FAILED');
    const account = { kind: 'account', accountId: accountName('p'), keyId: null } as const;
    expect(codeOf(world, report(market, '1'), account)).toBe('NOT_FOUND');
  });

  test('without a strike name the winning outcome; manual sources have none', () => {
    const named = prepare({ template: { ...fast, paramsSchema: { properties: {} } } });
    named.world.pass(55_000);
    named.world.do(report(named.market, 'no'));
    expect(named.market.payout).toEqual([0, 10_000]);
    const manual = prepare({ template: { ...oracle({}).template, durationSec: 60 } });
    manual.world.pass(60_000);
    expect(codeOf(manual.world, report(manual.market, 'yes'))).toBe('STATE_CONFLICT');
  });

  test('wait for the challenge window their template asks for', () => {
    const template = { ...fast, ...oracle({ source: 'price_feed', challengeSec: 60 }).template };
    const { world, market } = prepare({ template, params: { strike: '1' } });
    world.pass(55_000);
    world.do(report(market, '1'));
    expect(market.status).toBe('settling');
    world.pass(60_000);
    expect(market.status).toBe('resolved');
  });
});
