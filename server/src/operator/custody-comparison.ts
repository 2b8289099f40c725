// What the custody holds by its own books against what the ledger says is outside.

import { setTimeout as pause } from 'node:timers/promises';
import type { CustodyReport } from '@sibyl/contract';
import { CORRECTION, OPERATOR_CUSTODY, type State } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { payoutOf } from '../custody/payout.ts';
import { type Custody, CustodySilent } from '../ports/custody.ts';
import { amountText } from '../wire/amounts.ts';

const TRIES = 10;
const PAUSE_MS = 200;

interface Outside {
  readonly held: bigint;
  /** Those that the custody may have paid, though the ledger does not know it yet. */
  readonly sent: ReadonlyMap<string, bigint>;
  /** Booked by operators, of which the custody was not told. */
  readonly byHand: bigint;
}

/**
 * The two are never read at one moment, and money moves meanwhile: only what differs again and again is told as a
 * difference.
 */
export async function compareCustody(
  lane: Pick<Lane, 'read'>,
  custody: Custody,
  pauseMs = PAUSE_MS,
): Promise<CustodyReport> {
  let report = await compareOnce(lane, custody);
  for (let attempt = 1; attempt < TRIES && report.state === 'differs'; attempt += 1) {
    await pause(pauseMs);
    report = await compareOnce(lane, custody);
  }
  return report;
}

async function compareOnce(lane: Pick<Lane, 'read'>, custody: Custody): Promise<CustodyReport> {
  const { held, sent, byHand } = await lane.read((state) => outside(state, custody));
  const shown = { name: custody.name, ledger: amountText(held), by_hand: amountText(byHand) };
  try {
    const { balance, paid } = await custody.books([...sent.keys()]);
    const unbooked = paid.reduce((sum, id) => sum + (sent.get(id) ?? 0n), 0n);
    const difference = balance + unbooked - held;
    return {
      ...shown,
      state: difference === 0n ? 'agrees' : 'differs',
      balance: amountText(balance),
      paid_unbooked: amountText(unbooked),
      difference: amountText(difference),
    };
  } catch (error) {
    if (!(error instanceof CustodySilent)) throw error;
    return { ...shown, state: 'silent', balance: null, paid_unbooked: null, difference: null };
  }
}

function outside({ ledger, contra, funds }: State, custody: Custody): Outside {
  const sent = new Map<string, bigint>();
  for (const withdrawal of funds.openWithdrawals()) {
    const { state, custody: of } = withdrawal;
    if (state !== 'sent' || of !== custody.name) continue;
    const { payoutId, amount } = payoutOf(withdrawal);
    sent.set(payoutId, amount);
  }
  return { held: -ledger.balance(contra), sent, byHand: bookedBeside(funds, custody) };
}

function bookedBeside(funds: State['funds'], { receive, correct }: Custody): bigint {
  let sum = 0n;
  for (const { custody, amount, state } of funds.deposits()) {
    const isUntold =
      (custody === OPERATOR_CUSTODY && receive === undefined) ||
      (custody === CORRECTION && correct === undefined);
    if (isUntold && state === 'confirmed') sum += amount;
  }
  return sum;
}
