// Who can approve an act, and who could a short time ago.

import { mayAct, type OperatorRole, rolesIn } from '@sibyl/contract';
import { COUNTED_MS, type OperatorRecord, type OperatorStore } from '../ports/operators.ts';

/** Whether at most one operator can approve now, or could within the last seven days: disabling the others makes nobody alone. */
export async function isAlone(
  operators: Pick<OperatorStore, 'operators'>,
  role: OperatorRole,
  nowMs: number,
): Promise<boolean> {
  const able = (await operators.operators()).filter((operator) =>
    mayAct(countedRoles(operator, nowMs), role),
  );
  return able.length < 2;
}

/** Roles that an operator has, or had within the last seven days. */
function countedRoles({ roles, former, disabledAtMs }: OperatorRecord, nowMs: number) {
  const isCounted = (lostAtMs: number): boolean => nowMs - lostAtMs < COUNTED_MS;
  if (disabledAtMs !== null && !isCounted(disabledAtMs)) return [];
  return rolesIn([
    ...roles,
    ...(former !== null && isCounted(former.lostAtMs) ? former.roles : []),
  ]);
}

/** The latest loss of a role with power over money, or over other operators; null if there was none within seven days. */
export function recentLoss(operator: OperatorRecord, nowMs: number): RecentLoss | null {
  const { roles, former, disabledAtMs } = operator;
  const losses = [
    ...(disabledAtMs === null ? [] : [{ atMs: disabledAtMs, isDisabled: true, roles }]),
    ...(former === null ? [] : [{ atMs: former.lostAtMs, isDisabled: false, roles: former.roles }]),
  ];
  const found = losses.find(({ atMs, roles: lost }) => {
    const isRecent = nowMs - atMs < COUNTED_MS;
    return isRecent && POWERFUL.some((role) => lost.includes(role));
  });
  return found ?? null;
}

const POWERFUL: readonly OperatorRole[] = ['admin', 'treasurer'];

export interface RecentLoss {
  readonly atMs: number;
  readonly isDisabled: boolean;
  /** As they were before. */
  readonly roles: readonly string[];
}
