// Vested fees become money that their owners can use: once a day for those who earned them, by operators for the platform.

import { frozen } from '../account/money.ts';
import { checkAmount, checkReference } from '../funds/checks.ts';
import { feeKey, vestedAccount } from '../ledger/chart.ts';
import type { AccountIndex } from '../ledger/ledger.ts';
import { isName } from '../order/validate.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isOperator, isRejection, unknownAccount } from '../state/authority.ts';
import type {
  Actor,
  CreditFees,
  EarningActor,
  FeeCredit,
  PayPlatformFees,
  PlatformFund,
} from '../state/command.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';

/** Of one command: as much as markets may post in one. */
export const CREDITS_MAX = 5_000;

const EARNING: ReadonlySet<unknown> = new Set<EarningActor>(['creator', 'builder', 'referrer']);
const FUNDS: ReadonlySet<unknown> = new Set<PlatformFund>(['treasury', 'insurance']);

/** What is vested for somebody and not paid yet. */
export interface VestedFee {
  readonly actor: EarningActor;
  readonly id: string;
  readonly amount: bigint;
}

/** Pays all that is vested now, so that the same command once more pays nothing. */
export function creditFees(turn: Turn, actor: Actor, { credits }: CreditFees): Answer {
  const fault = checkCredits(credits);
  if (fault !== null) return refuse(fault);
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND'));
  for (const credit of credits) {
    const { state } = turn;
    const vested = state.vested.get(feeKey(credit.actor, credit.id));
    const amount = vested === undefined ? 0n : state.ledger.balance(vested);
    const account = payeeOf(state, credit);
    if (vested === undefined || amount === 0n || account === null) continue;
    pay(turn, account, credit.actor, credit.id, vested, amount, feeKey(credit.actor, credit.id));
  }
  return accept(DONE);
}

export function payPlatformFees(turn: Turn, actor: Actor, command: PayPlatformFees): Answer {
  const { state } = turn;
  const { fund, accountId, amount, reference } = command;
  const fault = checkPayment(command);
  if (fault !== null) return refuse(fault);
  // Not the system either: nothing but a person decides this.
  if (actor.kind !== 'operator') return refuse(unknownAccount(accountId));
  const account = actingAccount(state, actor, accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const free = platformFund(state, fund);
  if (free < amount) {
    return refuse(reject('BALANCE_INSUFFICIENT', { required: amount, free, reserved: 0n }));
  }
  pay(turn, account, fund, '', vestedAccount(state, fund, ''), amount, reference);
  return accept({ kind: 'amount', accountId: account.id, amount });
}

/** What has vested for the platform and was not paid yet. */
export function platformFund({ vested, ledger, insurance }: State, fund: PlatformFund): bigint {
  const account = fund === 'insurance' ? insurance : vested.get(fund);
  return account === undefined ? 0n : ledger.balance(account);
}

/** Those of one lane that wait to be credited, by actor and id. */
export function vestedFees({ vested, ledger }: State): readonly VestedFee[] {
  const fees: VestedFee[] = [];
  for (const [key, account] of vested) {
    const [actor, ...id] = key.split(':');
    const amount = ledger.balance(account);
    if (!EARNING.has(actor) || amount === 0n) continue;
    fees.push({ actor: actor as EarningActor, id: id.join(':'), amount });
  }
  return fees.sort((a, b) => (feeKey(a.actor, a.id) < feeKey(b.actor, b.id) ? -1 : 1));
}

/** The money came into the account from without its trading, as a deposit does (PO3). */
function pay(
  turn: Turn,
  account: Account,
  actor: EarningActor | PlatformFund,
  id: string,
  vested: AccountIndex,
  amount: bigint,
  reference: string,
): void {
  const { events, state } = turn;
  const credited = amount as PayPlatformFees['amount'];
  events.push({ type: 'fees_credited', accountId: account.id, actor, id, amount: credited });
  state.ledger.post(vested, -amount);
  state.ledger.post(account.free, amount);
  account.netDeposits += amount;
  state.ledger.commit(events, 'revenue', reference);
}

/**
 * Who is paid; null where nobody can be now, and what is vested goes on waiting. Fees of a creator or a referrer are its
 * own, or its owner's: no gateway can send them elsewhere.
 */
function payeeOf(state: State, { actor, id, accountId }: FeeCredit): Account | null {
  const account = state.accounts.get(accountId);
  if (account === undefined || account.frozen) return null;
  if (actor === 'builder') return account;
  const earner = state.accounts.get(id as FeeCredit['accountId']);
  if (earner === undefined) return null;
  return account === earner || account === earner.family.owner ? account : null;
}

function checkCredits(credits: unknown): Rejection | null {
  const isList = Array.isArray(credits) && credits.length >= 1 && credits.length <= CREDITS_MAX;
  if (!isList) return invalid('credits', `1 to ${CREDITS_MAX} credits`);
  for (const credit of credits) {
    const { actor, id, accountId } = credit ?? {};
    const isWhole = EARNING.has(actor) && isName(id) && isName(accountId);
    if (!isWhole) return invalid('credits', 'creator, builder or referrer, an id and an account');
  }
  return null;
}

function checkPayment({ fund, amount, reference }: PayPlatformFees): Rejection | null {
  if (!FUNDS.has(fund)) return invalid('fund', 'treasury or insurance');
  return checkAmount(amount) ?? checkReference(reference);
}
