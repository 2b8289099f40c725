// Deposits: the only way in which live money comes in, each outside reference once.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { asAccountId, assert, type DepositRecord } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { parseMoney } from '@sibyl/money';
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
import { laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['creditDeposit']>;
type Deposit = OutputOf<OperatorOperations['creditDeposit']>;

export function depositActs(parts: OperatorParts): Pick<OperatorHandlers, 'creditDeposit'> {
  return {
    creditDeposit: (request, input) => actOnce(parts, request, () => credit(parts, request, input)),
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
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const parsed = parseMoney(body.amount, 'USDT');
  if (!parsed.ok || parsed.value <= 0n) {
    return fail('VALIDATION_FAILED', { field: 'amount', expected: 'above 0, up to 6 places' });
  }
  const refused = await claimed(parts, `deposit ${body.lane} ${body.external_ref}`);
  if (refused !== null) return refused;
  const accountId = asAccountId(params.account_id);
  const { answer } = await watched.lane.submit({
    body: { type: 'deposit', accountId, amount: parsed.value, reference: body.external_ref },
    actor: { kind: 'operator', name: actingOperator(request).operatorId, reason: body.reason },
    requestId: request.requestId,
  });
  if (!answer.ok) return refusal(answer.rejection);
  assert(answer.result.kind === 'deposit', 'a deposit is answered with its record');
  // After the ledger, which may refuse it: cut off in between, it is entered when the deposit is told again.
  if (body.lane === 'live') await parts.custody?.receive?.(body.external_ref, parsed.value);
  return { data: await depositOf(watched.lane, answer.result.deposit) };
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
