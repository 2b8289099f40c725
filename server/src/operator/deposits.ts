// Money that an operator books: deposits, never beside what the custody reports, and corrections of what was booked wrongly;
// each outside reference once.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  asAccountId,
  assert,
  type CommandBody,
  type DepositRecord,
  OPERATOR_CUSTODY,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { parseMoney, type Usdt } from '@sibyl/money';
import { CLOSED, isClosedByOwner } from '../handling/closed-account.ts';
import {
  ApiError,
  actingOperator,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
  refusal,
} from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { type Act, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['creditDeposit']>;
type Deposit = OutputOf<OperatorOperations['creditDeposit']>;

export function depositActs(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'creditDeposit' | 'correctBalance'> {
  return {
    creditDeposit: (request, input) =>
      actOnce(parts, request, () =>
        parts.depositTurns.take(input.body.external_ref, () => credit(parts, request, input)),
      ),
    correctBalance: (request, input) =>
      actOnce(parts, request, () => correct(parts, request, input)),
  };
}

/** What was known of a reference before deposits were records of the lane. */
interface Claim {
  readonly isBooked: boolean;
}

async function credit(
  parts: OperatorParts,
  request: RequestContext,
  { params, body }: Input,
): Promise<Reply<Deposit> | ApiError> {
  const { lane, external_ref: reference } = body;
  const amount = depositAmount(body.amount);
  if (amount instanceof ApiError) return amount;
  const accountId = asAccountId(params.account_id);
  const refused =
    (await claimed(parts, `deposit ${lane} ${reference}`)) ??
    (await reported(parts, lane, reference)) ??
    (await closedRefusal(parts, lane, { accountId, custody: OPERATOR_CUSTODY, reference }));
  if (refused !== null) return refused;
  const command = { type: 'deposit', accountId, amount, reference } as const;
  const booked = await book(parts, request, body, command);
  // After the ledger, which may refuse it: cut off in between, it is entered when the deposit is told again.
  const isTold = lane === 'live' && !(booked instanceof ApiError);
  if (isTold) await parts.custody?.receive?.(reference, amount);
  return booked;
}

async function correct(
  parts: OperatorParts,
  request: RequestContext,
  { params, body }: InputOf<OperatorOperations['correctBalance']>,
): Promise<Reply<Deposit> | ApiError> {
  const { lane, external_ref: reference } = body;
  const amount = readChange(body.amount);
  if (amount instanceof ApiError) return amount;
  const accountId = asAccountId(params.account_id);
  const command = { type: 'correct_balance', accountId, amount, reference } as const;
  const booked = await book(parts, request, body, command);
  // As with a deposit.
  const isTold = lane === 'live' && !(booked instanceof ApiError);
  if (isTold) await parts.custody?.correct?.(reference, amount);
  return booked;
}

/** Before two people look at a correction: why it could not be carried out at all, or null. */
export async function correctionFault(
  parts: OperatorParts,
  accountId: string,
  amount: string,
): Promise<ApiError | null> {
  const watched = laneOf(parts, 'live');
  if (watched instanceof ApiError) return watched;
  const change = readChange(amount);
  if (change instanceof ApiError) return change;
  const account = await watched.lane.read((state) => state.accounts.get(asAccountId(accountId)));
  const isThere = account !== undefined && account.closedAtMs === null;
  return isThere ? null : fail('NOT_FOUND', { account_id: accountId });
}

function readChange(text: string): Usdt | ApiError {
  const parsed = parseMoney(text, 'USDT');
  if (parsed.ok && parsed.value !== 0n) return parsed.value;
  const expected = 'an amount that is not zero, up to 6 places';
  return fail('VALIDATION_FAILED', { field: 'amount', expected });
}

async function book(
  parts: OperatorParts,
  request: RequestContext,
  { lane, reason }: Act,
  body: CommandBody,
): Promise<Reply<Deposit> | ApiError> {
  const watched = laneOf(parts, lane);
  if (watched instanceof ApiError) return watched;
  const { answer } = await watched.lane.submit({
    body,
    actor: { kind: 'operator', name: actingOperator(request).operatorId, reason },
    requestId: request.requestId,
  });
  if (!answer.ok) return refusal(answer.rejection);
  assert(answer.result.kind === 'deposit', 'what is booked is answered with its record');
  return { data: await depositOf(watched.lane, answer.result.deposit) };
}

/** Exact, and above zero. */
export function depositAmount(text: string): Usdt | ApiError {
  const parsed = parseMoney(text, 'USDT');
  if (parsed.ok && parsed.value > 0n) return parsed.value;
  return fail('VALIDATION_FAILED', { field: 'amount', expected: 'above 0, up to 6 places' });
}

/** What the custody has reported it credits itself; only where that has failed is there something to do by hand. */
async function reported(
  parts: OperatorParts,
  lane: Act['lane'],
  reference: string,
): Promise<ApiError | null> {
  const { custody } = parts;
  if (custody === undefined) return null;
  const watched = laneOf(parts, lane);
  if (watched instanceof ApiError) return watched;
  const known = await watched.lane.read(({ funds }) => funds.depositBy(custody.name, reference));
  if (known === undefined || known.state === 'failed') return null;
  const { depositId, state } = known;
  const details = { field: 'external_ref', deposit_id: depositId, state };
  return fail('ALREADY_EXISTS', details, `The custody has reported this deposit: it is ${state}.`);
}

/** Whoever closed an account cannot get at money in it; what was booked before may be told again. */
export async function closedRefusal(
  parts: Pick<OperatorParts, 'opened'>,
  lane: Act['lane'],
  { accountId, custody, reference }: Pick<DepositRecord, 'accountId' | 'custody' | 'reference'>,
): Promise<ApiError | null> {
  const watched = laneOf(parts, lane);
  if (watched instanceof ApiError) return watched;
  const isClosed = await watched.lane.read(({ accounts, funds }) => {
    const account = accounts.get(accountId);
    if (account === undefined || funds.depositBy(custody, reference) !== undefined) return false;
    return isClosedByOwner(account);
  });
  if (!isClosed) return null;
  const details = { account_id: accountId, reason: CLOSED };
  return fail('NOT_FOUND', details, 'The account was closed by its owner and takes no money.');
}

/** A reference of the time before records: whether its money is booked, the lane cannot say. */
async function claimed({ platform }: OperatorParts, name: string): Promise<ApiError | null> {
  const text = await platform.setting(name);
  if (text === null) return null;
  // Written by programs of that time.
  const { isBooked } = JSON.parse(text) as Claim;
  const reason = isBooked ? 'booked before' : 'look it up in the ledger: its fate is not known';
  return fail('ALREADY_EXISTS', { field: 'external_ref', reason });
}

async function depositOf(lane: Lane, record: DepositRecord): Promise<Deposit> {
  const { depositId, accountId, amount, reference, createdAtMs } = record;
  const free = await lane.read((state) => {
    const account = state.accounts.get(accountId);
    return account === undefined ? 0n : state.ledger.balance(account.free);
  });
  return {
    deposit_id: depositId,
    account_id: accountId,
    lane: lane.name,
    asset: 'USDT',
    amount: amountText(amount),
    external_ref: reference,
    balance_free: amountText(free),
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
  };
}
