// Withdrawals that wait for an operator: to be let go, given back, or taken up and paid by hand.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { assert, asWithdrawalId, type CommandBody, type WithdrawalRecord } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import {
  ApiError,
  actingOperator,
  fail,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { ownerHeldUntilMs, ownerOf, payoutRestriction } from '../handling/payout-obstacle.ts';
import { refused } from '../handling/restriction.ts';
import { Turns } from '../handling/turns.ts';
import { answerFirst, isAnswered } from '../wire/first-answer.ts';
import { whileHeld, withdrawalView } from '../wire/funds.ts';
import { ownerWords } from '../wire/public-words.ts';
import { withdrawalNamed } from './found-withdrawals.ts';
import { isByHand, referenceRefusal, settled, toldOtherwise } from './hand-payouts.ts';
import { act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type Input = InputOf<OperatorOperations['rejectWithdrawal']>;
type Found = OutputOf<OperatorOperations['inspectWithdrawal']>;
type Decided = OutputOf<OperatorOperations['rejectWithdrawal']>;

/** What is asked of the lane; a refusal where that cannot be said. */
type Decision = (
  parts: OperatorParts,
  lane: Lane,
  input: Input,
  request: RequestContext,
) => Promise<CommandBody | ApiError>;

type WithdrawalActs = Pick<
  OperatorHandlers,
  'approveWithdrawal' | 'rejectWithdrawal' | 'takeWithdrawal' | 'markWithdrawalPaid'
>;

export function withdrawalActs(parts: OperatorParts): WithdrawalActs {
  // The lane takes what was sent to be sent again; two operators who take it up at once must see each other.
  const turns = new Turns();
  return {
    takeWithdrawal: (request, input) =>
      turns.take(input.params.withdrawal_id, () => decide(parts, request, input, taking)),
    approveWithdrawal: (request, input) => decide(parts, request, input, approval),
    rejectWithdrawal: (request, input) => decide(parts, request, input, rejection),
    // One reference for two withdrawals, told at once, must be seen too.
    markWithdrawalPaid: (request, input) => {
      const { reference: told, shared_transfer: isShared = false } = input.body;
      const reference = told.trim();
      const decision = payment(reference, isShared);
      return turns.take(`by ${reference}`, () => decide(parts, request, input, decision));
    },
  };
}

/** Not while compliance has something against its owner, which may be newer than the withdrawal. */
const approval: Decision = async (parts, lane, { params }) => {
  const withdrawalId = asWithdrawalId(params.withdrawal_id);
  const ownerId = await lane.read((state) => {
    const known = state.funds.withdrawal(withdrawalId);
    return known === undefined ? null : ownerOf(state, known);
  });
  const restriction = ownerId === null ? null : await payoutRestriction(parts, ownerId);
  if (restriction !== null) return refused(restriction);
  const nothing = { reference: null, reason: null };
  return { type: 'advance_withdrawal', withdrawalId, step: 'approve', ...nothing };
};

const rejection: Decision = async (parts, lane, { params, body }, request) => {
  const withdrawalId = asWithdrawalId(params.withdrawal_id);
  const known = await lane.read(({ funds }) => funds.withdrawal(withdrawalId));
  if (known === undefined) return fail('NOT_FOUND', { withdrawal_id: withdrawalId });
  const { accountId } = known;
  const reason = body.message ?? ownerWords.rejected;
  const by = actingOperator(request).operatorId;
  const said = { withdrawal: known, end: { state: 'failed', reason }, by } as const;
  if (known.state !== 'sent' || !isByHand(parts, known)) {
    const conflict = await toldOtherwise(parts, said);
    return conflict ?? { type: 'cancel_withdrawal', withdrawalId, accountId, reason };
  }
  const step = { step: 'fail', reference: null, reason } as const;
  const conflict = await settled(parts, said);
  return conflict ?? { type: 'advance_withdrawal', withdrawalId, ...step };
};

/** Only what would be shown as ready to be paid: nothing that came up since it was asked for is overlooked. */
const taking: Decision = async (parts, lane, { params }, { idempotency, receivedAtMs }) => {
  const withdrawalId = asWithdrawalId(params.withdrawal_id);
  const nothing = { reference: null, reason: null };
  const command = { type: 'advance_withdrawal', withdrawalId, step: 'send', ...nothing } as const;
  const isRepeated =
    idempotency !== undefined &&
    (await lane.read((state) => isAnswered(state, idempotency, receivedAtMs)));
  if (isRepeated) return command;
  const found = await withdrawalNamed(parts, withdrawalId);
  if (found === null) return fail('NOT_FOUND', { withdrawal_id: withdrawalId });
  const { state, waits_for: wait, restriction, held_until_at: heldUntil } = found;
  if (wait === 'payout') return command;
  const details = { withdrawal_id: withdrawalId, state, waits_for: wait };
  const obstacle = { ...details, restriction, held_until_at: heldUntil };
  return fail('STATE_CONFLICT', obstacle, obstacleWords(found));
};

function obstacleWords({ state, waits_for: wait, ...found }: Found): string {
  switch (wait) {
    case 'compliance':
      return `Do not pay it: its owner is restricted by now (${found.restriction}).`;
    case 'frozen':
      return 'Do not pay it: its account is frozen.';
    case 'time':
      return `Do not pay it yet: it is held until ${found.held_until_at}.`;
    case 'operator':
      return 'Do not pay it yet: two operators have to agree first.';
    case 'payout_taken':
      return 'Somebody has taken it up already; the trail says who.';
    case 'custody':
    case 'other_custody':
      return 'It is not paid from the till of this server.';
    default:
      return `Do not pay it: it is ${state}.`;
  }
}

/** The books of the till first: cut off after that, whoever drives withdrawals goes on from them. */
function payment(reference: string, isShared: boolean): Decision {
  return async (parts, lane, { params }, request) => {
    const withdrawalId = asWithdrawalId(params.withdrawal_id);
    const known = await lane.read(({ funds }) => funds.withdrawal(withdrawalId));
    if (known === undefined) return fail('NOT_FOUND', { withdrawal_id: withdrawalId });
    const step = { step: 'complete', reference, reason: null } as const;
    const command = { type: 'advance_withdrawal', withdrawalId, ...step } as const;
    const by = actingOperator(request).operatorId;
    const said = { withdrawal: known, end: { state: 'paid', reference }, by } as const;
    const conflict = await toldOtherwise(parts, said);
    if (conflict !== null) return conflict;
    // Told before by the same operator, in the same words.
    const isTold = known.state === 'completed' && known.reference === reference;
    if (isTold && isByHand(parts, known)) return command;
    if (known.state !== 'sent' || !isByHand(parts, known)) {
      const isEarly = known.state === 'requested' || known.state === 'held';
      return conflictOf(known, isEarly ? NOT_TAKEN : undefined);
    }
    const taken = isShared ? null : await referenceRefusal(parts, known, reference);
    return taken ?? (await settled(parts, said)) ?? command;
  };
}

const NOT_TAKEN = 'It was not taken up to be paid: take it up first, which says whether it may be.';

function conflictOf({ withdrawalId, state, reason }: WithdrawalRecord, message?: string): ApiError {
  return fail('STATE_CONFLICT', { withdrawal_id: withdrawalId, state, reason }, message);
}

async function decide(
  parts: OperatorParts,
  request: RequestContext,
  input: Input,
  decision: Decision,
): Promise<Reply<Decided> | ApiError> {
  const watched = laneOf(parts, input.body.lane);
  if (watched instanceof ApiError) return watched;
  const { lane } = watched;
  const command = await decision(parts, lane, input, request);
  if (command instanceof ApiError) return command;
  const outcome = await act(lane, request, input.body, command);
  if (outcome instanceof ApiError) return outcome;
  const { answer, replayed } = outcome;
  assert(answer.ok && answer.result.kind === 'withdrawal', 'a step is answered with its record');
  const { withdrawal } = answer.result;
  // The lane takes what has failed to be cancelled again; whoever rejects is told if it had ended by another hand.
  const isOthers =
    'reason' in command && withdrawal.state === 'failed' && withdrawal.reason !== command.reason;
  if (isOthers) return conflictOf(withdrawal);
  const { accountId } = withdrawal;
  const ownerId = await lane.read((state) => ownerOf(state, withdrawal));
  const heldUntilMs = await ownerHeldUntilMs(parts, ownerId);
  return answerFirst(parts, lane, request, outcome, async () => ({
    data: { account_id: accountId, ...withdrawalView(whileHeld(withdrawal, heldUntilMs)) },
    replayed,
  }));
}
