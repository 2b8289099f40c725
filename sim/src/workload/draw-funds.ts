// Money in and out, drawn at random: steps in order, repeated, late, contradicting one another and of nobody's.
import type { CommandOf } from '../naive/plain.ts';
import type { Prng } from '../prng.ts';
import type { Body } from './draw-lifecycle.ts';
import type { KnownAccount, View } from './view.ts';

export function drawFunds(random: Prng, view: View, nowMs: number): Body {
  const account = random.pick(view.accounts);
  const kind = random.weighted([
    [3, 'deposit'],
    [2, 'correct'],
    [5, 'report'],
    [6, 'withdraw'],
    [12, 'advance'],
    [3, 'cancel'],
  ] as const);
  switch (kind) {
    case 'deposit': {
      // From few references, so that some come again, with another amount too.
      const reference = `dep_${random.between(1, 400)}`;
      return { type: 'deposit', accountId: account.id, amount: drawAmount(random), reference };
    }
    case 'correct': {
      const amount = random.chance(2, 3) ? -drawAmount(random) : drawAmount(random);
      const reference = `ticket_${random.between(1, 100)}`;
      return { type: 'correct_balance', accountId: account.id, amount, reference };
    }
    case 'report':
      return drawReport(random, view, account);
    case 'withdraw':
      return {
        type: 'withdraw',
        accountId: account.id,
        amount: drawAmount(random),
        custody: 'local',
        destination: random.pick(['bank 7', 'a wallet']),
        hold: drawHold(random, nowMs),
      };
    case 'advance':
      return drawStep(random, view);
    default: {
      const known = drawWithdrawal(random, view);
      const accountId = random.chance(1, 10) ? account.id : (known?.accountId ?? account.id);
      const withdrawalId = known?.withdrawalId ?? 'wd_none';
      return { type: 'cancel_withdrawal', accountId, withdrawalId, reason: 'cancelled' };
    }
  }
}

const drawAmount = (random: Prng): bigint => BigInt(random.between(1, 50_000_000));

/** Mostly about a deposit that is known, as it is known. */
function drawReport(
  random: Prng,
  view: View,
  account: KnownAccount,
): Omit<CommandOf<'report_deposit'>, 'seq' | 'atMs' | 'actor' | 'key'> {
  const reports = [...view.deposits.values()].filter(
    ({ custody }) => custody !== 'operator' && custody !== 'correction',
  );
  const known = reports.length > 0 && random.chance(3, 4) ? random.pick(reports) : null;
  const state = random.weighted([
    [4, 'pending'],
    [3, 'confirmed'],
    [1, 'failed'],
  ] as const);
  return {
    type: 'report_deposit',
    accountId: known !== null && random.chance(19, 20) ? known.accountId : account.id,
    custody: known?.custody ?? random.pick(['local', 'bank-1']),
    reference: known?.reference ?? `tx_${random.between(1, 200)}`,
    amount: known !== null && random.chance(19, 20) ? known.amount : drawAmount(random),
    state,
    confirmations: random.between(0, 6),
    reason: state === 'failed' ? 'returned by the sender' : null,
  };
}

function drawHold(random: Prng, nowMs: number): CommandOf<'withdraw'>['hold'] {
  return random.weighted([
    [5, null],
    [2, { approval: true, untilMs: null, reason: 'above the limit' }],
    [2, { approval: false, untilMs: nowMs + random.between(0, 120_000), reason: 'new password' }],
    [1, { approval: true, untilMs: nowMs + random.between(0, 120_000), reason: 'both' }],
  ]);
}

function drawStep(
  random: Prng,
  view: View,
): Omit<CommandOf<'advance_withdrawal'>, 'seq' | 'atMs' | 'actor' | 'key'> {
  const known = drawWithdrawal(random, view);
  const next = known === null ? 'approve' : NEXT[known.state];
  const step = random.chance(2, 3)
    ? random.pick(next === 'end' ? (['complete', 'fail', 'fail'] as const) : [next])
    : random.pick(['approve', 'send', 'complete', 'fail'] as const);
  return {
    type: 'advance_withdrawal',
    withdrawalId: known === null || random.chance(1, 20) ? 'wd_none' : known.withdrawalId,
    step,
    reference: step === 'complete' ? `paid_${random.between(1, 99)}` : null,
    reason: step === 'fail' ? 'refused by the bank' : null,
  };
}

const NEXT = {
  held: 'approve',
  requested: 'send',
  sent: 'end',
  completed: 'complete',
  failed: 'fail',
} as const;

/** Mostly one of the latest, so that each is met several times; else one of any age, as a late answer is about. */
function drawWithdrawal(random: Prng, view: View) {
  const all = [...view.withdrawals.values()];
  const met = random.chance(1, 6) ? all : all.slice(-12);
  return met.length === 0 ? null : random.pick(met);
}
