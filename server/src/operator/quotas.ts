// Fair-use quotas: platform records in versions, which both lanes share.

import {
  credentialClasses,
  type InputOf,
  limits,
  type OperatorOperations,
  type OutputOf,
  quotaCategories,
} from '@sibyl/contract';
import { type QuotaVersion, RateQuotas } from '../gateway/rate-quotas.ts';
import { actingOperator, type Reply, type RequestContext } from '../handling/handler.ts';
import { announcedView } from './announced-view.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['setRateQuota']>['body'];
type Shown = OutputOf<OperatorOperations['getRateQuotas']>;

export function quotaActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'setRateQuota' | 'getRateQuotas'> {
  return {
    setRateQuota: (request, { body }) => actOnce(parts, request, () => set(parts, request, body)),
    getRateQuotas: async () => ({ data: await shown(parts) }),
  };
}

async function set(
  parts: OperatorParts,
  request: RequestContext,
  { holder, category, per_minute: perMinute, reason }: Input,
): Promise<Reply<Shown>> {
  const { operatorId: actor } = actingOperator(request);
  const by = { actor, reason, atMs: parts.clock.wallMs() };
  const quotas = await RateQuotas.open(parts.platform);
  await quotas.set(holder, category, perMinute, by);
  return { data: await shown(parts) };
}

async function shown({ platform, clock }: OperatorParts): Promise<Shown> {
  const quotas = await RateQuotas.open(platform);
  const nowMs = clock.wallMs();
  return {
    quotas: credentialClasses.flatMap((holder) =>
      quotaCategories.map((category) => {
        const { current, pending } = quotas.termsOf(holder, category, nowMs);
        const fixed = limits.rate.perMinute[holder][category];
        return {
          holder,
          category,
          per_minute: current?.perMinute ?? fixed,
          pending: pending === null ? null : versionView(pending),
        };
      }),
    ),
    versions: quotas.versions.toReversed().map(versionView),
  };
}

function versionView(announced: QuotaVersion): Shown['versions'][number] {
  const { version, holder, category, perMinute } = announced;
  return { version, holder, category, per_minute: perMinute, ...announcedView(announced) };
}
