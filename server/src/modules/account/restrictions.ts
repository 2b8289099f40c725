// What somebody may not do at the moment, with reasons: told beforehand, so that nobody finds out by an order.
import type { Restriction as WireRestriction } from '@sibyl/contract';
import { type Account, isExcluded, isHeldByOperator, type State } from '@sibyl/engine';
import type { RequestContext } from '../../handling/handler.ts';
import { isoTime } from '../../wire/times.ts';

type Viewer = Pick<RequestContext, 'permissions' | 'restrictions'>;

const OF_TRADERS = ['trade', 'create_market'] as const;
/** What stops everything that moves money. */
const WRITES: Pick<WireRestriction, 'operations'> = { operations: [...OF_TRADERS, 'withdraw'] };

/** As the codes that operations would be refused with. */
export function restrictionsOf(
  state: State,
  account: Account,
  { permissions, restrictions }: Viewer,
): WireRestriction[] {
  const found: WireRestriction[] = [];
  if (!permissions.includes('trade')) {
    const reason = 'The credential lacks the permission trade.';
    found.push({ ...plain('SCOPE_MISSING', reason), lifted_by: 'permission' });
  }
  if (state.readOnly) {
    const reason = 'The exchange takes no orders at the moment.';
    found.push({ ...plain('READ_ONLY_MODE', reason), ...WRITES, lifted_by: 'time' });
  }
  if (account.frozen) found.push(freeze(account));
  if (isExcluded(account.family, state.nowMs)) found.push(exclusion(account));
  for (const { code, ruleId, operations, reason, liftedBy, untilMs = null } of restrictions ?? []) {
    const rule = { rule_id: ruleId, lifted_by: liftedBy, until_ms: untilMs };
    found.push({ code, operations: [...operations], reason, ...rule });
  }
  return found;
}

/** Whether an order would be refused for it. */
export function stopsOrders({ operations }: WireRestriction): boolean {
  return operations.includes('trade');
}

function plain(code: string, reason: string | null): WireRestriction {
  return {
    code,
    operations: [...OF_TRADERS],
    rule_id: null,
    reason,
    lifted_by: 'operator',
    until_ms: null,
  };
}

/** With its owner the whole family is held. */
function freeze(account: Account): WireRestriction {
  const reason = account.frozenReason ?? account.family.owner.frozenReason;
  const liftedBy = isHeldByOperator(account) ? 'operator' : 'owner';
  return { ...plain('SUBACCOUNT_FROZEN', reason), ...WRITES, lifted_by: liftedBy };
}

function exclusion({ family }: Account): WireRestriction {
  const untilMs = family.limits?.excludedUntilMs ?? 0;
  return {
    ...plain('COMPLIANCE_GATE_BLOCKED', `You have excluded yourself until ${isoTime(untilMs)}.`),
    rule_id: 'self_exclusion',
    lifted_by: 'time',
    until_ms: untilMs,
  };
}
