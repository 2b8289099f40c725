// The templates that both lanes begin with; the sandbox may also use its mock source.

import type { LaneName, TemplateDefinition } from '@sibyl/engine';
import { OWN_DEPOSIT_USDT, ownTemplates } from './own-templates.ts';
import { DAY_SEC, epoch, mockOr, template, text } from './sketch.ts';

/** In the order in which they are published. */
export function seedTemplates(lane: LaneName): readonly TemplateDefinition[] {
  return [
    ...binaryTemplates(lane),
    ...multiTemplates(lane),
    ...scalarTemplates(lane),
    ...ownTemplates(lane),
    ...(lane === 'sandbox' ? fastTemplates() : []),
  ];
}

/** Published and then deprecated, so that clients meet one. */
export function deprecatedTemplate(lane: LaneName): TemplateDefinition {
  return template(lane, {
    id: 'coin-flip',
    name: 'Coin flip',
    category: 'games',
    marketType: 'creator',
    outcomeSchema: 'binary',
    title: 'Will {player} win the toss?',
    translations: {
      de: ['Gewinnt {player} den Münzwurf?'],
      es: ['¿Ganará {player} el lanzamiento de moneda?'],
      zh: ['{player} 会赢得掷硬币吗？'],
    },
    description: 'Resolves to yes if the player wins the toss.',
    properties: { player: text(64) },
    required: ['player'],
    source: 'manual',
    depositUsdt: OWN_DEPOSIT_USDT,
  });
}

function binaryTemplates(lane: LaneName): readonly TemplateDefinition[] {
  const closing = { closes_at_ms: epoch('When trading closes') };
  return [
    template(lane, {
      id: 'price-above',
      name: 'Price above a level',
      category: 'crypto',
      marketType: 'normal',
      outcomeSchema: 'binary',
      title: 'Will {symbol} close above {level}?',
      subtitle: '{symbol} against {level} USDT',
      translations: {
        de: ['Schließt {symbol} über {level}?', '{symbol} gegen {level} USDT'],
        es: ['¿Cerrará {symbol} por encima de {level}?', '{symbol} frente a {level} USDT'],
        zh: ['{symbol} 收盘价会高于 {level} 吗？', '{symbol} 对 {level} USDT'],
      },
      description: 'Resolves to yes if the price in USDT is above the level when trading closes.',
      properties: {
        symbol: { type: 'string', enum: ['BTC', 'ETH', 'SOL'], title: 'Symbol' },
        level: { type: 'number', minimum: 1, title: 'Level in USDT' },
        ...closing,
      },
      required: ['symbol', 'level', 'closes_at_ms'],
      source: mockOr(lane, 'price_feed'),
    }),
    template(lane, {
      id: 'product-launch',
      name: 'Product launch',
      category: 'technology',
      marketType: 'normal',
      outcomeSchema: 'binary',
      title: 'Will {company} launch {product} in time?',
      translations: {
        de: ['Bringt {company} {product} rechtzeitig heraus?'],
        es: ['¿Lanzará {company} {product} a tiempo?'],
        zh: ['{company} 会按时发布 {product} 吗？'],
      },
      description: 'Resolves to yes if the product can be bought before trading closes.',
      properties: { company: text(64), product: text(64), ...closing },
      required: ['company', 'product', 'closes_at_ms'],
      source: mockOr(lane, 'manual'),
    }),
    template(lane, {
      id: 'platform-question',
      name: 'Question of the house',
      category: 'news',
      marketType: 'normal',
      outcomeSchema: 'binary',
      title: '{question}',
      description: 'Resolves to yes or to no.',
      properties: { question: text(160), ...closing },
      required: ['question', 'closes_at_ms'],
      source: 'manual',
    }),
  ];
}

function multiTemplates(lane: LaneName): readonly TemplateDefinition[] {
  const closing = { closes_at_ms: epoch('When trading closes') };
  return [
    template(lane, {
      id: 'match-result',
      name: 'Match result',
      category: 'sports',
      marketType: 'normal',
      outcomeSchema: 'multi',
      outcomes: [
        { id: 'home', label: '{home}' },
        { id: 'draw', label: 'Draw' },
        { id: 'away', label: '{away}' },
      ],
      title: '{home} against {away}',
      translations: {
        de: ['{home} gegen {away}'],
        es: ['{home} contra {away}'],
        zh: ['{home} 对阵 {away}'],
      },
      description: 'Resolves to the winner after regular time, or to a draw.',
      properties: { home: text(48), away: text(48), opens_at_ms: epoch('Opens'), ...closing },
      required: ['home', 'away', 'closes_at_ms'],
      source: mockOr(lane, 'quorum'),
      tick: 50,
    }),
    template(lane, {
      id: 'rate-decision',
      name: 'Rate decision',
      category: 'economy',
      marketType: 'normal',
      outcomeSchema: 'multi',
      outcomes: [
        { id: 'cut', label: 'Cut' },
        { id: 'hold', label: 'No change' },
        { id: 'hike', label: 'Hike' },
      ],
      title: 'What will {bank} decide in {month}?',
      translations: {
        de: ['Was entscheidet {bank} ({month})?'],
        es: ['¿Qué decidirá {bank} ({month})?'],
        zh: ['{bank} 会作何决定（{month}）？'],
      },
      description:
        'Resolves to what the bank announces: a cut, no change or a hike of its main rate.',
      properties: { bank: text(48), month: text(24), ...closing },
      required: ['bank', 'month', 'closes_at_ms'],
      source: 'http_json',
      tick: 50,
    }),
    template(lane, {
      id: 'league-champion',
      name: 'League champion',
      category: 'sports',
      marketType: 'normal',
      outcomeSchema: 'multi',
      outcomes: ['first', 'second', 'third', 'fourth', 'fifth'].map((id) => ({
        id,
        label: `{${id}}`,
      })),
      title: 'Who wins the {league}?',
      translations: {
        de: ['Wer gewinnt die {league}?'],
        es: ['¿Quién gana la {league}?'],
        zh: ['谁将赢得 {league}？'],
      },
      description: 'Resolves to whoever is first at the end of the season.',
      properties: {
        league: text(48),
        first: text(48),
        second: text(48),
        third: text(48),
        fourth: text(48),
        fifth: text(48),
        ...closing,
      },
      required: ['league', 'first', 'second', 'third', 'fourth', 'fifth', 'closes_at_ms'],
      source: mockOr(lane, 'manual'),
      tick: 50,
    }),
  ];
}

function scalarTemplates(lane: LaneName): readonly TemplateDefinition[] {
  const bounds = { lower: text(20), upper: text(20), closes_at_ms: epoch('When trading closes') };
  return [
    template(lane, {
      id: 'price-range',
      name: 'Price within a range',
      category: 'crypto',
      marketType: 'normal',
      outcomeSchema: 'scalar',
      title: '{symbol} between {lower} and {upper}',
      translations: {
        de: ['{symbol} zwischen {lower} und {upper}'],
        es: ['{symbol} entre {lower} y {upper}'],
        zh: ['{symbol} 在 {lower} 与 {upper} 之间'],
      },
      description:
        'Pays by where the price in USDT lies between the lower and the upper end when trading closes.',
      properties: {
        symbol: { type: 'string', enum: ['BTC', 'ETH', 'SOL'], title: 'Symbol' },
        ...bounds,
      },
      required: ['symbol', 'lower', 'upper', 'closes_at_ms'],
      source: mockOr(lane, 'price_feed'),
    }),
    template(lane, {
      id: 'city-temperature',
      name: 'Highest temperature',
      category: 'weather',
      marketType: 'normal',
      outcomeSchema: 'scalar',
      title: 'Highest temperature in {city}',
      subtitle: 'Degrees Celsius from {lower} to {upper}',
      translations: {
        de: ['Höchsttemperatur in {city}', 'Grad Celsius von {lower} bis {upper}'],
        es: ['Temperatura máxima en {city}', 'Grados Celsius de {lower} a {upper}'],
        zh: ['{city} 的最高气温', '摄氏 {lower} 至 {upper} 度'],
      },
      description:
        'Pays by where the highest temperature before trading closes lies between the lower and the upper end.',
      properties: { city: text(48), ...bounds },
      required: ['city', 'lower', 'upper', 'closes_at_ms'],
      source: 'manual',
      challengeSec: 3 * DAY_SEC,
    }),
  ];
}

function fastTemplates(): readonly TemplateDefinition[] {
  return (['BTC', 'ETH'] as const).map((symbol) =>
    template('sandbox', {
      id: `${symbol.toLowerCase()}-up-or-down-5m`,
      name: `${symbol} up or down, 5 minutes`,
      category: 'crypto',
      marketType: 'fast',
      outcomeSchema: 'binary',
      title: '{symbol} at or above {strike}?',
      translations: {
        de: ['{symbol} bei {strike} oder höher?'],
        es: ['¿{symbol} en {strike} o más?'],
        zh: ['{symbol} 是否不低于 {strike}？'],
      },
      description:
        'Resolves to yes (up) if the price at the end of the round is at or above the strike, else to no (down).',
      properties: {
        symbol: { type: 'string', enum: [symbol] },
        strike: text(20),
        opens_at_ms: epoch('When the round opens'),
      },
      required: ['symbol', 'strike', 'opens_at_ms'],
      source: 'sandbox_mock',
      sourceParams: { symbol },
      challengeSec: 0,
      // So early that the price at the lock tells the result in fewer than four rounds of five.
      round: { durationSec: 300, lockOffsetMs: 120_000 },
    }),
  );
}
