// Templates of every kind that the rules allow, drawn at random.
import type { PlainTemplate } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';

const MICRO = 1_000_000n;

/** A valid template of the given id, with at most so many outcomes. */
export function drawTemplate(
  random: Prng,
  id: string,
  lane: 'live' | 'sandbox',
  mostOutcomes: number,
): PlainTemplate {
  const outcomeSchema = random.weighted([
    [5, 'binary'],
    [3, 'multi'],
    [2, 'scalar'],
  ] as const);
  const fast = outcomeSchema === 'binary' && random.chance(1, 4);
  const count = outcomeSchema === 'multi' ? drawCount(random, mostOutcomes) : 2;
  const poolless = outcomeSchema !== 'multi' && random.chance(1, 4);
  const deposit = poolless ? 0n : drawDeposit(random, count);
  return {
    id,
    name: `Template ${id}`,
    category: random.pick(['sport', 'crypto', 'weather']),
    marketType: fast ? 'fast' : random.pick(['normal', 'creator', 'creator'] as const),
    outcomeSchema,
    outcomes:
      outcomeSchema === 'multi'
        ? Array.from({ length: count }, (_, index) => ({
            id: `o${index}`,
            label: `Side ${index} of {topic}`,
          }))
        : [],
    minBet: random.weighted([
      [6, 0n],
      [2, 10_000n],
      [2, MICRO],
    ]),
    maxBet: random.weighted([
      [8, 10n ** 14n],
      [2, 2000n * MICRO],
    ]),
    feeSchedule: drawFees(random),
    paramsSchema: SCHEMA,
    displayDefaults: {
      titleTemplate: '{topic} number {nonce}',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: random.chance(1, 2) ? 'https://img.example/{topic}.png' : null,
      ...(outcomeSchema === 'scalar' ? { translations: GERMAN } : {}),
    },
    roundConfig: fast
      ? { durationSec: random.between(60, 900), lockOffsetMs: random.pick([0, 1, 10_000, 59_999]) }
      : null,
    oracleConfig: {
      source: drawSource(random, fast, lane),
      params: {},
      challengeSec: random.pick([null, 0, 600, 7200]),
      bond: random.pick([null, 0n, 25n * MICRO + 1n]),
    },
    minCreatorDeposit: deposit,
    durationSec: random.pick([1800, 7200, 86_400, 604_800]),
    tickPips: random.weighted([
      [5, 10],
      [2, 1],
      [2, 100],
      [1, 25],
      [1, 1000],
    ]),
    minLots: random.pick([1, 10, 100]),
    prior: deposit > 0n && random.chance(1, 3) ? drawPrior(random, count) : null,
    requiresApproval: random.chance(1, 8),
    bandPips: fast ? null : drawBand(random),
  };
}

const GERMAN = { de: { titleTemplate: '{topic}, Nummer {nonce}', subtitleTemplate: null } };

const SCHEMA = {
  type: 'object',
  required: ['nonce'],
  properties: {
    nonce: { type: 'integer', minimum: 0, maximum: 1_000_000_000 },
    topic: { type: 'string', maxLength: 40 },
    ratio: { type: 'number', minimum: -10.5, maximum: 10.5 },
    final: { type: 'boolean' },
    region: { type: 'string', enum: ['north', 'south'] },
    opens_at_ms: { type: 'integer' },
    closes_at_ms: { type: 'integer' },
    lower: { type: 'string', maxLength: 40 },
    upper: { type: 'string', maxLength: 40 },
    strike: { type: 'string', maxLength: 40 },
  },
};

/** Schemas that must be refused. */
export const BAD_SCHEMAS: readonly unknown[] = [
  null,
  [],
  { type: 'array', properties: {} },
  { type: 'object', properties: { a: { type: 'string' } } },
  { type: 'object', properties: { a: { type: 'string', pattern: '.*', maxLength: 5 } } },
  { type: 'object', properties: { a: { $ref: '#' } } },
  { type: 'object', properties: { constructor: { type: 'boolean' } } },
  { type: 'object', properties: { a: { type: 'integer', minimum: 5, maximum: 4 } } },
  { type: 'object', properties: { a: { type: 'boolean' } }, required: ['b'] },
  { type: 'object', properties: {}, oneOf: [] },
];

function drawFees(random: Prng): PlainTemplate['feeSchedule'] {
  return {
    makerBps: random.pick([8, 8, 8, 8, 3, 5]),
    takerBps: random.pick([20, 20, 20, 20, 8, 13]),
    settleBps: random.pick([0, 0, 0, 0, 25, 1000]),
  };
}

function drawCount(random: Prng, most: number): number {
  const count = random.weighted([
    [6, 3],
    [3, 4],
    [2, 5],
    [2, 8],
    [1, 2],
    [1, 64],
  ]);
  return Math.min(count, most);
}

/** Mostly the lane's; else narrow enough to be met by ordinary orders. */
function drawBand(random: Prng): number | null {
  return random.weighted([
    [6, null],
    [2, 500],
    [2, 150],
    [1, 20],
    [1, 1],
    [1, 2000],
  ]);
}

function drawDeposit(random: Prng, count: number): bigint {
  const whole = random.weighted([
    [4, 1000n],
    [3, 100n],
    [2, 20n],
    [1, 50_000n],
  ]);
  const micro = BigInt(random.between(0, 999_999));
  return whole * MICRO * (count > 8 ? 3n : 1n) + micro;
}

/** Pips that sum to 10000 with none under 100. */
function drawPrior(random: Prng, count: number): number[] {
  const prior = new Array<number>(count).fill(100);
  let left = 10_000 - 100 * count;
  for (let index = 0; index < count - 1; index += 1) {
    const part = random.between(0, Math.floor(left / 2));
    prior[index] = 100 + part;
    left -= part;
  }
  prior[count - 1] = 100 + left;
  return prior;
}

function drawSource(random: Prng, fast: boolean, lane: 'live' | 'sandbox'): string {
  const sources = fast ? ['price_feed', 'quorum'] : ['manual', 'http_json', 'price_feed'];
  return lane === 'sandbox' && random.chance(1, 2) ? 'sandbox_mock' : random.pick(sources);
}
