import { createHash } from 'node:crypto';
import type { Pips } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  type MarketOptions,
  makeWorld,
  OPERATOR,
  ofType,
  posted,
  START_MS,
  templateOf,
  type World,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { asTemplateId } from '../kit/identity.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, CreateMarket } from '../state/command.ts';
import { previewMarket } from './create.ts';

type Params = Record<string, string | number | boolean>;

function command(params: Params = {}, account = 'maker'): CreateMarket {
  return {
    type: 'create_market',
    accountId: accountName(account),
    templateId: asTemplateId('t'),
    params,
    displayTitle: null,
    displayImageUrl: null,
  };
}

function make(world: World, params: Params = {}, account = 'maker', actor: Actor = OPERATOR) {
  const outcome = world.run(command(params, account), actor);
  const { answer } = outcome;
  if (!answer.ok) return { ...answer.rejection, market: null, outcome };
  if (answer.result.kind !== 'market') throw new Error('a create gives a market');
  const { marketId, existed } = answer.result;
  return { code: 'ok', details: {}, market: world.marketOf(marketId), existed, outcome };
}

/** A lane with a funded maker and one template `t`. */
function prepare(options: MarketOptions, amount = 5000): World {
  const world = makeWorld();
  world.open('maker', amount);
  world.do({ type: 'publish_template', template: templateOf('t', options) });
  return world;
}

const anyInteger = { type: 'integer' };
const TIMES = { properties: { opens_at_ms: anyInteger, closes_at_ms: anyInteger } };

describe('[MK1] the id', () => {
  const paramsSchema = { properties: { b: anyInteger, a: { type: 'string', maxLength: 9 } } };

  test('is a hash of creator, params and template, whatever the order of params', () => {
    const world = prepare({ template: { paramsSchema } });
    const text = '{"creator":"acc_maker","params":{"a":"é","b":2},"template_id":"t"}';
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    expect(make(world, { b: 2, a: 'é' }).market?.id).toBe(`m_${hash}`);
    expect(make(world, { a: 'é', b: 2 })).toMatchObject({ existed: true });
    expect(world.state.markets.size).toBe(1);
  });

  test('has no creator for the platform', () => {
    const world = prepare({ template: { paramsSchema } });
    const text = '{"creator":null,"params":{},"template_id":"t"}';
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const { market } = make(world, {}, 'platform');
    expect(market).toMatchObject({ id: `m_${hash}`, platform: true });
  });

  test('found again, nothing changes: not even for a market that has ended', () => {
    const world = prepare({ deposit: 1000 });
    const { market } = make(world);
    const before = [...encodeSnapshot(world.state)].slice(1).join('\n');
    expect(make(world)).toMatchObject({ existed: true, outcome: { events: [] } });
    expect([...encodeSnapshot(world.state)].slice(1).join('\n')).toBe(before);
    world.do({ type: 'cancel_market', marketId: market!.id, reason: 'x' });
    const free = world.free('maker');
    expect(make(world)).toMatchObject({ existed: true, market: { status: 'cancelled' } });
    expect(world.free('maker')).toBe(free);
  });
});

describe('[MK2] the deposit', () => {
  test('seeds the pool with as many sets and is staked', () => {
    const world = prepare({ deposit: 1000 });
    const { market, outcome } = make(world);
    expect(market?.pool?.b).toBe(1442695039n);
    expect(world.free('maker')).toBe(4000_000_000n);
    expect(world.account('maker').staked).toBe(1000_000_000n);
    const id = market!.id;
    expect(outcome.events.map((event) => event.type)).toEqual(['market_created', 'ledger_posted']);
    expect(ofType(outcome.events, 'ledger_posted')[0]).toMatchObject({
      reason: 'market_deposit',
      reference: id,
      ...posted([
        { account: 'user:acc_maker:free', amount: -1000_000_000n },
        { account: `market:${id}:escrow`, amount: 1000_000_000n },
        { account: `market:${id}:issue:${id}.0`, amount: -1000_000_000n },
        { account: `amm:${id}:${id}.0`, amount: 1000_000_000n },
        { account: `market:${id}:issue:${id}.1`, amount: -1000_000_000n },
        { account: `amm:${id}:${id}.1`, amount: 1000_000_000n },
      ]),
    });
    checkAll(world.state);
  });

  test('must be in free balance', () => {
    const world = prepare({ deposit: 1000 }, 999);
    expect(make(world)).toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      details: { required: 1000_000_000n, free: 999_000_000n, reserved: 0n },
    });
    expect(world.state.markets.size).toBe(0);
  });

  test('of zero makes no pool', () => {
    const world = prepare({ deposit: 0 });
    const { market, outcome } = make(world);
    expect(market?.pool).toBeNull();
    expect(outcome.events).toHaveLength(1);
    checkAll(world.state);
  });

  test('opens at the prior', () => {
    const world = prepare({ deposit: 1000, template: { prior: [2000, 8000] as Pips[] } });
    // Vector 7.
    expect(make(world).market?.pool?.b).toBe(621334933n);
  });
});

describe('[MK3] times', () => {
  const hour = 3_600_000;

  test('come from the params, else from now and the duration', () => {
    const world = prepare({ template: { paramsSchema: TIMES, durationSec: 3600 } });
    const now = START_MS;
    const times = (params: Params) => {
      const { market } = make(world, params);
      return [market?.opensAtMs, market?.locksAtMs, market?.closesAtMs, market?.status];
    };
    expect(times({})).toEqual([now, now + hour, now + hour, 'active']);
    expect(times({ opens_at_ms: now + 5 })).toEqual([
      now + 5,
      now + 5 + hour,
      now + 5 + hour,
      'scheduled',
    ]);
    expect(times({ closes_at_ms: now + 9 })).toEqual([now, now + 9, now + 9, 'active']);
  });

  test('of a fast market: it closes after its round and locks before', () => {
    const round = { durationSec: 60, lockOffsetMs: 5000 };
    const template = { marketType: 'fast', roundConfig: round, paramsSchema: TIMES } as const;
    const world = prepare({ template });
    const { market } = make(world, { opens_at_ms: START_MS + 1000, closes_at_ms: 7 });
    expect(market).toMatchObject({
      closesAtMs: START_MS + 61_000,
      locksAtMs: START_MS + 56_000,
    });
    expect(make(world, { opens_at_ms: START_MS - 55_000 }).code).toBe(
      'MARKET_TEMPLATE_PARAM_INVALID',
    );
  });

  test.each([
    ['a close at the opening', { opens_at_ms: START_MS + 5, closes_at_ms: START_MS + 5 }],
    ['a close that has come', { closes_at_ms: START_MS }],
    ['a close out of range', { closes_at_ms: 253_402_300_800_000 }],
  ])('not %s', (_, params) => {
    const world = prepare({ template: { paramsSchema: TIMES } });
    expect(make(world, params)).toMatchObject({
      code: 'MARKET_TEMPLATE_PARAM_INVALID',
      details: { param: 'closes_at_ms' },
    });
  });
});

describe('[MK4] outcomes', () => {
  const text = { type: 'string', maxLength: 40 };
  const paramsSchema = { properties: { lower: text, upper: text } };
  const scalar = { template: { outcomeSchema: 'scalar', paramsSchema } } as const;

  test('binary yes and no, scalar long and short, multi those of the template', () => {
    const ids = (options: MarketOptions, params: Params = {}) =>
      make(prepare(options), params).market?.outcomes.map((outcome) => outcome.id);
    expect(ids({})).toEqual(['yes', 'no']);
    expect(ids(scalar, { lower: '-0.5', upper: '100' })).toEqual(['long', 'short']);
    expect(ids({ outcomes: 3, deposit: 10 })).toEqual(['o0', 'o1', 'o2']);
  });

  test.each([
    ['upper', { lower: '1', upper: '1.0' }],
    ['upper', { lower: '2', upper: '1' }],
    ['lower', { lower: 'one', upper: '1' }],
    ['upper', { lower: '1', upper: '1e3' }],
    ['upper', { lower: '1', upper: '2.0000000000000000001' }],
    ['lower', { upper: '2' }],
  ])('scalar bounds: a wrong %s in %j', (param, params: Params) => {
    expect(make(prepare(scalar), params)).toMatchObject({
      code: 'MARKET_TEMPLATE_PARAM_INVALID',
      details: { param },
    });
  });
});

test('[RS6][MK4] a strike is an exact decimal where readings decide', () => {
  const paramsSchema = { properties: { strike: { type: 'number' } } };
  const config = { params: {}, challengeSec: null, bond: null };
  const automatic = { paramsSchema, oracleConfig: { ...config, source: 'price_feed' } };
  expect(make(prepare({ template: automatic }), { strike: 64_000.5 })).toMatchObject({
    code: 'MARKET_TEMPLATE_PARAM_INVALID',
    details: { param: 'strike' },
  });
  expect(make(prepare({ template: automatic }), { strike: 64_000 }).code).toBe('ok');
  const manual = { paramsSchema, oracleConfig: { ...config, source: 'manual' } };
  expect(make(prepare({ template: manual }), { strike: 64_000.5 }).code).toBe('ok');
});

describe('who and how', () => {
  test('[AC7] only for oneself; [AC6] not when frozen', () => {
    const world = prepare({ deposit: 10 });
    world.open('a');
    const actor = { kind: 'account', accountId: accountName('a'), keyId: null } as const;
    expect(make(world, {}, 'maker', actor).code).toBe('NOT_FOUND');
    expect(make(world, {}, 'nobody').code).toBe('NOT_FOUND');
    world.do({ type: 'freeze_account', accountId: accountName('a'), frozen: true });
    expect(make(world, {}, 'a', actor).code).toBe('SUBACCOUNT_FROZEN');
  });

  test('[TP5] params that no schema allows', () => {
    const world = prepare({ deposit: 10 });
    expect(make(world, { x: 1 }).code).toBe('MARKET_TEMPLATE_PARAM_INVALID');
    expect(make(world, { x: { y: 1 } } as unknown as Params).code).toBe(
      'MARKET_TEMPLATE_PARAM_INVALID',
    );
    expect(make(world, null as unknown as Params).code).toBe('VALIDATION_FAILED');
  });

  test('[MK1] a preview shows the market and makes none', () => {
    const world = prepare({ deposit: 1000, template: { prior: [2000, 8000] as Pips[] } });
    const before = [...encodeSnapshot(world.state)].join('\n');
    const preview = previewMarket(world.state, OPERATOR, command());
    expect(preview).toMatchObject({ existed: false, prices: [200_000n, 800_000n], title: 'Test' });
    expect([...encodeSnapshot(world.state)].join('\n')).toBe(before);
    const { market } = make(world);
    expect(previewMarket(world.state, OPERATOR, command())).toEqual({ ...preview, existed: true });
    expect(preview).toMatchObject({ marketId: market?.id });
  });
});
