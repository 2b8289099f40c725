// What somebody has filled into the ticket, and the order that it makes.
import {
  checkOrder,
  formatAmount,
  type Market,
  type OrderInput,
  type OrderProblem,
  parseAmount,
  roundSize,
} from '@sibyl/sdk';
import { useCallback, useState } from 'react';
import { inCents } from '../../format/amounts.ts';
import { asTyped, readAmount, readCents } from '../../format/typed-number.ts';
import { lane } from '../../lane.ts';
import type { Locale } from '../../texts/texts.ts';
import { useLocale } from '../../texts/use-texts.ts';

export type Side = 'buy' | 'sell';
export type OrderKind = 'market' | 'limit';
export type Unit = 'shares' | 'amount';
export type TimeInForce = 'gtc' | 'day' | 'time' | 'ioc' | 'fok';

export interface Draft {
  readonly outcomeId: string;
  readonly side: Side;
  /** Among many answers: bought is that this one does not come true. */
  readonly isNo: boolean;
  readonly type: OrderKind;
  readonly unit: Unit;
  /** As typed. */
  readonly quantity: string;
  /** The limit as typed, in cents. */
  readonly cents: string;
  readonly timeInForce: TimeInForce;
  /** When an order with an own end expires, as its field has it: 2026-11-19T21:30 in the reader's zone. */
  readonly expiry: string;
  readonly isPostOnly: boolean;
  /** A price far from what the outcome is worth is accepted: until anything else changes. */
  readonly isFarAccepted: boolean;
}

/** A price may be given as the exchange writes it. */
export type DraftChange = Partial<Draft> & { readonly price?: string };

const DAY_MS = 86_400_000;
/** Test money asks for no thought: a visitor can buy with the first press. */
const FIRST_QUANTITY = lane === 'sandbox' ? '10' : '';

export function useDraft(market: Market, search: string): [Draft, (change: DraftChange) => void] {
  const locale = useLocale();
  const [draft, setDraft] = useState<Draft>(() => firstDraft(market, search));
  const change = useCallback(
    (next: DraftChange): void => setDraft((before) => changed(locale, before, next)),
    [locale],
  );
  return [draft, change];
}

function firstDraft(market: Market, search: string): Draft {
  const asked = new URLSearchParams(search);
  const outcome = market.outcomes.find(({ id }) => id === asked.get('outcome'));
  return {
    outcomeId: outcome?.id ?? dearest(market),
    side: asked.get('side') === 'sell' ? 'sell' : 'buy',
    isNo: false,
    type: 'market',
    unit: 'shares',
    quantity: FIRST_QUANTITY,
    cents: '',
    timeInForce: 'gtc',
    expiry: '',
    isPostOnly: false,
    isFarAccepted: false,
  };
}

/** Of many answers the likeliest; of two the first. */
function dearest({ outcomes, outcome_schema: schema }: Market): string {
  const [first, ...others] = outcomes;
  if (first === undefined || schema !== 'multi') return first?.id ?? '';
  return others.reduce(
    (best, other) => (parseAmount(other.price) > parseAmount(best.price) ? other : best),
    first,
  ).id;
}

function changed(locale: Locale, before: Draft, { price, ...next }: DraftChange): Draft {
  // No is bought whole and at the price of now; a sale and a limit are of Yes.
  const isYes = next.side === 'sell' || next.type === 'limit' || price !== undefined;
  const isNo = !isYes && (next.isNo ?? before.isNo);
  const draft = {
    ...before,
    isFarAccepted: false,
    ...next,
    isNo,
    ...(isNo ? ({ side: 'buy', type: 'market' } as const) : {}),
  };
  // What a sale brings cannot be asked for.
  const unit = draft.side === 'sell' || draft.isNo ? 'shares' : draft.unit;
  const cents = price === undefined ? draft.cents : asTyped(locale, inCents(price));
  return { ...draft, unit, cents };
}

export type Reading =
  | { readonly ok: true; readonly input: OrderInput }
  | { readonly ok: false; readonly missing: 'quantity' | 'price' | 'expiry' | 'laterExpiry' }
  | { readonly ok: false; readonly problem: OrderProblem };

/** The order that the ticket means, or what is wrong with it. */
export function readDraft(locale: Locale, market: Market, draft: Draft, nowMs: number): Reading {
  if (draft.quantity.trim() === '') return { ok: false, missing: 'quantity' };
  const isLimit = draft.type === 'limit';
  if (isLimit && draft.cents.trim() === '') return { ok: false, missing: 'price' };
  const price = isLimit ? readCents(locale, draft.cents) : null;
  if (isLimit && price === null) return wrong('price');
  const quantity = readQuantity(locale, draft.quantity);
  if (quantity === null) return wrong('size');
  const isAmount = draft.unit === 'amount' && draft.side === 'buy';
  const size = isAmount
    ? sharesFor(market, quantity, price ?? market.tick_size)
    : formatAmount(quantity);
  const [problem] = checkOrder(market, price === null ? { size } : { size, price });
  if (problem !== undefined) return { ok: false, problem };
  const order = {
    market_id: market.market_id,
    outcome_id: draft.outcomeId,
    side: draft.side,
    size,
    ...(draft.isFarAccepted ? { accept_price: true } : {}),
  } as const;
  if (draft.isNo) {
    const sale = { ...order, order_type: 'market', side: 'sell', mint: true } as const;
    // Half of it would leave sets that nobody wanted.
    return { ok: true, input: { ...sale, time_in_force: 'fok' } };
  }
  if (price === null) {
    const ceiling = isAmount ? { max_cost: formatAmount(quantity) } : {};
    return { ok: true, input: { ...order, order_type: 'market', ...ceiling } };
  }
  const { timeInForce, expiry, isPostOnly } = draft;
  const limit = { ...order, order_type: 'limit', price } as const;
  if (timeInForce === 'ioc' || timeInForce === 'fok')
    return { ok: true, input: { ...limit, time_in_force: timeInForce } };
  const resting = { ...limit, post_only: isPostOnly };
  if (timeInForce === 'gtc') return { ok: true, input: { ...resting, time_in_force: 'gtc' } };
  // To the minute, so that the same ticket asks for the same preview.
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  const endMs = timeInForce === 'day' ? minuteMs + DAY_MS : Date.parse(expiry);
  if (Number.isNaN(endMs)) return { ok: false, missing: 'expiry' };
  if (endMs <= nowMs) return { ok: false, missing: 'laterExpiry' };
  return { ok: true, input: { ...resting, time_in_force: 'gtd', expires_at_ms: endMs } };
}

function wrong(field: 'price' | 'size'): Reading {
  return { ok: false, problem: { field, reason: 'malformed', nearest: null } };
}

function readQuantity(locale: Locale, text: string): bigint | null {
  const amount = readAmount(locale, text);
  if (amount === null) return null;
  try {
    return parseAmount(amount);
  } catch {
    // More digits than any amount has.
    return null;
  }
}

const MICRO = 1_000_000n;
/** More than any budget buys at any price. */
const SHARES_MOST = 1_000_000n * MICRO;

/** As many as the money can buy at the price; a market order's own ceiling stops it earlier. */
function sharesFor(market: Market, amount: bigint, price: string): string {
  const shares = (amount * MICRO) / parseAmount(price);
  return roundSize(market, formatAmount(shares > SHARES_MOST ? SHARES_MOST : shares));
}

/** A part of what is there, on the market's grid; percent of 100. */
export function partOf(market: Market, whole: string, percent: bigint): string {
  return roundSize(market, formatAmount((parseAmount(whole) * percent) / 100n));
}

/** Money for a limit order leaves room for the fee, should it fill at once: 20 bps at most. */
export function spendable(free: string, percent: bigint): string {
  const part = (parseAmount(free) * percent * 1_000n) / (100n * 1_002n);
  return formatAmount(part - (part % 10_000n));
}
