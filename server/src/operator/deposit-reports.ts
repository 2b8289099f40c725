// What the custody service reports of deposits: booked in the live lane, and never beside what an operator credited.

import type { DepositReport, ReportedDeposit } from '@sibyl/contract';
import {
  type Answer,
  asAccountId,
  assert,
  type CommandBody,
  OPERATOR_CUSTODY,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import type { CustodyReports } from '../gateway/custody-reports.ts';
import { ApiError, fail, type Reply, refusal } from '../handling/handler.ts';
import type { Custody } from '../ports/custody.ts';
import { reportedDepositView } from '../wire/funds.ts';
import { otherTerms } from './deposit-terms.ts';
import { besideClosing, closedRefusal, depositAmount } from './deposits.ts';
import { laneOf, type OperatorParts } from './parts.ts';

type Command = Extract<CommandBody, { readonly type: 'report_deposit' }>;
type Parts = Pick<OperatorParts, 'opened' | 'depositTurns' | 'closingTurns' | 'log'>;
type Answered = Reply<ReportedDeposit> | ApiError;

export function custodyReports(
  parts: Parts,
  custody: Pick<Custody, 'name' | 'calls'>,
): CustodyReports {
  return {
    calls: custody.calls,
    deposit: (report, requestId) => take(parts, custody, report, requestId),
  };
}

async function take(
  parts: Parts,
  custody: Pick<Custody, 'name'>,
  report: DepositReport,
  requestId: string,
): Promise<Answered> {
  const watched = laneOf(parts, 'live');
  if (watched instanceof ApiError) return watched;
  const amount = depositAmount(report.amount);
  if (amount instanceof ApiError) return amount;
  const { account_id, reference, state, confirmations = 0, reason = null } = report;
  const command: Command = {
    type: 'report_deposit',
    accountId: asAccountId(account_id),
    custody: custody.name,
    reference,
    amount,
    state,
    confirmations,
    reason,
  };
  const answer = await parts.depositTurns.take(reference, () =>
    besideClosing(
      parts,
      'live',
      command.accountId,
      async () =>
        (await closedRefusal(parts, 'live', command)) ?? book(watched.lane, command, requestId),
    ),
  );
  if (answer instanceof ApiError) {
    const { code } = answer;
    const what = `${custody.name} ${reference}: ${state}`;
    parts.log.write('warn', 'a report of the custody was refused', { code, reason: what });
  }
  return answer;
}

async function book(lane: Lane, command: Command, requestId: string): Promise<Answered> {
  const { reference } = command;
  const byHand = await lane.read(({ funds }) => funds.depositBy(OPERATOR_CUSTODY, reference));
  if (byHand !== undefined) {
    const { depositId } = byHand;
    const details = {
      field: 'reference',
      deposit_id: depositId,
      reason: 'credited by an operator',
    };
    return fail('ALREADY_EXISTS', details);
  }
  const answer = await submit(lane, command, requestId);
  if (answer.ok) {
    assert(answer.result.kind === 'deposit', 'a report is answered with its deposit');
    return { data: reportedDepositView(answer.result.deposit) };
  }
  const { rejection } = answer;
  // The money is there and may not be credited yet: its owner and the operators see it as what is pending.
  if (command.state === 'confirmed' && NOT_YET.has(rejection.code)) {
    await submit(lane, { ...command, state: 'pending' }, requestId);
  }
  return rejection.code === 'ALREADY_EXISTS'
    ? otherTerms(lane, command, 'reference')
    : refusal(rejection);
}

/** Limits that the owner has set and an exclusion, both of which end. */
const NOT_YET: ReadonlySet<string> = new Set(['RISK_LIMIT_BREACH', 'COMPLIANCE_GATE_BLOCKED']);

async function submit(lane: Lane, body: Command, requestId: string): Promise<Answer> {
  const { answer } = await lane.submit({ body, actor: { kind: 'system' }, requestId });
  return answer;
}
