// What an order would do, as the exchange figured it out.

import { limits } from '@sibyl/contract/limits';
import {
  formatAmount,
  type Market,
  type OrderInput,
  parseAmount,
  subtractAmounts,
} from '@sibyl/sdk';
import type { ReactNode } from 'react';
import { Profit } from '../../../components/profit.tsx';
import {
  cents,
  exactMoney,
  money,
  priceDirectionOf,
  shares,
  signedCents,
} from '../../../format/amounts.ts';
import { lane } from '../../../lane.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { useAsset } from '../../../live/use-asset.ts';
import type { Tickers } from '../../../live/use-tickers.ts';
import { useSession } from '../../../session/use-session.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { estimateOf } from './estimate.ts';
import { ticketTexts } from './texts.ts';
import type { Preview } from './use-preview.ts';

interface Props {
  readonly market: Market;
  readonly input: OrderInput | null;
  readonly preview: Preview;
  readonly tickers: Tickers;
}

/** Figures that are asked for anew step back and have a bar beside them; they stay readable. */
const WAITING =
  'relative text-muted before:absolute before:inset-y-0 before:-left-3 before:w-0.5 before:rounded-sm before:bg-accent';

export function TicketFigures({ market, input, preview, tickers }: Props) {
  const session = useSession();
  if (session.status !== 'signed_in')
    return <BestPrice market={market} input={input} tickers={tickers} />;
  return (
    <dl
      aria-busy={preview.isOld}
      className={`flex flex-col gap-1.5 ${input?.order_type === 'limit' ? 'min-h-20' : 'min-h-46'} ${preview.isOld ? WAITING : ''}`}
    >
      <Rows market={market} preview={preview} />
    </dl>
  );
}

/** For somebody without an account the exchange figures nothing out: the book is what there is to say. */
function BestPrice({ market, input, tickers }: Omit<Props, 'preview'>) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const asset = useAsset(market);
  const ticker = tickers.get(input?.outcome_id ?? market.outcomes[0]?.id ?? '');
  const isBuy = input?.side !== 'sell';
  const price = isBuy ? ticker?.best_ask : ticker?.best_bid;
  const size = isBuy ? ticker?.ask_size : ticker?.bid_size;
  const estimate = input === null ? null : estimateOf(input, ticker);
  const isBudget = input?.max_cost !== undefined;
  // Beyond the best price everything is dearer, or brings less.
  const figure = isBudget
    ? t('countOf', { size: shares(locale, estimate?.size ?? '0') })
    : `${money(locale, estimate?.amount ?? '0')} ${asset}`;
  return (
    <>
      <dl className="flex flex-col gap-1.5">
        <Line label={t(isBuy ? 'bestAsk' : 'bestBid')}>
          {price === null || price === undefined
            ? t('nobody')
            : t('sharesAt', { size: shares(locale, size ?? '0'), price: cents(locale, price, 2) })}
        </Line>
        {estimate !== null && (
          <Line
            label={t(isBudget ? 'buysBeforeFee' : isBuy ? 'costsBeforeFee' : 'bringsBeforeFee')}
            isStrong
          >
            {estimate.isWhole ? figure : t(isBuy && !isBudget ? 'atLeast' : 'atMost', { figure })}
          </Line>
        )}
      </dl>
      {lane === 'sandbox' && (
        <p className="text-xs text-muted">
          {t('demoNote', { amount: money(locale, limits.demo.balance) })}
        </p>
      )}
    </>
  );
}

function Rows({ market, preview: { placed } }: Pick<Props, 'market' | 'preview'>) {
  const t = useTexts(ticketTexts);
  const locale = useLocale();
  const account = useAccount();
  const asset = useAsset(market);
  if (placed?.preview === undefined) return null;
  const { cost, fee, total, impact, balance_free_after: freeAfter } = placed.preview;
  const { filled_size: filled, remaining_size: resting, avg_fill_price: average } = placed;
  const isBuy = placed.side === 'buy';
  // It pays on a line between the ends, and all of it only at one of them.
  const isScalar = market.outcome_schema === 'scalar';
  const isFilling = parseAmount(filled) > 0n;
  const reserved = isBuy && account !== null ? subtractAmounts(account.free, freeAfter) : null;
  return (
    <>
      {isFilling && (
        <>
          <Line label={t('average')}>
            {average === null ? '' : `${cents(locale, average, 2)}¢`}
            {priceDirectionOf(impact) !== 'flat' && (
              <span className="text-muted">
                {' '}
                {t('impact', { change: signedCents(locale, impact) })}
              </span>
            )}
          </Line>
          <Line label={t('fillsNow')}>{shares(locale, filled)}</Line>
          <Line label={t('fee')}>
            {exactMoney(locale, fee)}
            <span className="text-muted">
              {' '}
              {t('ofCurve', { bps: shares(locale, bpsOf(fee, cost)) })}
            </span>
          </Line>
          <Line label={t(isBuy ? 'cost' : 'proceeds')} isStrong>
            {money(locale, total)} {asset}
          </Line>
        </>
      )}
      {placed.status === 'pending' || placed.status === 'partially_filled' ? (
        <Line label={t('rests')}>{shares(locale, resting)}</Line>
      ) : null}
      {isBuy && isFilling && (
        <>
          <Line label={t(isScalar ? 'paysMost' : 'pays')}>{money(locale, filled)}</Line>
          <Line label={t(isScalar ? 'profitMost' : 'profit')}>
            <Profit amount={subtractAmounts(filled, total)} />
          </Line>
        </>
      )}
      {reserved !== null && !isFilling && (
        <Line label={t('reserves')}>{money(locale, reserved)}</Line>
      )}
      <Line label={t('freeAfter')}>{money(locale, freeAfter)}</Line>
    </>
  );
}

interface LineProps {
  readonly label: string;
  readonly isStrong?: boolean;
  readonly children: ReactNode;
}

function Line({ label, isStrong = false, children }: LineProps) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className={`text-right ${isStrong ? 'font-semibold' : ''}`}>{children}</dd>
    </div>
  );
}

/** The place on the fee's curve, in hundredths of a percent with one place. */
function bpsOf(fee: string, cost: string): string {
  const whole = parseAmount(cost);
  if (whole <= 0n) return '0';
  const tenths = (parseAmount(fee) * 100_000n + whole / 2n) / whole;
  return formatAmount(tenths * 100_000n);
}
