// What each share of a market would pay if it were cancelled now, computed once an hour.
import type { OperationOutput } from '@sibyl/contract';
import { asMarketId, fairValue, isFinal } from '@sibyl/engine';
import { ApiError, fail, type RequestContext } from '../../handling/handler.ts';
import { payoutView, windowView } from '../../wire/cancellation-view.ts';
import { isoTime } from '../../wire/times.ts';

type Price = OperationOutput<'getCancellationPrice'>;

const HOUR_MS = 3_600_000;
const KEPT_MAX = 10_000;

export class CancellationPrices {
  #hour = 0;
  /** By lane and market, of this hour. */
  #known = new Map<string, Price>();

  async of(request: RequestContext, marketId: string): Promise<Price | ApiError> {
    const { lane, laneName, receivedAtMs } = request;
    const hour = Math.floor(receivedAtMs / HOUR_MS);
    if (hour !== this.#hour || this.#known.size >= KEPT_MAX) {
      this.#hour = hour;
      this.#known = new Map();
    }
    const key = `${laneName} ${marketId}`;
    const price = await lane.read((state) => {
      const market = state.markets.get(asMarketId(marketId));
      if (market === undefined) return fail('MARKET_NOT_FOUND', { market_id: marketId });
      const { status, proposal } = market;
      const isDecided = isFinal(market) || (proposal?.cancellation ?? null) !== null;
      if (isDecided) return fail('STATE_CONFLICT', { market_id: marketId, status });
      const known = this.#known.get(key);
      if (known !== undefined) return known;
      const value = fairValue(state, market, null, []);
      if ('code' in value) return fail('STATE_CONFLICT', { market_id: marketId, status });
      const { payout, span } = value;
      return {
        market_id: marketId,
        payout_vector: payoutView(market.outcomes, payout),
        window: span === null ? null : windowView(span),
        computed_at: isoTime(receivedAtMs),
        computed_at_ms: receivedAtMs,
      };
    });
    if (!(price instanceof ApiError)) this.#known.set(key, price);
    return price;
  }
}
