// Why a market cannot be traded now, or what it came to: what won, what it paid, and what one got oneself.
import { nameOf } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { addAmounts } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../components/icon.tsx';
import { cents, money } from '../../format/amounts.ts';
import { dateTime } from '../../format/times.ts';
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
  // The second phase of every round, and no reason to worry.
  const isWaiting = market.market_type === 'fast' && market.status === 'locked';
  const isToCancel = market.status === 'settling' && market.cancellation !== null;
  return (
    <>
      {clarification !== undefined && (
        <p dir="auto" role="status" className="rounded-md bg-accent-soft p-3 whitespace-pre-line">
          {clarification.text}
        </p>
      )}
      {isOver && <Result market={market} />}
      {isToCancel && <ToCancel market={market} />}
      {!isOver && !isToCancel && refusal !== null && (
        <p
          role="status"
          className={`flex items-start gap-2 rounded-md p-3 font-semibold ${isWaiting ? 'bg-accent-soft' : 'bg-warn-soft text-warn'}`}
        >
          {!isWaiting && (
            <span className="mt-0.5">
              <Icon name="warn" />
            </span>
          )}
          <span dir="auto" className="min-w-0">
            {refusal}
          </span>
        </p>
      )}
    </>
  );
}

interface Ended {
  readonly market: Market;
}

/** Proposed by one operator: what every share would pay, and until when the notice lasts. */
function ToCancel({ market }: Ended) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const { resolution } = market;
  const time = dateTime(locale, resolution?.challenge_ends_at_ms ?? market.closes_at_ms);
  return (
    <section
      role="status"
      className="flex flex-col gap-2 rounded-md bg-warn-soft p-3 font-semibold text-warn"
    >
      <p dir="auto">{t('cancelProposed', { time })}</p>
      <CancelReason market={market} />
      <Payouts market={market} text="wouldPay" vector={resolution?.payout_vector ?? []} />
    </section>
  );
}

function CancelReason({ market: { cancellation } }: Ended) {
  const t = useTexts(marketTexts);
  if (cancellation === null) return null;
  return (
    <p dir="auto" className="wrap-anywhere">
      {t('cancelReason', { reason: cancellation.reason })}
    </p>
  );
}

interface PayoutsProps extends Ended {
  readonly text: 'paidPerShare' | 'wouldPay';
  readonly vector: NonNullable<Market['payout_vector']>;
}

function Payouts({ market, text, vector }: PayoutsProps) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const isTypical = market.cancellation !== null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {vector.map(({ outcome_id: id, payout }) => (
        <li key={id} dir="auto">
          {t(text, {
            outcome: nameOf(locale, market, id),
            amount: isTypical ? `${cents(locale, payout, 2)}¢` : money(locale, payout),
          })}
        </li>
      ))}
    </ul>
  );
}

function Result({ market }: Ended) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const { resolution, status } = market;
  const winner = resolution?.winning_outcome_id ?? null;
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
      <CancelReason market={market} />
      <div className="text-muted">
        <Payouts market={market} text="paidPerShare" vector={market.payout_vector ?? []} />
      </div>
      <OwnPayout market={market} />
    </section>
  );
}

/** From one's own statement, which is what was really booked. */
function OwnPayout({ market }: Ended) {
  const t = useTexts(marketTexts);
  const locale = useLocale();
  const client = useClient();
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['payout', basePath, useWho(), market.market_id],
    queryFn: async () =>
      (
        await client.portfolio.ledger({
          market_id: market.market_id,
          reason: 'settlement',
          limit: 500,
        })
      ).items,
    enabled: session.status === 'signed_in',
  });
  // The lines about shares are no money.
  const lines = data?.filter(({ asset }) => asset !== null) ?? [];
  if (lines.length === 0) return null;
  const paid = addAmounts(...lines.map(({ amount }) => amount));
  return <p className="font-semibold text-gain">{t('youGot', { amount: money(locale, paid) })}</p>;
}
