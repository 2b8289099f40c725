// What operators say became of the payouts that they make by hand: the first word stands, with who said it and when.

import type { WithdrawalRecord } from '@sibyl/engine';
import { payoutOf, withdrawalOf } from '../custody/payout.ts';
import { type ApiError, fail, isoTime } from '../handling/handler.ts';
import type { PayoutEnd, ToldEnd } from '../ports/custody.ts';
import type { OperatorParts } from './parts.ts';

type Parts = Pick<OperatorParts, 'custody' | 'operators'>;

/** What an operator says of a withdrawal. */
interface Said {
  readonly withdrawal: WithdrawalRecord;
  readonly end: PayoutEnd;
  /** The id of the operator. */
  readonly by: string;
}

export function isByHand({ custody }: Parts, withdrawal: WithdrawalRecord): boolean {
  return custody?.settle !== undefined && withdrawal.custody === custody.name;
}

/** Null if that stands in the books of the till now, by this operator; what was said before is a conflict. */
export async function settled(parts: Parts, said: Said): Promise<ApiError | null> {
  const { withdrawal, end, by } = said;
  const stands = await parts.custody?.settle?.(payoutOf(withdrawal), end, by);
  return stands === undefined ? null : conflictWith(parts, said, stands);
}

/** Null if nothing was said of it yet, or just this by the same operator: that changes nothing. */
export async function toldOtherwise(parts: Parts, said: Said): Promise<ApiError | null> {
  const { withdrawal } = said;
  if (!isByHand(parts, withdrawal)) return null;
  const told = (await parts.custody?.told?.(payoutOf(withdrawal))) ?? null;
  return told === null ? null : conflictWith(parts, said, told);
}

async function conflictWith(
  { operators }: Parts,
  { withdrawal, end, by }: Said,
  told: ToldEnd,
): Promise<ApiError | null> {
  const isSame = told.by === by && JSON.stringify(told.end) === JSON.stringify(end);
  if (isSame) return null;
  const name = await nameOf(operators, told.by);
  const at = isoTime(told.atMs);
  const words =
    told.end.state === 'paid'
      ? `${name} said at ${at} that it was paid, by ${told.end.reference}.`
      : `${name} gave it back at ${at}: ${told.end.reason}`;
  const details = {
    withdrawal_id: withdrawal.withdrawalId,
    ...told.end,
    told_by: told.by,
    told_at: at,
    told_at_ms: told.atMs,
  };
  return fail('STATE_CONFLICT', details, words);
}

async function nameOf(operators: Parts['operators'], by: string | null): Promise<string> {
  if (by === null) return 'Somebody';
  if (by === 'token') return 'The operator token';
  return (await operators.operatorById(by))?.name ?? by;
}

/** A reference that names another payout already: told twice by mistake, one of the two is not paid. */
export async function referenceRefusal(
  { custody }: Parts,
  withdrawal: WithdrawalRecord,
  reference: string,
): Promise<ApiError | null> {
  const { payoutId: own } = payoutOf(withdrawal);
  const others = (await custody?.paidBy?.(reference)) ?? [];
  const other = others.find((payoutId) => payoutId !== own);
  if (other === undefined) return null;
  const withdrawalId = withdrawalOf({ payoutId: other });
  const details = { field: 'reference', withdrawal_id: withdrawalId, required: 'shared_transfer' };
  const message = `${withdrawalId} was paid by this reference already. Say shared_transfer if one transfer paid both.`;
  return fail('ALREADY_EXISTS', details, message);
}
