// Who may make a market, how many, and under which title.
import { describe, expect, test } from 'vitest';
import {
  accountName,
  makeWorld,
  OPERATOR,
  ofType,
  START_MS,
  templateOf,
  type World,
  type WorldOptions,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { asTemplateId } from '../kit/identity.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { Actor, CreateMarket } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import type { TemplateDefinition } from '../template/template.ts';
import { previewMarket } from './create.ts';

const DAY = 86_400_000;
const live: WorldOptions = { lane: 'live' };
const asAccount = (name: string): Actor => ({
  kind: 'account',
  accountId: accountName(name),
  keyId: null,
});

const integer = { type: 'integer' };
const number = { properties: { n: integer, opens_at_ms: integer, closes_at_ms: integer } };
const manual = { source: 'manual', params: {}, challengeSec: null, bond: null } as const;
const round = { durationSec: 60, lockOffsetMs: 0 };

/** A lane with one template `t`, of type creator unless said otherwise, and somebody who can pay. */
function prepare(
  template: Partial<TemplateDefinition> = {},
  deposit = 10,
  options: WorldOptions = live,
): World {
  const world = makeWorld(options);
  world.open('a b', 10_000);
  world.open('sub_a', 10_000, 'a');
  const titleTemplate = 'Number {n}';
  const displayDefaults = {
    titleTemplate,
    subtitleTemplate: null,
    description: null,
    imageUrlPattern: null,
  };
  const changes = {
    marketType: 'creator',
    paramsSchema: number,
    displayDefaults,
    oracleConfig: manual,
    ...template,
  } as const;
  const definition = templateOf('t', { deposit, template: changes as never });
  world.do({ type: 'publish_template', template: definition });
  return world;
}

function create(n: number, changes: Partial<CreateMarket> = {}): CreateMarket {
  return {
    type: 'create_market',
    accountId: accountName('a'),
    templateId: asTemplateId('t'),
    params: { n },
    displayTitle: null,
    displayImageUrl: null,
    ...changes,
  };
}

function make(world: World, command: CreateMarket, actor: Actor = asAccount('a')) {
  const { answer, events } = world.run(command, actor);
  if (!answer.ok) return { code: answer.rejection.code, details: answer.rejection.details };
  if (answer.result.kind !== 'market') throw new Error('a create gives a market');
  const market: Market = world.marketOf(answer.result.marketId);
  return { code: 'ok', market, events };
}

describe('[MK15] accounts make markets', () => {
  test('from templates of type creator with a deposit', () => {
    expect(make(prepare(), create(1)).code).toBe('ok');
    expect(make(prepare({}, 10, { lane: 'sandbox' }), create(1)).code).toBe('ok');
  });

  test.each([
    ['a normal one', { marketType: 'normal' }, 10],
    ['a fast one', { marketType: 'fast', roundConfig: round }, 10],
    ['one without a deposit', {}, 0],
  ] as const)('not from %s, which operators may, for any account', (_, template, deposit) => {
    for (const lane of ['live', 'sandbox'] as const) {
      const world = prepare(template as never, deposit, { lane });
      expect(make(world, create(1))).toEqual({
        code: 'MARKET_NOT_APPROVED',
        details: { template_id: 't' },
      });
      expect(world.state.markets.size).toBe(0);
      const made = make(world, create(1), OPERATOR);
      expect([made.code, made.market?.creator.id]).toEqual(['ok', 'acc_a']);
      // Found again is not made.
      expect(make(world, create(1)).code).toBe('ok');
    }
  });

  test('[CM5] the refusal comes after faults of params and before want of money', () => {
    const world = prepare({ marketType: 'normal' }, 1_000_000);
    const wrong = create(1, { params: { n: 'one' } });
    expect(make(world, wrong).code).toBe('MARKET_TEMPLATE_PARAM_INVALID');
    expect(make(world, create(1)).code).toBe('MARKET_NOT_APPROVED');
    expect(make(world, create(1), OPERATOR).code).toBe('BALANCE_INSUFFICIENT');
  });
});

describe('[MK16] open markets of a family', () => {
  const breach = { code: 'RISK_LIMIT_BREACH', details: { limit: 'open_markets' } };

  test('are 20 in live: the 20th is made, the 21st is not, and one that ends makes room', () => {
    const world = prepare();
    const markets: Market[] = [];
    for (let n = 1; n <= 20; n += 1) markets.push(make(world, create(n)).market!);
    expect(make(world, create(21))).toEqual(breach);
    expect(make(world, create(20)).code).toBe('ok');
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(previewMarket(restored, asAccount('a'), create(21))).toMatchObject(breach);
    world.do({ type: 'cancel_market', marketId: markets[4]!.id, reason: 'x' });
    expect(make(world, create(21)).code).toBe('ok');
    expect(make(world, create(22))).toEqual(breach);
    checkAll(world.state);
  });

  test('count subaccounts with their owner, scheduled and locked ones, and those made for them', () => {
    const world = prepare({ durationSec: 60 });
    for (let n = 1; n <= 8; n += 1) make(world, create(n));
    const sub = { accountId: accountName('sub_a') };
    for (let n = 1; n <= 8; n += 1) make(world, create(n, sub), asAccount('sub_a'));
    world.pass(60_000);
    for (let n = 20; n < 23; n += 1) {
      make(world, create(n, { params: { n, opens_at_ms: world.nowMs + 5 } }));
    }
    expect(make(world, create(50), OPERATOR).code).toBe('ok');
    expect(make(world, create(51))).toEqual(breach);
    expect(make(world, create(51, sub), asAccount('sub_a'))).toEqual(breach);
    // Others have their own, and operators are not bound.
    expect(make(world, create(51, { accountId: accountName('b') }), asAccount('b')).code).toBe(
      'ok',
    );
    expect(make(world, create(51), OPERATOR).code).toBe('ok');
  });

  test('are not counted in the sandbox', () => {
    const world = prepare({}, 10, { lane: 'sandbox' });
    for (let n = 1; n <= 25; n += 1) expect(make(world, create(n)).code).toBe('ok');
  });

  test('[CM5] the refusal comes before want of money', () => {
    const world = prepare({}, 400);
    for (let n = 1; n <= 20; n += 1) make(world, create(n));
    expect(world.free('a')).toBeLessThan(4_000_000_000n);
    expect(make(world, create(21))).toEqual(breach);
  });
});

describe('[MK17] titles', () => {
  test('a market shows its own and keeps the rendered one beside it', () => {
    const world = prepare({}, 10, { lane: 'sandbox' });
    const { market, events } = make(world, create(7, { displayTitle: 'Mine' }));
    const titles = { title: 'Mine', renderedTitle: 'Number 7' };
    expect(market).toMatchObject(titles);
    expect(ofType(events!, 'market_created')).toMatchObject([titles]);
    const plain = make(world, create(8));
    expect(plain.market).toMatchObject({ title: 'Number 8', renderedTitle: 'Number 8' });
    const restored = decodeSnapshot(encodeSnapshot(world.state));
    expect(restored.markets.get(market!.id)).toMatchObject(titles);
    const preview = previewMarket(world.state, asAccount('a'), create(9, { displayTitle: 'Mine' }));
    expect(preview).toMatchObject({ title: 'Mine', renderedTitle: 'Number 9' });
  });

  test('[MK5] in live an account’s own title waits for approval; an operator’s does not', () => {
    const world = prepare();
    const { market } = make(world, create(1, { displayTitle: 'Mine' }));
    expect(market).toMatchObject({ status: 'scheduled', approved: false });
    expect(world.place('b', market!, 'buy 1 yes').refusal).toBe('MARKET_NOT_APPROVED');
    world.do({ type: 'approve_market', marketId: market!.id });
    expect(market!.status).toBe('active');
    expect(make(world, create(2)).market?.status).toBe('active');
    const official = make(world, create(3, { displayTitle: 'Ours' }), OPERATOR);
    expect(official.market?.status).toBe('active');
    const sandbox = prepare({}, 10, { lane: 'sandbox' });
    expect(make(sandbox, create(1, { displayTitle: 'Mine' })).market?.status).toBe('active');
  });
});

describe('[MK3] the last moment a market may close', () => {
  const inYears = START_MS + 1826 * DAY;

  test('is 1,826 days from now, to the millisecond', () => {
    const world = prepare();
    const params = { n: 1, closes_at_ms: inYears };
    expect(make(world, create(1, { params })).code).toBe('ok');
    const late = { n: 2, closes_at_ms: inYears + 1 };
    expect(make(world, create(2, { params: late }), OPERATOR)).toMatchObject({
      code: 'MARKET_TEMPLATE_PARAM_INVALID',
      details: { param: 'closes_at_ms' },
    });
  });

  test('also where it follows from the opening', () => {
    const world = prepare({ durationSec: 86_400 });
    const opens = (opensAtMs: number) => create(1, { params: { n: 1, opens_at_ms: opensAtMs } });
    expect(make(world, opens(inYears - DAY + 1)).code).toBe('MARKET_TEMPLATE_PARAM_INVALID');
    expect(make(world, opens(inYears - DAY)).code).toBe('ok');
  });
});
