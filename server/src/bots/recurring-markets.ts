// The markets that the sandbox always has: when one of them is over, it begins anew.

import {
  type AccountId,
  asTemplateId,
  type CreateMarket,
  type Market,
  type MarketId,
  marketIdOf,
  type ParamValue,
  type State,
} from '@sibyl/engine';
import { creators, platform } from './bot-accounts.ts';
import type { Decisions } from './orders.ts';

export interface RecurringMarket {
  readonly accountId: AccountId;
  readonly template: string;
  /** All but the time of its close. */
  readonly params: Readonly<Record<string, ParamValue>>;
  /** For how long it is open. */
  readonly days: number;
  /** When the seeded sandbox has it for the first time, after its own beginning. */
  readonly afterHours: number;
}

export function createRecurring(recurring: RecurringMarket, closesAtMs: number): CreateMarket {
  const { accountId, template, params } = recurring;
  return {
    type: 'create_market',
    accountId,
    templateId: asTemplateId(template),
    params: { ...params, closes_at_ms: closesAtMs },
    displayTitle: null,
    displayImageUrl: null,
  };
}

/** Remembers the copy of each that was there last, so that there is never a second one. */
export class RecurringMarkets {
  #ids: Map<RecurringMarket, MarketId> | null = null;

  /** What begins anew because it is over, be it by its schedule or by somebody's hand. */
  due(state: State, nowMs: number): Decisions {
    this.#ids ??= idsOf(state);
    const creates: CreateMarket[] = [];
    for (const recurring of recurringMarkets) {
      const id = this.#ids.get(recurring);
      const market = id === undefined ? undefined : state.markets.get(id);
      if (market !== undefined && !isOver(market)) continue;
      if (!isPublished(state, recurring)) continue;
      // A time of its own makes it a market of its own.
      const closesAtMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + recurring.days * DAY_MS;
      const create = createRecurring(recurring, closesAtMs);
      creates.push(create);
      this.#ids.set(recurring, marketIdOf(create.accountId, create.templateId, create.params));
    }
    return creates;
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const recurringMarkets: readonly RecurringMarket[] = [
  {
    accountId: creators.ada,
    template: 'price-above',
    params: { symbol: 'BTC', level: 110_000 },
    days: 45,
    afterHours: 1,
  },
  {
    accountId: platform,
    template: 'platform-question',
    params: { question: 'Will the harbour tunnel open on schedule?' },
    days: 120,
    afterHours: 2,
  },
  {
    accountId: platform,
    template: 'league-champion',
    params: {
      league: 'Northern League',
      first: 'Harbour City',
      second: 'Redmoor',
      third: 'Old Mill',
      fourth: 'Kingsway',
      fifth: 'Any other club',
    },
    days: 180,
    afterHours: 3,
  },
  {
    accountId: creators.grace,
    template: 'price-above',
    params: { symbol: 'ETH', level: 4_000 },
    days: 30,
    afterHours: 28,
  },
  {
    accountId: platform,
    template: 'city-temperature',
    params: { city: 'Reykjavik', lower: '-5', upper: '25' },
    days: 40,
    afterHours: 53,
  },
  {
    accountId: creators.alan,
    template: 'price-range',
    params: { symbol: 'ETH', lower: '3000', upper: '5000' },
    days: 60,
    afterHours: 73,
  },
  {
    accountId: creators.grace,
    template: 'product-launch',
    params: { company: 'Bellweather', product: 'Foldline' },
    days: 90,
    afterHours: 102,
  },
  {
    accountId: platform,
    template: 'match-result',
    params: { home: 'Redmoor', away: 'Kingsway' },
    days: 6,
    afterHours: 218,
  },
];

/** The copy that is not over, or else the latest. */
function idsOf(state: State): Map<RecurringMarket, MarketId> {
  const ids = new Map<RecurringMarket, MarketId>();
  for (const market of state.markets.values()) {
    const recurring = recurringMarkets.find((one) => isCopy(one, market));
    if (recurring === undefined) continue;
    const known = ids.get(recurring);
    const other = known === undefined ? undefined : state.markets.get(known);
    if (other === undefined || isOver(other)) ids.set(recurring, market.id);
  }
  return ids;
}

function isCopy({ accountId, template, params }: RecurringMarket, market: Market): boolean {
  if (market.template.definition.id !== template || market.creator.id !== accountId) return false;
  return Object.entries(params).every(([name, value]) => market.params[name] === value);
}

function isOver({ status }: Market): boolean {
  return status === 'resolved' || status === 'cancelled';
}

function isPublished(state: State, { template }: RecurringMarket): boolean {
  return state.templates.get(asTemplateId(template))?.at(-1)?.status === 'active';
}
