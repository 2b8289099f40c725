// Everything of a lane that waits for an operator, in queues.

import { type OperatorOperations, type OutputOf, queueKinds } from '@sibyl/contract';
import {
  asMarketId,
  type DepositRecord,
  type Market,
  type State,
  type WithdrawalRecord,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { ApiError } from '../handling/handler.ts';
import { ownerOf, type PayoutObstacles, payoutObstacles } from '../handling/payout-obstacle.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import type { AppRecord } from '../ports/apps.ts';
import type { BuilderRecord } from '../ports/builders.ts';
import type { FlagRecord } from '../ports/compliance.ts';
import { amountText } from '../wire/amounts.ts';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';
import { windowSecOf } from './challenge-window.ts';
import { laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';
import type { ActInput } from './supervision.ts';

type Queues = OutputOf<OperatorOperations['getQueues']>;
type Kind = Queues['queues'][number]['kind'];
type Item = Queues['queues'][number]['items'][number];

export function queueActs(parts: OperatorParts): Pick<OperatorHandlers, 'getQueues'> {
  return {
    async getQueues(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      const approvals = await parts.operators.approvals.list('waiting', COUNTED_MAX);
      const isHere = ({ lane }: ApprovalRecord) => lane === null || lane === query.lane;
      const others = {
        approval: approvals.filter(isHere),
        flag: (await openFlags(parts)).map(flagItem),
        builder: (await parts.platform.builders.page(IN_REVIEW)).map(builderItem),
        app: (await parts.platform.apps.page(IN_REVIEW)).map(appItem),
        ...(await waitingWithdrawals(parts, watched.lane)),
        custody: query.lane === 'live' ? silentCustody(parts) : [],
      };
      return { data: await watched.lane.read((state) => queuesOf(state, others, byHandOf(parts))) };
    },
  };
}

const SHOWN_MAX = 100;
/** More of a kind than anybody gets through are not told apart. */
const COUNTED_MAX = 1_000;
const IN_REVIEW = { limit: COUNTED_MAX, status: 'in_review', after: null } as const;

/** What is kept beside the lanes. */
interface Others
  extends Readonly<
    Record<'flag' | 'builder' | 'app' | 'stopped' | 'payout' | 'custody', readonly Item[]>
  > {
  readonly approval: readonly ApprovalRecord[];
}

/** Nothing to decide, yet somebody has to see to it: until it answers nobody is paid. */
function silentCustody({ custody, custodyWatch }: OperatorParts): readonly Item[] {
  const outage = custodyWatch?.outage ?? null;
  if (custody === undefined || outage === null) return [];
  const payouts = custodyWatch?.unclearPayouts ?? 0;
  const title = `no clear answer: ${outage.reason}; ${payouts} payouts unclear`;
  return [{ id: custody.name, title, ...timesOf(outage.sinceMs, null) }];
}

/**
 * Those that nobody has to agree to: not paid, since compliance has something against their owner by now, or to be paid by
 * hand. What is frozen or held for a time is in neither.
 */
async function waitingWithdrawals(
  parts: OperatorParts,
  lane: Lane,
): Promise<Pick<Others, 'stopped' | 'payout'>> {
  const nowMs = parts.clock.wallMs();
  const waiting = await lane.read((state) =>
    [...state.funds.openWithdrawals()]
      .filter((each) => each.state !== 'sent' && !needsOperator(each))
      .slice(0, COUNTED_MAX)
      .map((withdrawal) => ({
        withdrawal,
        ownerId: ownerOf(state, withdrawal),
        isStill:
          state.accounts.get(withdrawal.accountId)?.frozen === true ||
          (withdrawal.heldUntilMs ?? 0) > nowMs,
      })),
  );
  const known = new Map<string, PayoutObstacles>();
  const stopped: Item[] = [];
  const payout: Item[] = [];
  for (const { withdrawal, ownerId, isStill } of waiting) {
    const obstacles = known.get(ownerId) ?? (await payoutObstacles(parts, ownerId));
    known.set(ownerId, obstacles);
    const { restriction, heldUntilMs } = obstacles;
    if (restriction !== null) {
      const item = withdrawalItem(withdrawal);
      stopped.push({ ...item, title: `${item.title}: ${restriction.code}` });
    } else if (!isStill && heldUntilMs === null && withdrawal.custody === byHandOf(parts)) {
      payout.push(payoutItem(withdrawal));
    }
  }
  return { stopped, payout };
}

/** The custody whose payouts people make; null if it makes them itself. */
function byHandOf({ custody }: OperatorParts): string | null {
  return custody?.settle === undefined ? null : custody.name;
}

function openFlags({ platform }: OperatorParts): Promise<readonly FlagRecord[]> {
  const page = { status: 'open', limit: COUNTED_MAX, beforeMs: Number.MAX_SAFE_INTEGER } as const;
  return platform.compliance.flags(page);
}

function queuesOf(state: State, others: Others, byHand: string | null): Queues {
  const waiting: Record<Kind, Item[]> = {
    market_approval: [],
    proposal_missing: [],
    proposal: [],
    dispute: [],
    cancellation: [],
    withdrawal: [
      ...[...state.funds.openWithdrawals()].filter(needsOperator).map(withdrawalItem),
      ...others.stopped,
    ],
    payout: [...others.payout],
    payout_taken: [...state.funds.openWithdrawals()]
      .filter(({ state: reached, custody }) => reached === 'sent' && custody === byHand)
      .map(payoutItem),
    deposit: [...state.funds.pendingDeposits()].map(depositItem),
    approval: others.approval.map((approval) => actItem(state, approval)),
    custody: [...others.custody],
    flag: [...others.flag],
    builder: [...others.builder],
    app: [...others.app],
  };
  for (const market of state.markets.values()) {
    const found = waitsFor(market, state);
    if (found !== null) waiting[found.kind].push(itemOf(state, market, found));
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

/** Null while no operator has to act on the market. */
function waitsFor(market: Market, { parameters, nowMs }: State): Wait | null {
  const { status, approved, proposal, closing } = market;
  if (closing !== null) return null;
  if (status === 'scheduled' && !approved) {
    return { kind: 'market_approval', sinceMs: market.createdAtMs, dueMs: market.locksAtMs };
  }
  const { autoVoid, rulingDeadlineMs } = parameters.resolution;
  if (status === 'locked') {
    // Only the sandbox ends a market that has no answer.
    const dueMs = autoVoid ? market.deadlineMs : null;
    return { kind: 'proposal_missing', sinceMs: market.locksAtMs, dueMs };
  }
  if (status !== 'settling' || proposal === null) return null;
  const { dispute, proposedAtMs, windowEndsAtMs, payout, cancellation } = proposal;
  if (cancellation !== null) return { kind: 'cancellation', sinceMs: proposedAtMs, dueMs: null };
  if (dispute !== null) {
    const { disputedAtMs } = dispute;
    return { kind: 'dispute', sinceMs: disputedAtMs, dueMs: disputedAtMs + rulingDeadlineMs };
  }
  const isDropped = payout.length === 0 && windowEndsAtMs <= nowMs;
  if (!isDropped) return { kind: 'proposal', sinceMs: proposedAtMs, dueMs: windowEndsAtMs };
  // An account's proposal to cancel never pays by itself.
  return { kind: 'cancellation', sinceMs: proposedAtMs, dueMs: proposedAtMs + rulingDeadlineMs };
}

/** Where an answer is still to come, with the time that everybody has to object to it. */
function itemOf(state: State, market: Market, { kind, sinceMs, dueMs }: Wait): Item {
  const isBefore = kind === 'market_approval' || kind === 'proposal_missing';
  const words = isBefore ? windowWords(state, market) : noticeWords(state, market);
  const title = `${market.title} ${words}`.trimEnd();
  return { id: market.id, title, ...timesOf(sinceMs, dueMs) };
}

/** Of a proposed cancellation: until when it cannot be confirmed, or that its confirmation is overdue. */
function noticeWords({ nowMs, parameters }: State, { proposal }: Market): string {
  if (proposal === null || proposal.cancellation === null) return '';
  const { windowEndsAtMs, proposedAtMs } = proposal;
  if (windowEndsAtMs > nowMs) return `(notice until ${isoTime(windowEndsAtMs)})`;
  const isOverdue = nowMs - proposedAtMs >= parameters.resolution.rulingAlarmMs;
  return isOverdue ? '(ruling overdue)' : '(to confirm)';
}

function windowWords(state: State, market: Market): string {
  return `(objections for ${windowSecOf(state, market)} s)`;
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

/** With all that it takes to pay it. */
function payoutItem(withdrawal: WithdrawalRecord): Item {
  const { title, ...item } = withdrawalItem(withdrawal);
  const { accountId, updatedAtMs } = withdrawal;
  return { ...item, title: `${title} for ${accountId}`, ...timesOf(updatedAtMs, null) };
}

/** With all that it takes to ask the custody, or its owner, about it. */
function depositItem(record: DepositRecord): Item {
  const { depositId, accountId, amount, custody, reference, confirmations, createdAtMs } = record;
  const title = `${amountText(amount)} USDT for ${accountId}: ${custody} ${reference}, confirmed ${confirmations} times`;
  return { id: depositId, title, ...timesOf(createdAtMs, null) };
}

function flagItem({ flagId, kind, detail, raisedAtMs }: FlagRecord): Item {
  return { id: flagId, title: `${kind}: ${detail}`, ...timesOf(raisedAtMs, null) };
}

function builderItem({ userId, name, application }: BuilderRecord): Item {
  const { track, appliedAtMs } = application;
  return {
    id: userId,
    title: `${name}: ${track.replaceAll('_', ' ')}`,
    ...timesOf(appliedAtMs, null),
  };
}

function appItem({ appId, name, createdAtMs, submittedAtMs }: AppRecord): Item {
  return { id: appId, title: name, ...timesOf(submittedAtMs ?? createdAtMs, null) };
}

/** What waits for a second operator ends by itself when nobody agrees. */
function actItem(state: State, approval: ApprovalRecord): Item {
  const { approvalId, operation, target, createdAtMs, expiresAtMs } = approval;
  // Written by `propose`.
  const { params } = JSON.parse(approval.input) as ActInput;
  const market = state.markets.get(asMarketId(params?.market_id ?? ''));
  const isAnswer = operation === 'proposeResolution' && market !== undefined;
  const words = isAnswer ? ` ${windowWords(state, market)}` : '';
  return {
    id: approvalId,
    title: `${operation} ${target}${words}`,
    ...timesOf(createdAtMs, expiresAtMs),
  };
}

function timesOf(sinceMs: number, dueMs: number | null) {
  return {
    since_at: isoTime(sinceMs),
    since_at_ms: sinceMs,
    due_at: isoTimeOrNull(dueMs),
    due_at_ms: dueMs,
  };
}
