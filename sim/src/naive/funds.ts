// Money in and out, told again in the slow way: lists of deposits and withdrawals that are searched from the start.
import { actingOn, checkAccount, checkOperator } from './authority.ts';
import { Entry } from './entry.ts';
import { checkDeposit, checkExcluded } from './own-limits.ts';
import type { CommandOf, PlainAnswer, PlainResult } from './plain.ts';
import { accepted, Refusals } from './refusal.ts';
import {
  balance,
  contraName,
  findAccount,
  freeName,
  isFrozen,
  reservedName,
  type World,
} from './world.ts';

export type NaiveDeposit = Extract<PlainResult, { kind: 'deposit' }>['deposit'];
export type NaiveWithdrawal = Extract<PlainResult, { kind: 'withdrawal' }>['withdrawal'];

const AMOUNT_MAX = 1n << 58n;

export const withdrawalsName = (accountId: string): string => `user:${accountId}:withdrawals`;

export function checkPositive(amount: bigint, refusals: Refusals): void {
  if (amount <= 0n || amount > AMOUNT_MAX) refusals.field('amount', 'more than zero');
}

export function checkFree(
  world: World,
  accountId: string,
  required: bigint,
  refusals: Refusals,
): void {
  const free = balance(world, freeName(accountId));
  const reserved = balance(world, reservedName(accountId));
  if (free < required) refusals.add('BALANCE_INSUFFICIENT', { required, free, reserved });
}

function deposit(world: World, command: CommandOf<'deposit'>): PlainAnswer {
  const { accountId, amount, reference, actor } = command;
  const refusals = new Refusals(world);
  checkPositive(amount, refusals);
  if (!isReference(reference)) refusals.field('reference', 'a text');
  const confirmed = { state: 'confirmed', confirmations: 0, reason: null } as const;
  const report = { accountId, amount, reference, custody: 'operator', actor, ...confirmed };
  return takeReport(world, report, refusals);
}

function correctBalance(world: World, command: CommandOf<'correct_balance'>): PlainAnswer {
  const { accountId, amount, reference } = command;
  const refusals = new Refusals(world);
  checkPositive(amount < 0n ? -amount : amount, refusals);
  if (!isReference(reference)) refusals.field('reference', 'a text');
  checkOperator(command.actor, refusals);
  if (findAccount(world, accountId) === undefined) refusals.add('NOT_FOUND');
  const known = world.deposits.find(
    (each) => each.custody === 'correction' && each.reference === reference,
  );
  const isSame = known?.accountId === accountId && known.amount === amount;
  if (known !== undefined && !isSame)
    refusals.add('ALREADY_EXISTS', { deposit_id: known.depositId });
  if (known === undefined && amount < 0n) checkFree(world, accountId, -amount, refusals);
  if (refusals.any) return refusals.answer();
  if (known !== undefined) return accepted({ kind: 'deposit', deposit: known });
  const deposit: NaiveDeposit = {
    depositId: `dep_${world.seq.toString(36).padStart(10, '0')}`,
    accountId,
    custody: 'correction',
    reference,
    amount,
    state: 'confirmed',
    confirmations: 0,
    reason: null,
    createdAtMs: world.nowMs,
    updatedAtMs: world.nowMs,
  };
  world.deposits.push(deposit);
  world.events.push({ type: 'deposit_updated', accountId, deposit });
  new Entry(world)
    .move(contraName(world), freeName(accountId), amount)
    .commit('correction', reference);
  return accepted({ kind: 'deposit', deposit });
}

type Report = Omit<CommandOf<'report_deposit'>, 'type' | 'seq' | 'atMs' | 'key'>;

function reportDeposit(world: World, command: CommandOf<'report_deposit'>): PlainAnswer {
  const { custody, reference, state, confirmations, reason } = command;
  const refusals = new Refusals(world);
  checkPositive(command.amount, refusals);
  if (!isReference(reference)) refusals.field('reference', 'a text');
  if (!isCustody(custody)) refusals.field('custody', 'a name');
  if (state !== 'pending' && state !== 'confirmed' && state !== 'failed')
    refusals.field('state', 'one of three');
  if (!(confirmations >= 0) || !Number.isInteger(confirmations))
    refusals.field('confirmations', 'a count');
  if (state === 'failed' ? !isReason(reason) : reason !== null)
    refusals.field('reason', 'why it failed');
  if (world.lane === 'sandbox') refusals.add('PROD_ONLY');
  return takeReport(world, command, refusals);
}

function takeReport(world: World, report: Report, refusals: Refusals): PlainAnswer {
  const { accountId, amount, custody, reference, state, confirmations, reason } = report;
  checkOperator(report.actor, refusals);
  if (findAccount(world, accountId) === undefined) refusals.add('NOT_FOUND');
  const known = world.deposits.find(
    (each) => each.custody === custody && each.reference === reference,
  );
  if (known !== undefined) {
    if (known.accountId !== accountId || known.amount !== amount)
      refusals.add('ALREADY_EXISTS', { deposit_id: known.depositId });
    const isContrary =
      (known.state === 'confirmed' && state === 'failed') ||
      (known.state === 'failed' && state === 'confirmed');
    if (isContrary) refusals.add('STATE_CONFLICT', { state: known.state });
  }
  if (state === 'confirmed' && (known === undefined || known.state === 'pending')) {
    checkExcluded(world, accountId, refusals);
    checkDeposit(world, accountId, amount, refusals);
  }
  if (refusals.any) return refusals.answer();
  const atMs = world.nowMs;
  if (known === undefined) {
    const depositId = `dep_${world.seq.toString(36).padStart(10, '0')}`;
    const times = { createdAtMs: atMs, updatedAtMs: atMs };
    const named = { depositId, accountId, custody, reference, amount };
    return enterDeposit(world, { ...named, state, confirmations, reason, ...times });
  }
  const isNews =
    known.state === 'pending' && (state !== 'pending' || confirmations > known.confirmations);
  if (!isNews) return accepted({ kind: 'deposit', deposit: known });
  const most = Math.max(known.confirmations, confirmations);
  return enterDeposit(world, { ...known, state, confirmations: most, reason, updatedAtMs: atMs });
}

function enterDeposit(world: World, deposit: NaiveDeposit): PlainAnswer {
  const { depositId, accountId, amount } = deposit;
  world.deposits = world.deposits.filter((each) => each.depositId !== depositId);
  world.deposits.push(deposit);
  world.events.push({ type: 'deposit_updated', accountId, deposit });
  if (deposit.state === 'confirmed')
    new Entry(world)
      .move(contraName(world), freeName(accountId), amount)
      .commit('deposit', deposit.reference);
  return accepted({ kind: 'deposit', deposit });
}

function withdraw(world: World, command: CommandOf<'withdraw'>): PlainAnswer {
  const { accountId, amount, custody, destination, hold } = command;
  const refusals = new Refusals(world);
  checkPositive(amount, refusals);
  if (!isCustody(custody)) refusals.field('custody', 'a name');
  if (destination === '' || destination.length > 256) refusals.field('destination', 'a text');
  if (hold !== null) {
    if (!isReason(hold.reason)) refusals.field('reason', 'why it is held');
    const isTime = hold.untilMs === null || (Number.isInteger(hold.untilMs) && hold.untilMs >= 0);
    if (!isTime || (!hold.approval && hold.untilMs === null)) refusals.field('hold', 'a wait');
  }
  if (world.lane === 'sandbox') refusals.add('PROD_ONLY');
  const account = checkAccount(world, command.actor, accountId, refusals);
  if (account !== undefined) checkFree(world, accountId, amount, refusals);
  if (refusals.any) return refusals.answer();
  const answer = enterWithdrawal(world, {
    withdrawalId: withdrawalId(world),
    accountId,
    custody,
    destination,
    amount,
    state: hold === null ? 'requested' : 'held',
    reason: hold === null ? null : hold.reason,
    needsApproval: hold === null ? false : hold.approval,
    heldUntilMs: hold === null ? null : hold.untilMs,
    reference: null,
    createdAtMs: world.nowMs,
    updatedAtMs: world.nowMs,
  });
  new Entry(world)
    .move(freeName(accountId), withdrawalsName(accountId), amount)
    .commit('withdrawal', withdrawalId(world));
  return answer;
}

function cancelWithdrawal(world: World, command: CommandOf<'cancel_withdrawal'>): PlainAnswer {
  const refusals = new Refusals(world);
  if (!isReason(command.reason)) refusals.field('reason', 'a text');
  const known = findWithdrawal(world, command.withdrawalId);
  const mayAct = actingOn(world, command.actor, command.accountId) !== undefined;
  if (!mayAct || known?.accountId !== command.accountId) refusals.add('NOT_FOUND');
  else if (known.state === 'sent' || known.state === 'completed') refuseState(known, refusals);
  if (refusals.any || known === undefined) return refusals.answer();
  if (known.state === 'failed') return accepted({ kind: 'withdrawal', withdrawal: known });
  return giveBack(world, known, command.reason);
}

function advanceWithdrawal(world: World, command: CommandOf<'advance_withdrawal'>): PlainAnswer {
  const { step, reference, reason } = command;
  const refusals = new Refusals(world);
  const steps: readonly string[] = ['approve', 'send', 'complete', 'fail'];
  if (!steps.includes(step)) refusals.field('step', 'a step');
  else {
    if (step === 'complete' ? !isReference(reference) : reference !== null)
      refusals.field('reference', 'a text');
    if (step === 'fail' ? !isReason(reason) : reason !== null) refusals.field('reason', 'a text');
  }
  checkOperator(command.actor, refusals);
  const known = findWithdrawal(world, command.withdrawalId);
  if (known === undefined) refusals.add('NOT_FOUND');
  if (refusals.any || known === undefined) return refusals.answer();
  switch (step) {
    case 'approve':
      return approve(world, known, refusals);
    case 'send':
      return send(world, known, refusals);
    case 'complete':
      return complete(world, known, reference, refusals);
    default:
      return fail(world, known, reason, refusals);
  }
}

function approve(world: World, known: NaiveWithdrawal, refusals: Refusals): PlainAnswer {
  if (known.state === 'failed') refuseState(known, refusals);
  if (refusals.any) return refusals.answer();
  if (known.state !== 'held' || !known.needsApproval)
    return accepted({ kind: 'withdrawal', withdrawal: known });
  const waits = known.heldUntilMs !== null && known.heldUntilMs > world.nowMs;
  const now = waits ? {} : ({ state: 'requested', reason: null } as const);
  return enterWithdrawal(world, { ...known, needsApproval: false, ...now });
}

function send(world: World, known: NaiveWithdrawal, refusals: Refusals): PlainAnswer {
  if (known.state === 'sent' || known.state === 'completed')
    return accepted({ kind: 'withdrawal', withdrawal: known });
  const isHeld =
    known.state === 'held' &&
    (known.needsApproval || (known.heldUntilMs !== null && known.heldUntilMs > world.nowMs));
  const account = findAccount(world, known.accountId);
  if (known.state === 'failed' || isHeld) refuseState(known, refusals);
  else if (account !== undefined && isFrozen(world, account)) refusals.add('SUBACCOUNT_FROZEN');
  if (refusals.any) return refusals.answer();
  return enterWithdrawal(world, { ...known, state: 'sent', reason: null });
}

function complete(
  world: World,
  known: NaiveWithdrawal,
  reference: string | null,
  refusals: Refusals,
): PlainAnswer {
  if (known.state === 'completed') return accepted({ kind: 'withdrawal', withdrawal: known });
  if (known.state !== 'sent') refuseState(known, refusals);
  if (refusals.any) return refusals.answer();
  const answer = enterWithdrawal(world, { ...known, state: 'completed', reference });
  new Entry(world)
    .move(withdrawalsName(known.accountId), contraName(world), known.amount)
    .commit('withdrawal', known.withdrawalId);
  return answer;
}

function fail(
  world: World,
  known: NaiveWithdrawal,
  reason: string | null,
  refusals: Refusals,
): PlainAnswer {
  if (known.state === 'failed') return accepted({ kind: 'withdrawal', withdrawal: known });
  if (known.state !== 'sent') refuseState(known, refusals);
  return refusals.any ? refusals.answer() : giveBack(world, known, reason);
}

function giveBack(world: World, known: NaiveWithdrawal, reason: string | null): PlainAnswer {
  const answer = enterWithdrawal(world, { ...known, state: 'failed', reason });
  new Entry(world)
    .move(withdrawalsName(known.accountId), freeName(known.accountId), known.amount)
    .commit('withdrawal', known.withdrawalId);
  return answer;
}

function enterWithdrawal(world: World, changed: NaiveWithdrawal): PlainAnswer {
  const withdrawal = { ...changed, updatedAtMs: world.nowMs };
  const { accountId } = withdrawal;
  world.withdrawals = world.withdrawals.filter(
    (each) => each.withdrawalId !== withdrawal.withdrawalId,
  );
  world.withdrawals.push(withdrawal);
  world.events.push({ type: 'withdrawal_updated', accountId, withdrawal });
  return accepted({ kind: 'withdrawal', withdrawal });
}

function findWithdrawal(world: World, id: string): NaiveWithdrawal | undefined {
  return world.withdrawals.find((each) => each.withdrawalId === id);
}

function refuseState({ withdrawalId: id, state }: NaiveWithdrawal, refusals: Refusals): void {
  refusals.add('STATE_CONFLICT', { withdrawal_id: id, state });
}

const withdrawalId = (world: World): string => `wd_${world.seq.toString(36).padStart(10, '0')}`;
const isCustody = (name: string): boolean =>
  /^[-_a-z0-9]+$/.test(name) && name.length <= 32 && name !== 'correction';
const isReference = (text: string | null): boolean =>
  text !== null && text !== '' && text.length <= 128;
const isReason = (text: string | null): boolean =>
  text !== null && text.length >= 1 && text.length <= 256;

export const FUNDS_COMMANDS = {
  deposit,
  correct_balance: correctBalance,
  report_deposit: reportDeposit,
  withdraw,
  advance_withdrawal: advanceWithdrawal,
  cancel_withdrawal: cancelWithdrawal,
};
