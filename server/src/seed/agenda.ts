// What happens in the seeded sandbox besides trading, and when: markets begin, halt, end.

import {
  type AccountId,
  asTemplateId,
  type CommandBody,
  type CreateMarket,
  fairValue,
  type MarketId,
  marketIdOf,
  type ParamValue,
  type State,
} from '@sibyl/engine';
import { USDT_ZERO } from '@sibyl/money';
import { creators, noiseTraders, platform } from '../bots/bot-accounts.ts';
import { createRecurring, recurringMarkets } from '../bots/recurring-markets.ts';
import { deprecatedTemplate, seedTemplates } from './templates.ts';

export interface Act {
  readonly atMs: number;
  /** A command, or what makes it of the state at that time. */
  readonly body: CommandBody | ((state: State) => CommandBody);
}

/** Sorted by time; every act must be accepted. */
export function sandboxAgenda(startMs: number, nowMs: number): readonly Act[] {
  const old = deprecatedTemplate('sandbox');
  const acts: Act[] = [
    ...seedTemplates('sandbox').map((template) => ({
      atMs: startMs,
      body: { type: 'publish_template', template } as const,
    })),
    { atMs: startMs, body: { type: 'publish_template', template: old } },
    ...openMarkets(startMs, nowMs),
    ...waitingMarkets(startMs, nowMs),
    ...endedMarkets(startMs, nowMs),
    { atMs: startMs + DAY_MS, body: { type: 'deprecate_template', templateId: old.id } },
  ];
  return acts.toSorted((a, b) => a.atMs - b.atMs);
}

/** Templates, and nothing to trade until somebody makes it. */
export function liveAgenda(nowMs: number): readonly Act[] {
  return seedTemplates('live').map((template) => ({
    atMs: nowMs,
    body: { type: 'publish_template', template } as const,
  }));
}

/** Platform markets for a live lane that is shown around: they open at once and have no money behind them. */
export function liveDemo(nowMs: number): readonly Act[] {
  const questions = [
    ['Will a crewed ship land on the Moon before 2029?', 500],
    ['Will a fusion plant feed the grid before 2032?', 900],
    ['Will the next World Cup final be decided on penalties?', 400],
  ] as const;
  const markets = questions.map(([question, days]) =>
    create(nowMs, platform, 'platform-question', {
      question,
      closes_at_ms: dayAfter(nowMs, days),
    }),
  );
  const temperature = create(nowMs, platform, 'city-temperature', {
    city: 'Lisbon',
    lower: '10',
    upper: '35',
    closes_at_ms: dayAfter(nowMs, 60),
  });
  return [...markets, temperature];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

function openMarkets(startMs: number, nowMs: number): readonly Act[] {
  return recurringMarkets.map((recurring) => ({
    atMs: startMs + recurring.afterHours * HOUR_MS,
    body: createRecurring(recurring, dayAfter(nowMs, recurring.days)),
  }));
}

/** Scheduled, awaiting approval, and halted. */
function waitingMarkets(startMs: number, nowMs: number): readonly Act[] {
  const halted = create(startMs + 5 * DAY_MS, platform, 'rate-decision', {
    bank: 'Northland Bank',
    month: monthOf(dayAfter(nowMs, 25)),
    closes_at_ms: dayAfter(nowMs, 25),
  });
  return [
    create(nowMs - 20 * HOUR_MS, platform, 'match-result', {
      home: 'Harbour City',
      away: 'Old Mill',
      opens_at_ms: dayAfter(nowMs, 2),
      closes_at_ms: dayAfter(nowMs, 9),
    }),
    create(nowMs - 3 * HOUR_MS, creators.ada, 'yes-no-question', {
      question: 'Will the town keep its tram?',
      closes_at_ms: dayAfter(nowMs, 70),
    }),
    halted,
    {
      atMs: nowMs - 2 * HOUR_MS,
      body: {
        type: 'halt_market',
        marketId: marketOf(halted),
        untilMs: null,
        reason: 'unclear announcement',
      },
    },
  ];
}

/** Locked, settling, resolved in three ways, and cancelled. */
function endedMarkets(startMs: number, nowMs: number): readonly Act[] {
  const on = (day: number, hour = 0): number => startMs + day * DAY_MS + hour * HOUR_MS;
  const locked = create(on(2), creators.alan, 'product-launch', {
    company: 'Northwind',
    product: 'Citywheel',
    closes_at_ms: nowMs - 3 * HOUR_MS,
  });
  const settling = create(on(1), platform, 'city-temperature', {
    city: 'Oslo',
    lower: '-10',
    upper: '30',
    closes_at_ms: nowMs - 26 * HOUR_MS,
  });
  const crossed = create(on(0, 5), creators.grace, 'price-above', {
    symbol: 'SOL',
    level: 150,
    closes_at_ms: on(6),
  });
  const played = create(on(3), platform, 'match-result', {
    home: 'Kingsway',
    away: 'Harbour City',
    closes_at_ms: on(8, 20),
  });
  const ranged = create(on(1, 8), creators.ada, 'price-range', {
    symbol: 'BTC',
    lower: '90000',
    upper: '130000',
    closes_at_ms: on(10),
  });
  const abandoned = create(on(5), creators.alan, 'product-launch', {
    company: 'Greyling',
    product: 'Paperphone',
    closes_at_ms: dayAfter(nowMs, 50),
  });
  return [
    locked,
    settling,
    {
      atMs: nowMs - 24 * HOUR_MS,
      body: {
        type: 'propose_resolution',
        marketId: marketOf(settling),
        proposerId: null,
        result: { kind: 'value', value: '11.4' },
        evidence: ['https://weather.example/oslo'],
        bond: USDT_ZERO,
      },
    },
    crossed,
    mock(on(6, 1), marketOf(crossed), 'yes'),
    played,
    mock(on(8, 22), marketOf(played), 'away'),
    ranged,
    {
      atMs: on(10, 1),
      body: {
        type: 'report_readings',
        marketId: marketOf(ranged),
        readings: [{ source: 'sandbox_mock', value: '108250.75' }],
      },
    },
    abandoned,
    ...cancellation(marketOf(abandoned), on(9)),
  ];
}

/** A traded market is halted, and paid the prices of its last 30 hours. */
function cancellation(marketId: MarketId, atMs: number): readonly Act[] {
  const reason = 'product withdrawn';
  const window = { fromMs: atMs - 30 * HOUR_MS, toMs: atMs };
  const propose = (state: State): CommandBody => {
    const value = fairValue(state, state.markets.get(marketId)!, window);
    if ('code' in value) throw new Error(`seeding: no fair value of ${marketId}: ${value.code}`);
    return {
      type: 'propose_void',
      marketId,
      cause: 'event',
      reason,
      evidence: ['https://greyling.example/paperphone'],
      window,
      excluded: [],
      expected: value.payout,
    };
  };
  const confirm = { type: 'rule_resolution', ruling: 'upheld', result: null, alone: true } as const;
  return [
    { atMs, body: { type: 'halt_market', marketId, untilMs: null, reason } },
    { atMs, body: propose },
    // After the notice of lanes that have one.
    { atMs: atMs + 25 * HOUR_MS, body: { ...confirm, marketId } },
  ];
}

type CreateAct = Act & { readonly body: CreateMarket };

function create(
  atMs: number,
  accountId: AccountId,
  templateId: string,
  params: Readonly<Record<string, ParamValue>>,
): CreateAct {
  return {
    atMs,
    body: {
      type: 'create_market',
      accountId,
      templateId: asTemplateId(templateId),
      params,
      displayTitle: null,
      displayImageUrl: null,
    },
  };
}

function marketOf({ body }: CreateAct): MarketId {
  return marketIdOf(body.accountId, body.templateId, body.params);
}

function mock(atMs: number, marketId: MarketId, winningOutcomeId: string): Act {
  const [accountId] = noiseTraders;
  return { atMs, body: { type: 'mock_oracle', accountId, marketId, winningOutcomeId } };
}

/** Midnight UTC so many days after the day of the given time. */
function dayAfter(nowMs: number, days: number): number {
  return (Math.floor(nowMs / DAY_MS) + days) * DAY_MS;
}

/** As it is written in any language, for titles that are read in all of them. */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}
