// The short form in which templates of the seed are written: only what differs; the rest is filled in here.

import { asTemplateId, type LaneName, type TemplateDefinition } from '@sibyl/engine';
import { pips, type Usdt, usdt } from '@sibyl/money';

/** German, Spanish and Chinese: the title, and the subtitle where there is one. */
type TemplateTitles = Readonly<Record<'de' | 'es' | 'zh', readonly [string, string?]>>;

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Sketch {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly marketType: TemplateDefinition['marketType'];
  readonly outcomeSchema: TemplateDefinition['outcomeSchema'];
  readonly outcomes?: TemplateDefinition['outcomes'];
  readonly title: string;
  readonly subtitle?: string;
  /** None where the title is what somebody asks in words of their own. */
  readonly translations?: TemplateTitles;
  readonly description?: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  readonly source: string;
  readonly sourceParams?: TemplateDefinition['oracleConfig']['params'];
  readonly challengeSec?: number;
  /** Deep enough for a first order of 10 unless given; none in live, unless it must have one. */
  readonly depositUsdt?: number;
  readonly tick?: number;
  readonly requiresApproval?: boolean;
  readonly round?: TemplateDefinition['roundConfig'];
}

export const DAY_SEC = 86_400;

export function template(lane: LaneName, sketch: Sketch): TemplateDefinition {
  return {
    id: asTemplateId(sketch.id),
    name: sketch.name,
    category: sketch.category,
    marketType: sketch.marketType,
    outcomeSchema: sketch.outcomeSchema,
    outcomes: sketch.outcomes ?? [],
    minBet: usdt(10_000n),
    maxBet: wholeUsdt(100_000),
    feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0 },
    paramsSchema: { type: 'object', required: sketch.required, properties: sketch.properties },
    displayDefaults: {
      titleTemplate: sketch.title,
      subtitleTemplate: sketch.subtitle ?? null,
      description: sketch.description ?? null,
      imageUrlPattern: null,
      ...translationsOf(sketch.translations),
    },
    roundConfig: sketch.round ?? null,
    oracleConfig: {
      source: sketch.source,
      params: sketch.sourceParams ?? {},
      challengeSec: sketch.challengeSec ?? (lane === 'sandbox' ? 3_600 : null),
      bond: wholeUsdt(100),
    },
    minCreatorDeposit: wholeUsdt(sketch.depositUsdt ?? houseDeposit(lane, sketch)),
    durationSec: 30 * DAY_SEC,
    tickPips: pips(sketch.tick ?? 10),
    minLots: 100,
    prior: null,
    requiresApproval: sketch.requiresApproval ?? false,
    bandPips: null,
  };
}

function translationsOf(
  titles: TemplateTitles | undefined,
): Pick<TemplateDefinition['displayDefaults'], 'translations'> {
  if (titles === undefined) return {};
  const entries = Object.entries(titles).map(([tag, [titleTemplate, subtitle]]) => {
    return [tag, { titleTemplate, subtitleTemplate: subtitle ?? null }] as const;
  });
  return { translations: Object.fromEntries(entries) };
}

/** The mock source exists in the sandbox only. */
export function mockOr(lane: LaneName, source: string): string {
  return lane === 'sandbox' ? 'sandbox_mock' : source;
}

export function text(maxLength: number): Readonly<Record<string, unknown>> {
  return { type: 'string', minLength: 1, maxLength };
}

export function epoch(title: string): Readonly<Record<string, unknown>> {
  return { type: 'integer', minimum: 0, title, description: 'Epoch milliseconds.' };
}

/** Markets of the house in live have no money behind them, people make the book; without a pool there is no third outcome. */
function houseDeposit(lane: LaneName, { outcomes = [] }: Sketch): number {
  if (lane === 'live' && outcomes.length === 0) return 0;
  return deepDeposit(outcomes.length === 0 ? 2 : outcomes.length);
}

/**
 * What makes a pool so deep that a first order of 10 USDT on any outcome moves its average price by less than a tenth of
 * a percent: at a price of 1/n it buys 10·n shares, which moves the average by the part (1 − 1/n)·10·n/2b, so that b must
 * be 5,000·(n − 1), and a fifth more to be sure; the deposit is b·ln n.
 */
function deepDeposit(outcomes: number): number {
  return Math.ceil((6_000 * (outcomes - 1) * Math.log(outcomes)) / 100) * 100;
}

function wholeUsdt(amount: number): Usdt {
  return usdt(BigInt(amount) * 1_000_000n);
}
