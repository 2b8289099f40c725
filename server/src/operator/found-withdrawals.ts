// Withdrawals that an operator looks up, each with what it waits for.

import type { OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  asAccountId,
  asWithdrawalId,
  isOpenWithdrawal,
  type State,
  type WithdrawalRecord,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { cutPage } from '../handling/cut-page.ts';
import { ApiError, fail } from '../handling/handler.ts';
import { ownerOf, payoutObstacles } from '../handling/payout-obstacle.ts';
import type { ApprovalRecord } from '../ports/approvals.ts';
import { whileHeld, withdrawalView } from '../wire/funds.ts';
import { accountNamed } from './finding.ts';
import { laneOf, type OperatorHandlers, type OperatorParts } from './parts.ts';

type Found = OutputOf<OperatorOperations['inspectWithdrawal']>;
type Wanted = Found['state'] | 'open' | null;

export function withdrawalFinding(
  parts: OperatorParts,
): Pick<OperatorHandlers, 'findWithdrawals' | 'inspectWithdrawal'> {
  return {
    async findWithdrawals(request, { query }) {
      const watched = laneOf(parts, 'live');
      if (watched instanceof ApiError) return watched;
      const { lane } = watched;
      const page = request.page(query);
      const wanted = query.state ?? null;
      const ofWhom = query.owner === undefined ? null : await ownerNamed(parts, query.owner);
      if (ofWhom === undefined) return { data: [], meta: { next_cursor: null } };
      const before = page.after === null ? null : String(page.after[0]);
      const candidates = await lane.read((state) => candidatesIn(state, ofWhom, wanted, before));
      const found: Found[] = [];
      const viewer = await viewerOf(parts, lane);
      for (const each of candidates) {
        const view = await viewer(each);
        // Shown as held, though the lane would let it go, while its owner's withdrawals are.
        if (wanted === null || wanted === 'open' || view.state === wanted) found.push(view);
        if (found.length > page.limit) break;
      }
      const { shown, nextCursor } = cutPage(found, page, (last) => [last.withdrawal_id]);
      return { data: [...shown], meta: { next_cursor: nextCursor } };
    },
    async inspectWithdrawal(_request, { params }) {
      const found = await withdrawalNamed(parts, params.withdrawal_id);
      return found === null ? fail('NOT_FOUND') : { data: found };
    },
  };
}

/** Null if there is none. */
export async function withdrawalNamed(parts: OperatorParts, id: string): Promise<Found | null> {
  const lane = parts.opened.live?.lane;
  const known = await lane?.read(({ funds }) => funds.withdrawal(asWithdrawalId(id)));
  if (lane === undefined || known === undefined) return null;
  return (await viewerOf(parts, lane))(known);
}

/** Undefined if nobody is called so. */
async function ownerNamed(parts: OperatorParts, name: string): Promise<string | undefined> {
  return (await accountNamed(parts, 'live', name)) ?? undefined;
}

/** The newest first; of what the lane does not decide alone, all that could turn out to be wanted. */
function candidatesIn(
  state: State,
  accountId: string | null,
  wanted: Wanted,
  before: string | null,
): readonly WithdrawalRecord[] {
  const isWaiting = wanted === 'held' || wanted === 'requested';
  const isCandidate = (each: WithdrawalRecord): boolean => {
    if (before !== null && each.withdrawalId >= before) return false;
    if (wanted === null) return true;
    if (wanted === 'open') return isOpenWithdrawal(each);
    if (isWaiting) return each.state === 'held' || each.state === 'requested';
    return each.state === wanted;
  };
  const found: WithdrawalRecord[] = [];
  for (const each of sourceOf(state, accountId, wanted)) if (isCandidate(each)) found.push(each);
  // Kept as they were made, those of a family account by account; ids sort so too.
  if (accountId === null) return found.reverse();
  return found.sort((one, other) => (one.withdrawalId < other.withdrawalId ? 1 : -1));
}

/** As few as have to be looked through. */
function sourceOf(
  { funds, accounts }: State,
  accountId: string | null,
  wanted: Wanted,
): Iterable<WithdrawalRecord> {
  if (accountId !== null) {
    const { members = [], closed = [] } = accounts.get(asAccountId(accountId))?.family ?? {};
    return [...members, ...closed].flatMap(({ id }) => funds.withdrawalsOf(id));
  }
  const isOver = wanted === null || wanted === 'completed' || wanted === 'failed';
  return isOver ? funds.withdrawals() : funds.openWithdrawals();
}

/** What is known of each owner is asked once. */
interface OwnerFacts {
  readonly userId: string | null;
  readonly restriction: string | null;
  readonly heldUntilMs: number | null;
}

const WAITING_MAX = 1_000;

async function viewerOf(
  parts: OperatorParts,
  lane: Lane,
): Promise<(withdrawal: WithdrawalRecord) => Promise<Found>> {
  const waiting = await parts.operators.approvals.list('waiting', WAITING_MAX);
  const owners = new Map<string, Promise<OwnerFacts>>();
  return async (withdrawal) => {
    const { ownerId, isFrozen } = await lane.read((state) => ({
      ownerId: ownerOf(state, withdrawal),
      isFrozen: state.accounts.get(withdrawal.accountId)?.frozen === true,
    }));
    const known = owners.get(ownerId) ?? ownerFacts(parts, ownerId);
    owners.set(ownerId, known);
    const owner = await known;
    const shown = isOpenWithdrawal(withdrawal)
      ? whileHeld(withdrawal, owner.heldUntilMs)
      : withdrawal;
    return {
      account_id: withdrawal.accountId,
      ...withdrawalView(shown),
      user_id: owner.userId,
      custody: withdrawal.custody,
      waits_for: waitOf(parts, shown, owner, isFrozen),
      restriction: isOpenWithdrawal(withdrawal) ? owner.restriction : null,
      approval_id: waiting.find((each) => isAbout(each, withdrawal))?.approvalId ?? null,
    };
  };
}

async function ownerFacts(parts: OperatorParts, ownerId: string): Promise<OwnerFacts> {
  const user = await parts.platform.userByAccount(ownerId);
  const { restriction, heldUntilMs } = await payoutObstacles(parts, ownerId);
  return { userId: user?.userId ?? null, restriction: restriction?.code ?? null, heldUntilMs };
}

/** The first that somebody has to do something about; a time passes by itself. */
function waitOf(
  { custody, clock }: OperatorParts,
  withdrawal: WithdrawalRecord,
  { restriction }: OwnerFacts,
  isFrozen: boolean,
): Found['waits_for'] {
  const { state, needsApproval, heldUntilMs } = withdrawal;
  if (!isOpenWithdrawal(withdrawal)) return null;
  if (custody !== undefined && withdrawal.custody !== custody.name) return 'other_custody';
  const isByHand = custody?.settle !== undefined;
  if (state === 'sent') return isByHand ? 'payout_taken' : 'custody';
  if (restriction !== null) return 'compliance';
  if (isFrozen) return 'frozen';
  if (needsApproval) return 'operator';
  if (heldUntilMs !== null && heldUntilMs > clock.wallMs()) return 'time';
  return isByHand ? 'payout' : null;
}

function isAbout(
  { operation, target }: ApprovalRecord,
  { withdrawalId }: WithdrawalRecord,
): boolean {
  return operation === 'approveWithdrawal' && target.split('/').includes(withdrawalId);
}
