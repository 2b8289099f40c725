// Makes a market from a template: its accounts, its pool from the creator's deposit, its timers.
import type { Usdt } from '@sibyl/money';
import { displayedPrices } from '../amm/price.ts';
import type { MarketId } from '../kit/identity.ts';
import { openMarketAccounts } from '../ledger/chart.ts';
import { isRejection } from '../state/authority.ts';
import type { Actor, CreateMarket } from '../state/command.ts';
import { Market, type MarketTerms } from '../state/market.ts';
import type { Answer } from '../state/outcome.ts';
import type { Rejection } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import type { DisplayedOutcome } from '../template/display.ts';
import { isPlatform } from './market-id.ts';
import { shownPrices } from './mid.ts';
import { type MarketPlan, type MarketTimes, planMarket } from './plan.ts';
import { beginTrading, createMemory } from './price-memory.ts';
import { startSampling } from './sample.ts';

export function createMarket(turn: Turn, actor: Actor, command: CreateMarket): Answer {
  const { state } = turn;
  const plan = planMarket(state, actor, command);
  if (isRejection(plan)) return refuse(plan);
  if (plan.kind === 'existing') {
    return accept({ kind: 'market', marketId: plan.market.id, existed: true });
  }
  const market = marketOf(state, plan);
  state.markets.set(market.id, market);
  announce(turn, market);
  postDeposit(turn, market);
  startTimers(state, market);
  market.creator.family.markets += 1;
  market.creator.family.openMarkets += 1;
  if (market.status === 'active') {
    beginTrading(state, market);
    startSampling(state, market);
  }
  return accept({ kind: 'market', marketId: market.id, existed: false });
}

/** A market as a create would make it, with the prices it would open at. */
export interface MarketPreview extends MarketTimes {
  readonly marketId: MarketId;
  readonly existed: boolean;
  readonly title: string;
  readonly renderedTitle: string;
  readonly imageUrl: string | null;
  readonly approved: boolean;
  readonly outcomes: readonly DisplayedOutcome[];
  /** In micro-USDT, together 1000000. */
  readonly prices: readonly bigint[];
  readonly deposit: Usdt;
}

/** Runs the same checks as a create and makes nothing. */
export function previewMarket(
  state: State,
  actor: Actor,
  command: CreateMarket,
): MarketPreview | Rejection {
  const plan = planMarket(state, actor, command);
  if (isRejection(plan)) return plan;
  if (plan.kind === 'existing') {
    const { market } = plan;
    return {
      marketId: market.id,
      existed: true,
      title: market.title,
      renderedTitle: market.renderedTitle,
      imageUrl: market.imageUrl,
      approved: market.approved,
      outcomes: market.outcomes.map(({ id, label }) => ({ id, label })),
      prices: shownPrices(market),
      deposit: market.deposit as Usdt,
      opensAtMs: market.opensAtMs,
      locksAtMs: market.locksAtMs,
      closesAtMs: market.closesAtMs,
    };
  }
  const { id, title, renderedTitle, imageUrl, approved, outcomes, pool, deposit, times } = plan;
  const prices = pool === null ? [500_000n, 500_000n] : displayedPrices(pool.view);
  return {
    marketId: id,
    existed: false,
    title,
    renderedTitle,
    imageUrl,
    approved,
    outcomes,
    prices,
    deposit: deposit as Usdt,
    ...times,
  };
}

function marketOf(state: State, plan: MarketPlan): Market {
  const { id, template, params, creator, outcomes, times, deposit, pool, approved } = plan;
  const isOpen = approved && times.opensAtMs <= state.nowMs;
  const terms: MarketTerms = {
    id,
    template,
    params,
    creator,
    platform: isPlatform(creator.id),
    title: plan.title,
    renderedTitle: plan.renderedTitle,
    imageUrl: plan.imageUrl,
    outcomes: outcomes.map((outcome) => ({
      id: outcome.id,
      label: outcome.label,
      lastPrice: null,
      volume: 0n,
    })),
    createdAtMs: state.nowMs,
    opensAtMs: times.opensAtMs,
    locksAtMs: times.locksAtMs,
    closesAtMs: times.closesAtMs,
    settledAtMs: null,
    status: isOpen ? 'active' : 'scheduled',
    activeSinceMs: isOpen ? state.nowMs : null,
    approved,
    halted: false,
    haltReason: null,
    haltedUntilMs: null,
    tickPips: template.definition.tickPips,
    clarifications: [],
    chainData: null,
    closing: null,
    chunkDueMs: 0,
    deadlineMs: times.closesAtMs + state.parameters.resolution.proposalDeadlineMs,
    sampleDueMs: 0,
    pool,
    deposit,
    totalVolume: 0n,
    memory: createMemory(),
    deepMids: [],
    proposal: null,
    payout: null,
    cancellation: null,
  };
  return new Market(terms, openMarketAccounts(state.ledger, id, outcomes.length));
}

function announce(turn: Turn, market: Market): void {
  turn.events.push({
    type: 'market_created',
    marketId: market.id,
    templateId: market.template.definition.id,
    templateVersion: market.template.version,
    accountId: market.creator.id,
    title: market.title,
    renderedTitle: market.renderedTitle,
    imageUrl: market.imageUrl,
    outcomes: market.outcomes.map(({ id, label }) => ({ id, label })),
    status: market.status,
    approved: market.approved,
    opensAtMs: market.opensAtMs,
    locksAtMs: market.locksAtMs,
    closesAtMs: market.closesAtMs,
    deposit: market.deposit as Usdt,
  });
}

function postDeposit(turn: Turn, market: Market): void {
  const { ledger } = turn.state;
  const { creator, deposit } = market;
  ledger.post(creator.free, -deposit);
  ledger.post(market.escrow, deposit);
  for (let outcome = 0; outcome < market.outcomes.length; outcome += 1) {
    ledger.post(market.issue[outcome]!, -deposit);
    ledger.post(market.inventory[outcome]!, deposit);
  }
  creator.staked += deposit;
  ledger.commit(turn.events, 'market_deposit', market.id);
}

function startTimers(state: State, market: Market): void {
  const { id: subject, opensAtMs, locksAtMs, deadlineMs } = market;
  if (opensAtMs > state.nowMs) state.timers.set({ dueMs: opensAtMs, kind: 'market_open', subject });
  state.timers.set({ dueMs: locksAtMs, kind: 'market_lock', subject });
  state.timers.set({ dueMs: deadlineMs, kind: 'proposal_deadline', subject });
}
