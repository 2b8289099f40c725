// The turn: order, time, timers, refusals that leave no trace, answers given once.
import { lots } from '@sibyl/money';
import { describe, expect, it } from 'vitest';
import { accountName, makeWorld, OPERATOR, ofType, orderOf, START_MS } from '../test/world.ts';
import { apply } from './engine.ts';
import { stateHash } from './hash.ts';
import { checkAll } from './invariants.ts';
import { asAccountId } from './kit/identity.ts';
import { ENGINE_LOGIC } from './logic.ts';
import { decodeSnapshot } from './snapshot/decode.ts';
import { encodeSnapshot } from './snapshot/encode.ts';
import { encodeValue } from './state/codec.ts';
import { REJECT_CODES } from './state/reject.ts';
import type { State } from './state/state.ts';

/** The hash with the two things a refused command may change put back. */
function hashBut(state: State, seq: number, nowMs: number): string {
  const kept = { seq: state.seq, nowMs: state.nowMs };
  state.seq = seq;
  state.nowMs = nowMs;
  const hash = stateHash(state);
  state.seq = kept.seq;
  state.nowMs = kept.nowMs;
  return hash;
}

describe('turn', () => {
  it('[CM1] a command out of sequence stops the lane', () => {
    const world = makeWorld();
    for (const seq of [0, 2, -1, 1.5]) {
      expect(() =>
        apply(world.state, { seq, atMs: START_MS, actor: OPERATOR, type: 'tick' }),
      ).toThrow(/follows 0/);
    }
  });

  it('[CM1] a command without a time, or of no known type, stops the lane', () => {
    const world = makeWorld();
    for (const atMs of [-1, Number.NaN, 1.5]) {
      expect(() => apply(world.state, { seq: 1, atMs, actor: OPERATOR, type: 'tick' })).toThrow(
        /without a time/,
      );
    }
    for (const [index, type] of ['nonsense', 'constructor', '__proto__'].entries()) {
      const nonsense = { seq: index + 1, atMs: 1, actor: OPERATOR, type } as never;
      expect(() => apply(world.state, nonsense)).toThrow(/unexpected value/);
    }
  });

  it('[CM13] an upgrade changes nothing, in read-only mode neither; one that is not for this engine stops the lane', () => {
    const world = makeWorld();
    world.open('anna', 100);
    world.run({ type: 'set_read_only', readOnly: true, reason: 'test' });
    const { seq, nowMs } = world.state;
    const hash = stateHash(world.state);
    const upgrade = {
      type: 'upgrade_engine',
      fromLogic: ENGINE_LOGIC - 1,
      toLogic: ENGINE_LOGIC,
      hashBefore: '',
      hashAfter: hash,
    } as const;
    const header = { atMs: nowMs, actor: { kind: 'system' } } as const;
    const outcome = apply(world.state, { seq: seq + 1, ...header, ...upgrade });
    expect(outcome).toMatchObject({ events: [], answer: { ok: true } });
    expect(hashBut(world.state, seq, nowMs)).toBe(hash);
    const others = [
      { ...header, ...upgrade, toLogic: ENGINE_LOGIC + 1 },
      { ...header, ...upgrade, fromLogic: ENGINE_LOGIC - 2 },
      { ...header, ...upgrade, actor: OPERATOR },
    ];
    for (const other of others) {
      expect(() => apply(world.state, { seq: world.state.seq + 1, ...other })).toThrow(
        /no upgrade/,
      );
    }
  });

  it('[CM2] a clock that goes back does not take the lane back', () => {
    const world = makeWorld();
    world.pass(0);
    world.nowMs -= 3_600_000;
    const outcome = world.run({ type: 'tick' });
    expect(outcome.atMs).toBe(START_MS);
    expect(world.state.nowMs).toBe(START_MS);
  });

  it('[CM3] due timers run first, at their own time, in the order of due', () => {
    const world = makeWorld();
    world.open('anna bert');
    const market = world.market({ deposit: 0, creator: 'anna' });
    world.place('anna', market, 'buy 1 yes @ 0.4 gtd', { expiresAtMs: START_MS + 2000 });
    world.place('anna', market, 'buy 1 yes @ 0.3 gtd', { expiresAtMs: START_MS + 1000 });
    world.nowMs += 5000;
    const placed = world.place('bert', market, 'sell 1 no @ 0.5');
    expect(placed.refusal).toBe('BALANCE_INSUFFICIENT');
    const cancelled = ofType(placed.outcome.events, 'order_cancelled');
    expect(cancelled.map((event) => [event.orderId, event.reason])).toEqual([
      [2, 'expired'],
      [1, 'expired'],
    ]);
  });

  it('[CM4] a timer due inside a rejected command stands, the command leaves no trace', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 0, creator: 'anna' });
    world.place('anna', market, 'buy 10 yes @ 0.4 gtd', { expiresAtMs: START_MS + 1000 });
    expect(world.reserved('anna')).toBe(4_000_000n);
    const free = world.free('anna');
    world.nowMs += 1000;
    const placed = world.place('anna', market, 'sell 5 yes @ 0.5');
    expect(placed.refusal).toBe('BALANCE_INSUFFICIENT');
    expect(world.reserved('anna')).toBe(0n);
    expect(world.free('anna')).toBe(free + 4_000_000n);
    checkAll(world.state);
  });

  it('[CM4] refused commands of every kind change nothing but seq and time', () => {
    const world = makeWorld();
    world.open('anna bert');
    const market = world.market({ deposit: 100, creator: 'anna' });
    world.place('anna', market, 'buy 10 yes @ 0.4');
    const accountId = accountName('bert');
    const unknown = asAccountId('acc_nobody');
    const order = orderOf('bert', market, 'buy 10 yes @ 0.4');
    const refused = [
      { ...order, lots: -1 as never },
      { ...order, lots: 1e300 as never },
      { ...order, price: 4001 as never },
      { ...order, lots: 10 ** 11 },
      { ...order, marketId: 'm_0' as never },
      { ...order, outcomeId: 'maybe' },
      { type: 'cancel_order', accountId, orderId: 1 as never },
      { type: 'cancel_order', accountId, orderId: 99 as never },
      {
        type: 'withdraw',
        accountId,
        amount: 5n as never,
        custody: 'bank',
        destination: 'x',
        hold: null,
      },
      { type: 'deposit', accountId: unknown, amount: 5n as never, reference: 'x' },
      { type: 'transfer', fromId: accountId, toId: accountName('anna'), amount: 5n as never },
      {
        type: 'mint_sets',
        accountId,
        marketId: market.id,
        lots: 0 as never,
        caps: null,
        grant: null,
      },
      { type: 'merge_sets', accountId, marketId: market.id, lots: 5 as never },
      {
        type: 'mint_sets',
        accountId,
        marketId: market.id,
        lots: 10 ** 11,
        caps: null,
        grant: null,
      },
      { type: 'resume_market', marketId: market.id },
      { type: 'deprecate_template', templateId: 'none' as never },
    ] as const;
    for (const body of refused) {
      const { seq, nowMs } = world.state;
      const before = stateHash(world.state);
      const outcome = world.run(body as never);
      expect(outcome.answer.ok, encodeValue(body)).toBe(false);
      expect(outcome.events).toEqual([]);
      expect(hashBut(world.state, seq, nowMs)).toBe(before);
    }
  });

  it('[CM5] the refusal earliest in the list wins', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 0, creator: 'anna' });
    world.do({ type: 'halt_market', marketId: market.id, untilMs: null, reason: 'test' });
    const broke = world.place('anna', market, 'buy 900000000 yes @ 0.5');
    expect(broke.refusal).toBe('MARKET_HALTED');
    const malformed = world.place('anna', market, 'buy 900000000 yes @ 0.5', { lots: 0 as never });
    expect(malformed.refusal).toBe('VALIDATION_FAILED');
    expect(REJECT_CODES.indexOf('VALIDATION_FAILED')).toBeLessThan(
      REJECT_CODES.indexOf('MARKET_HALTED'),
    );
  });

  it('[CM7] amounts, sizes and prices that are no such thing are named', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 0, creator: 'anna' });
    const order = orderOf('anna', market, 'buy 1 yes @ 0.4');
    const cases: [object, string][] = [
      [{ ...order, lots: 1.5 }, 'size'],
      [{ ...order, lots: '5' }, 'size'],
      [{ ...order, lots: 10 ** 11 + 1 }, 'size'],
      [{ ...order, price: 0 }, 'price'],
      [{ ...order, price: 10_000 }, 'price'],
      [{ ...order, price: null }, 'price'],
      [{ ...order, side: 'hold' }, 'side'],
      [{ type: 'deposit', accountId: accountName('anna'), amount: 0n, reference: 'x' }, 'amount'],
      [{ type: 'deposit', accountId: accountName('anna'), amount: 5, reference: 'x' }, 'amount'],
      [{ type: 'deposit', accountId: accountName('anna'), amount: -5n, reference: 'x' }, 'amount'],
      [
        { type: 'deposit', accountId: accountName('anna'), amount: 1n << 90n, reference: 'x' },
        'amount',
      ],
      [{ type: 'deposit', accountId: accountName('anna'), amount: 5n, reference: '' }, 'reference'],
    ];
    for (const [body, field] of cases) {
      const { answer } = world.run(body as never);
      expect(answer).toMatchObject({
        ok: false,
        rejection: { code: 'VALIDATION_FAILED', details: { field } },
      });
    }
  });

  it('[CM8] read-only mode lets people out and the operator act, nothing else', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 0, creator: 'anna' });
    const { id } = world.place('anna', market, 'buy 1 yes @ 0.4');
    const second = world.place('anna', market, 'buy 1 yes @ 0.4').id;
    const accountId = accountName('anna');
    const anna = { kind: 'account', accountId, keyId: null } as const;
    world.do({ type: 'set_read_only', readOnly: true, reason: 'test' });
    const order = orderOf('anna', market, 'buy 1 yes @ 0.4');
    expect(world.run(order, anna).answer).toMatchObject({ rejection: { code: 'READ_ONLY_MODE' } });
    expect(world.run({ type: 'faucet', accountId, keyId: null }, anna).answer.ok).toBe(false);
    const cancel = { type: 'cancel_order', accountId, orderId: id } as const;
    const batch = { type: 'batch', accountId, allOrNone: false } as const;
    expect(world.run({ ...batch, items: [cancel, order] }, anna).answer.ok).toBe(false);
    expect(world.run(cancel, anna).answer.ok).toBe(true);
    const other = { ...cancel, orderId: second };
    expect(world.run({ ...batch, items: [other] }, anna).answer.ok).toBe(true);
    expect(world.state.orders.size).toBe(0);
    expect(world.run({ type: 'set_read_only', readOnly: false, reason: 'x' }, anna).answer.ok).toBe(
      false,
    );
    world.do({ type: 'set_read_only', readOnly: false, reason: 'test' });
    expect(world.run(order, anna).answer.ok).toBe(true);
  });
});

describe('a halted lane', () => {
  const halt = { type: 'set_read_only', readOnly: true, cancelOnly: true, reason: 'test' } as const;

  it('[CM14] nobody trades in it but an operator; cancels, switches and accounts go on', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 0, creator: 'anna' });
    const { id } = world.place('anna', market, 'buy 1 yes @ 0.4');
    const accountId = accountName('anna');
    const anna = { kind: 'account', accountId, keyId: null } as const;
    const system = { kind: 'system' } as const;
    const halted = world.do(halt);
    expect(ofType(halted.events, 'read_only_changed')).toMatchObject([{ cancelOnly: true }]);
    const order = orderOf('anna', market, 'buy 1 yes @ 0.4');
    const refused = { rejection: { code: 'READ_ONLY_MODE', details: { mode: 'cancel_only' } } };
    for (const actor of [anna, system]) {
      expect(world.run(order, actor).answer).toMatchObject(refused);
      const mint = {
        type: 'mint_sets',
        accountId,
        marketId: market.id,
        lots: lots(1),
        caps: null,
        grant: null,
      };
      expect(world.run(mint as never, actor).answer).toMatchObject(refused);
    }
    const beat = { type: 'heartbeat', accountId, timeoutMs: 5000, marketId: null } as const;
    expect(world.run(beat, anna).answer.ok).toBe(true);
    expect(world.run({ type: 'cancel_order', accountId, orderId: id }, anna).answer.ok).toBe(true);
    expect(world.run({ ...halt, readOnly: false, cancelOnly: false }, system).answer.ok).toBe(true);
    expect(world.state.cancelOnly).toBe(true);
    const opening = { type: 'open_account', mode: 'sandbox', parentId: null, referrerId: null };
    const opened = { ...opening, accountId: accountName('late') };
    expect(world.run(opened as never, system).answer.ok).toBe(true);
    expect(world.run(order).answer.ok).toBe(true);
    world.do({ ...halt, cancelOnly: false });
    expect(world.run(order, system).answer.ok).toBe(true);
    expect(world.run(order, anna).answer).toMatchObject({ rejection: { details: {} } });
    world.do({ type: 'set_read_only', readOnly: false, reason: 'over' });
    expect(world.run(order, anna).answer.ok).toBe(true);
    checkAll(world.state);
  });

  it('[CM14] is read-only mode too, and outlives a snapshot', () => {
    const world = makeWorld();
    const wrong = world.run({ ...halt, readOnly: false }).answer;
    expect(wrong).toMatchObject({ rejection: { details: { field: 'cancel_only' } } });
    world.do(halt);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect([restored.readOnly, restored.cancelOnly]).toEqual([true, true]);
    expect(stateHash(restored)).toBe(stateHash(world.state));
  });
});

describe('command keys', () => {
  const key = { scope: 'acc_anna POST /v1/orders', key: 'key-00001', bodyHash: 'aa' };

  it('[CM6] the same key gives the recorded answer and no second effect', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 100, creator: 'anna' });
    const order = { ...orderOf('anna', market, 'buy 10 yes'), key };
    const first = world.run(order);
    const hash = stateHash(world.state);
    const { seq } = world.state;
    const second = world.run(order);
    expect(second.answer).toEqual(first.answer);
    expect(second.replayed).toBe(true);
    expect(second.events).toEqual([]);
    expect(hashBut(world.state, seq, world.state.nowMs)).toBe(hash);
  });

  it('[CM6] a recorded refusal is given again even when it would now succeed', () => {
    const world = makeWorld();
    world.open('anna', 0);
    const mint = {
      type: 'mint_sets',
      accountId: accountName('anna'),
      marketId: world.market({ deposit: 0 }).id,
      lots: 5 as never,
      caps: null,
      grant: null,
      key,
    } as const;
    expect(world.run(mint).answer.ok).toBe(false);
    world.deposit('anna', 5);
    expect(world.run(mint).answer.ok).toBe(false);
    const again = { ...mint, key: { ...key, key: 'key-00002' } };
    expect(world.run(again).answer.ok).toBe(true);
  });

  it('[CM6] a refusal that passes by itself is not recorded: the same key goes well afterwards', () => {
    const world = makeWorld();
    world.open('anna');
    const market = world.market({ deposit: 100, creator: 'anna' });
    const accountId = accountName('anna');
    const anna = { kind: 'account', accountId, keyId: null } as const;
    const order = { ...orderOf('anna', market, 'buy 10 yes'), key };
    world.do({ type: 'set_read_only', readOnly: true, reason: 'test' });
    const refused = world.run(order, anna);
    expect(refused.answer).toMatchObject({ rejection: { code: 'READ_ONLY_MODE' } });
    world.do({ type: 'set_read_only', readOnly: false, reason: 'test' });
    const placed = world.run(order, anna);
    expect([placed.answer.ok, placed.replayed]).toEqual([true, false]);
    expect(world.run(order, anna).replayed).toBe(true);
    const faucet = { type: 'faucet', accountId, keyId: null } as const;
    const later = { ...faucet, key: { ...key, key: 'key-00003' } };
    world.do(faucet);
    expect(world.run(later).answer).toMatchObject({ rejection: { code: 'RATE_LIMITED' } });
    world.pass(3_600_000);
    expect(world.run(later)).toMatchObject({ answer: { ok: true }, replayed: false });
  });

  it('[CM6] another body under the same key is refused; another scope is another key', () => {
    const world = makeWorld();
    world.open('anna');
    const deposit = { type: 'deposit', accountId: accountName('anna'), reference: 'x' } as const;
    const amount = 5n as never;
    world.do({ ...deposit, amount, key } as never);
    const mismatch = world.run({ ...deposit, amount, key: { ...key, bodyHash: 'bb' } } as never);
    expect(mismatch.answer).toMatchObject({ rejection: { code: 'IDEMPOTENCY_BODY_MISMATCH' } });
    expect(mismatch.replayed).toBe(false);
    const again = { ...deposit, amount, reference: 'y', key: { ...key, scope: 'acc_bert' } };
    world.do(again as never);
    expect(world.free('anna')).toBe(1_000_000_000_010n);
  });

  it('[CM6] a key is forgotten after 24 hours', () => {
    const world = makeWorld();
    world.open('anna', 0);
    const body = {
      type: 'deposit',
      accountId: accountName('anna'),
      amount: 5n,
      reference: 'x',
      key,
    };
    world.do(body as never);
    world.pass(86_400_000 - 1);
    expect(world.run(body as never).replayed).toBe(true);
    world.pass(1);
    expect(world.run({ ...body, reference: 'y' } as never).replayed).toBe(false);
    expect(world.free('anna')).toBe(10n);
  });
});
