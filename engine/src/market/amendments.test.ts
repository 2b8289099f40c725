// What an operator changes of a market while it lives.
import type { Pips } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, makeWorld, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { asTradeId } from '../kit/identity.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { CommandBody } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { depthOf } from './depth.ts';

const tick = (market: Market, pips: number) =>
  ({ type: 'set_tick_size', marketId: market.id, tickPips: pips as Pips }) as const;

function refusalOf(world: World, command: CommandBody, as?: string): string | null {
  const actor = { kind: 'account', accountId: accountName(as ?? ''), keyId: null } as const;
  const { answer } = as === undefined ? world.run(command) : world.run(command, actor);
  return answer.ok ? null : answer.rejection.code;
}

describe('[MK18] a finer tick', () => {
  test('keeps every order where it is and takes prices between', () => {
    const world = makeWorld();
    world.open('a b');
    const market = world.market({ deposit: 1000, creator: 'a' });
    const before = world.place('a', market, 'buy 10 yes @ 0.4').order;
    expect(world.place('b', market, 'buy 1 yes @ 0.4005').refusal).toBe('VALIDATION_FAILED');
    const { events } = world.do(tick(market, 5));
    expect(events).toEqual([
      { type: 'tick_size_changed', marketId: market.id, fromPips: 10, toPips: 5 },
    ]);
    expect(world.place('b', market, 'buy 1 yes @ 0.4005').refusal).toBeNull();
    expect(world.place('b', market, 'buy 1 yes @ 0.4002').refusal).toBe('VALIDATION_FAILED');
    const levels = depthOf(market, 0, 50).bids.map(({ price }) => price);
    expect(levels.every((price) => price % 5 === 0)).toBe(true);
    expect(levels.some((price) => price % 10 !== 0)).toBe(true);
    expect([...world.state.orders.values()].map(({ id }) => id)).toContain(before.orderId);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(restored.markets.get(market.id)?.tickPips).toBe(5);
    checkAll(world.state);
    checkAll(restored);
  });

  test('neither coarser, nor equal, nor one that does not divide it', () => {
    const world = makeWorld();
    world.open('a');
    const market = world.market({ creator: 'a' });
    for (const pips of [10, 20, 4, 3, 0, -1, 1.5, Number.NaN]) {
      expect([pips, refusalOf(world, tick(market, pips))]).toEqual([pips, 'VALIDATION_FAILED']);
    }
    expect(refusalOf(world, tick(market, 2), 'a')).toBe('NOT_FOUND');
    expect(market.tickPips).toBe(10);
    world.do({ type: 'cancel_market', marketId: market.id, reason: 'test' });
    expect(refusalOf(world, tick(market, 2))).toBe('STATE_CONFLICT');
    const unknown = { ...tick(market, 2), marketId: 'm_0' as never };
    expect(refusalOf(world, unknown)).toBe('MARKET_NOT_FOUND');
  });

  test('[IV1] an order between two ticks is found', () => {
    const world = makeWorld();
    world.open('a');
    const market = world.market({ creator: 'a' });
    world.do(tick(market, 1));
    world.place('a', market, 'buy 10 yes @ 0.4001');
    checkAll(world.state);
    market.tickPips = 10 as Pips;
    expect(() => checkAll(world.state)).toThrow('between two ticks');
  });
});

describe('[MK19] clarifications', () => {
  test('are added one after the other, with their times, until there are twenty', () => {
    const world = makeWorld();
    world.open('a');
    const market = world.market({ creator: 'a' });
    const clarify = (text: string) =>
      ({ type: 'clarify_market', marketId: market.id, text }) as const;
    const { events } = world.do(clarify('Only the final report counts.'));
    expect(ofType(events, 'market_clarified')).toMatchObject([
      { text: 'Only the final report counts.' },
    ]);
    world.pass(1000);
    world.do(clarify('And it must be public.'));
    const atMs = world.nowMs;
    expect(market.clarifications[1]).toEqual({ text: 'And it must be public.', atMs });
    for (const text of ['', ' \n ', 'x'.repeat(2001), '\ud800']) {
      expect(refusalOf(world, clarify(text))).toBe('VALIDATION_FAILED');
    }
    expect(refusalOf(world, clarify('mine'), 'a')).toBe('NOT_FOUND');
    for (let count = 2; count < 20; count += 1) world.do(clarify(`number ${count}`));
    expect(refusalOf(world, clarify('one more'))).toBe('STATE_CONFLICT');
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(restored.markets.get(market.id)?.clarifications).toEqual(market.clarifications);
  });
});

describe('[MK20] settlement metadata', () => {
  const data = '{"tx":"0x00"}';

  test('is attached to markets, accounts and trades, and taken off again', () => {
    const world = makeWorld();
    world.open('a b');
    const market = world.market({ deposit: 100, creator: 'a' });
    world.place('b', market, 'buy 1 yes');
    const attach = (record: object, json: string | null = data) =>
      ({ type: 'attach_chain_data', record, data: json }) as CommandBody;
    const { events } = world.do(attach({ kind: 'market', id: market.id }));
    expect(ofType(events, 'chain_data_attached')).toMatchObject([{ data }]);
    world.do(attach({ kind: 'account', id: accountName('b') }));
    world.do(attach({ kind: 'trade', id: asTradeId(1) }));
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(restored.markets.get(market.id)?.chainData).toBe(data);
    expect(restored.accounts.get(accountName('b'))?.chainData).toBe(data);
    world.do(attach({ kind: 'market', id: market.id }, null));
    expect(market.chainData).toBeNull();
    for (const json of ['', '[]', '"x"', 'null', '{', `{"a":"${'x'.repeat(4096)}"}`]) {
      const wrong = attach({ kind: 'market', id: market.id }, json);
      expect([json, refusalOf(world, wrong)]).toEqual([json, 'VALIDATION_FAILED']);
    }
    const missing = { kind: 'market', id: 'm_0' };
    expect(refusalOf(world, attach(missing))).toBe('MARKET_NOT_FOUND');
    for (const record of [
      { kind: 'account', id: 'acc_nobody' },
      { kind: 'trade', id: 0 },
      { kind: 'trade', id: 2 },
    ]) {
      expect(refusalOf(world, attach(record))).toBe('NOT_FOUND');
    }
    expect(refusalOf(world, attach({ kind: 'market', id: market.id }), 'a')).toBe('NOT_FOUND');
  });
});
