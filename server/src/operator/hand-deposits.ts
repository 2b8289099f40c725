// Deposits that an operator credits by hand make money: what one operator alone may credit within a day has a limit.

import { assert, OPERATOR_CUSTODY } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { parseMoney } from '@sibyl/money';
import { actingOperator, type RequestContext } from '../handling/handler.ts';
import type { BegunAct, TrailRecord } from '../ports/approvals.ts';
import type { OperatorParts } from './parts.ts';
import type { ActInput } from './supervision.ts';

const DAY_MS = 86_400_000;
const OPERATION = 'creditDeposit';
const LANE = 'live';
const READ_AT_ONCE = 200;

/**
 * Whether this deposit brings what its operator has credited alone within 24 hours above the limit, however it is
 * divided and to whomever it goes. What is booked already is only told again.
 */
export async function isAboveAlone(
  parts: OperatorParts,
  { body }: ActInput,
  request: RequestContext,
): Promise<boolean> {
  const { depositApprovalAbove: most, opened } = parts;
  const lane = opened[LANE]?.lane;
  if (most === null || lane === undefined) return false;
  const asked = creditOf(body ?? {});
  // What cannot be read is refused by the act itself.
  if (asked === null || (await bookedAmount(lane, asked.reference)) !== null) return false;
  return (await creditedAlone(parts, lane, request)) + asked.amount > most;
}

/** Those that are under way count as booked, so that many at once are no way around the limit. */
async function creditedAlone(
  { operators: { trail }, clock }: OperatorParts,
  lane: Lane,
  request: RequestContext,
): Promise<bigint> {
  const { operatorId } = actingOperator(request);
  const amounts = new Map<string, bigint>();
  // Before the trail, into which they go from here: one that is in neither was never begun.
  for (const begun of await trail.begun()) {
    const isOwn = begun.operatorId === operatorId && begun.requestId !== request.requestId;
    const credit = isOwn && isCredit(begun) ? readCredit(begun) : null;
    // Of several under one reference at most one is booked, and it may be the largest.
    if (credit !== null && credit.amount > (amounts.get(credit.reference) ?? 0n)) {
      amounts.set(credit.reference, credit.amount);
    }
  }
  for await (const entry of entriesOf(trail, operatorId, clock.wallMs() - DAY_MS)) {
    const reference = UNBOOKED.has(entry.outcome) ? undefined : readCredit(entry)?.reference;
    const amount = reference === undefined ? null : await bookedAmount(lane, reference);
    if (reference !== undefined && amount !== null) amounts.set(reference, amount);
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0n);
}

/** What a second operator was asked about, and what was only told again. */
const UNBOOKED: ReadonlySet<string> = new Set(['proposed', 'replayed']);

/** Newest first. */
async function* entriesOf(
  trail: OperatorParts['operators']['trail'],
  operatorId: string,
  sinceMs: number,
): AsyncGenerator<TrailRecord> {
  const filter = { operatorId, operation: OPERATION, lane: LANE };
  let before: number | null = null;
  for (;;) {
    const entries: readonly TrailRecord[] = await trail.readBack(before, READ_AT_ONCE, filter);
    for (const entry of entries) {
      if (entry.atMs < sinceMs) return;
      yield entry;
      before = entry.seq;
    }
    if (entries.length < READ_AT_ONCE) return;
  }
}

function isCredit({ operation, lane }: BegunAct): boolean {
  return operation === OPERATION && lane === LANE;
}

interface Credit {
  readonly reference: string;
  readonly amount: bigint;
}

function readCredit({ what }: BegunAct): Credit | null {
  // Written by the trail from a body that was checked.
  return creditOf(JSON.parse(what) as Readonly<Record<string, unknown>>);
}

function creditOf({
  external_ref: reference,
  amount: text,
}: NonNullable<ActInput['body']>): Credit | null {
  assert(typeof reference === 'string' && typeof text === 'string', 'a deposit has both');
  const amount = parseMoney(text, 'USDT');
  return amount.ok ? { reference, amount: amount.value } : null;
}

/** Null if no operator has credited it. */
function bookedAmount(lane: Lane, reference: string): Promise<bigint | null> {
  return lane.read(({ funds }) => funds.depositBy(OPERATOR_CUSTODY, reference)?.amount ?? null);
}
