// Changing parameters while a lane runs.
import { type Lots, type Usdt, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { accountName, makeWorld, ofType } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { CommandBody } from './command.ts';
import { DEFAULT_PARAMETERS } from './parameters.ts';

const set = (part: string, values: object) =>
  ({ type: 'set_parameters', part, values }) as unknown as CommandBody;

describe('[PM1] parameters', () => {
  test('are changed part by part, hold from the next command on, and keep their versions', () => {
    const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
    world.open('a');
    const market = world.market({ deposit: 0, creator: 'a' });
    world.place('a', market, 'buy 1 yes @ 0.4');
    const { events } = world.do(set('risk', { openOrdersPerMarket: 1, openNotionalMax: usdt(5n) }));
    expect(ofType(events, 'parameters_changed')).toMatchObject([{ version: 2, part: 'risk' }]);
    expect(world.place('a', market, 'buy 1 yes @ 0.4').refusal).toBe('RISK_LIMIT_BREACH');
    world.pass(10);
    world.do(set('risk', { openOrdersPerMarket: 200, openNotionalMax: usdt(10_000_000n) }));
    expect(world.place('a', market, 'buy 1 yes @ 0.4').refusal).toBeNull();
    expect(world.place('a', market, 'buy 1000 yes @ 0.4').refusal).toBe('RISK_LIMIT_BREACH');
    expect(world.state.parameterChanges).toMatchObject([
      { version: 2, part: 'risk', actor: 'test', reason: 'test' },
      { version: 3, atMs: world.nowMs, values: { openOrdersPerMarket: 200 } },
    ]);
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(stateHash(restored)).toBe(stateHash(world.state));
    expect(restored.openNotionalMax).toBe(10_000_000);
    checkAll(restored);
  });

  test('of fees are what the next fill is split by', () => {
    const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
    world.open('a b');
    const market = world.market({ deposit: 1000, creator: 'a' });
    world.do(set('fee', { creatorWeight: 0, rebatesPaid: false }));
    const { outcome } = world.place('b', market, 'buy 100 yes');
    const [trade] = ofType(outcome.events, 'trade_executed');
    expect(trade?.split.creator).toBe(0n);
    expect(trade?.split.treasury).toBeGreaterThan(0n);
    checkAll(world.state);
  });

  test.each([
    ['part', set('faucet', { amount: 1n })],
    ['part', set('quality ', {})],
    ['values', set('risk', {})],
    ['values.unheard', set('risk', { unheard: 1 })],
    ['values.takerFloorRate', set('fee', { takerFloorRate: 1 })],
    ['values.lookSecret', set('quality', { lookSecret: 'x' })],
    ['values.conversionRate', set('fee', { conversionRate: 109_999 })],
    ['values.rebatesPaid', set('fee', { rebatesPaid: 1 })],
    ['values.pips', set('band', { pips: 2001 })],
    ['values.pips', set('band', { pips: 1.5 })],
    ['values.openNotionalMax', set('risk', { openNotionalMax: 5 })],
    ['values.openNotionalMax', set('risk', { openNotionalMax: 0n as Usdt })],
    ['values.positionLotsMax', set('risk', { positionLotsMax: 100_000_000_001 as Lots })],
    ['values.challengeMs', set('resolution', { challengeMs: 1500 })],
    ['values.creatorWeight', set('fee', { creatorWeight: 9000 })],
    ['values.haltEveryMs', set('band', { haltMs: 86_400_000 })],
    ['values.openOrdersPerMarket', set('risk', { openOrdersPerAccount: 199 })],
  ])('out of bounds, or at odds with others, are refused: %s', (field, command) => {
    const world = makeWorld({ parameters: DEFAULT_PARAMETERS });
    const { answer } = world.run(command);
    expect(answer).toMatchObject({
      rejection: { code: 'VALIDATION_FAILED', details: { field } },
    });
    expect(world.state.parameters).toBe(DEFAULT_PARAMETERS);
    expect(world.state.parameterChanges).toEqual([]);
  });

  test('are nothing to accounts', () => {
    const world = makeWorld();
    world.open('a');
    const anna = { kind: 'account', accountId: accountName('a'), keyId: null } as const;
    const { answer } = world.run(set('band', { pips: 5 }), anna);
    expect(answer).toMatchObject({ rejection: { code: 'NOT_FOUND' } });
  });
});
