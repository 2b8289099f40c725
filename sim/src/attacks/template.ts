// The templates from which the arena's markets are made: everything that an attack does not ask for is permissive.
import {
  asTemplateId,
  type LaneName,
  type MarketType,
  type TemplateDefinition,
} from '@sibyl/engine';
import { pips, usdt } from '@sibyl/money';

export interface MarketTerms {
  /** In whole USDT; 0 makes a market without a pool. */
  readonly deposit?: number;
  readonly outcomes?: number;
  /** By default what may be made so: creators' markets have a deposit, the platform's none. */
  readonly type?: MarketType;
  readonly durationSec?: number;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, { readonly type: 'integer' }>>;
  readonly challengeSec?: number | null;
}

const YEAR_SEC = 31_536_000;
const BET_MAX = usdt(1_000_000_000_000_000n);

export function templateOf(id: string, terms: MarketTerms, lane: LaneName): TemplateDefinition {
  const { outcomes = 2, deposit = 0, properties = {} } = terms;
  const isBinary = outcomes === 2;
  return {
    id: asTemplateId(id),
    name: 'Arena',
    category: 'arena',
    marketType: terms.type ?? (deposit > 0 ? 'creator' : 'normal'),
    outcomeSchema: isBinary ? 'binary' : 'multi',
    outcomes: isBinary ? [] : named(outcomes),
    minBet: usdt(0n),
    maxBet: BET_MAX,
    feeSchedule: { makerBps: 8, takerBps: 20, settleBps: 0 },
    paramsSchema: { type: 'object', properties },
    displayDefaults: {
      titleTemplate: terms.title ?? 'Arena',
      subtitleTemplate: null,
      description: null,
      imageUrlPattern: null,
    },
    roundConfig: null,
    oracleConfig: {
      source: lane === 'sandbox' ? 'sandbox_mock' : 'manual',
      params: {},
      challengeSec: terms.challengeSec ?? null,
      bond: null,
    },
    minCreatorDeposit: usdt(BigInt(deposit) * 1_000_000n),
    durationSec: terms.durationSec ?? YEAR_SEC,
    tickPips: pips(10),
    minLots: 1,
    prior: null,
    requiresApproval: false,
    bandPips: null,
  };
}

function named(outcomes: number): TemplateDefinition['outcomes'] {
  return Array.from({ length: outcomes }, (_, index) => ({ id: `o${index}`, label: `o${index}` }));
}
