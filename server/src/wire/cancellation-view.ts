// Payouts, windows and cancellations of markets as clients see them.
import type { Market as WireMarket } from '@sibyl/contract';
import type { Market } from '@sibyl/engine';
import { pipsText } from './amounts.ts';
import { isoTime } from './times.ts';

type WireCancellation = NonNullable<WireMarket['cancellation']>;
type Terms = NonNullable<Market['cancellation']>;

export function payoutView(
  outcomes: readonly { readonly id: string }[],
  payout: readonly number[],
): NonNullable<WireMarket['payout_vector']> {
  return payout.map((pips, index) => ({
    outcome_id: outcomes[index]?.id ?? '',
    payout: pipsText(pips),
  }));
}

export function windowView({ fromMs, toMs }: NonNullable<Terms['window']>) {
  return {
    from_at: isoTime(fromMs),
    from_at_ms: fromMs,
    to_at: isoTime(toMs),
    to_at_ms: toMs,
  };
}

/** Proposed while the market is settling, final once it is cancelled. */
export function cancellationOf({
  cancellation,
  proposal,
}: Pick<Market, 'cancellation' | 'proposal'>): Terms | null {
  return cancellation ?? proposal?.cancellation ?? null;
}

export function cancellationView({ cause, reason, window, excluded }: Terms): WireCancellation {
  return {
    cause,
    reason,
    window: window === null ? null : windowView(window),
    excluded: [...excluded],
  };
}
