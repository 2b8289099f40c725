// Money that an operator books: deposits, never beside what the custody reports, and corrections of what was booked wrongly;
// each outside reference once.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  type Account,
  type AccountId,
  asAccountId,
  assert,
  asWithdrawalId,
  CORRECTION,
  type CommandBody,
  checkFree,
  type DepositRecord,
  OPERATOR_CUSTODY,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { parseMoney, type Usdt } from '@sibyl/money';
import { CLOSED, isClosedByOwner } from '../handling/closed-account.ts';
import {
  ApiError,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
  refusal,
} from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { otherTerms } from './deposit-terms.ts';
import { type Act, actorOf, laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['creditDeposit']>;
type Deposit = OutputOf<OperatorOperations['creditDeposit']>;
/** As against what waits for a second operator. */
type Booked = Extract<Deposit, { readonly deposit_id: string }>;

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
  const booked = await besideClosing(parts, lane, accountId, async () => {
    const asked = { accountId, reference, isBeside: body.beside_custody === true };
    const refused = await creditRefusal(parts, lane, asked);
    if (refused !== null) return refused;
    return book(parts, request, body, { type: 'deposit', accountId, amount, reference });
  });
  // After the ledger, which may refuse it: cut off in between, it is entered when the deposit is told again.
  const isTold = lane === 'live' && !(booked instanceof ApiError);
  if (isTold) await parts.custody?.receive?.(reference, amount);
  return booked;
}

/** Why it is not credited by hand, whatever the lane says; null if it may be. */
async function creditRefusal(
  parts: OperatorParts,
  lane: Act['lane'],
  { accountId, reference, isBeside }: CreditAsked,
): Promise<ApiError | null> {
  return (
    (await claimed(parts, `deposit ${lane} ${reference}`)) ??
    (await reported(parts, lane, reference)) ??
    (await closedRefusal(parts, lane, { accountId, custody: OPERATOR_CUSTODY, reference })) ??
    (isBeside ? null : await besideCustody(parts, lane, reference))
  );
}

/** A custody that reports what it receives knows nothing of what is booked by hand: whoever does so has to know that. */
async function besideCustody(
  { custody, opened }: OperatorParts,
  lane: Act['lane'],
  reference: string,
): Promise<ApiError | null> {
  if (lane !== 'live' || custody?.calls === undefined) return null;
  const known = await opened.live?.lane.read(({ funds }) =>
    funds.depositBy(OPERATOR_CUSTODY, reference),
  );
  // What was booked is told again as it is.
  if (known !== undefined) return null;
  const details = { reason: 'custody_reports', custody: custody.name, required: 'beside_custody' };
  const message = `${custody.name} reports deposits by itself and has not reported this one: booked by hand, it is a lasting difference in the reconciliation unless the money is in its books. Say beside_custody if that is meant.`;
  return fail('STATE_CONFLICT', details, message);
}

async function correct(
  parts: OperatorParts,
  request: RequestContext,
  { params, body }: InputOf<OperatorOperations['correctBalance']>,
): Promise<Reply<Deposit> | ApiError> {
  const { lane } = body;
  const reference = referenceOf(body.external_ref);
  const amount = readChange(body.amount);
  if (amount instanceof ApiError) return amount;
  const accountId = asAccountId(params.account_id);
  const booked = await besideClosing(parts, lane, accountId, async () => {
    const refused = await correctionRefusal(parts, lane, { accountId, amount, reference });
    if (refused !== null) return refused;
    return book(parts, request, body, { type: 'correct_balance', accountId, amount, reference });
  });
  // As with a deposit.
  const isTold = lane === 'live' && !(booked instanceof ApiError);
  if (isTold) await parts.custody?.correct?.(reference, amount);
  return booked;
}

interface CreditAsked {
  readonly accountId: AccountId;
  readonly reference: string;
  /** Whoever asks knows that the custody has not reported it. */
  readonly isBeside: boolean;
}

interface AskedBooking {
  readonly accountId: string;
  readonly amount: string;
  readonly reference: string;
}

/** Before two people look at a deposit of live: why it could not be credited at all, or null. */
export async function depositFault(
  parts: OperatorParts,
  asked: AskedBooking & Pick<CreditAsked, 'isBeside'>,
): Promise<ApiError | null> {
  const money = askedMoney(parts, 'live', asked.amount);
  if (money instanceof ApiError) return money;
  const accountId = asAccountId(asked.accountId);
  if (!(await money.lane.read(({ accounts }) => accounts.has(accountId)))) {
    return fail('NOT_FOUND', { account_id: asked.accountId });
  }
  const { reference, isBeside } = asked;
  return creditRefusal(parts, 'live', { accountId, reference, isBeside });
}

/** Before two people look at a correction: why it could not be carried out at all, or null. */
export async function correctionFault(
  parts: OperatorParts,
  { accountId, amount, reference: asked }: AskedBooking,
): Promise<ApiError | null> {
  const reference = referenceOf(asked);
  const watched = laneOf(parts, 'live');
  if (watched instanceof ApiError) return watched;
  const change = readChange(amount);
  if (change instanceof ApiError) return change;
  const id = asAccountId(accountId);
  const account = await watched.lane.read((state) => state.accounts.get(id));
  const isThere = account !== undefined && account.closedAtMs === null;
  if (!isThere) return fail('NOT_FOUND', { account_id: accountId });
  const lacking = await lackingFor(watched.lane, account, { amount: change, reference });
  if (lacking !== null) return lacking;
  return correctionRefusal(parts, 'live', { accountId: id, amount: change, reference });
}

/** Nothing is lacking for what was taken before: asked for again, it moves nothing. */
async function lackingFor(
  lane: Pick<Lane, 'read'>,
  account: Account,
  { amount, reference }: Pick<DepositRecord, 'amount' | 'reference'>,
): Promise<ApiError | null> {
  const rejection = await lane.read((state) => {
    const isKnown = state.funds.depositBy(CORRECTION, reference) !== undefined;
    return amount > 0n || isKnown ? null : checkFree(state, account, -amount);
  });
  return rejection === null ? null : refusal(rejection);
}

/** From an account that was closed there is something to take, should there be anything; nothing is added to it. */
async function correctionRefusal(
  parts: OperatorParts,
  lane: Act['lane'],
  { accountId, amount, reference }: Pick<DepositRecord, 'accountId' | 'amount' | 'reference'>,
): Promise<ApiError | null> {
  if (amount < 0n) return null;
  return (
    (await notTheWithdrawal(parts, lane, { accountId, amount, reference })) ??
    closedRefusal(parts, lane, { accountId, custody: CORRECTION, reference })
  );
}

const WITHDRAWAL = /^wd_[0-9a-z]+$/;

/** A withdrawal is given back once, however its name is written. */
function referenceOf(text: string): string {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  return WITHDRAWAL.test(lower) ? lower : trimmed;
}

/** What gives back a withdrawal that was told as paid is its amount, to its owner; one that is not over is rejected instead. */
async function notTheWithdrawal(
  parts: OperatorParts,
  lane: Act['lane'],
  { accountId, amount, reference }: Pick<DepositRecord, 'accountId' | 'amount' | 'reference'>,
): Promise<ApiError | null> {
  const watched = WITHDRAWAL.test(reference) ? laneOf(parts, lane) : null;
  if (watched === null || watched instanceof ApiError) return watched;
  const id = asWithdrawalId(reference);
  const known = await watched.lane.read(({ funds }) => funds.withdrawal(id));
  const isMeant = known?.accountId === accountId && known.amount === amount;
  if (isMeant && known.state === 'completed') return null;
  const details = {
    field: 'external_ref',
    expected: 'a withdrawal of this account and amount that was told as paid',
    state: known?.state ?? null,
    account_id: known?.accountId ?? null,
    amount: known === undefined ? null : amountText(known.amount),
  };
  const message =
    'A correction that names a withdrawal gives back its amount to its owner after it was told as paid; one that is not over is rejected instead.';
  return fail('VALIDATION_FAILED', details, message);
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
  body: Extract<CommandBody, { readonly type: 'deposit' | 'correct_balance' }>,
): Promise<Reply<Deposit> | ApiError> {
  const watched = laneOf(parts, lane);
  if (watched instanceof ApiError) return watched;
  const by = body.type === 'deposit' ? OPERATOR_CUSTODY : CORRECTION;
  const known = await watched.lane.read(({ funds }) => funds.depositBy(by, body.reference));
  const { answer } = await watched.lane.submit({
    body,
    actor: actorOf(request, reason),
    requestId: request.requestId,
  });
  if (!answer.ok && answer.rejection.code === 'ALREADY_EXISTS') {
    return otherTerms(watched.lane, { ...body, custody: by }, 'external_ref');
  }
  if (!answer.ok) return refusal(answer.rejection);
  assert(answer.result.kind === 'deposit', 'what is booked is answered with its record');
  const data = await depositOf(watched.lane, answer.result.deposit);
  const notes = notesOn(parts, data, known !== undefined);
  return { data: { ...data, booked_before: known !== undefined, notes } };
}

/** Where and how much somebody asks to book. */
export function askedMoney(
  parts: OperatorParts,
  laneName: Act['lane'],
  text: string,
): { readonly lane: Lane; readonly amount: Usdt } | ApiError {
  const watched = laneOf(parts, laneName);
  if (watched instanceof ApiError) return watched;
  const amount = depositAmount(text);
  return amount instanceof ApiError ? amount : { lane: watched.lane, amount };
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

/**
 * Looks whether an account is closed and books what comes in, with no closing in between: whoever closes an account
 * sees the money before, or is seen.
 */
export async function besideClosing<T>(
  { opened, closingTurns }: Pick<OperatorParts, 'opened' | 'closingTurns'>,
  lane: Act['lane'],
  accountId: AccountId,
  work: () => Promise<T>,
): Promise<T> {
  const owner = await opened[lane]?.lane.read(
    ({ accounts }) => accounts.get(accountId)?.family.owner.id,
  );
  return closingTurns.take(owner ?? accountId, work);
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

/** What whoever books should know, in words. */
function notesOn(
  { custody }: Pick<OperatorParts, 'custody'>,
  { lane, created_at: at }: Pick<Booked, 'lane' | 'created_at'>,
  isKnown: boolean,
): string[] {
  const notes: string[] = [];
  if (isKnown) notes.push(`This reference was booked already, at ${at}: nothing was booked now.`);
  if (lane === 'live' && custody?.calls !== undefined) {
    notes.push(
      `${custody.name} reports by itself and was not told of this: unless the money is in its books, the reconciliation differs by it.`,
    );
  }
  return notes;
}

type BareDeposit = Omit<Booked, 'booked_before' | 'notes'>;

async function depositOf(lane: Lane, record: DepositRecord): Promise<BareDeposit> {
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
