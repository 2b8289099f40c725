// What a cancellation of the market would pay: a typical price, not what was paid for the shares.
import { nameOf } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { cents } from '../../../format/amounts.ts';
import { basePath } from '../../../lane.ts';
import { useClient } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { papersTexts } from './texts.ts';

/** The server computes it anew every hour. */
const KEPT_MS = 3_600_000;

export function CancellationPrice({ market }: { readonly market: Market }) {
  const t = useTexts(papersTexts);
  const locale = useLocale();
  const client = useClient();
  const { market_id: id, status, cancellation } = market;
  const isOpen = status !== 'resolved' && status !== 'cancelled' && cancellation === null;
  const { data } = useQuery({
    queryKey: ['cancellation-price', basePath, id],
    queryFn: () => client.markets.cancellationPrice(id),
    enabled: isOpen,
    staleTime: KEPT_MS,
    refetchInterval: KEPT_MS,
  });
  if (!isOpen) return null;
  const prices = data?.payout_vector.map(
    ({ outcome_id: outcome, payout }) =>
      `${nameOf(locale, market, outcome)} ${cents(locale, payout, 2)}¢`,
  );
  return (
    <p>
      <strong>{t('ifCancelled')}</strong> {t('cancelledPays')}{' '}
      {prices !== undefined && t('cancellationNow', { prices: prices.join(', ') })}
    </p>
  );
}
