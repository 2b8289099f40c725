import { type Pips, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  type MarketOptions,
  makeWorld,
  templateOf,
  type World,
} from '../../test/world.ts';
import { asTemplateId } from '../kit/identity.ts';
import type { Actor } from '../state/command.ts';
import type { TemplateDefinition } from './template.ts';

function publish(world: World, options: MarketOptions, actor?: Actor) {
  const { answer } = world.run(
    { type: 'publish_template', template: templateOf('t', options) },
    actor,
  );
  return answer.ok ? 'ok' : answer.rejection;
}

function create(world: World, params: Record<string, string | number | boolean>) {
  const { answer } = world.run({
    type: 'create_market',
    accountId: accountName('maker'),
    templateId: asTemplateId('t'),
    params,
    displayTitle: null,
    displayImageUrl: null,
  });
  if (!answer.ok) return answer.rejection.code;
  if (answer.result.kind !== 'market') throw new Error('a create gives a market');
  return world.marketOf(answer.result.marketId);
}

const SCHEMA = { properties: { n: { type: 'integer' } } };

describe('[TP1] versions', () => {
  test('the next version is made of a known id; markets keep theirs', () => {
    const world = makeWorld();
    world.open('maker');
    expect(publish(world, { deposit: 10, template: { paramsSchema: SCHEMA } })).toBe('ok');
    const first = create(world, { n: 1 });
    expect(publish(world, { deposit: 20, template: { paramsSchema: SCHEMA } })).toBe('ok');
    const second = create(world, { n: 2 });
    if (typeof first === 'string' || typeof second === 'string') throw new Error('refused');
    expect([first.template.version, second.template.version]).toEqual([1, 2]);
    expect([first.deposit, second.deposit]).toEqual([10_000_000n, 20_000_000n]);
    const known = create(world, { n: 1 });
    expect(known).toBe(first);
  });

  test('deprecated templates refuse new markets and versions, and stay deprecated', () => {
    const world = makeWorld();
    world.open('maker');
    const templateId = asTemplateId('t');
    const deprecate = () => world.run({ type: 'deprecate_template', templateId });
    expect(deprecate().answer).toMatchObject({ rejection: { code: 'MARKET_TEMPLATE_UNKNOWN' } });
    publish(world, { template: { paramsSchema: SCHEMA } });
    const market = create(world, { n: 1 });
    expect(deprecate().events).toEqual([{ type: 'template_deprecated', templateId }]);
    expect(create(world, { n: 2 })).toBe('MARKET_TEMPLATE_UNKNOWN');
    expect(create(world, { n: 1 })).toBe(market);
    expect(publish(world, {})).toMatchObject({ code: 'STATE_CONFLICT' });
    expect(deprecate().answer).toMatchObject({ rejection: { code: 'STATE_CONFLICT' } });
  });

  test('[AC7] publishing is not for accounts', () => {
    const world = makeWorld();
    world.open('a');
    const actor = { kind: 'account', accountId: accountName('a'), keyId: null } as const;
    expect(publish(world, {}, actor)).toMatchObject({ code: 'NOT_FOUND' });
    expect(world.state.templates.size).toBe(0);
  });
});

describe('[TP3] placeholders', () => {
  const display = {
    titleTemplate: '{n} of {label}?',
    subtitleTemplate: null,
    description: null,
    imageUrlPattern: 'https://example.test/{label}.png',
  };
  const paramsSchema = {
    required: ['n'],
    properties: { n: { type: 'integer' }, label: { type: 'string', maxLength: 20 } },
  };

  test('are filled with params: URLs escaped, an absent one empty', () => {
    const world = makeWorld();
    world.open('maker');
    publish(world, { template: { paramsSchema, displayDefaults: display } });
    expect(create(world, { n: 7, label: '../a b' })).toMatchObject({
      title: '7 of ../a b?',
      imageUrl: 'https://example.test/..%2Fa%20b.png',
    });
    expect(create(world, { n: 7 })).toMatchObject({ title: '7 of ?' });
  });

  test.each([
    ['titleTemplate', '{n} {m}'],
    ['subtitleTemplate', '{m}'],
    ['description', 'x{m}y'],
    ['imageUrlPattern', 'https://example.test/{m}'],
    ['titleTemplate', '{constructor}'],
    ['titleTemplate', '{}'],
    ['titleTemplate', '{n.m}'],
  ])('in %s, %j names no property', (key, text) => {
    const displayDefaults = { ...display, [key]: text };
    const found = publish(makeWorld(), { template: { paramsSchema, displayDefaults } });
    expect(found).toMatchObject({ code: 'TEMPLATE_DISPLAY_KEY_MISSING' });
  });

  test('in translations count too, and a full one is kept with the template', () => {
    const translated = (titleTemplate: string, subtitleTemplate: string | null = null) => ({
      paramsSchema,
      displayDefaults: { ...display, translations: { de: { titleTemplate, subtitleTemplate } } },
    });
    const refusal = { code: 'TEMPLATE_DISPLAY_KEY_MISSING', details: { key: 'm' } };
    expect(publish(makeWorld(), { template: translated('{m}') })).toMatchObject(refusal);
    expect(publish(makeWorld(), { template: translated('{n}', '{m}') })).toMatchObject(refusal);
    const world = makeWorld();
    world.open('maker');
    expect(publish(world, { template: translated('{n} von {label}?', 'zu {n}') })).toBe('ok');
    const market = create(world, { n: 7, label: 'x' });
    expect(market).toMatchObject({ title: '7 of x?' });
    expect(market).toMatchObject({
      template: {
        definition: {
          displayDefaults: {
            translations: { de: { titleTemplate: '{n} von {label}?', subtitleTemplate: 'zu {n}' } },
          },
        },
      },
    });
  });

  test('in labels of outcomes count too', () => {
    const outcomes = [
      { id: 'a', label: 'A {n}' },
      { id: 'b', label: '{m}' },
    ];
    const template = { paramsSchema, outcomeSchema: 'multi', outcomes } as const;
    expect(publish(makeWorld(), { deposit: 10, template })).toMatchObject({
      code: 'TEMPLATE_DISPLAY_KEY_MISSING',
      details: { key: 'm' },
    });
  });
});

describe('[TP4] fields', () => {
  const fees = (changes: object) => ({
    feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0, ...changes },
  });
  const oracle = (changes: object) => ({
    oracleConfig: { source: 'manual', params: {}, challengeSec: null, bond: null, ...changes },
  });
  const round = { durationSec: 60, lockOffsetMs: 5000 };
  const title = { titleTemplate: 'T', subtitleTemplate: null };
  const translated = (translations: unknown): Partial<TemplateDefinition> => ({
    displayDefaults: {
      ...title,
      description: null,
      imageUrlPattern: null,
      translations: translations as Record<string, typeof title>,
    },
  });
  const refused: readonly (readonly [string, Partial<TemplateDefinition>])[] = [
    ['id', { id: asTemplateId('no spaces') }],
    ['market_type', { marketType: 'slow' as 'fast' }],
    ['outcomes', { outcomes: [{ id: 'a', label: 'A' }] }],
    ['outcomes', { outcomeSchema: 'multi', outcomes: [{ id: 'a', label: 'A' }] }],
    ['outcomes', { outcomeSchema: 'multi', outcomes: [1, 2].map(() => ({ id: 'a', label: 'A' })) }],
    ['min_bet', { minBet: usdt(2n), maxBet: usdt(1n) }],
    ['fee_schedule.taker_bps', fees({ takerBps: 7 })],
    ['fee_schedule.taker_bps', fees({ takerBps: 21 })],
    ['fee_schedule.maker_bps', fees({ makerBps: 2 })],
    ['fee_schedule.maker_bps', fees({ makerBps: 9 })],
    ['fee_schedule.settle_bps', fees({ settleBps: 1001 })],
    ['fee_schedule.settle_bps', fees({ settleBps: -1 })],
    ['tick_size', { tickPips: 3 as Pips }],
    ['tick_size', { tickPips: 2000 as Pips }],
    ['min_lots', { minLots: 0 }],
    ['duration_sec', { durationSec: 0 }],
    ['duration_sec', { durationSec: 157_766_401 }],
    ['price_band', { bandPips: 0 }],
    ['price_band', { bandPips: 2001 }],
    ['price_band', { bandPips: 0.5 }],
    ['price_band', { marketType: 'fast', roundConfig: round, bandPips: 500 }],
    ['round_config', { roundConfig: round }],
    ['round_config', { marketType: 'fast' }],
    [
      'round_config.lock_offset_ms',
      { marketType: 'fast', roundConfig: { ...round, lockOffsetMs: 60_000 } },
    ],
    ['prior', { prior: [5000] as Pips[] }],
    ['prior', { prior: [5000, 4999] as Pips[] }],
    ['prior', { prior: [9901, 99] as Pips[] }],
    ['oracle_config.challenge_sec', oracle({ challengeSec: -1 })],
    ['display_defaults.translations', translated([])],
    ['display_defaults.translations', translated({ 'no tag': title })],
    ['display_defaults.translations', translated({ DE: title })],
    ['display_defaults.translations', translated({ __proto: title })],
    [
      'display_defaults.translations',
      translated(Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`de-${n + 10}`, title]))),
    ],
    ['display_defaults.translations.de', translated({ de: 'T' })],
    [
      'display_defaults.translations.de.title_template',
      translated({ de: { ...title, titleTemplate: '' } }),
    ],
    [
      'display_defaults.translations.zh-Hant.subtitle_template',
      translated({ 'zh-Hant': { ...title, subtitleTemplate: 'x'.repeat(257) } }),
    ],
    ['min_creator_deposit', { minCreatorDeposit: usdt(1n) }],
    ['min_creator_deposit', { minCreatorDeposit: usdt(-1n) }],
  ];

  test.each(refused)('%s out of range, case %#', (field, template) => {
    expect(publish(makeWorld(), { template })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field },
    });
  });

  test('[MK2] a multi template without a deposit is refused', () => {
    expect(publish(makeWorld(), { outcomes: 3, deposit: 0 })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { field: 'min_creator_deposit' },
    });
  });

  test('the ends of the ranges are inside', () => {
    const template = {
      ...fees({ takerBps: 8, makerBps: 3, settleBps: 1000 }),
      tickPips: 1000 as Pips,
      marketType: 'fast',
      roundConfig: round,
      prior: [9900, 100] as Pips[],
    } as const;
    expect(publish(makeWorld(), { deposit: 100, template })).toBe('ok');
    expect(publish(makeWorld(), { deposit: 100, outcomes: 64 })).toBe('ok');
    for (const bandPips of [1, 2000]) {
      expect(publish(makeWorld(), { template: { bandPips } })).toBe('ok');
    }
    expect(publish(makeWorld(), { template: { durationSec: 157_766_400 } })).toBe('ok');
  });

  test('sources: unknown ones are refused, the mock one outside the sandbox', () => {
    const template = oracle({ source: 'crystal_ball' });
    expect(publish(makeWorld(), { template })).toMatchObject({ code: 'ORACLE_ADAPTER_UNKNOWN' });
    const live = makeWorld({ lane: 'live' });
    expect(publish(live, {})).toMatchObject({ code: 'ORACLE_ADAPTER_UNKNOWN' });
    expect(publish(live, { template: oracle({}) })).toBe('ok');
  });

  test('[CM5] of several faults the earliest code is given', () => {
    const template = { ...oracle({ source: '?' }), paramsSchema: {}, minLots: 0 };
    expect(publish(makeWorld(), { template })).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(publish(makeWorld(), { template: { ...template, minLots: 1 } })).toMatchObject({
      code: 'TEMPLATE_SCHEMA_INVALID',
    });
  });
});
