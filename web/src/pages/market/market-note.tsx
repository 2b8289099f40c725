// Why a market cannot be traded now, or what it came to: what won, what it paid, and what one got oneself.
import type { Market } from '@sibyl/sdk';
import { addAmounts } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../components/icon.tsx';
import { money } from '../../format/amounts.ts';
import { nameOf } from '../../format/outcomes.ts';
import { basePath } from '../../lane.ts';
import { useClient, useSession, useWho } from '../../session/use-session.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { marketTexts } from './texts.ts';

interface Props {
  readonly market: Market;
  readonly refusal: string | null;
}

export function MarketNote({ market, refusal }: Props) {
  const clarification = market.clarifications.at(-1);
  const isOver = market.status === 'resolved' || market.status === 'cancelled';
  return (
    <>
      {clarification !== undefined && (
        <p dir="auto" role="status" className="rounded-md bg-accent-soft p-3 whitespace-pre-line">
          {clarification.text}
        </p>
      )}
      {isOver && <Result market={market} />}
      {!isOver && refusal !== null && (
        <p
          role="status"
          className="flex items-start gap-2 rounded-md bg-warn-soft p-3 font-semibold text-warn"
        >
          <span className="mt-0.5">
            <Icon name="warn" />
          </span>
          <span dir="auto" className="min-w-0">
            {refusal}
          </span>
        </p>
      )}
    </>
  );
}

function Result({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const { resolution, status } = market;
  const winner = resolution?.winning_outcome_id ?? null;
  const payouts = resolution?.payout_vector ?? [];
  return (
    <section
      role="status"
      className="flex flex-col gap-2 rounded-md border border-line bg-surface p-4"
    >
      <p dir="auto" className="text-lg font-semibold">
        {status === 'cancelled' && t('wasCancelled')}
        {status === 'resolved' &&
          (winner === null
            ? t('wasSplit')
            : t('hasWon', { outcome: nameOf(locale, market, winner) }))}
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
        {payouts.map(({ outcome_id: id, payout }) => (
          <li key={id} dir="auto">
            {t('paidPerShare', {
              outcome: nameOf(locale, market, id),
              amount: money(locale, payout),
            })}
          </li>
        ))}
      </ul>
      <OwnPayout market={market} />
    </section>
  );
}

/** From one's own statement, which is what was really booked. */
function OwnPayout({ market }: { readonly market: Market }) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const client = useClient();
  const session = useSession();
  const reason = market.status === 'cancelled' ? 'refund' : 'settlement';
  const { data } = useQuery({
    queryKey: ['payout', basePath, useWho(), market.market_id, reason],
    queryFn: async () =>
      (await client.portfolio.ledger({ market_id: market.market_id, reason, limit: 500 })).items,
    enabled: session.status === 'signed_in',
  });
  // The lines about shares are no money.
  const lines = data?.filter(({ asset }) => asset !== null) ?? [];
  if (lines.length === 0) return null;
  const paid = addAmounts(...lines.map(({ amount }) => amount));
  return <p className="font-semibold text-gain">{t('youGot', { amount: money(locale, paid) })}</p>;
}
