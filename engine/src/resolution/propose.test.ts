// Proposals, the bonds behind them, and disputes.
import { usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  active,
  BOND,
  codeOf,
  DAY,
  dispute,
  insuranceOf,
  leastBond,
  locked,
  OPERATOR_WINDOW,
  oracle,
  propose,
  rule,
  voiding,
  WINDOW,
} from '../../test/resolution.ts';
import { accountName, ofType, posted } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { postingsOf } from '../ledger/postings.ts';

const byOperator = { proposerId: null };

describe('[RS1] proposals', () => {
  test('of an account take the bond and open the window of a day', () => {
    const { world, market } = locked();
    const { events } = world.do(propose(market));
    expect(events.map((event) => event.type)).toEqual([
      'resolution_proposed',
      'ledger_posted',
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

  test('of an operator lock an active market; of an account they do not stop one that trades', () => {
    const { world, market } = active();
    world.place('t', market, 'buy 10 yes @ 0.1');
    expect(codeOf(world, propose(market))).toBe('STATE_CONFLICT');
    expect(codeOf(world, propose(market, { evidence: [] }))).toBe('STATE_CONFLICT');
    expect(market.status).toBe('active');
    const { events } = world.do(propose(market, byOperator));
    expect(events.map((event) => event.type)).toEqual([
      'resolution_proposed',
      'order_cancelled',
      'ledger_posted',
      'market_status_changed',
      'market_status_changed',
    ]);
    expect(events[0]).toMatchObject({ windowEndsAtMs: world.nowMs + OPERATOR_WINDOW, bond: 0n });
    expect(market.status).toBe('settling');
    checkAll(world.state);
  });

  test('need evidence, the least bond and the money for it', () => {
    const { world, market } = locked();
    expect(codeOf(world, propose(market, { evidence: [] }))).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, propose(market, { evidence: [''] }))).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, propose(market, { bond: BOND - 1n }))).toBe('ORACLE_BOND_INSUFFICIENT');
    expect(codeOf(world, propose(market, { bond: usdt(2000_000_000n) }))).toBe(
      'BALANCE_INSUFFICIENT',
    );
    expect(codeOf(world, propose(market, { evidence: [], ...byOperator }))).toBe(
      'RESOLUTION_EVIDENCE_MISSING',
    );
    expect(market.status).toBe('locked');
  });

  test('need a hundredth of the escrow, rounded up, where that is more', () => {
    const { world, market } = active({ deposit: 2000 });
    // 2000 and what was paid for ten shares: not a multiple of a hundred µ.
    world.place('t', market, 'buy 7.77 no');
    world.pass(3_600_000);
    const required = leastBond(world, market);
    const escrow = world.state.ledger.balance(market.escrow);
    expect(required * 100n).toBeGreaterThan(escrow);
    expect((required - 1n) * 100n).toBeLessThan(escrow);
    const short = world.run(propose(market, { bond: required - 1n }));
    expect(short.answer).toMatchObject({
      rejection: { code: 'ORACLE_BOND_INSUFFICIENT', details: { required } },
    });
    world.do(propose(market, { bond: usdt(required) }));
    expect(world.account('p').staked).toBe(required);
  });

  test('are taken with the whole bond offered', () => {
    const { world, market } = locked();
    world.do(propose(market, { bond: usdt(77_000_001n) }));
    expect(world.account('p').staked).toBe(77_000_001n);
    expect(market.proposal?.bond).toBe(77_000_001n);
  });

  test.each([
    ['an unknown outcome', { kind: 'outcome', outcomeId: 'maybe' }],
    ['a payout of another sum', { kind: 'payout', payout: [5000, 4000] }],
    ['a negative part', { kind: 'payout', payout: [-1, 10_001] }],
    ['a payout of another length', { kind: 'payout', payout: [10_000] }],
    ['a value for a binary market', { kind: 'value', value: '1' }],
    ['nothing known', { kind: 'guess' }],
  ])('not %s', (_, result) => {
    const { world, market } = locked();
    expect(codeOf(world, propose(market, { result }))).toBe('VALIDATION_FAILED');
  });

  test("an operator's posts none, whatever it says", () => {
    const { world, market } = locked();
    const { events } = world.do(propose(market, byOperator));
    expect(ofType(events, 'ledger_posted')).toEqual([]);
    expect(market.proposal).toMatchObject({ bond: 0n, proposerId: null });
    const account = { kind: 'account', accountId: accountName('p'), keyId: null } as const;
    expect(codeOf(world, propose(market, byOperator), account)).toBe('NOT_FOUND');
    expect(codeOf(world, propose(market, { proposerId: accountName('d') }), account)).toBe(
      'NOT_FOUND',
    );
  });

  test.each([
    [0, DAY],
    [60, DAY],
    [86_399, DAY],
    [86_400, DAY],
    [86_401, DAY + 1000],
  ])('a template’s window of %i s is %i ms for an account', (challengeSec, windowMs) => {
    const { world, market } = locked(oracle({ challengeSec, bond: 5_000_000n }));
    expect(codeOf(world, propose(market, { bond: 4_999_999n }))).toBe('ORACLE_BOND_INSUFFICIENT');
    world.do(propose(market, { bond: 5_000_000n }));
    expect(market.proposal?.windowEndsAtMs).toBe(world.nowMs + windowMs);
    expect(market.status).toBe('settling');
  });

  test("an operator's has the template's window, also none", () => {
    const short = locked(oracle({ challengeSec: 60 }));
    short.world.do(propose(short.market, byOperator));
    expect(short.market.proposal?.windowEndsAtMs).toBe(short.world.nowMs + 60_000);
    const none = locked(oracle({ challengeSec: 0 }));
    none.world.do(propose(none.market, byOperator));
    expect(none.market.status).toBe('resolved');
  });
});

describe('[RS2] disputes', () => {
  test('post the least bond, whatever the proposer posted and however much is offered', () => {
    const { world, market } = locked();
    expect(codeOf(world, dispute(market))).toBe('PROPOSAL_STATE_INVALID');
    world.do(propose(market, { bond: usdt(500_000_000n) }));
    expect(codeOf(world, dispute(market, { evidence: [] }))).toBe('RESOLUTION_EVIDENCE_MISSING');
    expect(codeOf(world, dispute(market, { bond: BOND - 1n }))).toBe('ORACLE_BOND_INSUFFICIENT');
    const { events } = world.do(dispute(market, { bond: usdt(900_000_000n) }));
    expect(events[0]).toMatchObject({ type: 'resolution_disputed', bond: BOND });
    expect(world.free('d')).toBe(990_000_000n);
    const again = dispute(market, { accountId: accountName('t') });
    expect(codeOf(world, again)).toBe('DISPUTE_ALREADY_OPEN');
    world.pass(WINDOW);
    expect(market.status).toBe('settling');
    checkAll(world.state);
  });

  test('post the template’s bond where it has one, not a part of the escrow', () => {
    const { world, market } = locked({ ...oracle({ bond: 5_000_000n }), deposit: 5000 });
    world.do(propose(market, { bond: leastBond(world, market) }));
    expect(codeOf(world, dispute(market, { bond: 4_999_999n }))).toBe('ORACLE_BOND_INSUFFICIENT');
    world.do(dispute(market, { bond: 5_000_000n }));
    expect(world.account('d').staked).toBe(5_000_000n);
  });

  test('are in time a millisecond before the window ends, and not when it has ended', () => {
    const early = locked();
    early.world.do(propose(early.market));
    early.world.nowMs += WINDOW - 1;
    expect(codeOf(early.world, dispute(early.market))).toBe('ok');
    const late = locked();
    late.world.do(propose(late.market));
    late.world.nowMs += WINDOW;
    expect(codeOf(late.world, dispute(late.market))).toBe('RESOLUTION_LOCKED');
    expect(late.market.status).toBe('resolved');
  });

  test('of a proposal without a bond post the least', () => {
    const { world, market } = locked();
    world.do(propose(market, byOperator));
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

describe('[RS3] the end of the window', () => {
  test('undisputed it resolves and returns the bond', () => {
    const { world, market } = locked();
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
    const { world, market } = locked();
    world.do(propose(market));
    world.do(dispute(market));
    expect(codeOf(world, propose(market))).toBe('RESOLUTION_CHALLENGE_OPEN');
    expect(codeOf(world, propose(market, byOperator))).toBe('RESOLUTION_CHALLENGE_OPEN');
  });

  test('[VD11] an account’s void proposal waits for operators, and lapses after seven days', () => {
    const { world, market } = locked();
    const before = world.free('p');
    world.do(propose(market, { result: { kind: 'void' } }));
    expect(world.pass(WINDOW).events).toEqual([]);
    expect(market).toMatchObject({ status: 'settling', proposal: { state: 'void' } });
    world.pass(7 * DAY - 1);
    expect(market.status).toBe('settling');
    const { events } = world.pass(1);
    expect(events.at(-1)).toMatchObject({ from: 'settling', to: 'locked' });
    expect([market.proposal, world.free('p')]).toEqual([null, before]);
    checkAll(world.state);
  });

  test('[VD11] no other proposal replaces one that waits for operators', () => {
    const { world, market } = locked();
    world.do(propose(market, { result: { kind: 'void' } }));
    world.pass(DAY);
    for (const proposerId of [null, accountName('d')]) {
      expect(codeOf(world, propose(market, { proposerId }))).toBe('PROPOSAL_STATE_INVALID');
    }
    world.pass(7 * DAY);
    expect(world.free('p')).toBe(1000_000_000n);
    expect(market.status).toBe('locked');
    checkAll(world.state);
  });

  test('[VD11] operators take a void proposal up at once, and its bond returns', () => {
    const { world, market } = locked();
    const before = world.free('p');
    world.do(propose(market, { result: { kind: 'void' } }));
    world.do(voiding(world, market));
    expect(world.free('p')).toBe(before);
    expect(market.proposal).toMatchObject({ operator: 'test', state: 'proposed' });
    checkAll(world.state);
  });

  test('[VD9] operators propose no void result: they have a command of their own', () => {
    const { world, market } = locked();
    const command = propose(market, { proposerId: null, result: { kind: 'void' } });
    expect(codeOf(world, command)).toBe('VALIDATION_FAILED');
  });

  test('a scheduled market takes no proposal', () => {
    const opening = { paramsSchema: { properties: { opens_at_ms: { type: 'integer' } } } };
    const { world } = active();
    const params = { opens_at_ms: world.nowMs + 1 };
    const market = world.market({ template: opening as never, params });
    expect(codeOf(world, propose(market, byOperator))).toBe('STATE_CONFLICT');
  });
});
