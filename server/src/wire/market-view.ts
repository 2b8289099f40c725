// Markets as clients see them: drawn from the engine's state, with the day's volume put in from history.
import type { Resolution, Market as WireMarket } from '@sibyl/contract';
import {
  type Market,
  type MarketId,
  type MarketPreview,
  renderText,
  type State,
  shownPrices,
  type Template,
} from '@sibyl/engine';
import type { History } from '@sibyl/history';
import type { Lane } from '@sibyl/lane';
import { PIPS_ONE, pips } from '@sibyl/money';
import { amountText, lotsText, pipsText } from './amounts.ts';
import { cancellationOf, cancellationView, payoutView } from './cancellation-view.ts';
import { chainDataView } from './chain-data.ts';
import { creatorAddress } from './creator-address.ts';
import { resolutionIdText } from './ids.ts';
import { holdsPersonal, withoutPersonal } from './personal.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

const MICRO_PER_PIP = 100n;
const MICRO = 1_000_000;
const LOT_SIZE = lotsText(1);
const NOTHING = amountText(0n);

/** One market with the day's volumes; null if there is none of this id. */
export async function readMarket(
  lane: Lane,
  history: History,
  marketId: MarketId,
  nowMs: number,
): Promise<WireMarket | null> {
  const view = await lane.read((state) => {
    const market = state.markets.get(marketId);
    return market === undefined ? null : marketView(state, market);
  });
  return view === null ? null : withDayVolumes(view, history, nowMs);
}

/** As messages and webhooks show it: of its parameters without those that are named like personal data. */
export function publicMarketView(state: State, market: Market): WireMarket {
  const view = marketView(state, market);
  return holdsPersonal(view) ? (withoutPersonal(view) as WireMarket) : view;
}

/** The day's volumes are still missing. */
export function marketView(state: State, market: Market): WireMarket {
  const { template, params, status } = market;
  const { definition } = template;
  const prices = pricesOf(market);
  const cancellation = cancellationOf(market);
  return {
    market_id: market.id,
    ...templateFields(template),
    ...displayFields(template, params),
    title: market.title,
    rendered_title: market.renderedTitle,
    image_url: market.imageUrl,
    outcomes: market.outcomes.map(({ id, label }, index) => ({
      id,
      label,
      price: amountText(prices[index]!),
      volume_24h: NOTHING,
    })),
    status,
    halted: market.halted,
    approved: market.approved,
    params: { ...params },
    ...instants(market.createdAtMs, market.opensAtMs, market.closesAtMs),
    ...settlesAt(market.settledAtMs ?? market.proposal?.windowEndsAtMs ?? null),
    total_volume: amountText(market.totalVolume),
    open_interest: amountText(-state.ledger.balance(market.issue[0]!)),
    ...limitFields(definition),
    tick_size: pipsText(market.tickPips),
    creator_address: market.platform ? null : creatorAddress(market.creator.id),
    clarifications: market.clarifications.map(clarificationView),
    resolution: resolutionView(market),
    payout_vector: market.payout === null ? null : payoutView(market.outcomes, market.payout),
    cancellation: cancellation === null ? null : cancellationView(cancellation),
    chain_data: chainDataView(market.chainData),
  };
}

/** A market that a create would make. */
export function previewView(
  template: Template,
  preview: MarketPreview,
  request: {
    readonly params: Market['params'];
    readonly creatorId: string;
    readonly nowMs: number;
  },
): WireMarket {
  const { definition } = template;
  const { opensAtMs, closesAtMs, approved } = preview;
  const isOpen = approved && opensAtMs <= request.nowMs;
  return {
    market_id: preview.marketId,
    ...templateFields(template),
    ...displayFields(template, request.params),
    title: preview.title,
    rendered_title: preview.renderedTitle,
    image_url: preview.imageUrl,
    outcomes: preview.outcomes.map(({ id, label }, index) => ({
      id,
      label,
      price: amountText(preview.prices[index]!),
      volume_24h: NOTHING,
    })),
    status: isOpen ? 'active' : 'scheduled',
    halted: false,
    approved,
    params: { ...request.params },
    ...instants(request.nowMs, opensAtMs, closesAtMs),
    ...settlesAt(null),
    total_volume: NOTHING,
    open_interest: amountText(preview.deposit),
    ...limitFields(definition),
    creator_address: creatorAddress(request.creatorId),
    clarifications: [],
    resolution: null,
    payout_vector: null,
    cancellation: null,
    chain_data: null,
  };
}

export async function withDayVolumes(
  view: WireMarket,
  history: History,
  nowMs: number,
): Promise<WireMarket> {
  const volumes = await history.dayVolumes(view.market_id, view.outcomes.length, nowMs);
  const outcomes = view.outcomes.map((outcome, index) => ({
    ...outcome,
    volume_24h: amountText(volumes[index]!),
  }));
  return { ...view, outcomes };
}

export function clarificationView({
  text,
  atMs,
}: Market['clarifications'][number]): WireMarket['clarifications'][number] {
  return { text, clarified_at: isoTime(atMs), clarified_at_ms: atMs };
}

/** Null until an answer was proposed. */
export function resolutionView(market: Market): Resolution | null {
  const { proposal, outcomes } = market;
  if (proposal === null) return null;
  const { payout, proposedAtMs, windowEndsAtMs, state } = proposal;
  const isOver = state === 'final' || state === 'void';
  const finalizedAtMs = isOver ? market.settledAtMs : null;
  const winner = payout.indexOf(PIPS_WINNER);
  return {
    resolution_id: resolutionIdText(market.id),
    state,
    winning_outcome_id: winner < 0 ? null : outcomes[winner]!.id,
    payout_vector: payoutView(outcomes, payout),
    evidence: [...proposal.evidence],
    disputed: proposal.dispute !== null,
    proposed_at: isoTime(proposedAtMs),
    proposed_at_ms: proposedAtMs,
    challenge_ends_at: isoTime(windowEndsAtMs),
    challenge_ends_at_ms: windowEndsAtMs,
    finalized_at: isoTimeOrNull(finalizedAtMs),
    finalized_at_ms: finalizedAtMs,
  };
}

/** In micro-USDT, together one; of a market that has ended, what its shares were worth. */
export function pricesOf(market: Market): readonly bigint[] {
  if (market.payout === null) return shownPrices(market);
  return market.payout.map((pips) => BigInt(pips) * MICRO_PER_PIP);
}

/** Of an outcome before its first trade, in micro-USDT: as the pool shows it, what does not divide evenly goes to the first. */
export function openingPrice({ template, outcomes }: Market, outcome: number): number {
  const { prior } = template.definition;
  if (prior !== null) return prior[outcome]! * Number(MICRO_PER_PIP);
  const remainder = MICRO % outcomes.length;
  return (MICRO - remainder) / outcomes.length + (outcome < remainder ? 1 : 0);
}

const PIPS_WINNER = pips(PIPS_ONE);

function templateFields({ definition, version }: Template) {
  const { id, category, marketType, outcomeSchema } = definition;
  return {
    template_id: id,
    template_version: version,
    category,
    market_type: marketType,
    outcome_schema: outcomeSchema,
    asset: 'USDT',
  } as const;
}

function displayFields({ definition }: Template, params: Market['params']) {
  const { subtitleTemplate, description } = definition.displayDefaults;
  return {
    subtitle: subtitleTemplate === null ? '' : renderText(subtitleTemplate, params),
    description: description === null ? '' : renderText(description, params),
  };
}

function limitFields({ tickPips, minLots, minBet, maxBet }: Template['definition']) {
  return {
    tick_size: pipsText(tickPips),
    lot_size: LOT_SIZE,
    min_size: lotsText(minLots),
    min_notional: amountText(minBet),
    max_notional: amountText(maxBet),
  };
}

function instants(createdAtMs: number, opensAtMs: number, closesAtMs: number) {
  return {
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    opens_at: isoTime(opensAtMs),
    opens_at_ms: opensAtMs,
    closes_at: isoTime(closesAtMs),
    closes_at_ms: closesAtMs,
  };
}

function settlesAt(atMs: number | null) {
  return { settles_at: isoTimeOrNull(atMs), settles_at_ms: atMs };
}
