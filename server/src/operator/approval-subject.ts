// What an act that waits is about, as it stands now: whoever agrees should have seen it.

import { type AnyOperation, mayAct } from '@sibyl/contract';
import { asMarketId } from '@sibyl/engine';
import type { OperatorIdentity } from '../handling/handler.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import { findAccounts, marketNamed } from './finding.ts';
import { userView } from './found-user.ts';
import { withdrawalNamed } from './found-withdrawals.ts';
import { viewOf } from './operators.ts';
import type { OperatorParts } from './parts.ts';
import type { ActInput } from './supervision.ts';
import { scopesView } from './users.ts';

type Subject = Readonly<Record<string, unknown>>;

/** Acts that let somebody into an account of a user. */
const ABOUT_PERSONS: ReadonlySet<string> = new Set(['removeUserFactors', 'createResetLink']);

/** Null for an act about none of these, and while the lane that knows them stands still. */
export async function subjectOf(
  parts: OperatorParts,
  approval: Pick<ApprovalRecord, 'operation' | 'lane' | 'input'>,
  viewer: Pick<OperatorIdentity, 'roles'>,
): Promise<Record<string, unknown> | null> {
  // Written by `propose`.
  const { params = {} } = JSON.parse(approval.input) as ActInput;
  try {
    const found = ABOUT_PERSONS.has(approval.operation)
      ? await personNamed(parts, params.user_id ?? '', viewer)
      : await recordNamed(parts, approval, params);
    return found === null ? null : { ...found };
  } catch (error) {
    const lane = parts.opened[laneNameOf(approval)]?.lane;
    if (lane?.status().state === 'stopped') return null;
    throw error;
  }
}

/** What an act is about when it is asked for, to be kept with it; of a person no more than the id is kept. */
export function stateThen(
  parts: OperatorParts,
  { id: operation }: AnyOperation,
  asked: ActInput,
): Promise<Record<string, unknown> | null> {
  const lane = typeof asked.body?.lane === 'string' ? asked.body.lane : null;
  return subjectOf(parts, { operation, lane, input: JSON.stringify(asked) }, { roles: [] });
}

async function recordNamed(
  parts: OperatorParts,
  approval: Pick<ApprovalRecord, 'lane'>,
  params: NonNullable<ActInput['params']>,
): Promise<Subject | null> {
  const { operators, opened } = parts;
  const { market_id: marketId, withdrawal_id: withdrawalId, account_id: accountId } = params;
  if (withdrawalId !== undefined) return withdrawalNamed(parts, withdrawalId);
  const lane = opened[laneNameOf(approval)]?.lane;
  if (marketId !== undefined && lane !== undefined) return marketNamed(lane, asMarketId(marketId));
  if (accountId !== undefined && lane !== undefined) {
    const family = await findAccounts(parts, lane, accountId);
    return family.find(({ account_id: id }) => id === accountId) ?? null;
  }
  const { operator_id: operatorId, user_id: userId } = params;
  if (operatorId !== undefined) {
    const operator = await operators.operatorById(operatorId);
    return operator === null ? null : viewOf(operators, operator);
  }
  return userId === undefined ? null : scopesView(userId, await operators.scopesOf(userId));
}

/** The user in full for operators who may find users, and the id alone for others. */
async function personNamed(
  parts: OperatorParts,
  userId: string,
  { roles }: Pick<OperatorIdentity, 'roles'>,
): Promise<Subject | null> {
  const user = await parts.platform.userById(userId);
  if (user === null || !mayAct(roles, 'support')) return { user_id: userId };
  return userView(parts, user);
}

function laneNameOf({ lane }: Pick<ApprovalRecord, 'lane'>): 'live' | 'sandbox' {
  return lane === 'sandbox' ? 'sandbox' : 'live';
}
