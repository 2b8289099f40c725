// The second factor of whoever asks: enrolled, confirmed, renewed and removed.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  type ApiError,
  actingOperator,
  isoTime,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { SecondFactor } from '../proof/second-factor.ts';
import { proofsOf, withoutSession } from './confirmation.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

type FactorActs = Pick<
  OperatorHandlers,
  | 'getOperatorFactor'
  | 'enrolOperatorTotp'
  | 'confirmOperatorTotp'
  | 'removeOperatorTotp'
  | 'renewOperatorRecoveryCodes'
>;

type Factor = OutputOf<OperatorOperations['getOperatorFactor']>;

export function factorActs(parts: OperatorParts, codes: SecondFactor): FactorActs {
  const { operators } = parts;
  return {
    getOperatorFactor: (request) =>
      own(request, async (operatorId) => ({ data: await factorView(operators, operatorId) })),
    enrolOperatorTotp: (request) =>
      own(request, (operatorId, name) => codes.begin(operatorId, name)),
    confirmOperatorTotp: (request, { body }) =>
      own(request, confirmed(parts, codes, request, body.otp)),
    removeOperatorTotp: (request) =>
      own(request, async (operatorId) => {
        const refused = await codes.remove(operatorId);
        return refused ?? { data: await factorView(operators, operatorId) };
      }),
    renewOperatorRecoveryCodes: (request) =>
      own(request, (operatorId) => codes.renewCodes(operatorId)),
  };
}

/** Sessions that are open elsewhere never proved the new factor: they end, and sign in with it. */
function confirmed(
  { operators, clock }: OperatorParts,
  codes: SecondFactor,
  request: RequestContext,
  otp: string,
) {
  return async (operatorId: string) => {
    const answer = await codes.confirm(operatorId, otp);
    if (!('data' in answer)) return answer;
    const nowMs = clock.wallMs();
    for (const { sessionId } of await operators.sessionsOf(operatorId, nowMs)) {
      const isOwn = sessionId === actingOperator(request).session?.sessionId;
      if (!isOwn) await operators.endSession(sessionId, nowMs);
    }
    return answer;
  };
}

/** The token for automation is nobody whom a second factor could belong to. */
async function own<Data>(
  request: RequestContext,
  work: (operatorId: string, name: string) => Promise<Reply<Data> | ApiError>,
): Promise<Reply<Data> | ApiError> {
  const { session, operatorId, name } = actingOperator(request);
  return session === null ? withoutSession() : work(operatorId, name);
}

async function factorView(operators: OperatorStore, operatorId: string): Promise<Factor> {
  const { factors } = operators;
  const confirmedAtMs = (await factors.totpOf(operatorId))?.confirmedAtMs ?? null;
  return {
    totp:
      confirmedAtMs === null
        ? null
        : { confirmed_at: isoTime(confirmedAtMs), confirmed_at_ms: confirmedAtMs },
    recovery_codes_left: await factors.recoveryCodesLeft(operatorId),
    step_up: [...(await proofsOf(operators, operatorId))],
  };
}
