// What the custody holds by its own books against what the ledger says is outside.

import { setTimeout as pause } from 'node:timers/promises';
import type { CustodyReport } from '@sibyl/contract';
import { CORRECTION, OPERATOR_CUSTODY, type State } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { payoutOf } from '../custody/payout.ts';
import { type Custody, type CustodyBooks, CustodySilent } from '../ports/custody.ts';
import { amountText } from '../wire/amounts.ts';
import { isoTime } from '../wire/times.ts';

/** How often the custody is asked, and after which pauses: each is twice the one before, up to the longest. */
export interface Patience {
  readonly tries: number;
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Longer in all than what was booked last is on its way. */
const PATIENCE: Patience = { tries: 40, firstMs: 200, mostMs: 2_000 };
/** The custody enters what came in after the ledger has booked it: a deposit of this age may be in one of the books alone. */
const ON_ITS_WAY_MS = 60_000;
/** A custody may sum up its books while it pays: only what so many looks in a row have found is a difference. */
const LOOKS_AGREEING = 3;

type Parts = { readonly lane: Pick<Lane, 'read'>; readonly clock: Pick<Clock, 'wallMs'> };

/** What the ledger says of one moment. */
interface Outside {
  readonly seq: number;
  readonly laneMs: number;
  readonly held: bigint;
  /** Those that the custody may have paid, though the ledger does not know it yet. */
  readonly sent: ReadonlyMap<string, bigint>;
  /** Booked of late, in and out: the custody may not have entered it. */
  readonly cameIn: bigint;
  readonly tookBack: bigint;
  /** Paid out by the ledger of late, which the custody may not have done yet when it answered. */
  readonly wentOut: bigint;
  /** Booked by operators, of which the custody was not told. */
  readonly byHand: bigint;
}

/** What moved lately, into the books that are outside or out of them. */
interface Moved {
  readonly way: 'in' | 'out';
  readonly amount: bigint;
  readonly atMs: number;
}

/** All deposits and withdrawals, gone through once: what follows from them at this moment and any later one. */
interface Scan extends Pick<Outside, 'seq' | 'laneMs' | 'held' | 'sent' | 'byHand'> {
  readonly lately: readonly Moved[];
}

/** The ledger, the custody, and the ledger again. */
interface Look {
  readonly before: Outside;
  readonly after: Outside;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  readonly books: CustodyBooks | null;
}

/** How far the books are from the ledger: one number where nothing moved, else what it may be at least and at most. */
interface Distance {
  readonly unbooked: bigint;
  readonly least: bigint;
  readonly most: bigint;
  /** Null if money moved while the custody was asked. */
  readonly exact: bigint | null;
}

/**
 * The two are never read at one moment, and money moves meanwhile. So the ledger is read before the custody is asked and
 * after it has answered: what moved in between, or was booked so lately that it may be on its way, is no difference, and
 * the custody is asked again. What lies beyond all that, look after look, is one.
 */
export async function compareCustody(
  parts: Parts,
  custody: Custody,
  { tries, firstMs, mostMs }: Patience = PATIENCE,
): Promise<CustodyReport> {
  let differing = 0;
  let closest: CustodyReport | null = null;
  let width: bigint | null = null;
  const scan = scanner(parts, custody);
  for (let attempt = 1, pauseMs = firstMs; ; attempt += 1) {
    const look = await lookOnce(parts, custody, scan);
    const { books } = look;
    if (books === null) return reportOf(custody, look, 'silent', null);
    const distance = distanceIn({ ...look, books });
    if (distance.exact === 0n) return reportOf(custody, look, 'agrees', distance);
    const isBeyond = distance.least > 0n || distance.most < 0n;
    differing = isBeyond ? differing + 1 : 0;
    if (differing === LOOKS_AGREEING) return reportOf(custody, look, 'differs', distance);
    const found = distance.most - distance.least;
    if (!isBeyond && (width === null || found <= width)) {
      closest = reportOf(custody, look, 'moving', distance);
      width = found;
    }
    // Without a look that movement explains, every one of them differs.
    if (attempt >= tries) return closest ?? reportOf(custody, look, 'differs', distance);
    await pause(pauseMs, undefined, { ref: false });
    pauseMs = Math.min(2 * pauseMs, mostMs);
  }
}

/** Reads the ledger; the records are gone through only where something was commanded since they last were. */
function scanner({ lane }: Parts, custody: Custody): (wallMs: number) => Promise<Scan> {
  let last: Scan | null = null;
  return (wallMs) =>
    lane.read((state) => {
      if (last === null || last.seq !== state.seq) {
        const before = last?.laneMs ?? state.nowMs;
        const { bookedMs } = sinceOf(state.nowMs, wallMs);
        last = scanOf(state, custody, Math.min(bookedMs, before));
      }
      return last;
    });
}

async function lookOnce(
  { clock }: Parts,
  custody: Custody,
  scan: (wallMs: number) => Promise<Scan>,
): Promise<Look> {
  const wallMs = clock.wallMs();
  const first = await scan(wallMs);
  const since = sinceOf(first.laneMs, wallMs);
  const before = outside(first, since);
  const askedAtMs = clock.wallMs();
  const books = await custody.books([...before.sent.keys()]).catch((error: unknown) => {
    if (error instanceof CustodySilent) return null;
    throw error;
  });
  const answeredAtMs = clock.wallMs();
  const after = outside(await scan(wallMs), since);
  return { before, after, askedAtMs, answeredAtMs, books };
}

/** From when on what was booked may be on its way, and what was paid may have been paid after the ledger was read. */
interface Since {
  readonly bookedMs: number;
  readonly paidMs: number;
}

function sinceOf(laneMs: number, wallMs: number): Since {
  return { bookedMs: Math.max(laneMs, wallMs) - ON_ITS_WAY_MS, paidMs: laneMs };
}

function distanceIn({
  before,
  after,
  books: { balance, paid },
}: Look & { readonly books: CustodyBooks }): Distance {
  const unbooked = paid.reduce((sum, id) => sum + (after.sent.get(id) ?? 0n), 0n);
  const expected = after.held - unbooked;
  const isStill = isSame(before, after);
  const begun = [...after.sent].reduce(
    (sum, [id, amount]) => (before.sent.has(id) ? sum : sum + amount),
    0n,
  );
  const lowest = expected - after.cameIn - begun;
  const highest = expected + after.tookBack + (isStill ? 0n : after.wentOut);
  return {
    unbooked,
    least: balance - highest,
    most: balance - lowest,
    exact: isStill ? balance - expected : null,
  };
}

/** Money that came and went in between is seen by what came in, however equal the sums. */
function isSame(before: Outside, after: Outside): boolean {
  return (
    before.held === after.held &&
    before.cameIn === after.cameIn &&
    before.tookBack === after.tookBack &&
    before.sent.size === after.sent.size &&
    [...after.sent.keys()].every((id) => before.sent.has(id))
  );
}

function reportOf(
  { name }: Custody,
  { before, after, askedAtMs, answeredAtMs, books }: Look,
  state: CustodyReport['state'],
  distance: Distance | null,
): CustodyReport {
  const { exact = null } = distance ?? {};
  return {
    name,
    state,
    balance: books === null ? null : amountText(books.balance),
    ledger: amountText(after.held),
    paid_unbooked: distance === null ? null : amountText(distance.unbooked),
    difference: exact === null || state === 'moving' ? null : amountText(exact),
    difference_least: distance === null ? null : amountText(distance.least),
    difference_most: distance === null ? null : amountText(distance.most),
    by_hand: amountText(after.byHand),
    seq_before: before.seq,
    seq_after: after.seq,
    asked_at: isoTime(askedAtMs),
    asked_at_ms: askedAtMs,
    answered_at: isoTime(answeredAtMs),
    answered_at_ms: answeredAtMs,
  };
}

/** With what was booked or paid at that time or later. */
function scanOf(state: State, custody: Custody, latelyMs: number): Scan {
  const { ledger, contra, funds, seq, nowMs } = state;
  const sent = new Map<string, bigint>();
  const lately: Moved[] = [];
  for (const withdrawal of funds.withdrawals()) {
    const { state: reached, custody: of, amount, updatedAtMs: atMs } = withdrawal;
    if (reached === 'sent' && of === custody.name) sent.set(payoutOf(withdrawal).payoutId, amount);
    if (reached === 'completed' && atMs >= latelyMs) lately.push({ way: 'out', amount, atMs });
  }
  let byHand = 0n;
  for (const { custody: of, amount, state: reached, updatedAtMs: atMs } of funds.deposits()) {
    if (reached !== 'confirmed') continue;
    if (isUntold(custody, of)) byHand += amount;
    if (atMs >= latelyMs) lately.push({ way: 'in', amount, atMs });
  }
  return { seq, laneMs: nowMs, held: -ledger.balance(contra), sent, byHand, lately };
}

/** Whether the custody hears nothing of what is booked under that name. */
function isUntold({ receive, correct }: Custody, name: string): boolean {
  return (
    (name === OPERATOR_CUSTODY && receive === undefined) ||
    (name === CORRECTION && correct === undefined)
  );
}

function outside({ lately, ...scan }: Scan, { bookedMs, paidMs }: Since): Outside {
  const sum = (isMeant: (moved: Moved) => boolean): bigint =>
    lately.reduce((total, moved) => (isMeant(moved) ? total + moved.amount : total), 0n);
  const isBooked = ({ way, atMs }: Moved): boolean => way === 'in' && atMs >= bookedMs;
  return {
    ...scan,
    cameIn: sum((moved) => isBooked(moved) && moved.amount > 0n),
    tookBack: -sum((moved) => isBooked(moved) && moved.amount < 0n),
    wentOut: sum(({ way, atMs }) => way === 'out' && atMs >= paidMs),
  };
}
