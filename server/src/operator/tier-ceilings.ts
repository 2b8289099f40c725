// Ceilings of the tiers: platform records in versions, which both lanes share.

import { type InputOf, type OperatorOperations, type OutputOf, tiers } from '@sibyl/contract';
import { parseMoney } from '@sibyl/money';
import { type CeilingVersion, TierCeilings } from '../gateway/tier-ceilings.ts';
import {
  type ApiError,
  actingOperator,
  fail,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { announcedView } from './announced-view.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['setTierCeilings']>['body'];
type Shown = OutputOf<OperatorOperations['getTierCeilings']>;

export function ceilingActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'setTierCeilings' | 'getTierCeilings'> {
  return {
    setTierCeilings: (request, { body }) =>
      actOnce(parts, request, () => set(parts, request, body)),
    getTierCeilings: async () => ({ data: await shown(parts) }),
  };
}

async function set(
  parts: OperatorParts,
  request: RequestContext,
  input: Input,
): Promise<Reply<Shown> | ApiError> {
  const { tier, order_notional_max: order, daily_notional_max: daily } = input;
  const { rate_multiplier: rateMultiplier, reason } = input;
  if (order === undefined && daily === undefined && rateMultiplier === undefined) {
    const expected = 'at least one of order_notional_max, daily_notional_max, rate_multiplier';
    return fail('MISSING_FIELD', { field: 'order_notional_max', expected });
  }
  for (const [field, text] of Object.entries({
    order_notional_max: order,
    daily_notional_max: daily,
  })) {
    const isAmount = text === undefined || text === null || isPositive(text);
    if (!isAmount) return fail('VALIDATION_FAILED', { field, expected: 'an amount above 0' });
  }
  const change = {
    ...(order === undefined ? {} : { orderNotionalMax: order }),
    ...(daily === undefined ? {} : { dailyNotionalMax: daily }),
    ...(rateMultiplier === undefined ? {} : { rateMultiplier }),
  };
  const { operatorId: actor } = actingOperator(request);
  const by = { actor, reason, atMs: parts.clock.wallMs() };
  await TierCeilings.of(parts.platform).set(tier, change, by);
  return { data: await shown(parts) };
}

function isPositive(text: string): boolean {
  const parsed = parseMoney(text, 'USDT');
  return parsed.ok && parsed.value > 0n;
}

async function shown({ platform, clock }: OperatorParts): Promise<Shown> {
  const ceilings = TierCeilings.of(platform);
  const nowMs = clock.wallMs();
  const all = await Promise.all(
    tiers.map(async (tier) => {
      const { limits, pending } = await ceilings.termsOf(tier, nowMs);
      return {
        tier,
        ...fields(limits),
        pending: pending === null ? null : versionView(pending),
      };
    }),
  );
  const versions = await ceilings.versions();
  return { tiers: all, versions: versions.toReversed().map(versionView) };
}

type Caps = Pick<CeilingVersion, 'orderNotionalMax' | 'dailyNotionalMax' | 'rateMultiplier'>;

function fields({ orderNotionalMax, dailyNotionalMax, rateMultiplier }: Caps) {
  return {
    order_notional_max: capText(orderNotionalMax),
    daily_notional_max: capText(dailyNotionalMax),
    rate_multiplier: rateMultiplier,
  };
}

function capText(cap: string | null): string | null {
  const parsed = cap === null ? null : parseMoney(cap, 'USDT');
  return parsed?.ok === true ? amountText(parsed.value) : null;
}

function versionView(announced: CeilingVersion): Shown['versions'][number] {
  const { version, tier } = announced;
  return { version, tier, ...fields(announced), ...announcedView(announced) };
}
