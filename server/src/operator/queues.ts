// Everything of a lane that waits for an operator, in queues.

import { type OperatorOperations, type OutputOf, queueKinds } from '@sibyl/contract';
import type { Market, State, WithdrawalRecord } from '@sibyl/engine';
import { ApiError } from '../handling/handler.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import { amountText } from '../wire/amounts.ts';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';
import { laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type Queues = OutputOf<OperatorOperations['getQueues']>;
type Kind = Queues['queues'][number]['kind'];
type Item = Queues['queues'][number]['items'][number];

export function queueActs(parts: OperatorParts): Pick<OperatorHandlers, 'getQueues'> {
  return {
    async getQueues(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      const approvals = await parts.operators.approvals.list('waiting', SHOWN_MAX);
      const isHere = ({ lane }: ApprovalRecord) => lane === null || lane === query.lane;
      const acts = approvals.filter(isHere).map(actItem);
      return { data: await watched.lane.read((state) => queuesOf(state, acts)) };
    },
  };
}

const SHOWN_MAX = 100;

function queuesOf(state: State, acts: readonly Item[]): Queues {
  const waiting: Record<Kind, Item[]> = {
    market_approval: [],
    proposal_missing: [],
    proposal: [],
    dispute: [],
    withdrawal: [...state.funds.openWithdrawals()].filter(needsOperator).map(withdrawalItem),
    approval: [...acts],
  };
  for (const market of state.markets.values()) {
    const found = waitsFor(market);
    if (found !== null) waiting[found.kind].push(itemOf(market, found.sinceMs, found.dueMs));
  }
  const queues = queueKinds.map((kind) => {
    const items = waiting[kind].sort((a, b) => a.since_at_ms - b.since_at_ms);
    return { kind, count: items.length, items: items.slice(0, SHOWN_MAX) };
  });
  return { lane: state.lane, count: queues.reduce((sum, { count }) => sum + count, 0), queues };
}

interface Wait {
  readonly kind: Kind;
  readonly sinceMs: number;
  readonly dueMs: number | null;
}

/** Null while nobody has to do anything about the market. */
function waitsFor(market: Market): Wait | null {
  const { status, approved, proposal, closing } = market;
  if (closing !== null) return null;
  if (status === 'scheduled' && !approved) {
    return { kind: 'market_approval', sinceMs: market.createdAtMs, dueMs: market.locksAtMs };
  }
  if (status === 'locked') {
    return { kind: 'proposal_missing', sinceMs: market.locksAtMs, dueMs: market.deadlineMs };
  }
  if (status !== 'settling' || proposal === null) return null;
  const { dispute, proposedAtMs, windowEndsAtMs } = proposal;
  if (dispute === null) return { kind: 'proposal', sinceMs: proposedAtMs, dueMs: windowEndsAtMs };
  return { kind: 'dispute', sinceMs: dispute.disputedAtMs, dueMs: null };
}

function itemOf({ id, title }: Market, sinceMs: number, dueMs: number | null): Item {
  return { id, title, ...timesOf(sinceMs, dueMs) };
}

function needsOperator({ state, needsApproval }: WithdrawalRecord): boolean {
  return state === 'held' && needsApproval;
}

function withdrawalItem({
  withdrawalId,
  amount,
  destination,
  createdAtMs,
}: WithdrawalRecord): Item {
  const title = `${amountText(amount)} USDT to ${destination}`;
  return { id: withdrawalId, title, ...timesOf(createdAtMs, null) };
}

/** What waits for a second operator ends by itself when nobody agrees. */
function actItem({
  approvalId,
  operation,
  target,
  createdAtMs,
  expiresAtMs,
}: ApprovalRecord): Item {
  return { id: approvalId, title: `${operation} ${target}`, ...timesOf(createdAtMs, expiresAtMs) };
}

function timesOf(sinceMs: number, dueMs: number | null) {
  return {
    since_at: isoTime(sinceMs),
    since_at_ms: sinceMs,
    due_at: isoTimeOrNull(dueMs),
    due_at_ms: dueMs,
  };
}
