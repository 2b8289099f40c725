// What must hold after every command; a violation names itself and stops the lane.
import { notional, pips, sharesOf } from '@sibyl/money';
import { costOf } from './amm/cost.ts';
import { lotsToPrice } from './amm/quote.ts';
import { isOpenWithdrawal } from './funds/funds.ts';
import { assert } from './kit/assert.ts';
import type { AccountId, MarketId } from './kit/identity.ts';
import { postingsOf } from './ledger/postings.ts';
import { freeShares, reservedShares } from './position/holdings.ts';
import { timersOf } from './snapshot/timers.ts';
import type { Account, Family } from './state/account.ts';
import { isCrossed, restingOrders } from './state/book.ts';
import type { Event } from './state/event.ts';
import { basisOf, type Holding, keptOf } from './state/holding.ts';
import { isFinal, type Market } from './state/market.ts';
import { type Order, remainingLots } from './state/order.ts';
import type { Outcome } from './state/outcome.ts';
import type { State } from './state/state.ts';
import type { Timer } from './timer/timer-queue.ts';

/** The full sweep: every account, every market, the whole ledger. */
export function checkAll(state: State): void {
  assert(state.readOnly || !state.cancelOnly, 'IV1: a halted lane that is not read-only');
  checkLedger(state);
  for (const account of state.accounts.values()) checkAccount(state, account);
  checkAccount(state, state.house);
  for (const market of state.markets.values()) checkMarket(state, market);
  let open = 0;
  for (const account of state.accounts.values()) {
    open += account.openOrders;
    if (account.parentId === null) checkFamily(state, account.family);
  }
  assert(open === state.orders.size, 'IV1: orders of accounts and of the lane differ in number');
  checkFunds(state);
  checkTimers(state);
}

/** AC9 to AC11: no two open subaccounts of a name, nobody held without a reason, and nothing left in what is closed. */
function checkFamily(state: State, { id, members, closed, owner, limits }: Family): void {
  assert(owner.id === id, `IV1: the family of ${id} begins with ${owner.id}`);
  const labels = new Set(members.map(({ label }) => label));
  assert(labels.size === members.length, `IV1: two subaccounts of ${id} have one label`);
  const isPlain = members.length + closed.length === 1 && limits === null;
  for (const member of members) {
    assert(member.isPlain === isPlain, `IV1: ${member.id} is mistaken about its family`);
    const { frozenByOwner, frozenByOperator, frozen, closedAtMs } = member;
    const isHeld = frozenByOwner || frozenByOperator || owner.frozenByOperator;
    assert(frozen === isHeld && closedAtMs === null, `IV1: ${member.id} is held for no reason`);
  }
  for (const { id: closedId, free, holdings, staked, openOrders } of closed) {
    const isEmpty = state.ledger.balance(free) === 0n && staked === 0n && openOrders === 0;
    assert(
      isEmpty && holdings.size === 0,
      `IV1: something is left in ${closedId}, which is closed`,
    );
  }
}

/** What came from outside and went there is what the records say, and not a unit more. */
function checkFunds(state: State): void {
  if (state.lane !== 'live') return;
  const { funds, ledger, contra } = state;
  let inside = funds.unrecorded;
  for (const { state: reached, amount } of funds.deposits()) {
    if (reached === 'confirmed') inside += amount;
  }
  for (const { state: reached, amount } of funds.withdrawals()) {
    if (reached === 'completed') inside -= amount;
  }
  const booked = -ledger.balance(contra);
  assert(booked === inside, `IV1: ${booked} came from outside, the records explain ${inside}`);
}

/** A timer too many would ring in vain after this process and not after a restart; one too few never. */
function checkTimers(state: State): void {
  const expected = timersOf(state).map(nameOf).sort();
  const ahead = state.timers.timers().filter(({ dueMs }) => dueMs > state.nowMs);
  const queued = ahead.map(nameOf).sort();
  const wrong = expected.find((name, index) => name !== queued[index]);
  const isEqual = wrong === undefined && expected.length === queued.length;
  assert(isEqual, `IV1: the lane waits for ${queued.length} timers of ${expected.length}`);
}

function nameOf({ kind, subject, dueMs }: Timer): string {
  return `${kind} ${subject} ${dueMs}`;
}

/** The same for what an outcome's events name. */
export function checkTouched(state: State, outcome: Outcome): void {
  const accounts = new Set<string>();
  const markets = new Set<string>();
  for (const event of outcome.events) collect(event, accounts, markets);
  for (const id of accounts) {
    const account = state.accounts.get(id as AccountId);
    if (account !== undefined) checkAccount(state, account);
  }
  for (const id of markets) {
    const market = state.markets.get(id as MarketId);
    if (market !== undefined) checkMarket(state, market);
  }
}

function collect(event: Event, accounts: Set<string>, markets: Set<string>): void {
  if ('accountId' in event && event.accountId !== null) accounts.add(event.accountId);
  if ('marketId' in event && event.marketId !== null) markets.add(event.marketId);
  if (event.type !== 'ledger_posted') return;
  for (const { account } of postingsOf(event)) {
    const parts = account.split(':');
    if (parts[0] === 'user') accounts.add(parts[1]!);
    if (parts[0] === 'market' || parts[0] === 'amm') markets.add(parts[1]!);
  }
}

/** Invariants 1 and 4: each asset sums to zero, no sign is wrong, no name stands twice. */
function checkLedger(state: State): void {
  const sums = new Map<string, bigint>();
  const names = new Set<string>();
  for (const { name, balance, contra, asset } of state.ledger.accounts()) {
    assert(!names.has(name), `IV1: two ledger accounts named ${name}`);
    names.add(name);
    assert(contra ? balance <= 0n : balance >= 0n, `IV1: wrong sign of ${name}`);
    sums.set(asset, (sums.get(asset) ?? 0n) + balance);
  }
  for (const [asset, sum] of sums) assert(sum === 0n, `IV1: ${asset} sums to ${sum}`);
}

/** Invariant 3 and PO3. */
export function checkAccount(state: State, account: Account): void {
  let reserved = 0n;
  for (const order of state.orderLists.of(account)) {
    assert(order.holding.account === account, `IV1: order ${order.id} is in the wrong account`);
    assert(order.level !== null, `IV1: open order ${order.id} rests nowhere`);
    if (order.side === 'buy') reserved += notional(remainingLots(order), order.price);
  }
  const booked = state.ledger.balance(account.reserved);
  assert(booked === reserved, `IV1: ${account.id} reserves ${booked}, its buys need ${reserved}`);
  const isEmpty = account.closedAtMs === null || state.ledger.balance(account.free) === 0n;
  assert(isEmpty, `IV1: ${account.id} is closed and has money`);
  const withdrawing = checkWithdrawing(state, account);
  let basis = 0n;
  let open = 0;
  for (const holding of account.holdings.values()) {
    open += holding.openOrders;
    const outcomes = holding.market.outcomes.length;
    for (let outcome = 0; outcome < outcomes; outcome += 1) basis += basisOf(holding, outcome);
  }
  const counted = account.openOrders;
  assert(open === counted, `IV1: ${account.id} has ${counted} open orders, its markets ${open}`);
  const worth = state.ledger.balance(account.free) + booked + withdrawing + basis + account.staked;
  const due = account.netDeposits + account.realized;
  assert(worth === due, `PO3: ${account.id} has ${worth}, its history explains ${due}`);
}

/** What is reserved for withdrawals is what the open ones come to. */
function checkWithdrawing(state: State, account: Account): bigint {
  let needed = 0n;
  for (const withdrawal of state.funds.withdrawalsOf(account.id)) {
    if (isOpenWithdrawal(withdrawal)) needed += withdrawal.amount;
  }
  const booked = state.ledger.balance(account.withdrawing);
  assert(booked === needed, `IV1: ${account.id} reserves ${booked} for withdrawals of ${needed}`);
  return booked;
}

export function checkMarket(state: State, market: Market): void {
  checkSets(state, market);
  checkOrders(market);
  if (market.status === 'active' && market.closing === null) checkSampling(market);
  if (isFinal(market)) {
    checkEnded(state, market);
  } else {
    checkPool(state, market);
    checkKept(state, market);
    checkBooks(market);
  }
}

/** Invariant 2: the escrow is the supply, and the supply is held by somebody. */
function checkSets(state: State, market: Market): void {
  const escrow = state.ledger.balance(market.escrow);
  const held: bigint[] = market.inventory.map((account) => state.ledger.balance(account));
  const resting = ordersByHolding(market);
  for (const holding of market.holdings.values()) {
    addHeld(state, holding, resting.get(holding) ?? [], held);
  }
  for (let outcome = 0; outcome < held.length; outcome += 1) {
    const supply = -state.ledger.balance(market.issue[outcome]!);
    // While a market is settled holder by holder, shares and escrow leave at different times.
    if (!isPaying(market)) {
      assert(supply === escrow, `IV1: ${market.id} has escrow ${escrow} for ${supply} sets`);
    }
    assert(held[outcome] === supply, `IV1: ${market.id}.${outcome} of ${supply} finds holders`);
  }
}

function ordersByHolding(market: Market): Map<Holding, Order[]> {
  const found = new Map<Holding, Order[]>();
  for (const order of restingOrders(market)) {
    const others = found.get(order.holding);
    if (others === undefined) found.set(order.holding, [order]);
    else others.push(order);
  }
  return found;
}

/** `resting` are its orders in the books. */
function addHeld(state: State, holding: Holding, resting: readonly Order[], held: bigint[]): void {
  for (let outcome = 0; outcome < held.length; outcome += 1) {
    let reserved = 0n;
    for (const order of resting) {
      if (order.side === 'sell' && order.outcome === outcome)
        reserved += sharesOf(remainingLots(order));
    }
    const booked = reservedShares(state, holding, outcome);
    assert(
      booked === reserved,
      `IV1: ${holding.account.id} reserves ${booked} shares of ${reserved}`,
    );
    held[outcome] = held[outcome]! + freeShares(state, holding, outcome) + booked;
  }
  let wanted = 0;
  for (const order of resting) if (order.side === 'buy') wanted += remainingLots(order);
  const isWanted = wanted === holding.restingLots;
  assert(isWanted, `IV1: ${holding.account.id} miscounts what its buys want`);
  const isCounted = resting.length === holding.openOrders;
  assert(isCounted, `IV1: ${holding.account.id} miscounts its open orders`);
}

function checkOrders(market: Market): void {
  for (const order of restingOrders(market)) {
    const isOnGrid = order.price % market.tickPips === 0;
    assert(isOnGrid, `IV1: an order of ${market.id} rests between two ticks`);
  }
  let open = 0;
  for (const holding of market.holdings.values()) open += holding.openOrders;
  assert(open === market.openOrders, `IV1: ${market.id} miscounts its open orders`);
}

/** QS1: an active market that is not waited for would never be looked at again. */
function checkSampling(market: Market): void {
  assert(market.sampleDueMs > 0, `IV1: the next sample of ${market.id} is not waited for`);
}

/** While holders are paid one by one, shares and escrow leave at different times, and fees are in the escrow. */
function isPaying({ closing }: Market): boolean {
  return closing !== null && closing.kind !== 'lock';
}

/** Invariant 8. */
function checkEnded(state: State, market: Market): void {
  assert(state.ledger.balance(market.escrow) === 0n, `IV1: ${market.id} ended with escrow`);
  assert(market.openOrders === 0, `IV1: ${market.id} ended with open orders`);
  assert(market.holders.length === 0, `IV1: ${market.id} ended with holders`);
  for (const fee of market.unvested.values()) {
    assert(state.ledger.balance(fee.account) === 0n, `IV1: ${market.id} ended with unvested fees`);
  }
}

/** Invariant 5: inventory follows from what the pool sold, and covers every result. */
function checkPool(state: State, market: Market): void {
  const { pool } = market;
  if (pool === null || isPaying(market)) return;
  const { q, initial, sets, surplus, deposit, b } = pool.record();
  for (let outcome = 0; outcome < q.length; outcome += 1) {
    const inventory = sets - (q[outcome]! - initial[outcome]!);
    assert(inventory >= 0n, `IV1: ${market.id} sold more of ${outcome} than its pool had`);
    const booked = state.ledger.balance(market.inventory[outcome]!);
    assert(booked === inventory, `IV1: ${market.id}.${outcome} books ${booked} of ${inventory}`);
  }
  const expected = sets - (deposit + costOf(q, b) - costOf(initial, b));
  assert(surplus === expected && surplus >= 0n, `IV1: ${market.id} has surplus ${surplus}`);
}

/** VD14: a cancellation could return every fee to the holder who paid it. */
function checkKept(state: State, market: Market): void {
  if (isPaying(market)) return;
  let unvested = 0n;
  for (const { account } of market.unvested.values()) unvested += state.ledger.balance(account);
  let kept = 0n;
  for (const holding of market.holders) if (holding !== null) kept += keptOf(holding);
  assert(kept === unvested, `IV1: ${market.id} keeps ${unvested} of fees, its holders ${kept}`);
}

/** Invariant 6: nothing is left on the table. */
function checkBooks(market: Market): void {
  for (let index = 0; index < market.books.length; index += 1) {
    const book = market.books[index]!;
    assert(!isCrossed(book), `IV1: ${market.id} has a crossed book`);
    if (market.pool === null) continue;
    const bid = book.bids.best;
    const ask = book.asks.best;
    if (bid !== null) checkCrossing(market, index, bid.price, 'buy');
    if (ask !== null) checkCrossing(market, index, ask.price, 'sell');
  }
}

/** One lot and the rounding guard may be left over, never two lots. */
function checkCrossing(market: Market, outcome: number, price: number, side: 'buy' | 'sell'): void {
  const lots = lotsToPrice(market.pool!.view, outcome, pips(price), side);
  assert(lots <= 1, `IV1: an order of ${market.id} crosses the pool by ${lots} lots`);
}
