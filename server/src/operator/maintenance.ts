// Maintenance by the operator: announced, begun, ended.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import type { MaintenanceNews } from '../gateway/maintenance-window.ts';
import { ApiError, actingOperator, fail, type Reply } from '../handling/handler.ts';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['setMaintenance']>['body'];
type MaintenanceState = OutputOf<OperatorOperations['setMaintenance']>;

export function maintenanceActs(parts: OperatorParts): Pick<OperatorHandlers, 'setMaintenance'> {
  return {
    setMaintenance: (request, { body }) =>
      actOnce(parts, request, async () => {
        const news = await setMaintenance(parts, actingOperator(request).operatorId, body);
        return news instanceof ApiError ? news : ({ data: maintenanceView(news) } satisfies Reply);
      }),
  };
}

async function setMaintenance(
  { maintenance, clock }: OperatorParts,
  actor: string,
  input: Input,
): Promise<MaintenanceNews | ApiError> {
  const { phase, reason, effect = 'cancel_only', message = null } = input;
  if (phase === 'ended') return maintenance.end({ actor, reason });
  const nowMs = clock.wallMs();
  if (phase === 'scheduled' && input.starts_at_ms === undefined) {
    return fail('MISSING_FIELD', { field: 'starts_at_ms' });
  }
  const startsAtMs = phase === 'started' ? nowMs : (input.starts_at_ms ?? nowMs);
  if (phase === 'scheduled' && startsAtMs <= nowMs) {
    return fail('VALIDATION_FAILED', { field: 'starts_at_ms', expected: 'in the future' });
  }
  const endsAtMs = input.ends_at_ms ?? null;
  if (endsAtMs !== null && endsAtMs <= startsAtMs) {
    return fail('VALIDATION_FAILED', { field: 'ends_at_ms', expected: 'after the start' });
  }
  return maintenance.plan({ effect, startsAtMs, endsAtMs, message, actor, reason });
}

export function maintenanceView(news: MaintenanceNews): MaintenanceState {
  const { phase, effect, startsAtMs, endsAtMs, ...rest } = news;
  return {
    phase,
    effect,
    starts_at: isoTime(startsAtMs),
    starts_at_ms: startsAtMs,
    ends_at: isoTimeOrNull(endsAtMs),
    ends_at_ms: endsAtMs,
    message: rest.message,
    actor: rest.actor,
    reason: rest.reason,
  };
}
