// Notices of money: entries of the ledger that concern somebody who listens.
import type { StreamData } from '@sibyl/contract';
import {
  asAccountId,
  asMarketId,
  type LedgerPosted,
  type LedgerReason,
  postingsOf,
  type State,
} from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { ASSET } from '../wire/account-mode.ts';
import { amountText } from '../wire/amounts.ts';
import { bondsOf } from '../wire/bonds.ts';
import { referenceText } from '../wire/ids.ts';
import type { LaneMemory, Money } from './lane-memory.ts';
import { type Say, TURNS } from './notice.ts';
import { positionFacts } from './position-events.ts';
import type { Watch } from './teller.ts';

type MoneyNews = 'balance_updated' | 'position_updated';

/** Follows the money of one command. */
export class MoneyEvents {
  readonly #committed: CommittedCommand;
  readonly #memory: LaneMemory;
  readonly #isWatched: Watch;
  readonly #hasMessages: boolean;
  /** What was free before the command, of those who spent some. */
  readonly #before = new Map<string, bigint>();

  /** `hasMessages`: messages of single entries are wanted, for which every posting is looked at. */
  constructor(
    committed: CommittedCommand,
    memory: LaneMemory,
    isWatched: Watch,
    hasMessages: boolean,
  ) {
    this.#committed = committed;
    this.#memory = memory;
    this.#isWatched = isWatched;
    this.#hasMessages = hasMessages;
  }

  post(event: LedgerPosted, index: number, say: Say<'owner', MoneyNews>): void {
    const before = this.#hasMessages ? this.#moneyIn(event) : null;
    this.#memory.post(event, this.#noteSpent);
    if (before === null) return;
    this.#balances(event, before, index, say);
    this.#movedShares(event, index, say);
  }

  /** Looked at once a command is over: what a fill takes and gives back on the way is no low balance. */
  finish(say: Say<'owner', 'balance.low'>): void {
    const index = this.#committed.outcome.events.length;
    for (const [accountId, freeBefore] of this.#before) {
      const { free, reserved } = this.#memory.moneyOf(accountId);
      say('balance.low', {
        accountId,
        id: accountId,
        index,
        variant: ({ balanceLowThreshold: low }) =>
          freeBefore >= low && free < low ? `${low}` : null,
        data: (state, endpoint) => ({
          asset: 'USDT',
          balance_free: amountText(free),
          balance_reserved: amountText(reserved + bondsById(state, accountId)),
          threshold: amountText(endpoint?.balanceLowThreshold ?? 0n),
        }),
      });
    }
  }

  readonly #noteSpent = (accountId: string, free: bigint): void => {
    if (this.#isWatched(accountId) && !this.#before.has(accountId)) {
      this.#before.set(accountId, free);
    }
  };

  /** What those whom the entry concerns had before it. */
  #moneyIn(event: LedgerPosted): ReadonlyMap<string, Money> {
    const before = new Map<string, Money>();
    for (let index = 0; index < event.count; index += 1) {
      const accountId = this.#memory.ownerAt(event, index);
      if (accountId === null || before.has(accountId) || !this.#isWatched(accountId)) continue;
      before.set(accountId, this.#memory.moneyOf(accountId));
    }
    return before;
  }

  /** One message for each entry and account. */
  #balances(
    event: LedgerPosted,
    before: ReadonlyMap<string, Money>,
    index: number,
    say: Say<'owner', 'balance_updated'>,
  ): void {
    for (const [accountId, was] of before) {
      const is = this.#memory.moneyOf(accountId);
      if (is.free === was.free && is.reserved === was.reserved) continue;
      const data = (state: State): StreamData<'balance_updated'> => {
        // A bond changes what the money is for, and not how much there is.
        const isOwnBond = event.reason === 'bond' || event.reason === 'bond_return';
        const delta = isOwnBond ? 0n : is.free + is.reserved - was.free - was.reserved;
        return {
          asset: ASSET,
          balance_free: amountText(is.free),
          balance_reserved: amountText(is.reserved + bondsById(state, accountId)),
          delta: amountText(delta),
          reason: REASONS[event.reason],
          ref_id: event.reference === '' ? null : referenceText(event.reference),
        };
      };
      say('balance_updated', { accountId, index, turn: TURNS.money, data });
    }
  }

  /** Fills, mints and merges are told of by their own events. */
  #movedShares(event: LedgerPosted, index: number, say: Say<'owner', 'position_updated'>): void {
    const { reason } = event;
    if (reason !== 'reset' && reason !== 'transfer') return;
    const told = new Set<string>();
    for (const { account } of postingsOf(event)) {
      const [, accountId = '', marketId = '', outcomeIndex = ''] = SHARES_NAME.exec(account) ?? [];
      const outcomeId = this.#memory.outcomesOf(marketId)[Number(outcomeIndex)];
      if (outcomeId === undefined || !this.#isWatched(accountId) || told.has(account)) continue;
      told.add(account);
      const touched = { accountId: asAccountId(accountId), marketId: asMarketId(marketId) };
      const facts = positionFacts({ ...touched, outcomeId, reason, index });
      say('position_updated', { ...facts, turn: TURNS.money });
    }
  }
}

const SHARES_NAME = /^user:([^:]+):(?:free|reserved):(m_[^.]+)\.(\d+)$/;

const REASONS: Readonly<Record<LedgerReason, StreamData<'balance_updated'>['reason']>> = {
  deposit: 'deposit',
  correction: 'correction',
  withdrawal: 'withdrawal',
  transfer: 'transfer',
  faucet: 'faucet',
  reset: 'reset',
  house_top_up: 'faucet',
  market_deposit: 'market_deposit',
  reserve: 'order_reserve',
  release: 'order_release',
  fill: 'trade',
  mint: 'mint',
  merge: 'merge',
  settlement: 'settlement',
  refund: 'refund',
  vesting: 'fee_credit',
  revenue: 'fee_credit',
  bond: 'bond',
  bond_return: 'bond_return',
  bond_award: 'reward',
};

function bondsById(state: State, accountId: string): bigint {
  const account = state.accounts.get(asAccountId(accountId));
  return account === undefined ? 0n : bondsOf(state, account);
}
