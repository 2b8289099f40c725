// The catalogue: which webhook events the events of one command amount to.
import { asAccountId, type Event, type State } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import type { EndpointRecord } from '../ports/webhooks.ts';
import { amountText } from '../wire/amounts.ts';
import { bondsOf } from '../wire/bonds.ts';
import type { Draft } from './draft.ts';
import type { LaneMemory } from './lane-memory.ts';
import { marketDrafts } from './market-events.ts';
import { OrderEvents } from './order-events.ts';
import { positionDraft, settledDraft, type TouchedPosition } from './position-events.ts';

/** Whether anybody wants events of this account; most accounts have no endpoint, and cost nothing then. */
export type Watch = (accountId: string) => boolean;

/** Moves the memory on by the command and says what happened in it, in order. */
export function draftsOf(
  committed: CommittedCommand,
  memory: LaneMemory,
  isWatched: Watch,
): readonly Draft[] {
  const { events } = committed.outcome;
  const drafts: Draft[] = [];
  const orders = new OrderEvents(committed, memory, isWatched, drafts);
  const positions = new Positions(memory, isWatched);
  const before = new Map<string, bigint>();
  let closed: string | null = null;
  const noteSpent = (accountId: string, free: bigint): void => {
    if (isWatched(accountId) && !before.has(accountId)) before.set(accountId, free);
  };
  // Most events are entries of the ledger, and most commands concern nobody: this loop must stay cheap.
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index]!;
    if (event.type === 'ledger_posted') {
      memory.post(event, noteSpent);
      if (event.reason === 'deposit') addDeposit(drafts, index, committed);
      continue;
    }
    if (event.type === 'account_opened') memory.addAccount(event.accountId, event.parentId);
    if (event.type === 'market_created') memory.addMarket(event.marketId, event.outcomes);
    if (event.type === 'position_settled') drafts.push(settledDraft(event, index));
    if (event.type === 'account_closed') closed = event.accountId;
    orders.add(event, index);
    positions.add(event, index);
    for (const draft of marketDrafts(committed.outcome, index, memory)) drafts.push(draft);
  }
  orders.finish();
  for (const draft of positions.drafts()) drafts.push(draft);
  addLowBalances(drafts, memory, before, events.length);
  // Its last entries come after the event.
  if (closed !== null) memory.removeAccount(closed);
  return drafts;
}

/** One event for each position a command touched, however many fills it had. */
class Positions {
  readonly #touched = new Map<string, TouchedPosition>();
  readonly #memory: LaneMemory;
  readonly #isWatched: Watch;

  constructor(memory: LaneMemory, isWatched: Watch) {
    this.#memory = memory;
    this.#isWatched = isWatched;
  }

  add(event: Event, index: number): void {
    if (event.type === 'trade_executed') {
      const { marketId, takerId, outcomeId, makers } = event;
      this.#touch({ accountId: takerId, marketId, outcomeId, reason: 'fill', index });
      for (const maker of makers) {
        const { accountId, outcomeId: made } = maker;
        this.#touch({ accountId, marketId, outcomeId: made, reason: 'fill', index });
      }
    } else if (event.type === 'sets_converted') {
      const { accountId, marketId, action } = event;
      for (const outcomeId of this.#memory.outcomesOf(marketId)) {
        this.#touch({ accountId, marketId, outcomeId, reason: action, index });
      }
    }
  }

  drafts(): Draft[] {
    return [...this.#touched.values()].map(positionDraft);
  }

  #touch(position: TouchedPosition): void {
    const { accountId, marketId, outcomeId } = position;
    if (!this.#isWatched(accountId)) return;
    this.#touched.set(`${accountId} ${marketId} ${outcomeId}`, position);
  }
}

function addDeposit(drafts: Draft[], index: number, { command }: CommittedCommand): void {
  if (command.type !== 'deposit') return;
  const { accountId, amount, reference, seq } = command;
  drafts.push({
    type: 'deposit.confirmed',
    accountId,
    aggregate: `account:${accountId}`,
    marketId: null,
    index,
    data: () => ({
      deposit_id: depositIdText(seq),
      asset: 'USDT',
      amount: amountText(amount),
      state: 'confirmed',
      confirmations: 0,
      tx_ref: reference,
    }),
  });
}

/** As the operator's answer to the deposit names it. */
function depositIdText(seq: number): string {
  return `dep_${seq.toString(36).padStart(10, '0')}`;
}

function bondsById(state: State, accountId: string): bigint {
  const account = state.accounts.get(asAccountId(accountId));
  return account === undefined ? 0n : bondsOf(state, account);
}

/** Looked at once a command is over: what a fill takes and gives back on the way is no low balance. */
function addLowBalances(
  drafts: Draft[],
  memory: LaneMemory,
  before: ReadonlyMap<string, bigint>,
  index: number,
): void {
  for (const [accountId, freeBefore] of before) {
    const { free, reserved } = memory.moneyOf(accountId);
    drafts.push({
      type: 'balance.low',
      accountId,
      aggregate: `account:${accountId}`,
      marketId: null,
      index,
      variant: ({ balanceLowThreshold: low }) =>
        freeBefore >= low && free < low ? `${low}` : null,
      data: (state: State, endpoint: EndpointRecord) => ({
        asset: 'USDT',
        balance_free: amountText(free),
        balance_reserved: amountText(reserved + bondsById(state, accountId)),
        threshold: amountText(endpoint.balanceLowThreshold),
      }),
    });
  }
}
