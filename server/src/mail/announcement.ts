// The letters to operators: of an act that waits, who asked for what, why, and what it is about, in words; and of a payout.
import { type AnyOperation, type FactValue, factsOf, operatorOperations } from '@sibyl/contract';
import { asMarketId, asWithdrawalId, type LaneName } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { payoutCommands, withdrawalOf } from '../custody/payout.ts';
import type { RecentLoss } from '../operator/able-operators.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import type { Payout } from '../ports/custody.ts';
import type { Letter } from '../ports/mail.ts';
import { COUNTED_MS, type OperatorRecord, type OperatorStore } from '../ports/operators.ts';
import { amountText } from '../wire/amounts.ts';

/** Where the records lie that an act names by their ids. */
export interface NamedRecords {
  readonly operators: Pick<OperatorStore, 'operators'>;
  readonly lanes: Readonly<Partial<Record<LaneName, Pick<Lane, 'read'>>>>;
}

type Fields = Readonly<Record<string, unknown>>;

interface AskedFor {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Fields;
}

export async function announcementOf(
  approval: ApprovalRecord,
  records: NamedRecords,
): Promise<Omit<Letter, 'to'>> {
  const { approvalId, operation, lane, reason, confirmableAtMs } = approval;
  const operations: Readonly<Record<string, AnyOperation>> = operatorOperations;
  const act = operations[operation]?.summary ?? operation;
  const nameOf = await operatorNames(records);
  const by = nameOf(approval.proposedBy) ?? approval.proposedBy;
  // Written by `propose`.
  const { params = {}, body = {} } = JSON.parse(approval.input) as AskedFor;
  const { lane: _lane, reason: _reason, ...wishes } = body;
  const about = await aboutOf(params, approval, records);
  const operator = nameOf(params.operator_id ?? '');
  const named = operator === null ? about : { operator, ...about };
  const alone =
    confirmableAtMs === null
      ? `It runs once another operator agrees, until ${when(approval.expiresAtMs)}.`
      : `Nobody else could agree, so ${by} may confirm it alone from ${when(confirmableAtMs)} on. If it must not happen, reject it before then, or add another operator (sibyl operator add).`;
  const subject =
    confirmableAtMs === null
      ? `Sibyl: ${act} waits for a second operator`
      : `Sibyl: ${act} by one operator alone, from ${when(confirmableAtMs)} on`;
  const lines = [
    `Asked for by ${by}: ${act}${lane === null ? '' : `, ${lane}`}`,
    '',
    ...linesOf({ facts: factsOf({ reason, ...named, ...params, ...wishes }) }, '  '),
    '',
    alone,
    '',
    `  sibyl admin queue show ${approvalId}`,
    `  sibyl admin queue reject ${approvalId} --reason "…"`,
    '',
  ];
  return { subject, text: lines.join('\n') };
}

/** That a withdrawal may be paid by hand now. */
export function payoutLetter(payout: Payout): Omit<Letter, 'to'> {
  const withdrawalId = withdrawalOf(payout);
  const amount = `${amountText(payout.amount)} USDT`;
  const { destination } = payout;
  const lines = [
    'A withdrawal may be paid now, and waits for somebody who pays it by hand.',
    '',
    ...linesOf({ facts: factsOf({ amount, destination, withdrawal_id: withdrawalId }) }, '  '),
    '',
    'Take it up before you pay it, never pay it by this letter alone: what has come up since stops it only then.',
    '',
    ...payoutCommands(withdrawalId).map((command) => `  ${command}`),
    '',
  ];
  return { subject: `Sibyl: ${amount} to be paid by hand`, text: lines.join('\n') };
}

/** That an operator who could approve was disabled or lost a role. */
export function lossLetter(
  { name, operatorId }: Pick<OperatorRecord, 'name' | 'operatorId'>,
  { atMs, isDisabled, roles }: RecentLoss,
): Omit<Letter, 'to'> {
  const what = isDisabled ? 'was disabled' : 'lost a role';
  const untilMs = atMs + COUNTED_MS;
  const lines = [
    `The operator ${oneLine(name)} ${what} at ${when(atMs)}. Roles before: ${roles.join(', ')}.`,
    '',
    `Until ${when(untilMs)} this operator still counts as one who could approve, so no other operator confirms an act alone.`,
    'If nobody you know intended this, look for who did it:',
    '',
    '  sibyl admin trail list --order newest --limit 20',
    '  sibyl admin operators list',
    '',
  ];
  return {
    subject: `Sibyl: operator ${oneLine(name)} (${operatorId}) ${what}`,
    text: lines.join('\n'),
  };
}

/** Null for the id of nobody. */
async function operatorNames({
  operators,
}: NamedRecords): Promise<(operatorId: string) => string | null> {
  const known = await operators.operators();
  return (operatorId) =>
    operatorId === 'token'
      ? 'the operator token'
      : (known.find((operator) => operator.operatorId === operatorId)?.name ?? null);
}

/** A lane that stands still tells nothing, and no letter waits for it. */
async function aboutOf(
  { market_id: marketId, withdrawal_id: withdrawalId }: NonNullable<AskedFor['params']>,
  { lane: laneName }: ApprovalRecord,
  { lanes }: NamedRecords,
): Promise<Fields> {
  const lane = lanes[laneName === 'sandbox' ? 'sandbox' : 'live'];
  if (lane === undefined) return {};
  try {
    return await lane.read(({ markets, funds }) => {
      if (marketId !== undefined) return { market: markets.get(asMarketId(marketId))?.title };
      if (withdrawalId === undefined) return {};
      const withdrawal = funds.withdrawal(asWithdrawalId(withdrawalId));
      if (withdrawal === undefined) return {};
      const { amount, destination, accountId } = withdrawal;
      return { amount: `${amountText(amount)} USDT`, destination, account_id: accountId };
    });
  } catch {
    return {};
  }
}

/** What lies inside a record or a list stands indented below its name. */
function linesOf(value: Exclude<FactValue, string>, indent: string): readonly string[] {
  const deeper = `${indent}  `;
  if ('list' in value) {
    return value.list.flatMap((one) =>
      typeof one === 'string' ? [`${indent}- ${oneLine(one)}`] : ['', ...linesOf(one, deeper)],
    );
  }
  return value.facts.flatMap((fact) =>
    typeof fact.value === 'string'
      ? [`${indent}${fact.label}: ${oneLine(fact.value)}`]
      : [`${indent}${fact.label}:`, ...linesOf(fact.value, deeper)],
  );
}

/** Nobody writes a line into the letter that looks like one of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function when(atMs: number): string {
  return new Date(atMs).toISOString();
}
