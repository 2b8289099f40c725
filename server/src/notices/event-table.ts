// Every event of the engine with what is told of it: one row each, and an event without a row does not compile.
// Books, tickers, fast rounds and signals are made of what a market has become, not of single events.
import type { Event } from '@sibyl/engine';
import { tellDeposit, tellRevenue, tellWithdrawal } from './funds-events.ts';
import {
  tellApproved,
  tellChainData,
  tellClarified,
  tellCreated,
  tellDisputed,
  tellHalted,
  tellProposed,
  tellReadOnly,
  tellResolved,
  tellResumed,
  tellStatus,
  tellTickSize,
  tellWindowMoved,
} from './market-events.ts';
import type { Audience, ToldAs } from './notice.ts';
import { tellSettled } from './position-events.ts';
import { tellFrozen } from './subaccount-events.ts';
import { tellDeadMan } from './switch-events.ts';
import type { Teller } from './teller.ts';

/** The event of this type. */
type EventOf<Type extends Event['type']> = Extract<Event, { readonly type: Type }>;

export interface EventRow<Told extends Event> {
  /** Who may see it: everybody, the account that it is about, or nobody. */
  readonly audience: Audience | 'nobody';
  /**
   * What it may be told as: types of webhooks, of which the contract knows the aggregate and the message that carries the
   * same, and messages that come without a webhook.
   */
  readonly tells: readonly ToldAs[];
  /** Whether it is part of trading: then nothing but books, tickers and the streams of its owners changes. */
  readonly isTrading: boolean;
  /** Moves the memory on by the event, and says those of `tells` that it is this time. */
  readonly tell: (teller: Teller<Audience, ToldAs>, event: Told, index: number) => void;
}

type Tell<Who extends Audience, Name extends ToldAs, Told> = (
  teller: Teller<Who, Name>,
  event: Told,
  index: number,
) => void;

const ORDER_NEWS = [
  'order.accepted',
  'order.rejected',
  'order.filled',
  'order.partially_filled',
  'order.cancelled',
  'trade.executed',
] as const;

export const EVENTS: { readonly [Type in Event['type']]: EventRow<EventOf<Type>> } = {
  account_opened: untold(({ memory }, { accountId, parentId }) =>
    memory.addAccount(accountId, parentId),
  ),
  account_frozen: toOwner(['subaccount.frozen'], tellFrozen),
  subaccount_renamed: untold(),
  subaccount_closed: untold(),
  account_reset: untold(),
  demo_registered: untold(),
  account_closed: untold(({ forgetLater }, { accountId }) => forgetLater(accountId)),
  ledger_posted: trading(
    ['balance.low', 'balance_updated', 'position_updated'],
    ({ money, say }, event, index) => money.post(event, index, say),
  ),
  deposit_updated: toOwner(['deposit', 'deposit.confirmed', 'deposit.failed'], tellDeposit),
  withdrawal_updated: toOwner(
    ['withdrawal_updated', 'withdrawal.completed', 'withdrawal.failed'],
    tellWithdrawal,
  ),
  fees_credited: toOwner(['revenue.credited'], tellRevenue),
  template_published: untold(),
  template_deprecated: untold(),
  market_created: toAll(['market.created'], tellCreated),
  market_approved: toAll(['market_updated'], tellApproved),
  market_status_changed: toAll(
    ['market.activated', 'market.locked', 'market.cancelled', 'market_status_changed'],
    tellStatus,
  ),
  market_halted: toAll(['market.halted', 'circuit_breaker.changed'], tellHalted),
  market_resumed: toAll(['market.resumed', 'circuit_breaker.changed'], tellResumed),
  market_resolved: toAll(['market.resolved', 'resolution.finalized'], tellResolved),
  market_cancelled: untold(),
  tick_size_changed: toAll(['tick_size_changed', 'market_updated'], tellTickSize),
  market_clarified: toAll(['market_updated'], tellClarified),
  chain_data_attached: toAll(['market_updated'], tellChainData),
  resolution_proposed: toAll(['resolution.proposed', 'market_updated'], tellProposed),
  resolution_disputed: toAll(['resolution.disputed'], tellDisputed),
  resolution_ruled: untold(),
  resolution_window_moved: toAll(['market_updated'], tellWindowMoved),
  ruling_overdue: untold(),
  proposal_overdue: untold(),
  order_placed: trading(ORDER_NEWS, ({ orders, say }, event, index) =>
    orders.place(event, index, say),
  ),
  order_amended: trading([...ORDER_NEWS, 'order_updated'], ({ orders, say }, event, index) =>
    orders.amend(event, index, say),
  ),
  order_cancelled: trading(ORDER_NEWS, ({ orders, say }, event, index) =>
    orders.cancel(event, index, say),
  ),
  trade_executed: trading([...ORDER_NEWS, 'position.updated'], (teller, event, index) => {
    teller.orders.trade(event, index, teller.say);
    teller.positions.trade(event, index);
  }),
  sets_converted: trading(['position.updated'], ({ positions }, event, index) =>
    positions.convert(event, index),
  ),
  position_settled: toOwner(['position.settled'], tellSettled),
  heartbeat_armed: untold(),
  dead_man_triggered: toOwner(['dead_man_triggered'], tellDeadMan),
  quality_sampled: trading([], nothing),
  read_only_changed: toAll(['platform_mode', 'circuit_breaker.changed'], tellReadOnly),
  compliance_set: untold(),
  own_limits_set: untold(),
  self_excluded: untold(),
  parameters_changed: untold(),
};

function toAll<const Name extends ToldAs, Told extends Event>(
  tells: readonly Name[],
  tell: Tell<'everybody', NoInfer<Name>, Told>,
): EventRow<Told> {
  return { audience: 'everybody', tells, isTrading: false, tell };
}

function toOwner<const Name extends ToldAs, Told extends Event>(
  tells: readonly Name[],
  tell: Tell<'owner', NoInfer<Name>, Told>,
): EventRow<Told> {
  return { audience: 'owner', tells, isTrading: false, tell };
}

function trading<const Name extends ToldAs, Told extends Event>(
  tells: readonly Name[],
  tell: Tell<'owner', NoInfer<Name>, Told>,
): EventRow<Told> {
  return { ...toOwner(tells, tell), isTrading: true };
}

/** Nobody is told; some of these still must be remembered. */
function untold<Told extends Event>(
  remember: Tell<'owner', never, Told> = nothing,
): EventRow<Told> {
  return { audience: 'nobody', tells: [], isTrading: false, tell: remember };
}

function nothing(): void {}
