// The estimate of a visitor's order, kept current with the order book.
import { limits } from '@sibyl/contract/limits';
import { type Market, type OrderInput, subtractAmounts } from '@sibyl/sdk';
import { lane } from '../../../lane.ts';
import { useBook } from '../../../live/use-live.ts';
import { useTemplates } from '../../../live/use-templates.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useSession } from '../../../session/use-session.ts';
import { estimateOf, mintedOf } from './estimate.ts';
import type { OrderFigures } from './order-figures.ts';

/** The highest peak that a template may have. */
const PEAK_BPS_MAX = 20;

/** Null for an account, whose orders the exchange previews, and until the book is here. */
export function useEstimate(
  market: Market,
  input: OrderInput | null,
  tickers: Tickers,
): OrderFigures | null {
  const { status } = useSession();
  const outcomeId = status === 'signed_in' ? null : (input?.outcome_id ?? null);
  const book = useBook(market.market_id, outcomeId);
  const { template_id: id, template_version: version, outcomes } = market;
  const template = useTemplates().find((each) => each.id === id && each.version === version);
  if (book === null || input === null || outcomeId === null) return null;
  const outcome = outcomes.find((each) => each.id === outcomeId);
  const estimate = estimateOf(input, book, {
    lotSize: market.lot_size,
    peakBps: template?.fee_schedule.taker_bps ?? PEAK_BPS_MAX,
    price: tickers.get(outcomeId)?.price ?? outcome?.price ?? '0',
    band: template?.price_band ?? null,
  });
  const figures = input.mint === true ? mintedOf(estimate) : estimate;
  if (lane !== 'sandbox' || !figures.isBuy) return figures;
  // The demo account that the order will open.
  return { ...figures, freeAfter: subtractAmounts(limits.demo.balance, figures.total) };
}
