// What a sell gives away, which caps count like what it brings, and prices far from what an outcome is worth (RK6, RK7).

import { micro } from '../kit/micro.ts';
import { bandOf, NO_BAND } from '../market/band.ts';
import { knownWorth, worthOf } from '../market/worth.ts';
import { filledBy, type Intent, lastTrade, type Plan } from '../route/plan.ts';
import type { GrantTerms, TierCaps } from '../state/command.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';

/** In µUSDT: how much less than nine tenths of its worth a sell brings and asks for. */
export function givenAway(state: State, plan: Plan, resting: number): number {
  const { market, outcome, side, limit } = plan.intent;
  const lots = filledBy(plan) + resting;
  if (side === 'buy' || lots === 0) return 0;
  const product = micro(lots) * micro(worthOf(state, market, outcome)) * 9n;
  const least = Number(product / PER_TENTH); // exact: at most the size, which is a safe integer, rounded down as RK6 says
  const given = least - plan.cost - resting * limit;
  return given > 0 ? given : 0;
}

interface Consent {
  readonly acceptPrice?: boolean;
  readonly caps: TierCaps | null;
  readonly grant: GrantTerms | null;
}

/** Without a pool no band holds a limit order back: who gives or pays that much more must say so, and no capped key can. */
export function checkDistance(
  state: State,
  plan: Plan,
  resting: number,
  { acceptPrice, caps, grant }: Consent,
): Rejection | null {
  const { market, outcome, side } = plan.intent;
  if (market.pool !== null) return null;
  if (acceptPrice === true && caps === null && grant === null) return null;
  const price = worstPrice(plan, resting);
  const band = bandOf(state, market);
  if (price === NO_PRICE || band === NO_BAND || isNear(plan.intent, price, band)) return null;
  const worth = knownWorth(state, market, outcome);
  if (worth === null) return null;
  const away = side === 'buy' ? price * MICRO_PER_PIP - worth : worth - price * MICRO_PER_PIP;
  if (away <= band * MICRO_PER_PIP) return null;
  return reject('RISK_LIMIT_BREACH', { limit: 'far_from_price', reference: micro(worth) });
}

/** Nothing is worth less than nothing or more than one. */
function isNear({ side }: Intent, price: number, band: number): boolean {
  return side === 'buy' ? price <= band : price >= PIPS_ONE - band;
}

/** The last at which the order trades, or its limit if it rests. */
function worstPrice(plan: Plan, resting: number): number {
  if (resting > 0) return plan.intent.limit;
  const last = lastTrade(plan);
  return last === null ? NO_PRICE : last.cost / last.lots; // exact: whole lots at a whole price
}

const NO_PRICE = 0;
const PIPS_ONE = 10_000;
const MICRO_PER_PIP = 100;
/** Lots times µUSDT of a share are a hundred times µUSDT; the tenth makes it a thousand. */
const PER_TENTH = 1_000n;
