// What stands in the way of closing an account, and how its lanes are made to forget it.

import {
  type AccountId,
  amountAt,
  asAccountId,
  FOR_EVER_MS,
  freeShares,
  isFinal,
  keptOf,
  type LaneName,
  LIMIT_KINDS,
  type State,
} from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { CLOSED } from '../../handling/closed-account.ts';
import { type ApiError, fail, type RequestContext } from '../../handling/handler.ts';
import type { Turns } from '../../handling/turns.ts';
import type { UserRecord } from '../../ports/platform.ts';
import { amountText } from '../../wire/amounts.ts';
import type { Lanes } from './accounts.ts';

type Obstacle = Readonly<Record<string, string | number>> & { readonly reason: string };

const WORDS: Readonly<Record<string, string>> = {
  open_orders: 'There are open orders: cancel them first.',
  positions: 'There are positions: sell them, or wait until they are settled.',
  balance: 'There is money in the account, or on its way: withdraw it first.',
  stakes: 'Markets of yours, or bonds, are not decided yet: wait until they are.',
  claims:
    'Markets in which you have paid fees could still be cancelled, and return them: wait until they are decided.',
  frozen: 'The account is frozen: ask the operator.',
  limits: 'You have set limits of your own: lift them first, which takes effect after a day.',
  restricted:
    'A list, or the country that an operator has set, restricts the account: ask the operator.',
  flagged: 'A check of the account is not over yet: ask the operator.',
};

export function inTheWay(obstacle: Obstacle): ApiError {
  return fail('STATE_CONFLICT', obstacle, WORDS[obstacle.reason]);
}

/**
 * Stops the account in every lane, with its subaccounts: nobody orders with it from then on. Null if that is done; else
 * nothing has changed. Play money goes, real money is in the way.
 */
export async function stopAccounts(
  { lanes, closingTurns }: ClosingLanes,
  user: UserRecord,
  asked: Asked,
): Promise<ApiError | null> {
  return closingTurns.take(user.accounts.live, () => stopIn(lanes, user, asked));
}

export interface ClosingLanes {
  readonly lanes: Lanes;
  /** By account of live: money that comes in waits until it is closed or is not. */
  readonly closingTurns: Turns;
}

/** The request that closes it. */
interface Asked extends Pick<RequestContext, 'requestId' | 'receivedAtMs'> {
  /** Whether an exclusion outlives the account: that of an address which was never verified does not. */
  readonly keepsExclusion: boolean;
}

async function stopIn(lanes: Lanes, user: UserRecord, asked: Asked): Promise<ApiError | null> {
  const stopped: Lane[] = [];
  for (const lane of Object.values(lanes)) {
    const refused = await stopOne(lane, asAccountId(user.accounts[lane.name]), asked);
    if (refused === null) {
      stopped.push(lane);
      continue;
    }
    for (const one of stopped) {
      await setFrozen(one, asAccountId(user.accounts[one.name]), asked.requestId, false);
    }
    return refused;
  }
  return null;
}

async function stopOne(
  lane: Lane,
  accountId: AccountId,
  { requestId, receivedAtMs, keepsExclusion }: Asked,
): Promise<ApiError | null> {
  // In a quiet lane the time of the last command may be long ago.
  const look = (): Promise<Obstacle | null> =>
    lane.read((state) => {
      const nowMs = Math.max(state.nowMs, receivedAtMs);
      return (
        heldBack(state, lane.name, accountId, { nowMs, keepsExclusion }) ??
        obstacleIn(state, lane.name, accountId)
      );
    });
  const before = await look();
  if (before !== null) return inTheWay(before);
  if (!(await lane.read(({ accounts }) => accounts.has(accountId)))) return null;
  if (lane.name === 'sandbox') {
    const refused = await emptied(lane, accountId, requestId);
    if (refused !== null) return refused;
  }
  await setFrozen(lane, accountId, requestId, true);
  // An order may have come between the look and the freeze, and have been filled.
  const after = await look();
  if (after === null) return null;
  await setFrozen(lane, accountId, requestId, false);
  return inTheWay(after);
}

/** A closing that was cut off has emptied it before: it is frozen then, and has nothing. */
async function emptied(
  lane: Lane,
  accountId: AccountId,
  requestId: string,
): Promise<ApiError | null> {
  if (await lane.read(({ accounts }) => accounts.get(accountId)?.frozenReason === CLOSED)) {
    return null;
  }
  const body = { type: 'reset_account', accountId } as const;
  const { answer } = await lane.submit({ body, actor: { kind: 'system' }, requestId });
  if (answer.ok) return null;
  return inTheWay({ reason: 'positions', lane: lane.name });
}

async function setFrozen(
  lane: Lane,
  accountId: AccountId,
  requestId: string,
  frozen: boolean,
): Promise<void> {
  const { answer } = await lane.submit({
    body: { type: 'freeze_account', accountId, frozen, reason: CLOSED },
    actor: { kind: 'system' },
    requestId,
  });
  if (!answer.ok) throw new Error(`${accountId} was not stopped: ${answer.rejection.code}`);
}

/**
 * What must not be escaped from by registering anew. Own limits on play money may be: anybody gets more of it without an
 * account. Whoever is excluded for ever and kept out by it does not register anew, so that his limits hold nobody back.
 */
function heldBack(
  { accounts }: State,
  lane: LaneName,
  accountId: AccountId,
  { nowMs, keepsExclusion }: { readonly nowMs: number; readonly keepsExclusion: boolean },
): Obstacle | null {
  const family = accounts.get(accountId)?.family;
  if (family === undefined) return null;
  if (family.members.some((member) => isHeld(member))) return { reason: 'frozen', lane };
  if (lane === 'sandbox' || (keepsExclusion && isExcludedForEver(family))) return null;
  return hasLimits(family, nowMs) ? { reason: 'limits', lane } : null;
}

/** The first of what would be left behind; play money may be. */
function obstacleIn(state: State, lane: LaneName, accountId: AccountId): Obstacle | null {
  const family = state.accounts.get(accountId)?.family;
  if (family === undefined || lane === 'sandbox') return null;
  const orders = family.members.reduce((sum, { openOrders }) => sum + openOrders, 0);
  if (orders > 0) return { reason: 'open_orders', lane, open: orders };
  const markets = family.members.reduce((sum, member) => sum + marketsHeld(state, member), 0);
  if (markets > 0) return { reason: 'positions', lane, markets };
  const money = family.members.reduce((sum, member) => sum + moneyOf(state, member), 0n);
  if (money > 0n) return { reason: 'balance', lane, amount: amountText(money) };
  const isOwed = family.openMarkets > 0 || family.members.some(({ staked }) => staked > 0n);
  if (isOwed) return { reason: 'stakes', lane };
  const claims = family.members.reduce((sum, member) => sum + claimsOf(member), 0);
  return claims > 0 ? { reason: 'claims', lane, markets: claims } : null;
}

type Member = NonNullable<ReturnType<State['accounts']['get']>>;

function isHeld({ frozenByOperator, frozenReason }: Member): boolean {
  return frozenByOperator && frozenReason !== CLOSED;
}

function isExcludedForEver({ limits }: Member['family']): boolean {
  return limits !== null && limits.excludedUntilMs >= FOR_EVER_MS;
}

/** Of its own making; one that is to be lifted counts until it is. */
function hasLimits({ limits }: Member['family'], nowMs: number): boolean {
  if (limits === null) return false;
  return LIMIT_KINDS.some((kind) =>
    limits.limits[kind].some((limit) => amountAt(limit, nowMs) !== null),
  );
}

/** Markets whose cancellation would return fees to the account (VD14): a closed account could not withdraw them. */
function claimsOf({ holdings }: Member): number {
  let markets = 0;
  for (const holding of holdings.values()) {
    if (!isFinal(holding.market) && keptOf(holding) > 0n) markets += 1;
  }
  return markets;
}

function marketsHeld(state: State, { holdings }: Member): number {
  let markets = 0;
  for (const holding of holdings.values()) {
    const holds = holding.market.outcomes.some((_, at) => freeShares(state, holding, at) > 0n);
    if (holds) markets += 1;
  }
  return markets;
}

/** Free, reserved, on its way out, and on its way in. */
function moneyOf(state: State, { id, free, reserved, withdrawing }: Member): bigint {
  const { ledger, funds } = state;
  const kept = ledger.balance(free) + ledger.balance(reserved) + ledger.balance(withdrawing);
  const coming = funds.depositsOf(id).filter((deposit) => deposit.state === 'pending');
  return coming.reduce((sum, { amount }) => sum + amount, kept);
}
