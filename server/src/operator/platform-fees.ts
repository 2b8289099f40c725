// What has vested for the platform itself, paid to an account.

import { createHash } from 'node:crypto';
import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { asAccountId, platformFund } from '@sibyl/engine';
import {
  ApiError,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
  refusal,
} from '../handling/handler.ts';
import { amountText } from '../wire/amounts.ts';
import { askedMoney } from './deposits.ts';
import { actorOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type Input = InputOf<OperatorOperations['payPlatformFees']>;
type Payment = OutputOf<OperatorOperations['payPlatformFees']>;

export function platformFeeActs(parts: OperatorParts): Pick<OperatorHandlers, 'payPlatformFees'> {
  return {
    payPlatformFees: (request, input) => actOnce(parts, request, () => pay(parts, request, input)),
  };
}

async function pay(
  parts: OperatorParts,
  request: RequestContext,
  { params, body }: Input,
): Promise<Reply<Payment> | ApiError> {
  const { lane: laneName, fund, external_ref: reference, reason } = body;
  const asked = askedMoney(parts, laneName, body.amount);
  if (asked instanceof ApiError) return asked;
  const { lane, amount } = asked;
  const accountId = asAccountId(params.account_id);
  const said = `${fund} ${accountId} ${amount}`;
  const { answer, atMs } = await lane.submit({
    body: { type: 'pay_platform_fees', fund, accountId, amount, reference },
    actor: actorOf(request, reason),
    // What is asked for under a reference is paid once, however often it is asked for.
    key: {
      scope: 'operator platform fees',
      key: reference,
      bodyHash: createHash('sha256').update(said).digest('hex'),
    },
    requestId: request.requestId,
  });
  if (!answer.ok) {
    const isOther = answer.rejection.code === 'IDEMPOTENCY_BODY_MISMATCH';
    return isOther ? taken(reference) : refusal(answer.rejection);
  }
  const { left, free } = await lane.read((state) => ({
    left: platformFund(state, fund),
    free: state.ledger.balance(state.accounts.get(accountId)!.free),
  }));
  return {
    data: {
      account_id: accountId,
      lane: laneName,
      fund,
      amount: amountText(amount),
      external_ref: reference,
      fund_balance: amountText(left),
      balance_free: amountText(free),
      paid_at: isoTime(atMs),
      paid_at_ms: atMs,
    },
  };
}

function taken(reference: string): ApiError {
  const details = { field: 'external_ref', external_ref: reference };
  return fail('ALREADY_EXISTS', details, 'Another payment was made under this reference.');
}

/** Before two people look at a payment: why it could not be made at all, or null. */
export async function platformPaymentFault(
  parts: OperatorParts,
  asked: { readonly accountId: string; readonly amount: string; readonly fund: unknown },
): Promise<ApiError | null> {
  const money = askedMoney(parts, 'live', asked.amount);
  if (money instanceof ApiError) return money;
  const { lane, amount } = money;
  const fund = asked.fund === 'insurance' ? 'insurance' : 'treasury';
  return lane.read((state) => {
    const account = state.accounts.get(asAccountId(asked.accountId));
    if (account === undefined || account.closedAtMs !== null) {
      return fail('NOT_FOUND', { account_id: asked.accountId });
    }
    if (account.frozen) return fail('SUBACCOUNT_FROZEN', { account_id: asked.accountId });
    const free = platformFund(state, fund);
    if (free >= amount) return null;
    return refusal({
      code: 'BALANCE_INSUFFICIENT',
      details: { required: amount, free, reserved: 0n },
    });
  });
}
